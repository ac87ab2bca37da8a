import { z } from 'zod';
import { type EntryRow, entrySchema, MAX_SLICES, type Period, type SliceMatch, sliceMatch, withinPeriod } from './search-rows.ts';
import type { SearchDatabase, SearchStatement } from './search-tables.ts';

/** Only what people and models say, and memories: what a tool printed is found by its words, and by what is said beside it. */
const KINDS = `('user', 'assistant', 'summary', 'memory')`;

/**
 * So many of the newest vectors are compared with a question, one by one. Measured with 20,000 of 1,536 numbers: 105 ms and 41 MB as eight-bit
 * numbers, 300 ms and 164 MB as 32-bit ones. The library's own index (libsql_vector_idx) takes 329 KB and 88 ms for each vector.
 */
const MOST_COMPARED = 40_000;

/** A text of which there is nothing to send. */
const NO_VECTOR = 0;

export type VectorSlice = { readonly entry: EntryRow; readonly slice: number; readonly digest: string };

/** For each slice the number of its vector, which equal texts share; all of one model at an endpoint. Throws the library's errors. */
export type SearchVectors = ReturnType<typeof createVectors>;

const idRow = z.object({ id: z.int() });
const spaceRow = z.object({ name: z.string() });
const nearRow = z.object({ id: z.int(), distance: z.number() });

export function createVectors(db: SearchDatabase, sql: Sql) {
  const vectorOf = (digest: string) => idRow.optional().parse(sql('SELECT id FROM vectors WHERE digest = ?').get(digest))?.id;
  const assign = ({ entry, slice }: Omit<VectorSlice, 'digest'>, vector: number): void => {
    sql('INSERT OR REPLACE INTO vector_slices(id, vector) VALUES (?, ?)').run(entry.id * MAX_SLICES + slice, vector);
  };
  const forget = (): void => {
    db.exec('DELETE FROM vector_slices; DELETE FROM vectors; DELETE FROM vector_space;');
  };
  const space = () => spaceRow.optional().parse(sql('SELECT name FROM vector_space').get())?.name;
  return {
    space,
    forget,
    enter: (name: string): void => {
      if (space() === name) return;
      forget();
      sql('INSERT INTO vector_space(name) VALUES (?)').run(name);
    },
    pending: (group: string, { below, limit }: { readonly below: number; readonly limit: number }): readonly EntryRow[] =>
      sql(
        `SELECT entries.* FROM entries JOIN sources ON sources.id = entries.source WHERE grp = ? AND kind IN ${KINDS} AND entries.id < ?
             AND NOT EXISTS (SELECT 1 FROM vector_slices WHERE vector_slices.id = entries.id * ${MAX_SLICES})
           ORDER BY entries.id DESC LIMIT ?`,
      )
        .all(group, below, limit)
        .map((row) => entrySchema.parse(row)),
    isKnown: (digest: string): boolean => vectorOf(digest) !== undefined,
    adopt: (slice: VectorSlice): void => assign(slice, vectorOf(slice.digest) ?? NO_VECTOR),
    skip: (entry: EntryRow): void => assign({ entry, slice: 0 }, NO_VECTOR),
    add: (slice: VectorSlice, vector: readonly number[]): void => {
      const known = vectorOf(slice.digest);
      const insert = sql('INSERT INTO vectors(digest, vector) VALUES (?, vector8(?))');
      assign(slice, known ?? Number(insert.run(slice.digest, JSON.stringify(vector)).lastInsertRowid));
    },
    removeEntry: (id: number): void => {
      sql('DELETE FROM vector_slices WHERE id >= ? AND id < ?').run(id * MAX_SLICES, (id + 1) * MAX_SLICES);
    },
    removeUnused: (): void => {
      db.exec('DELETE FROM vectors WHERE id NOT IN (SELECT vector FROM vector_slices)');
    },
    near: (vector: readonly number[], options: NearOptions): readonly SliceMatch[] => nearSlices(sql, vector, options),
  };
}

type NearOptions = Period & { readonly filter: string; readonly limit: number };

type Sql = (text: string) => SearchStatement;

/** Finds the slices nearest to a vector of the same length, by the angle between them. `filter` asks for marks. */
function nearSlices(sql: Sql, vector: readonly number[], { filter, limit, ...period }: NearOptions): readonly SliceMatch[] {
  const { clauses: inPeriod, times } = withinPeriod(period, 'vector_slices.id');
  const marked = filter === '' ? [] : ['vector_slices.id IN (SELECT rowid FROM terms WHERE terms MATCH ?)'];
  const clauses = [`vector_slices.vector <> ${NO_VECTOR}`, ...marked, ...inPeriod];
  const newest = `SELECT id, vector FROM vector_slices WHERE ${clauses.join(' AND ')} ORDER BY id DESC LIMIT ${MOST_COMPARED}`;
  const rows = sql(
    `SELECT newest.id AS id, vector_distance_cos(vectors.vector, vector8(?)) AS distance FROM (${newest}) AS newest
         JOIN vectors ON vectors.id = newest.vector ORDER BY distance, newest.id DESC LIMIT ?`,
  ).all(...[JSON.stringify(vector), ...(filter === '' ? [] : [filter]), ...times, limit]);
  return rows.map((row) => {
    const { id, distance } = nearRow.parse(row);
    return sliceMatch(id, 1 - distance);
  });
}
