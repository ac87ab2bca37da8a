import { z } from 'zod';

/** What a file held, or was about to hold. Its content is stored separately, under its hash, when `kept`. */
export const fileVersionSchema = z.object({
  /** The sha256 of the content; for a file too large to be read, something else that tells its states apart. */
  fingerprint: z.string(),
  bytes: z.int().nonnegative(),
  /** Permission bits; undefined for a file that is about to be created. */
  mode: z.int().nonnegative().optional(),
  kept: z.boolean(),
});
export type FileVersion = Readonly<z.infer<typeof fileVersionSchema>>;

/** `content` is undefined for a file too large to be read; then `fingerprint` is something else that tells its states apart. */
export type FileContent = {
  readonly fingerprint: string;
  readonly bytes: number;
  readonly mode?: number;
  readonly content: Uint8Array | undefined;
};
