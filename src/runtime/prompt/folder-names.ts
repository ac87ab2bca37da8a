import { lstatSync, readdirSync } from 'node:fs';
import { errorReason } from '../../domain/errors.ts';
import { type Bilingual, because, sameInBoth } from '../../domain/language.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';

/** What is in a folder; none where there is no folder. `tell` hears of one that is there and cannot be listed. */
export function folderNames(folder: string, tell?: (problem: Bilingual) => void): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    const isThere = orUndefined(() => lstatSync(folder)) !== undefined;
    const why = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (isThere) tell?.(because(sameInBoth(folder), notListed[why] ?? errorReason(error)));
    return [];
  }
}

const notListed: Readonly<Record<string, Bilingual>> = {
  ENOTDIR: { en: 'this is to be a folder. Move it away, then make one', zh: '此处应为文件夹。请移走它，再建一个文件夹' },
  ENOENT: { en: 'the link leads nowhere. Remove or mend it', zh: '该链接没有指向任何内容。请移除或修正它' },
  EACCES: { en: 'it may not be read. Give yourself the right to', zh: '没有读取权限。请给自己加上权限' },
};
