import { closeSync, fsyncSync, openSync, statSync, unlinkSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { SanbotError } from '../../domain/errors.ts';
import type { Bilingual } from '../../domain/language.ts';
import { formatError, storeFailure } from '../../store/files/failure.ts';

/** Private, whole or not at all, never over a file (refused, with `hint`); returns its bytes. Synced, which fs-extra's outputFile is not. */
export function createOutputFile(path: string, chunks: Iterable<Uint8Array>, hint: Bilingual): number {
  let file: number;
  try {
    file = openSync(path, 'wx', 0o600);
  } catch (error) {
    if (formatError(error).startsWith('EEXIST')) {
      const problem = statSync(path, { throwIfNoEntry: false })?.isDirectory()
        ? { en: `${path} is a folder`, zh: `${path} 是一个文件夹` }
        : { en: `${path} already exists`, zh: `${path} 已经存在` };
      throw new SanbotError('refused', problem, { en: `Nothing was changed. ${hint.en}`, zh: `没有做任何更改。${hint.zh}` });
    }
    if (/^(ENOENT|ENOTDIR)\b/.test(formatError(error)))
      throw new SanbotError(
        'store_failed',
        { en: `Cannot write ${path}: there is no folder ${dirname(path)}`, zh: `无法写入 ${path}：没有文件夹 ${dirname(path)}` },
        {
          en: `Create the folder first, or ${hint.en.charAt(0).toLowerCase()}${hint.en.slice(1)}`,
          zh: `请先创建该文件夹；或者：${hint.zh}`,
        },
        error,
      );
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
