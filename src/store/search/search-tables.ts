import { closeSync } from 'node:fs';
import Database from 'libsql';
import { z } from 'zod';
import { errnoOf } from '../../domain/value/errno.ts';
import { unlinkIfExists } from '../files/atomic-write.ts';
import { type Disk, ensureFolder, entryExists, openForAppend } from '../files/disk.ts';
import { formatError } from '../files/failure.ts';

/** Raise it when the tables or the terms change: an index of another version is rebuilt. */
const INDEX_VERSION = 7;
/** A process that writes holds the index for a fraction of a second. */
const BUSY_TIMEOUT_MS = 5_000;

/** Without automerge, parts of the index are merged 16 at a time (crisismerge) instead of again at each write. */
const TABLES = `
  CREATE TABLE sources(id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, grp TEXT NOT NULL, session TEXT NOT NULL, folder TEXT NOT NULL, stamp TEXT NOT NULL, done INTEGER NOT NULL);
  CREATE TABLE entries(id INTEGER PRIMARY KEY, source INTEGER NOT NULL, n INTEGER NOT NULL, part INTEGER NOT NULL, block INTEGER NOT NULL, key TEXT NOT NULL,
    kind TEXT NOT NULL, tool TEXT NOT NULL, failed INTEGER NOT NULL, at TEXT NOT NULL, place TEXT NOT NULL, slices INTEGER NOT NULL);
  CREATE INDEX entries_in_order ON entries(source, n, part, block);
  CREATE INDEX entries_by_key ON entries(source, key) WHERE key <> '';
  CREATE VIRTUAL TABLE terms USING fts5(words, about, marks, content='', contentless_delete=1, tokenize="ascii tokenchars '_-./'");
  CREATE TABLE vectors(id INTEGER PRIMARY KEY, digest TEXT NOT NULL UNIQUE, vector BLOB NOT NULL);
  CREATE TABLE vector_slices(id INTEGER PRIMARY KEY, vector INTEGER NOT NULL);
  CREATE TABLE vector_space(name TEXT NOT NULL);
  CREATE VIRTUAL TABLE vocabulary USING fts5vocab(terms, 'row');
  INSERT INTO terms(terms, rank) VALUES('hashsize', 33554432);
  INSERT INTO terms(terms, rank) VALUES('automerge', 0);
  PRAGMA user_version = ${INDEX_VERSION};`;

export type SearchDatabase = Database.Database;
export type SearchStatement = Database.Statement;
export type SearchTables = { readonly db: SearchDatabase; readonly state: 'current' | 'missing' | 'other_version' };

/** Opens or creates index.db; a writer waits for another. Throws the library's errors: `isDamage` tells whether deleting the file helps. */
export function openSearchTables(disk: Disk, path: string): SearchTables {
  ensureFolder(disk, disk.home);
  // Created by us, so that it is private from its first byte on; the files beside it get the same mode.
  closeSync(openForAppend(disk, path));
  const db = new Database(path, { timeout: BUSY_TIMEOUT_MS });
  try {
    // Of a new file. Measured: pages of 16 KB index a third more in the same time than those of 4 KB, and than those of 8 and 64 KB a tenth.
    db.exec('PRAGMA page_size = 16384; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -32000;');
    const version = queryNumber(db, 'SELECT user_version AS value FROM pragma_user_version');
    if (version === INDEX_VERSION) return { db, state: 'current' };
    const tables = queryNumber(db, 'SELECT count(*) AS value FROM sqlite_master');
    if (tables > 0) throw Object.assign(new Error('the index is of another version'), { code: OTHER_VERSION });
    createTables(db);
    return { db, state: 'missing' };
  } catch (error) {
    db.close();
    if (errnoOf(error) !== OTHER_VERSION) throw error;
    removeSearchIndex(path);
    return { ...openSearchTables(disk, path), state: 'other_version' };
  }
}

export function openTablesInMemory(): SearchTables {
  const db = new Database(':memory:');
  createTables(db);
  return { db, state: 'missing' };
}

const OTHER_VERSION = 'OTHER_VERSION';

function createTables(db: Database.Database): void {
  db.exec('BEGIN IMMEDIATE');
  try {
    // Another process may have created them while this one waited.
    if (queryNumber(db, 'SELECT count(*) AS value FROM sqlite_master') === 0) db.exec(TABLES);
    db.exec('COMMIT');
  } catch (error) {
    db.exec('ROLLBACK');
    throw error;
  }
}

const numberRow = z.object({ value: z.number() });
const queryNumber = (db: Database.Database, sql: string): number => numberRow.parse(db.prepare(sql).get()).value;

/** Reads the whole index and returns why it cannot be used. One of another version is not damaged: the next search rebuilds it. */
export function indexProblem(path: string): string | undefined {
  if (!entryExists(path)) return undefined;
  try {
    const db = new Database(path, { timeout: BUSY_TIMEOUT_MS });
    try {
      if (queryNumber(db, 'SELECT user_version AS value FROM pragma_user_version') !== INDEX_VERSION) return undefined;
      const { found } = checkRow.parse(db.prepare('SELECT quick_check AS found FROM pragma_quick_check(1)').get());
      for (const table of ['sources', 'entries', 'terms']) db.prepare(`SELECT 1 FROM ${table} LIMIT 1`).all();
      return found === 'ok' ? undefined : found;
    } finally {
      db.close();
    }
  } catch (error) {
    return isDamage(error) ? formatError(error) : undefined;
  }
}

const checkRow = z.object({ found: z.string() });

export function removeSearchIndex(path: string): void {
  for (const end of ['-wal', '-shm', '']) unlinkIfExists(`${path}${end}`);
}

/** Failures of the system: the file is as good as before, and a rebuild would fail as well. */
const TRANSIENT = /^SQLITE_(?:BUSY|LOCKED|FULL|READONLY|CANTOPEN|NOMEM|INTERRUPT|PERM|AUTH|IOERR(?!_SHORT_READ))/;

/** True when the file or its folder is not writable. 1544 is SQLITE_READONLY_DIRECTORY, which the library does not name (libsql 0.5). */
export const isUnwritable = (error: unknown): boolean =>
  /^(?:EACCES|EPERM|EROFS|SQLITE_(?:READONLY|CANTOPEN|PERM)|UNKNOWN_SQLITE_ERROR_1544$)/.test(errnoOf(error));
export const isBusy = (error: unknown): boolean => /^SQLITE_(?:BUSY|LOCKED)/.test(errnoOf(error));
export const isDamage = (error: unknown): boolean =>
  error instanceof z.ZodError || (errnoOf(error).startsWith('SQLITE_') && !TRANSIENT.test(errnoOf(error)));
