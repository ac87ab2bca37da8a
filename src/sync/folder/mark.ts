import { mkdirSync, readdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { z } from 'zod';
import { SanbotError } from '../../domain/errors.ts';
import { type Bilingual, sameInBoth } from '../../domain/language.ts';
import { parseJson } from '../../domain/value/json.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { createFile } from '../../store/files/atomic-write.ts';
import { type Disk, entryExists, readOwnFile } from '../../store/files/disk.ts';
import { failureReason, ifExists, orStoreDamage } from '../../store/files/failure.ts';
import { printablePath } from '../../store/files/paths.ts';

/** The file that says what the folder is. */
const MARK = 'sanbot-sync.json';
/** The second is that of encrypted folders: who does not know of them must not take one for a plain one. */
const [PLAIN, ENCRYPTED] = [1, 2];

const markSchema = z.object({
  sanbotSync: z.int().positive(),
  id: z.string().regex(/^[a-z0-9]{4,64}$/),
  recipient: z
    .string()
    .regex(/^age1[0-9a-z]{58}$/)
    .optional(),
});

/** Which folder it is, and whose key its files are encrypted to; no recipient: they are not. */
export type Mark = Readonly<Pick<z.infer<typeof markSchema>, 'id' | 'recipient'>>;

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
 * The mark of a folder; undefined for an empty one, or one that does not exist in a folder that does. Refuses any other, another user's, one
 * that holds the home or lies in it, and that of a newer version. Writes nothing.
 */
export function markIn(disk: Disk, folder: string, uid: number | undefined): Mark | undefined {
  const stats = statsOf(folder);
  if (stats !== undefined && !stats.isDirectory()) throw refuse(folder, { en: 'it is not a folder', zh: '它不是文件夹' });
  if (stats !== undefined && uid !== undefined && stats.uid !== uid)
    throw refuse(folder, { en: 'it belongs to another user', zh: '它属于其他用户' });
  if (stats === undefined && entryExists(folder)) throw refuse(folder, { en: 'it is a link that leads nowhere', zh: '它是失效的链接' });
  if (isWithin(folder, disk.home) || isWithin(disk.home, folder))
    throw refuse(folder, { en: 'it lies in the home, or holds it', zh: '它在主目录之内，或包含主目录' });
  const mark = stats === undefined ? undefined : readMark(folder);
  if (mark !== undefined) return mark;
  // What begins with a dot is the carrier's: .stfolder, .git, .DS_Store.
  const strange = stats === undefined ? [] : readdirSync(folder).filter((name) => !name.startsWith('.') && name !== 'lost+found');
  if (strange.length > 0) {
    const names = sameInBoth(strange.slice(0, 3).map(printablePath).join(', '));
    throw refuse(folder, { en: `it holds other files (${names.en})`, zh: `其中有其他文件（${names.zh}）` });
  }
  return undefined;
}

/** Returns the id of a folder that is marked so, and marks one that is not marked yet. Refuses what `markIn` does, and another recipient. */
export function markFolder(disk: Disk, folder: string, uid: number | undefined, recipient?: string): string {
  const known = markIn(disk, folder, uid);
  if (known !== undefined) {
    requireKey(folder, known.recipient, recipient);
    return known.id;
  }
  if (statsOf(folder) === undefined) {
    try {
      mkdirSync(folder, { mode: 0o700 });
    } catch (error) {
      const why = failureReason(error, folder);
      throw refuse(folder, { en: `it cannot be made: ${why.en}`, zh: `无法创建：${why.zh}` });
    }
  }
  const id = disk.newId();
  const mark = { sanbotSync: recipient === undefined ? PLAIN : ENCRYPTED, id, recipient };
  const isNew = createFile(disk, join(folder, MARK), Buffer.from(`${JSON.stringify(mark)}\n`), 'sync.mark');
  return isNew ? id : markFolder(disk, folder, undefined, recipient);
}

/** Throws unless the key here, by its public half, is the one that a folder needs. */
export function requireKey(folder: string, recipient: string | undefined, own: string | undefined): void {
  if (recipient === own) return;
  if (recipient === undefined)
    throw refuse(folder, { en: 'it is not encrypted, and can no longer become so', zh: '它未加密，也不能再变为加密' }, NOT_ENCRYPTED);
  const whose = { en: `it is encrypted to ${recipient}, and `, zh: `它加密给 ${recipient}，而` };
  throw refuse(
    folder,
    own === undefined
      ? { en: `${whose.en}this machine has no key`, zh: `${whose.zh}本机没有密钥` }
      : { en: `${whose.en}the key of this machine is that of ${own}`, zh: `${whose.zh}本机的密钥属于 ${own}` },
    KEY_HINT,
  );
}

const NOT_ENCRYPTED: Bilingual = {
  en: 'Nothing was written. Add it without --encrypt, or name an empty folder.',
  zh: '没有写入任何内容。请不带 --encrypt 添加它，或指定一个空文件夹。',
};

const KEY_HINT: Bilingual = {
  en: 'Nothing was exchanged. sanbot sync key shows the key on a machine that has it; here sanbot sync key --import takes it from stdin.',
  zh: '没有交换任何内容。在有该密钥的机器上用 sanbot sync key 显示它；在这里用 sanbot sync key --import 从标准输入读取。',
};

/** Throws unless the folder is the one that was added: a disk that is not there must not be taken for an empty folder. */
export function requireMarked(folder: string, { id, recipient }: Mark): void {
  const mark = readMark(folder);
  if (mark?.id === id && mark.recipient === recipient) return;
  const hint: Bilingual = {
    en: 'Nothing was written. Mount the disk or start what carries the folder, or remove it: sanbot sync remove.',
    zh: '没有写入任何内容。请挂载磁盘或启动同步该文件夹的程序，或将其移除：sanbot sync remove。',
  };
  throw refuse(folder, { en: 'it is not there, or is not the one that was added', zh: '它不存在，或不是当初添加的那个' }, hint);
}

/** Undefined where there is none. */
function readMark(folder: string): Mark | undefined {
  const path = join(folder, MARK);
  const bytes = orStoreDamage(path, () => readOwnFile(path));
  if (bytes === undefined) return undefined;
  const mark = markSchema.safeParse(parseJson(bytes));
  const { sanbotSync = 0, id = '', recipient } = mark.data ?? {};
  if (mark.success && sanbotSync === (recipient === undefined ? PLAIN : ENCRYPTED)) return { id, recipient };
  const isNewer = sanbotSync > ENCRYPTED;
  throw refuse(
    folder,
    isNewer
      ? { en: `a newer SanBot uses it (version ${sanbotSync})`, zh: `更新版本的 SanBot 在使用它（版本 ${sanbotSync}）` }
      : { en: `${MARK} in it is not whole`, zh: `其中的 ${MARK} 不完整` },
    isNewer ? { en: 'Nothing was written. Update this SanBot.', zh: '没有写入任何内容。请更新此 SanBot。' } : HINT,
  );
}

const statsOf = (folder: string): Stats | undefined => orStoreDamage(folder, () => ifExists(() => statSync(folder)));

function isWithin(inner: string, outer: string): boolean {
  const [a, b] = [inner, outer].map((path) => orUndefined(() => realpathSync(path)) ?? path);
  return a !== undefined && b !== undefined && (a === b || a.startsWith(b.endsWith(sep) ? b : `${b}${sep}`));
}
