import { lstatSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Bilingual } from '../../domain/language.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { plainName } from './path-patterns.ts';

const RUNS: Bilingual = {
  en: 'git runs hooks and what its configuration names at the next git command',
  zh: '下一条 git 命令会运行钩子及其配置中写明的内容',
};
const BARE: Bilingual = {
  en: 'with such files git takes the folder for a repository, whose configuration can run something',
  zh: '有了这样的文件，git 会把该文件夹当作仓库，其配置可以运行程序',
};

/**
 * Returns why git would run something because of this path; undefined when it would not. Takes the plain names of its parts. Every `.git` on
 * the way is judged; git's object store alone is data. HEAD and config are what no repository without a .git can do without.
 */
export function gitReason(parts: readonly string[]): Bilingual | undefined {
  if (parts.some((part, i) => GIT_FOLDERS.has(part) && !isObject(parts.slice(i + 1)))) return RUNS;
  const name = parts.at(-1) ?? '';
  if (['head', 'config', 'config.worktree', 'commondir', 'gitdir', 'packed-refs'].includes(name)) return BARE;
  if (parts.at(-2) === 'hooks' && (HOOKS.has(name) || name.startsWith('p4-'))) return RUNS;
  const inStore = parts.slice(0, -1).some((part) => part === 'objects' || part === 'refs');
  return inStore && !name.includes('.') && !isObject(parts.slice(parts.lastIndexOf('.git') + 1)) ? BARE : undefined;
}

/**
 * The same for folders named as the parts of a repository are, which many projects have for their own ends: they count when the folder they
 * are in has another such part.
 */
export function bareRepositoryReason(path: string): Bilingual | undefined {
  for (let folder = dirname(path), below = path; folder !== dirname(folder); below = folder, folder = dirname(folder)) {
    const part = plainName(basename(below));
    if (!STORE.includes(part)) continue;
    for (const other of ['HEAD', ...STORE]) {
      if (other !== part && exists(join(folder, other))) return BARE;
    }
  }
  return undefined;
}

/** True where the reason is that git would take a folder without a .git for a repository. */
export const isBareReason = (why: Bilingual): boolean => why === BARE;

const exists = (path: string): boolean => orUndefined(() => lstatSync(path)) !== undefined;

/** Another spelling of .git is the short name that NTFS gives it. */
const GIT_FOLDERS: ReadonlySet<string> = new Set(['.git', 'git~1']);
const STORE: readonly string[] = ['objects', 'refs', 'hooks'];

/** A loose object below `objects`, or a pack. */
function isObject([folder, group = '', name = '', ...more]: readonly string[]): boolean {
  return folder === 'objects' && (/^[0-9a-f]{2}$/.test(group) || group === 'pack') && name !== '' && more.length === 0;
}

const HOOKS: ReadonlySet<string> = new Set(
  `applypatch-msg commit-msg fsmonitor-watchman post-applypatch post-checkout post-commit post-index-change post-merge post-receive
  post-rewrite post-update pre-applypatch pre-auto-gc pre-commit pre-merge-commit pre-push pre-rebase pre-receive prepare-commit-msg
  proc-receive push-to-checkout reference-transaction sendemail-validate update`.split(/\s+/),
);

/** A shell or an editor that starts in a folder of objects reads hidden names there; git has those alone that it packs into. */
const inObjects = (parts: readonly string[]): boolean =>
  !parts.some((part) => part.startsWith('.') && !part.startsWith('.tmp-')) &&
  (parts[0] !== 'info' || parts.length === 1 || OBJECT_LISTS.test(parts.slice(1).join('/')));

/**
 * True for what git itself writes when it adds, commits, fetches, merges, rebases, stashes, bisects or collects garbage: its data, and not what
 * it obeys. Takes a path relative to a repository's git folder. Linked worktrees and submodules have theirs below `worktrees` and `modules`,
 * by the same rule. Compared byte by byte: another spelling is none of git's. What is not known may not be written, so configuration, hooks,
 * attributes, alternates and what leads to another folder (`commondir`, `gitdir`) are out by that alone.
 */
export function gitMayWrite(path: string): boolean {
  const [first = '', ...rest] = path.split('/').filter((part) => part !== '');
  if (first === 'worktrees') return rest.length < 2 || gitMayWrite(rest.slice(1).join('/'));
  if (first === 'modules') return rest.length === 0 || inModule(rest);
  if (first === 'objects') return inObjects(rest);
  if (first === 'info') return rest.length === 0 || (rest.length === 1 && REF_LIST.test(rest.join('/')));
  if (DATA_FOLDERS.has(first)) return true;
  return rest.length === 0 && DATA_FILES.test(first);
}

/**
 * A submodule's name may have slashes, so where its git folder begins is not known: git must be able to write the path as seen from some
 * folder on the way, and from none may it be something that git obeys.
 */
function inModule(parts: readonly string[]): boolean {
  const seen = parts.slice(1).map((_, i) => parts.slice(i + 1).join('/'));
  return seen.some(gitMayWrite) && !seen.some((path) => OBEYED.has(path) || path.startsWith('hooks/'));
}

const OBEYED: ReadonlySet<string> = new Set(
  `config config.worktree commondir gitdir info/attributes info/exclude info/grafts info/sparse-checkout objects/info/alternates
  objects/info/http-alternates`.split(/\s+/),
);

const DATA_FOLDERS: ReadonlySet<string> = new Set(
  'refs logs reftable rebase-merge rebase-apply sequencer rr-cache NOTES_MERGE_WORKTREE lost-found lfs'.split(' '),
);

/** Of `objects/info`, where `alternates` would add another store. */
const OBJECT_LISTS = /^(?:packs|packs_\w{6}|commit-graph|commit-graphs(?:\/.*)?)(?:\.lock)?$/s;

/** Of `info`, whose other files git obeys: the list that it makes for clients without git. */
const REF_LIST = /^refs(?:_\w{6})?$/;

/** Files of the git folder itself: states, messages, the index, and what each of them is written to before it is renamed. */
const DATA_FILES = new RegExp(
  `^(?:${[
    'HEAD|[A-Z_]+_HEAD|AUTO_MERGE|MERGE_(?:MODE|MSG|RR|AUTOSTASH)|SQUASH_MSG|(?:COMMIT|TAG|NOTES)_EDITMSG|EDIT_DESCRIPTION',
    'BISECT_[A-Z_]+|NOTES_MERGE_(?:REF|PARTIAL)|ADD_EDIT\\.patch|addp-hunk-edit\\.diff|rebased-patches',
    'index|index\\.stash\\.\\d+|next-index-\\d+|sharedindex[._]\\w+',
    'packed-refs(?:\\.new)?|shallow(?:_\\w{6})?|gc\\.(?:log|pid)',
  ].join('|')})(?:\\.lock)?$`,
);
