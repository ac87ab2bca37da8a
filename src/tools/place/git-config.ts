import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { isWithin } from '../../domain/value/is-within.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';

const MAX_BYTES = 256 * 1024;

/** A text of a folder that may be a stranger's; undefined where it is no plain file, cannot be read, or is longer than any that git writes. */
export const strangersFile = (path: string): string | undefined => strangersBytes(path, MAX_BYTES)?.toString('utf8');

/** The same of a file of at most so many bytes. */
export function strangersBytes(path: string, most: number): Buffer | undefined {
  return orUndefined(() => {
    const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const stats = fstatSync(file);
      if (!stats.isFile() || stats.size > most) return undefined;
      const bytes = Buffer.alloc(stats.size);
      return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, 0));
    } finally {
      closeSync(file);
    }
  });
}

/** What a key may say: anything, or only what matches. */
type Values = Pick<RegExp, 'test'> | true;
type Keys = Readonly<Record<string, Values>>;

const keys = (names: string, value: Values = true): Keys => Object.fromEntries(names.split(' ').map((name) => [name, value]));

/** An address that git itself fetches from, or a path: nothing with a helper before it, nothing that a program would take for an option. */
const ADDRESSES = [/^(?:https?|ssh|git|file):\/\/[\w[][^\s"\\]*$/, /^[\w.~/][^\s":\\]*$/, /^[\w.][\w.@-]*:[^\s":\\-][^\s":\\]*$/];
const ADDRESS = { test: (value: string): boolean => ADDRESSES.some((pattern) => pattern.test(value)) };
const REMOTE = /^[\w.][^\s":\\]*$/;
const NO = /^(?:false|no|off|0)$/i;

/**
 * What `git init`, `git clone`, `git submodule` and `git config user.name` write. None of these names a program, a path that is obeyed, or
 * an address that a program stands behind. By section, those with a name of their own included.
 */
const PLAIN: Readonly<Record<string, Keys>> = {
  core: keys(
    `repositoryformatversion filemode bare logallrefupdates ignorecase precomposeunicode symlinks eol autocrlf safecrlf quotepath compression
     sharedrepository longpaths protectntfs protecthfs untrackedcache commitgraph multipackindex preloadindex sparsecheckout sparsecheckoutcone`
      .replace(/\s+/g, ' ')
      .trim(),
  ),
  extensions: keys('objectformat compatobjectformat refstorage partialclone worktreeconfig'),
  user: keys('name email'),
  init: keys('defaultbranch'),
  remote: { ...keys('fetch push tagopt prune promisor partialclonefilter mirror'), ...keys('url pushurl', ADDRESS) },
  branch: { ...keys('merge rebase description'), ...keys('remote pushremote', REMOTE) },
  submodule: { ...keys('active branch recurse'), ...keys('url', ADDRESS), ...keys('update', /^(?:checkout|rebase|merge|none)$/) },
  pull: keys('rebase ff'),
  push: keys('default autosetupremote'),
  merge: keys('conflictstyle ff'),
  rebase: keys('autostash autosquash'),
  fetch: keys('prune'),
  gc: keys('auto autodetach'),
  color: keys('ui'),
  commit: keys('gpgsign', NO),
  tag: keys('gpgsign', NO),
  lfs: keys('repositoryformatversion'),
};

const SECTION = /^\[([A-Za-z]+)(?: "(?:[^"\\\0]|\\.)*")?\]$/;
const SETTING = /^([A-Za-z][A-Za-z0-9-]*)(?: = (.*))?$/;

/**
 * True for a configuration of git that has nothing but what git itself writes into a new repository. All else is not plain, and so is each
 * line that does not look as git writes it. `isInside` says whether a work tree that it names lies where it may.
 */
export function isPlainConfig(text: string, isInside: (worktree: string) => boolean = () => false): boolean {
  let section: Keys | undefined;
  let isCore = false;
  for (const raw of text.split('\n')) {
    const line = raw.replace(/^[\t ]+/, '');
    if (line === '' || /^[#;]/.test(line)) continue;
    const [, name] = SECTION.exec(line) ?? [];
    if (name !== undefined) {
      const key = name.toLowerCase();
      section = Object.hasOwn(PLAIN, key) ? PLAIN[key] : undefined;
      isCore = key === 'core';
      if (section === undefined) return false;
      continue;
    }
    const [, setting, value = ''] = SETTING.exec(line) ?? [];
    if (setting === undefined || section === undefined || /[\\\r\0]/.test(value)) return false;
    const known = setting.toLowerCase();
    if (isCore && known === 'worktree') {
      // In quotes, or before a comment, git reads another path.
      if (/["#;]/.test(value) || !isInside(value)) return false;
      continue;
    }
    const allowed = Object.hasOwn(section, known) ? section[known] : undefined;
    if (allowed === undefined || (allowed !== true && !allowed.test(value))) return false;
  }
  return true;
}

/**
 * Paths in a folder that a configuration of git names: hooks, files that it includes, programs. Read widely: a word that only looks like a
 * path counts. `from` is where paths begin, as git takes them: that of the file for what it includes, the top of the work tree for all else.
 */
export function pathsNamedIn(text: string, from: readonly string[], root: string): readonly string[] {
  const words = text.split('\n').flatMap((line) => {
    const [, key = '', value = ''] = /^\s*(?:\[[^\]]*\]\s*)?([\w-]+)\s*=\s*(.*)$/.exec(line) ?? [];
    if (NO_PROGRAM.has(key.toLowerCase())) return [];
    const parts = value.split(/[\s"'`;&|()<>=!]+/).filter((word) => word.includes('/') || word.startsWith('.'));
    return [...parts, ...(/(?:path|file)$/i.test(key) || parts.length > 0 ? [value.trim().replace(/^"|"$/g, '')] : [])];
  });
  const paths = words
    .filter((word) => word !== '' && !word.startsWith('-') && !word.includes('\0'))
    .flatMap((word) => (isAbsolute(word) ? [resolve(word)] : from.map((folder) => resolve(folder, word))));
  return [...new Set(paths.filter((path) => path !== root && isWithin(path, root)))];
}

/** What these say is an address, a branch or a text. */
const NO_PROGRAM: ReadonlySet<string> = new Set(
  'url pushurl fetch push merge remote pushremote worktree name email description insteadof pushinsteadof'.split(' '),
);

/** What the repository of a folder and a person's own configuration name in it. */
export function pathsNamedByGit(root: string, personsConfigs: readonly string[]): readonly string[] {
  const own = ['config', 'config.worktree'].map((name) => join(root, '.git', name));
  return [...new Set([...own, ...personsConfigs].flatMap((file) => namedBy(file, root, 0)))];
}

const MAX_INCLUDES = 4;

/** Also what is named by files of the folder that it includes. */
function namedBy(file: string, root: string, depth: number): readonly string[] {
  const text = strangersFile(file) ?? strangersFile(orUndefined(() => realpathSync(file)) ?? file);
  if (text === undefined) return [];
  const named = pathsNamedIn(text, [root, dirname(file)], root);
  if (depth === MAX_INCLUDES) return named;
  return [...named, ...named.filter((path) => isFile(path) && path !== file).flatMap((path) => namedBy(path, root, depth + 1))];
}

const isFile = (path: string): boolean => orUndefined(() => lstatSync(path).isFile()) === true;
