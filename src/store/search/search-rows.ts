import { z } from 'zod';
import { recallKinds } from '../../domain/recall.ts';

/** A long text is indexed in at most this many slices; the number of a slice is part of the row id. */
export const MAX_SLICES = 4096;

export const sourceSchema = z.object({
  id: z.int(),
  path: z.string(),
  grp: z.string(),
  session: z.string(),
  /** Where the session worked; empty when that is not known, and for memories. */
  folder: z.string(),
  stamp: z.string(),
  /** How much of it is indexed: bytes of a log, characters of a page. */
  done: z.int(),
});
export type SourceRow = Readonly<z.infer<typeof sourceSchema>>;

export const entrySchema = z.object({
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
/** One thing that can be found. `n`, `part` and `block` give its position in its source; `place` is for the code that reads its text. */
export type EntryRow = Readonly<z.infer<typeof entrySchema>>;
export type NewEntry = Omit<EntryRow, 'id' | 'slices'> & {
  readonly marks: string;
  readonly terms: readonly string[];
  /** The terms of what it was made for that its own text does not contain. */
  readonly about?: string;
};

export type SliceMatch = { readonly entry: number; readonly slice: number; readonly score: number };

/** ISO times: from the first on, before the second. */
export type Period = { readonly since?: string | undefined; readonly until?: string | undefined };

export const timeOfSlice = (slice: string): string => `(SELECT at FROM entries WHERE entries.id = ${slice} / ${MAX_SLICES})`;

export const withinPeriod = ({ since, until }: Period, slice: string) => ({
  clauses: [...(since === undefined ? [] : [`${timeOfSlice(slice)} >= ?`]), ...(until === undefined ? [] : [`${timeOfSlice(slice)} < ?`])],
  times: [since, until].filter((time) => time !== undefined),
});

export const sliceMatch = (row: number, score: number): SliceMatch => ({
  entry: Math.floor(row / MAX_SLICES),
  slice: row % MAX_SLICES,
  score,
});
