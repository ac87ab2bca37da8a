import { join } from 'node:path';
import type { Entry } from '../../domain/session/change.ts';
import { fileSize } from '../files/disk.ts';
import type { Contents } from './contents.ts';
import { blobSizes, type Kept, readBlobs } from './git/blobs.ts';

type Sources = {
  readonly objects: Kept;
  readonly contents: Contents;
  /** Reads a content that a former version kept elsewhere, by its sha256. */
  readonly former?: ((sha256: string) => Buffer | undefined) | undefined;
};
type Entries = readonly (Entry | null)[];

/** Reads the bytes of files, in the order asked; undefined where they are not kept. */
export const keptReader =
  ({ objects, contents, former }: Sources) =>
  (entries: Entries): readonly (Buffer | undefined)[] => {
    const oids = entries.flatMap((entry) => (entry?.holds?.startsWith('blob:') === true ? [entry.holds.slice('blob:'.length)] : []));
    const blobs = oids.length === 0 ? new Map<string, Buffer>() : readBlobs(objects, oids);
    return entries.map((entry) => {
      const { holds = '' } = entry ?? {};
      if (!holds.startsWith('sha256:')) return blobs.get(holds.slice('blob:'.length));
      const sha256 = holds.slice('sha256:'.length);
      return contents.read(sha256) ?? former?.(sha256);
    });
  };

/** Tells whether the bytes of each are kept: what is damaged is found out when it is read. */
export const keeperOf =
  ({ objects, contents, former }: Sources) =>
  (entries: Entries): readonly boolean[] => {
    const oids = entries.flatMap((entry) => (entry?.holds?.startsWith('blob:') === true ? [entry.holds.slice('blob:'.length)] : []));
    const sizes = oids.length === 0 ? new Map<string, number>() : blobSizes(objects, oids);
    return entries.map((entry) => {
      const { holds = '' } = entry ?? {};
      if (holds.startsWith('object:')) return fileSize(join(objects.folder, holds.slice('object:'.length))) === entry?.size;
      if (!holds.startsWith('sha256:')) return sizes.has(holds.slice('blob:'.length));
      const sha256 = holds.slice('sha256:'.length);
      return contents.has(sha256) || former?.(sha256) !== undefined;
    });
  };
