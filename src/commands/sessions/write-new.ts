import { closeSync, fsyncSync, openSync, statSync, unlinkSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { SanbotError } from '../../domain/errors.ts';
import { errorMessage, storeFailure } from '../../store/files/failure.ts';

/** A file that is not there yet, private, whole or not at all; returns its bytes. Throws refused, with `wayOut`, when it is there. */
export function writeNew(path: string, pieces: Iterable<Uint8Array>, wayOut: string): number {
  let file: number;
  try {
    file = openSync(path, 'wx', 0o600);
  } catch (error) {
    if (errorMessage(error).startsWith('EEXIST')) {
      const what = statSync(path, { throwIfNoEntry: false })?.isDirectory() ? 'is a folder' : 'exists already';
      throw new SanbotError('refused', `${path} ${what}`, { hint: `Nothing was changed. ${wayOut}` });
    }
    if (/^(ENOENT|ENOTDIR)\b/.test(errorMessage(error)))
      throw new SanbotError('store_failed', `Cannot write ${path}: there is no folder ${dirname(path)}`, {
        cause: error,
        hint: `Make the folder first, or: ${wayOut.charAt(0).toLowerCase()}${wayOut.slice(1)}`,
      });
    throw storeFailure(error, 'write', path);
  }
  let written = 0;
  try {
    for (const piece of pieces) {
      for (let done = 0; done < piece.length; ) done += writeSync(file, piece, done);
      written += piece.length;
    }
    fsyncSync(file);
    return written;
  } catch (error) {
    unlinkSync(path);
    throw storeFailure(error, 'write', path);
  } finally {
    closeSync(file);
  }
}
