import { mkdirSync, readdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { z } from 'zod';
import { SanbotError } from '../../domain/errors.ts';
import { type Bilingual, sameInBoth } from '../../domain/language.ts';
import { parseJson } from '../../domain/value/json.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { createFile } from '../../store/files/atomic-write.ts';
import { type Disk, readOwnFile } from '../../store/files/disk.ts';
import { failureReason, ifExists, orStoreDamage } from '../../store/files/failure.ts';
import { printablePath } from '../../store/files/paths.ts';

/** The file that says what the folder is. */
const MARK = 'sanbot-sync.json';
const VERSION = 1;

const markSchema = z.object({ sanbotSync: z.int().positive(), id: z.string().regex(/^[a-z0-9]{4,64}$/) });

const HINT: Bilingual = {
  en: 'Nothing was written. Name an empty folder, or one that sanbot sync has used.',
  zh: '没有写入任何内容。请指定一个空文件夹，或 sanbot sync 用过的文件夹。',
};

const refuse = (folder: string, why: Bilingual, hint = HINT): SanbotError =>
  new SanbotError(
    'refused',
    {
      en: `${printablePath(folder)} cannot hold sessions for other machines: ${why.en}`,
      zh: `${printablePath(folder)} 不能为其他机器保存会话：${why.zh}`,
    },
    hint,
  );

/**
 * Returns the id of a folder that is marked, and marks an empty one, or one that does not exist in a folder that does. Refuses any other,
 * another user's, one that holds the home or lies in it, and that of a newer version; nothing is written then.
 */
export function markFolder(disk: Disk, folder: string, uid: number | undefined): string {
  const stats = statsOf(folder);
  if (stats !== undefined && !stats.isDirectory()) throw refuse(folder, { en: 'it is not a folder', zh: '它不是文件夹' });
  if (stats !== undefined && uid !== undefined && stats.uid !== uid)
    throw refuse(folder, { en: 'it belongs to another user', zh: '它属于其他用户' });
  if (isWithin(folder, disk.home) || isWithin(disk.home, folder))
    throw refuse(folder, { en: 'it lies in the home, or holds it', zh: '它在主目录之内，或包含主目录' });
  const id = stats === undefined ? undefined : readMark(folder);
  if (id !== undefined) return id;
  // What begins with a dot is the carrier's: .stfolder, .git, .DS_Store.
  const strange = stats === undefined ? [] : readdirSync(folder).filter((name) => !name.startsWith('.') && name !== 'lost+found');
  if (strange.length > 0) {
    const names = sameInBoth(strange.slice(0, 3).map(printablePath).join(', '));
    throw refuse(folder, { en: `it holds other files (${names.en})`, zh: `其中有其他文件（${names.zh}）` });
  }
  return makeMark(disk, folder, stats);
}

function makeMark(disk: Disk, folder: string, stats: Stats | undefined): string {
  if (stats === undefined) {
    try {
      mkdirSync(folder, { mode: 0o700 });
    } catch (error) {
      const why = failureReason(error, folder);
      throw refuse(folder, { en: `it cannot be made: ${why.en}`, zh: `无法创建：${why.zh}` });
    }
  }
  const id = disk.newId();
  const isNew = createFile(disk, join(folder, MARK), Buffer.from(`${JSON.stringify({ sanbotSync: VERSION, id })}\n`), 'sync.mark');
  return isNew ? id : markFolder(disk, folder, undefined);
}

/** Throws unless the folder is the one that was marked with this id: a disk that is not there must not be taken for an empty folder. */
export function requireMarked(folder: string, id: string): void {
  if (readMark(folder) === id) return;
  const hint: Bilingual = {
    en: 'Nothing was written. Mount the disk or start what carries the folder, or remove it: sanbot sync remove.',
    zh: '没有写入任何内容。请挂载磁盘或启动同步该文件夹的程序，或将其移除：sanbot sync remove。',
  };
  throw refuse(folder, { en: 'it is not there, or is not the one that was added', zh: '它不存在，或不是当初添加的那个' }, hint);
}

/** Undefined where there is none. */
function readMark(folder: string): string | undefined {
  const path = join(folder, MARK);
  const bytes = orStoreDamage(path, () => readOwnFile(path));
  if (bytes === undefined) return undefined;
  const mark = markSchema.safeParse(parseJson(bytes));
  if (mark.success && mark.data.sanbotSync === VERSION) return mark.data.id;
  throw refuse(
    folder,
    mark.success
      ? { en: `a newer SanBot uses it (version ${mark.data.sanbotSync})`, zh: `更新版本的 SanBot 在使用它（版本 ${mark.data.sanbotSync}）` }
      : { en: `${MARK} in it is not whole`, zh: `其中的 ${MARK} 不完整` },
    mark.success ? { en: 'Nothing was written. Update this SanBot.', zh: '没有写入任何内容。请更新此 SanBot。' } : HINT,
  );
}

const statsOf = (folder: string): Stats | undefined => orStoreDamage(folder, () => ifExists(() => statSync(folder)));

function isWithin(inner: string, outer: string): boolean {
  const [a, b] = [inner, outer].map((path) => orUndefined(() => realpathSync(path)) ?? path);
  return a !== undefined && b !== undefined && (a === b || a.startsWith(b.endsWith(sep) ? b : `${b}${sep}`));
}
