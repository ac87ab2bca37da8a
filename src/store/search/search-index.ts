import { z } from 'zod';
import {
  type EntryRow,
  entrySchema,
  MAX_SLICES,
  type NewEntry,
  type Period,
  type SliceMatch,
  type SourceRow,
  sliceMatch,
  sourceSchema,
  timeOfSlice,
  withinPeriod,
} from './search-rows.ts';
import type { SearchDatabase, SearchStatement } from './search-tables.ts';
import { createVectors, type SearchVectors } from './search-vectors.ts';

/** What a call was made for weighs less than what the call says. */
const ABOUT_WEIGHT = 0.3;

type Value = string | number;

const textRow = z.object({ value: z.string() });
const numberRow = z.object({ value: z.number().nullable() });
const matchSchema = z.object({ id: z.int(), score: z.number() });

/** The tables of index.db as functions. All of them throw the library's errors. */
export class SearchIndex {
  readonly #db: SearchDatabase;
  #written = false;
  readonly #statements = new Map<string, SearchStatement>();
  readonly #counts = new Map<string, number>();
  readonly #sources = new Map<number, SourceRow>();
  readonly vectors: SearchVectors;

  constructor(db: SearchDatabase) {
    this.#db = db;
    this.vectors = createVectors(db, (sql) => this.#sql(sql));
  }

  #sql(sql: string): SearchStatement {
    const cached = this.#statements.get(sql) ?? this.#db.prepare(sql);
    this.#statements.set(sql, cached);
    return cached;
  }

  write<T>(work: () => T): T {
    this.#counts.clear();
    this.#sources.clear();
    this.#db.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.#db.exec('COMMIT');
      this.#written = true;
      return result;
    } catch (error) {
      if (this.#db.inTransaction) this.#db.exec('ROLLBACK');
      throw error;
    }
  }

  #all<T>(schema: z.ZodType<T>, sql: string, ...values: readonly Value[]): readonly T[] {
    const rows = this.#sql(sql).all(...values);
    return rows.map((row) => schema.parse(row));
  }

  #one<T>(schema: z.ZodType<T>, sql: string, ...values: readonly Value[]): T | undefined {
    const row = this.#sql(sql).get(...values);
    return row === undefined ? undefined : schema.parse(row);
  }

  #insert(table: string, row: Readonly<Record<string, Value | null>>): number {
    const columns = Object.keys(row);
    const sql = `INSERT INTO ${table}(${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;
    return Number(this.#sql(sql).run(...Object.values(row)).lastInsertRowid);
  }

  sources(): readonly SourceRow[] {
    return this.#all(sourceSchema, 'SELECT * FROM sources');
  }

  /** Asked for each entry that is found, so it is kept until something is written. */
  source(id: number): SourceRow | undefined {
    const source = this.#sources.get(id) ?? this.#one(sourceSchema, 'SELECT * FROM sources WHERE id = ?', id);
    if (source !== undefined) this.#sources.set(id, source);
    return source;
  }

  sourceAt(path: string): SourceRow | undefined {
    return this.#one(sourceSchema, 'SELECT * FROM sources WHERE path = ?', path);
  }

  addSource({ path, grp, session, folder, stamp, done }: Omit<SourceRow, 'id'>): number {
    return this.#insert('sources', { path, grp, session, folder, stamp, done });
  }

  distinct(column: 'grp' | 'folder'): readonly string[] {
    return this.#all(textRow, `SELECT DISTINCT ${column} AS value FROM sources`).map(({ value }) => value);
  }

  setDone(source: number, done: number): void {
    this.#sql('UPDATE sources SET done = ? WHERE id = ?').run(done, source);
  }

  removeSource(source: number): void {
    for (const entry of this.#all(entrySchema, 'SELECT * FROM entries WHERE source = ?', source)) this.removeEntry(entry);
    this.#sql('DELETE FROM sources WHERE id = ?').run(source);
  }

  addEntry(entry: NewEntry, givenId: number | null = null): void {
    const { source, n, part, block, key, kind, tool, failed, at, place, marks, terms, about = '' } = entry;
    const row = { id: givenId, source, n, part, block, key, kind, tool, failed, at, place, slices: terms.length };
    const id = this.#insert('entries', row);
    const insert = this.#sql('INSERT INTO terms(rowid, words, about, marks) VALUES (?, ?, ?, ?)');
    for (const [slice, words] of terms.entries()) insert.run(id * MAX_SLICES + slice, words, slice === 0 ? about : '', marks);
  }

  /** Returns the first of `count` ids below those of newer sessions, or above all where there is no room, with `room` for older ones. */
  firstIdFor({ session, count, room }: { readonly session: string; readonly count: number; readonly room: number }): number {
    const firstOf = '(SELECT id FROM entries WHERE source = sources.id ORDER BY n, part, block LIMIT 1)';
    const newer = this.#number(`SELECT min(${firstOf}) AS value FROM sources WHERE session > ?`, session);
    const below = newer === null ? 0 : (this.#number('SELECT max(id) AS value FROM entries WHERE id < ?', newer) ?? 0);
    if (newer !== null && newer - below > count) return newer - count;
    return (this.#number('SELECT max(id) AS value FROM entries') ?? 0) + 1 + (newer === null ? room : 0);
  }

  /** Returns the id above which so much of the ids are, from 0 to 1. */
  idAt(share: number): number {
    const [low, high] = ['min', 'max'].map((end) => this.#number(`SELECT ${end}(id) AS value FROM entries`) ?? 0);
    return (low ?? 0) + Math.floor(((high ?? 0) - (low ?? 0)) * share);
  }

  #number(sql: string, ...values: readonly Value[]): number | null {
    return this.#one(numberRow, sql, ...values)?.value ?? null;
  }

  removeEntry({ id, slices }: EntryRow): void {
    const remove = this.#sql('DELETE FROM terms WHERE rowid = ?');
    for (let slice = 0; slice < slices; slice++) remove.run(id * MAX_SLICES + slice);
    this.#sql('DELETE FROM entries WHERE id = ?').run(id);
    this.vectors.removeEntry(id);
  }

  entry(id: number): EntryRow | undefined {
    return this.#one(entrySchema, 'SELECT * FROM entries WHERE id = ?', id);
  }

  entryAt(source: number, { n, part, block }: Pick<EntryRow, 'n' | 'part' | 'block'>): EntryRow | undefined {
    return this.#one(entrySchema, 'SELECT * FROM entries WHERE source = ? AND n = ? AND part = ? AND block = ?', source, n, part, block);
  }

  entryByKey(source: number, key: string): EntryRow | undefined {
    return this.#one(entrySchema, "SELECT * FROM entries WHERE source = ? AND key = ? AND key <> '' ORDER BY id DESC LIMIT 1", source, key);
  }

  neighbour({ source, n, part, block }: EntryRow, side: 'before' | 'after'): EntryRow | undefined {
    const [sign, order] = side === 'before' ? ['<', 'DESC'] : ['>', 'ASC'];
    const inOrder = `ORDER BY n ${order}, part ${order}, block ${order} LIMIT 1`;
    const sql = `SELECT * FROM entries WHERE source = ? AND (n, part, block) ${sign} (?, ?, ?) ${inOrder}`;
    return this.#one(entrySchema, sql, source, n, part, block);
  }

  newestUserEntry(source: number): EntryRow | undefined {
    return this.#one(entrySchema, "SELECT * FROM entries WHERE source = ? AND kind = 'user' ORDER BY n DESC, part DESC LIMIT 1", source);
  }

  count(term: string): number {
    return this.#count(term, 'SELECT doc AS value FROM vocabulary WHERE term = ?', [term]);
  }

  /** Returns in how many slices the terms with this beginning are, those with several of them counted several times. */
  countOfBeginning(beginning: string): number {
    const range = [beginning, `${beginning}\u{10ffff}`];
    return this.#count(`${beginning} *`, 'SELECT sum(doc) AS value FROM vocabulary WHERE term >= ? AND term < ?', range);
  }

  size(): number {
    return this.#count('', 'SELECT count(*) AS value FROM entries', []);
  }

  /** Kept by `key` until something is written. */
  #count(key: string, sql: string, values: readonly string[]): number {
    const count = this.#counts.get(key) ?? this.#number(sql, ...values) ?? 0;
    this.#counts.set(key, count);
    return count;
  }

  /** Finds slices, best first by bm25, the newest first among equals. `from`: only in this entry and those added after it. */
  find(expression: string, { from = 0, ...options }: Period & { readonly limit: number; readonly from?: number }): readonly SliceMatch[] {
    const score = `bm25(terms, 1.0, ${ABOUT_WEIGHT}, 0.0)`;
    const added = from > 0 ? `AND rowid >= ${Math.floor(from) * MAX_SLICES}` : '';
    const select = `SELECT rowid AS id, ${score} AS score FROM terms WHERE terms MATCH ? ${added}`;
    return this.#match(select, 'score, rowid DESC', expression, options);
  }

  newest(expression: string, { limit, ...period }: Period & { readonly limit: number }): readonly SliceMatch[] {
    const first = `SELECT rowid AS id, 0.0 AS score FROM terms WHERE terms MATCH ? AND rowid % ${MAX_SLICES} = 0`;
    return this.#match(first, `${timeOfSlice('terms.rowid')} DESC, rowid DESC`, expression, { limit, ...period });
  }

  #match(select: string, order: string, expression: string, period: Period & { readonly limit: number }): readonly SliceMatch[] {
    const { clauses, times } = withinPeriod(period, 'terms.rowid');
    const sql = `${[select, ...clauses].join(' AND ')} ORDER BY ${order} LIMIT ?`;
    const rows = this.#all(matchSchema, sql, expression, ...times, period.limit);
    return rows.map(({ id, score }) => sliceMatch(id, -score));
  }

  /** Moves what was written into the main file, as far as no reader prevents it. */
  close(): void {
    if (this.#written) this.#db.exec('PRAGMA wal_checkpoint(PASSIVE)');
    this.#db.close();
  }
}
