import { closeSync } from 'node:fs';
import Database from 'libsql';
import { z } from 'zod';
import { recallKinds } from '../domain/recall.ts';
import { type Disk, ensureFolder, openForAppend } from './disk.ts';
import { errnoOf } from './failure.ts';
import { unlinkIfThere } from './replace-file.ts';

/** Raised when the tables or the terms change: an index of another version is built anew. */
const INDEX_VERSION = 1;
/** A long text is indexed in so many slices at most; the number of a slice is in the row's id. */
export const MAX_SLICES = 4096;
/** A process that writes holds the index for a fraction of a second. */
const BUSY_TIMEOUT_MS = 5_000;

const sourceSchema = z.object({
  id: z.int(),
  /** Of a log or a page of memories. */
  path: z.string(),
  grp: z.string(),
  session: z.string(),
  /** Tells one file of that path from another. */
  stamp: z.string(),
  /** Bytes that are in the index. */
  done: z.int(),
});
export type SourceRow = Readonly<z.infer<typeof sourceSchema>>;

const entrySchema = z.object({
  id: z.int(),
  source: z.int(),
  n: z.int(),
  part: z.int(),
  block: z.int(),
  key: z.string(),
  kind: z.enum(recallKinds),
  tool: z.string(),
  failed: z.int(),
  at: z.string(),
  place: z.string(),
  slices: z.int(),
});
/** One thing that can be found. `n`, `part` and `block` say where it stands among others of its source; `place` is for whoever reads its text. */
export type EntryRow = Readonly<z.infer<typeof entrySchema>>;
export type NewEntry = Omit<EntryRow, 'id' | 'slices'> & { readonly marks: string; readonly terms: readonly string[] };

export type FoundSlice = { readonly entry: number; readonly slice: number; readonly score: number };

const numberRow = z.object({ value: z.number().nullable() });
const foundSchema = z.object({ id: z.int(), score: z.number() });

const TABLES = `
  CREATE TABLE sources(id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, grp TEXT NOT NULL, session TEXT NOT NULL, stamp TEXT NOT NULL, done INTEGER NOT NULL);
  CREATE TABLE entries(id INTEGER PRIMARY KEY, source INTEGER NOT NULL, n INTEGER NOT NULL, part INTEGER NOT NULL, block INTEGER NOT NULL, key TEXT NOT NULL,
    kind TEXT NOT NULL, tool TEXT NOT NULL, failed INTEGER NOT NULL, at TEXT NOT NULL, place TEXT NOT NULL, slices INTEGER NOT NULL);
  CREATE INDEX entries_in_order ON entries(source, n, part, block);
  CREATE INDEX entries_by_key ON entries(source, key) WHERE key <> '';
  CREATE TABLE unanswered(source INTEGER NOT NULL, call TEXT NOT NULL, entry INTEGER NOT NULL, PRIMARY KEY(source, call));
  CREATE VIRTUAL TABLE terms USING fts5(words, marks, content='', contentless_delete=1, tokenize="ascii tokenchars '_-./'");
  CREATE VIRTUAL TABLE vocabulary USING fts5vocab(terms, 'row');
  INSERT INTO terms(terms, rank) VALUES('hashsize', 33554432);
  PRAGMA user_version = ${INDEX_VERSION};`;

export type Opened = { readonly index: SearchIndex; readonly found: 'current' | 'missing' | 'other_version' };

/**
 * Opens index.db, or makes it. Two processes may have it open; a writer waits for the other. Throws what the library throws, with its
 * `code`: `isDamage` tells whether deleting the file helps.
 */
export function openSearchIndex(disk: Disk, path: string): Opened {
  ensureFolder(disk, disk.home);
  // Made by us, so that it is private from its first byte on; the files beside it get the same mode.
  closeSync(openForAppend(disk, path));
  const db = new Database(path, { timeout: BUSY_TIMEOUT_MS });
  try {
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -32000;');
    const version = one(db, 'SELECT user_version AS value FROM pragma_user_version');
    if (version === INDEX_VERSION) return { index: new SearchIndex(db), found: 'current' };
    const tables = one(db, 'SELECT count(*) AS value FROM sqlite_master');
    if (tables > 0) throw Object.assign(new Error('the index is of another version'), { code: OTHER_VERSION });
    makeTables(db);
    return { index: new SearchIndex(db), found: 'missing' };
  } catch (error) {
    db.close();
    if (errnoOf(error) !== OTHER_VERSION) throw error;
    removeSearchIndex(path);
    return { ...openSearchIndex(disk, path), found: 'other_version' };
  }
}

const OTHER_VERSION = 'OTHER_VERSION';

function makeTables(db: Database.Database): void {
  db.exec('BEGIN IMMEDIATE');
  try {
    // Another process may have made them while this one waited.
    if (one(db, 'SELECT count(*) AS value FROM sqlite_master') === 0) db.exec(TABLES);
    db.exec('COMMIT');
  } catch (error) {
    db.exec('ROLLBACK');
    throw error;
  }
}

const one = (db: Database.Database, sql: string): number => numberRow.parse(db.prepare(sql).get()).value ?? 0;

export function removeSearchIndex(path: string): void {
  for (const end of ['-wal', '-shm', '']) unlinkIfThere(`${path}${end}`);
}

/** Failures of the world: the file is as good as before, and building it anew would fail as well. */
const PASSING = /^SQLITE_(?:BUSY|LOCKED|FULL|READONLY|CANTOPEN|NOMEM|INTERRUPT|PERM|AUTH|IOERR(?!_SHORT_READ))/;

export const isBusy = (error: unknown): boolean => /^SQLITE_(?:BUSY|LOCKED)/.test(errnoOf(error));
/** What is in the file is not what we wrote. */
export const isDamage = (error: unknown): boolean =>
  error instanceof z.ZodError || (errnoOf(error).startsWith('SQLITE_') && !PASSING.test(errnoOf(error)));

/** The tables of index.db as functions. All of them throw what the library throws. */
export class SearchIndex {
  readonly #db: Database.Database;
  #written = false;
  readonly #statements = new Map<string, Database.Statement>();

  constructor(db: Database.Database) {
    this.#db = db;
  }

  #sql(sql: string): Database.Statement {
    const known = this.#statements.get(sql) ?? this.#db.prepare(sql);
    this.#statements.set(sql, known);
    return known;
  }

  /** All of it or nothing, and no other writer meanwhile. */
  write<T>(work: () => T): T {
    this.#db.exec('BEGIN IMMEDIATE');
    try {
      const made = work();
      this.#db.exec('COMMIT');
      this.#written = true;
      return made;
    } catch (error) {
      if (this.#db.inTransaction) this.#db.exec('ROLLBACK');
      throw error;
    }
  }

  sources(): readonly SourceRow[] {
    return this.#sql('SELECT * FROM sources')
      .all()
      .map((row) => sourceSchema.parse(row));
  }

  source(id: number): SourceRow | undefined {
    const row = this.#sql('SELECT * FROM sources WHERE id = ?').get(id);
    return row === undefined ? undefined : sourceSchema.parse(row);
  }

  sourceAt(path: string): SourceRow | undefined {
    const row = this.#sql('SELECT * FROM sources WHERE path = ?').get(path);
    return row === undefined ? undefined : sourceSchema.parse(row);
  }

  addSource({ path, grp, session, stamp, done }: Omit<SourceRow, 'id'>): number {
    return Number(
      this.#sql('INSERT INTO sources(path, grp, session, stamp, done) VALUES (?, ?, ?, ?, ?)').run(path, grp, session, stamp, done)
        .lastInsertRowid,
    );
  }

  setDone(source: number, done: number): void {
    this.#sql('UPDATE sources SET done = ? WHERE id = ?').run(done, source);
  }

  /** With all that was found in it. */
  removeSource(source: number): void {
    const rows = this.#sql('SELECT * FROM entries WHERE source = ?').all(source);
    for (const row of rows) this.removeEntry(entrySchema.parse(row));
    this.#sql('DELETE FROM unanswered WHERE source = ?').run(source);
    this.#sql('DELETE FROM sources WHERE id = ?').run(source);
  }

  addEntry(entry: NewEntry): number {
    const { source, n, part, block, key, kind, tool, failed, at, place, marks, terms } = entry;
    const id = Number(
      this.#sql(
        'INSERT INTO entries(source, n, part, block, key, kind, tool, failed, at, place, slices) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
      ).run(source, n, part, block, key, kind, tool, failed, at, place, terms.length).lastInsertRowid,
    );
    const insert = this.#sql('INSERT INTO terms(rowid, words, marks) VALUES (?, ?, ?)');
    for (const [slice, words] of terms.entries()) insert.run(id * MAX_SLICES + slice, words, marks);
    return id;
  }

  removeEntry({ id, slices }: EntryRow): void {
    const remove = this.#sql('DELETE FROM terms WHERE rowid = ?');
    for (let slice = 0; slice < slices; slice++) remove.run(id * MAX_SLICES + slice);
    this.#sql('DELETE FROM entries WHERE id = ?').run(id);
  }

  entry(id: number): EntryRow | undefined {
    return this.#entry('SELECT * FROM entries WHERE id = ?', [id]);
  }

  entryAt(source: number, { n, part, block }: Pick<EntryRow, 'n' | 'part' | 'block'>): EntryRow | undefined {
    return this.#entry('SELECT * FROM entries WHERE source = ? AND n = ? AND part = ? AND block = ?', [source, n, part, block]);
  }

  entryByKey(source: number, key: string): EntryRow | undefined {
    return this.#entry('SELECT * FROM entries WHERE source = ? AND key = ?', [source, key]);
  }

  neighbour({ source, n, part, block }: EntryRow, side: 'before' | 'after'): EntryRow | undefined {
    const [sign, order] = side === 'before' ? ['<', 'DESC'] : ['>', 'ASC'];
    return this.#entry(
      `SELECT * FROM entries WHERE source = ? AND (n, part, block) ${sign} (?, ?, ?) ORDER BY n ${order}, part ${order}, block ${order} LIMIT 1`,
      [source, n, part, block],
    );
  }

  /** The number of the newest thing the user said. */
  newestSaid(source: number): number | undefined {
    return (
      numberRow.parse(this.#sql("SELECT max(n) AS value FROM entries WHERE source = ? AND kind = 'user'").get(source)).value ?? undefined
    );
  }

  #entry(sql: string, values: readonly (number | string)[]): EntryRow | undefined {
    const row = this.#sql(sql).get(...values);
    return row === undefined ? undefined : entrySchema.parse(row);
  }

  addUnanswered(source: number, call: string, entry: number): void {
    this.#sql('INSERT OR REPLACE INTO unanswered(source, call, entry) VALUES (?, ?, ?)').run(source, call, entry);
  }

  /** The call that waited for this result, which it does no longer. */
  takeUnanswered(source: number, call: string): EntryRow | undefined {
    const found = this.#entry(
      'SELECT entries.* FROM unanswered JOIN entries ON entries.id = entry WHERE unanswered.source = ? AND call = ?',
      [source, call],
    );
    if (found !== undefined) this.#sql('DELETE FROM unanswered WHERE source = ? AND call = ?').run(source, call);
    return found;
  }

  /** In how many slices a term stands. */
  count(term: string): number {
    const row = this.#sql('SELECT doc AS value FROM vocabulary WHERE term = ?').get(term);
    return row === undefined ? 0 : (numberRow.parse(row).value ?? 0);
  }

  /** Best first by bm25; of equal ones the newest. `since` is an ISO time. */
  find(expression: string, { since, limit }: { readonly since: string | undefined; readonly limit: number }): readonly FoundSlice[] {
    const late = since === undefined ? '' : `AND (SELECT at FROM entries WHERE entries.id = terms.rowid / ${MAX_SLICES}) >= ?`;
    const sql = `SELECT rowid AS id, bm25(terms, 1.0, 0.0) AS score FROM terms WHERE terms MATCH ? ${late} ORDER BY score, rowid DESC LIMIT ?`;
    const rows = this.#sql(sql).all(...[expression, ...(since === undefined ? [] : [since]), limit]);
    return rows.map((row) => {
      const { id, score } = foundSchema.parse(row);
      return { entry: Math.floor(id / MAX_SLICES), slice: id % MAX_SLICES, score: -score };
    });
  }

  /** What was written goes into the file itself, as far as no reader stands in the way. */
  close(): void {
    if (this.#written) this.#db.exec('PRAGMA wal_checkpoint(PASSIVE)');
    this.#db.close();
  }
}
