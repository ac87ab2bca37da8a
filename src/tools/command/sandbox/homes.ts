import { readFileSync, realpathSync, statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import type { Bilingual } from '../../../domain/language.ts';
import { isWithin } from '../../../domain/value/is-within.ts';
import { orUndefined } from '../../../domain/value/or-undefined.ts';
import { statsOf } from './holds.ts';

/** Folders of which the sandbox has its own, or that no program can do without: none of them is a home that could be hidden. */
const SYSTEM: readonly string[] =
  '/ /bin /boot /dev /dev/shm /etc /lib /lib32 /lib64 /opt /proc /run /sbin /srv /sys /tmp /usr /var /var/tmp'.split(' ');
/** Where everything below is the system's too. */
const SYSTEM_TREES: readonly string[] = '/bin /boot /etc /lib /lib32 /lib64 /proc /sbin /sys /usr'.split(' ');

const isSystem = (folder: string): boolean => SYSTEM.includes(folder) || SYSTEM_TREES.some((tree) => isWithin(folder, tree));

type HomesPlace = { readonly folders: readonly string[]; readonly userHome: string | undefined; readonly home: string };

export type Homes = {
  /** The folders that are hidden whole, links resolved, none of them in another. */
  readonly hidden: readonly string[];
  /** The user's own, links resolved. */
  readonly own: string | undefined;
};

/**
 * The homes of this machine's users, which commands see empty but for what is named. Returns why none can run where that is not possible:
 * where a folder that can be written is one of them or has it in it, or a home is a folder of the system.
 */
export function findHomes({ folders: writable, userHome, home }: HomesPlace): Homes | { readonly problem: Bilingual } {
  const own = userHome === undefined ? undefined : realOf(userHome);
  if (own !== undefined && isSystem(own)) return { problem: HOME_OF_SYSTEM };
  const folders = ['/home', '/root', ...usersHomes()].flatMap((folder) => realOf(folder) ?? []).filter((folder) => !isSystem(folder));
  const all = [...new Set([...folders, ...(own === undefined ? [] : [own])])].filter((folder) => statsOf(folder)?.isDirectory() === true);
  if (all.some((folder) => writable.some((each) => isWithin(folder, each)))) return { problem: IS_HOME };
  const state = realOf(home);
  if (state !== undefined && writable.some((each) => isWithin(each, state))) return { problem: IS_STATE };
  return { own, hidden: all.filter((folder) => !all.some((other) => other !== folder && isWithin(folder, other))) };
}

const realOf = (path: string): string | undefined => (isAbsolute(path) ? orUndefined(() => realpathSync.native(path)) : undefined);

/** Of people, and of whoever this is: what the system's own services have is not hidden, and they need it. */
function usersHomes(): readonly string[] {
  const user = orUndefined(() => statSync('/proc/self').uid);
  const text = orUndefined(() => readFileSync('/etc/passwd', 'utf8')) ?? '';
  return text.split('\n').flatMap((line) => {
    const [, , uid = '', , , folder = ''] = line.split(':');
    const isPerson = /^\d+$/.test(uid) && (Number(uid) >= 1_000 || uid === '0') && Number(uid) < 65_534;
    return isPerson || Number(uid) === user ? [folder] : [];
  });
}

const HOME_OF_SYSTEM: Bilingual = {
  en: 'your home is a folder of the system, which a sandbox cannot hide',
  zh: '你的主文件夹是系统文件夹，沙箱无法隐藏它',
};
const IS_HOME: Bilingual = {
  en: 'the working folder is a home or has one in it, which a sandbox hides',
  zh: '当前文件夹是主文件夹或包含主文件夹，而沙箱会隐藏它',
};
const IS_STATE: Bilingual = {
  en: 'the working folder lies in the folder where SanBot keeps its own files',
  zh: '当前文件夹位于 SanBot 存放自己文件的文件夹中',
};
