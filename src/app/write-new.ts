import { closeSync, fsyncSync, openSync, statSync, unlinkSync, writeSync } from 'node:fs';
import { SanbotError } from '../domain/errors.ts';
import { lineOf, storeFailure } from '../store/failure.ts';

/** A file that is not there yet, private, whole or not at all; returns its bytes. Throws refused, with `wayOut`, when it is there. */
export function writeNew(path: string, pieces: Iterable<Uint8Array>, wayOut: string): number {
  let file: number;
  try {
    file = openSync(path, 'wx', 0o600);
  } catch (error) {
    if (lineOf(error).startsWith('EEXIST')) {
      const what = statSync(path, { throwIfNoEntry: false })?.isDirectory() ? 'is a folder' : 'exists already';
      throw new SanbotError('refused', `${path} ${what}`, { hint: `Nothing was changed. ${wayOut}` });
    }
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
