import { closeSync, fsyncSync, openSync, statSync, unlinkSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { SanbotError } from '../../domain/errors.ts';
import { formatError, storeFailure } from '../../store/files/failure.ts';

/**
 * A file that is not there yet, private, whole or not at all; returns its bytes. Throws refused, with `hint`, when it is there.
 * Not with fs-extra: an export may be the only copy that stays, and its outputFile writes over what is there and does not sync.
 */
export function createOutputFile(path: string, chunks: Iterable<Uint8Array>, hint: string): number {
  let file: number;
  try {
    file = openSync(path, 'wx', 0o600);
  } catch (error) {
    if (formatError(error).startsWith('EEXIST')) {
      const problem = statSync(path, { throwIfNoEntry: false })?.isDirectory() ? 'is a folder' : 'already exists';
      throw new SanbotError('refused', `${path} ${problem}`, { hint: `Nothing was changed. ${hint}` });
    }
    if (/^(ENOENT|ENOTDIR)\b/.test(formatError(error)))
      throw new SanbotError('store_failed', `Cannot write ${path}: there is no folder ${dirname(path)}`, {
        cause: error,
        hint: `Create the folder first, or ${hint.charAt(0).toLowerCase()}${hint.slice(1)}`,
      });
    throw storeFailure(error, 'write', path);
  }
  let bytesWritten = 0;
  try {
    for (const chunk of chunks) {
      for (let done = 0; done < chunk.length; ) done += writeSync(file, chunk, done);
      bytesWritten += chunk.length;
    }
    fsyncSync(file);
    return bytesWritten;
  } catch (error) {
    unlinkSync(path);
    throw storeFailure(error, 'write', path);
  } finally {
    closeSync(file);
  }
}
