import { z } from 'zod';

/** What stood or was to stand in a file: its content is kept apart, under its hash, when `kept`. */
export const fileVersionSchema = z.object({
  /** The sha256 of the content; of a file too large to be read, what else tells one state of it from another. */
  fingerprint: z.string(),
  bytes: z.int().nonnegative(),
  /** Permission bits; undefined for a file that is about to be made. */
  mode: z.int().nonnegative().optional(),
  kept: z.boolean(),
});
export type FileVersion = {
  readonly fingerprint: string;
  readonly bytes: number;
  readonly mode?: number | undefined;
  readonly kept: boolean;
};

/** `content` is undefined for a file too large to be read; `fingerprint` is its sha256 or tells otherwise one state from another. */
export type FileContent = {
  readonly fingerprint: string;
  readonly bytes: number;
  readonly mode?: number;
  readonly content: Uint8Array | undefined;
};
/** What became of one file since an earlier state of the session, all changes of it together. */
export type ChangedFile = {
  readonly path: string;
  /** What it held then; null when it was not there. */
  readonly original: FileVersion | null;
  /** What the last of the changes found, and what it was to leave: one of them is there now, unless somebody else changed it. */
  readonly lastBefore: FileVersion | null;
  readonly lastAfter: FileVersion | null;
  readonly changes: number;
};
