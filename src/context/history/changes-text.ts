import { type Bilingual, joinTexts } from '../../domain/language.ts';
import { unique } from '../../domain/lists.ts';
import { type Change, type ChangeSet, type Entry, isContent, isFileChange, type Uncovered } from '../../domain/session/change.ts';
import type { ChangedPaths } from '../../domain/session/message.ts';

const MAX_NAMES = 20;
const MAX_TITLE_CHARS = 120;
const MAX_UNCOVERED = 3;
const isOfGit = (path: string): boolean => /\/\.git(?:\/|$)/.test(path);

type Counts = Readonly<Record<'changed' | 'added' | 'deleted' | 'notKept' | 'ofGit', readonly string[]>>;

function filesOf({ changes }: ChangeSet): Counts {
  const files = changes.filter(({ path, before, after }) => !isOfGit(path) && (after ?? before)?.kind !== 'folder');
  const losses = changes.filter(isLoss);
  const repositories = losses.filter(({ path }) => path.endsWith('/.git')).map(({ path }) => `${path}/`);
  const pathsOf = (is: (change: Change) => boolean): readonly string[] => files.filter(is).map(({ path }) => path);
  return {
    changed: pathsOf(({ before, after }) => before !== null && after !== null),
    added: pathsOf(({ before }) => before === null),
    deleted: pathsOf(({ after }) => after === null),
    notKept: [...files, ...losses].filter(isNotKept).map(({ path }) => path),
    ofGit: losses.map(({ path }) => path).filter((path) => !repositories.some((each) => path.startsWith(each))),
  };
}

const isNotKept = ({ before }: Change): boolean => before?.kind === 'other' || (before?.kind === 'file' && !isContent(before.holds));

/** A repository is gone, or something without which git does not work, or objects of it are: those are written down only where they are. */
const isLoss = ({ path, before, after }: Change): boolean =>
  before !== null && isOfGit(path) && (OBJECT.test(path) || (NEEDED.test(path) && (after === null || isClosed(after))));

const isClosed = ({ kind, mode }: Entry): boolean => mode >= 0 && (mode & (kind === 'folder' ? 0o500 : 0o400)) === 0;

const OBJECT = /\/objects\/(?:[0-9a-f]{2}\/)*(?:[0-9a-f]{2}|pack)(?:\/(?!multi-pack-index|.*\.keep$)[^/]+)?$/;
const NEEDED = /\/\.git(?:\/(?:HEAD|index|config|objects|refs))?$/;

function lossText(paths: readonly string[]): Bilingual | undefined {
  const objects = paths.filter((path) => OBJECT.test(path)).length;
  const names = paths.filter((path) => !OBJECT.test(path)).map((path) => path.slice(path.lastIndexOf('/') + 1));
  const count = { en: `${objects} ${objects === 1 ? 'object' : 'objects'}`, zh: `${objects} 个对象` };
  const all = (of: string): string => [...new Set(names), ...(objects > 0 ? [of] : [])].join(', ');
  return paths.length === 0 ? undefined : { en: `lost from git: ${all(count.en)}`, zh: `git 中丢失：${all(count.zh)}` };
}

/** How many files an act changed, and of how many what they held is not kept, as a short line for a person; undefined where it changed none. */
export function changesNote(set: ChangeSet): Bilingual | undefined {
  const { changed, added, deleted, notKept, ofGit } = filesOf(set);
  const loss = lossText(ofGit);
  const parts = [
    { count: changed.length, en: 'changed', zh: '更改' },
    { count: added.length, en: 'new', zh: '新增' },
    { count: deleted.length, en: 'deleted', zh: '删除' },
  ].filter(({ count }) => count > 0);
  const [first, ...more] = parts;
  const lost = { en: ` (${notKept.length} cannot be brought back)`, zh: `（${notKept.length} 个无法恢复）` };
  const counts =
    first === undefined
      ? []
      : [`${first.count} ${first.count === 1 ? 'file' : 'files'} ${first.en}`, ...more.map(({ count, en }) => `${count} ${en}`)];
  const en = [...counts, ...(loss === undefined ? [] : [loss.en])].join(', ');
  const zh = [...parts.map((part) => `${part.zh} ${part.count} 个文件`), ...(loss === undefined ? [] : [loss.zh])].join('，');
  return en === '' ? undefined : { en: `${en}${notKept.length > 0 ? lost.en : ''}`, zh: `${zh}${notKept.length > 0 ? lost.zh : ''}` };
}

/** The same for the model, with the paths of the first of them: below the folder where it ran, or absolute. */
export function changesText(set: ChangeSet, cwd: string): string {
  const { changed, added, deleted, notKept, ofGit } = filesOf(set);
  const nameOf = (path: string): string => JSON.stringify(path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path).slice(1, -1);
  const listOf = (what: string, paths: readonly string[]): readonly string[] =>
    paths.length === 0
      ? []
      : [
          `${what}: ${paths.slice(0, MAX_NAMES).map(nameOf).join(', ')}${paths.length > MAX_NAMES ? ` and ${paths.length - MAX_NAMES} more` : ''}`,
        ];
  const lists = { changed, new: added, deleted, 'cannot be brought back': notKept };
  return `[${Object.entries(lists)
    .flatMap(([what, paths]) => listOf(what, paths))
    .concat(lossText(ofGit)?.en ?? [])
    .join('; ')}]`;
}

/** What acts changed, for the model and for a person; undefined where no file was. Acts other than `own` are named. */
export function changedFilesText(
  sets: readonly ChangeSet[],
  cwd: string,
  own: ChangeSet | undefined,
): { readonly text: string; readonly note: Bilingual } | undefined {
  const told = sets.flatMap((set) => {
    const note = changesNote(set);
    if (note === undefined) return [];
    const by = set === own ? undefined : set.by;
    const others = (set.also ?? []).map(titleOf);
    const meanwhile = others.length === 0 ? '' : `\n[at the same time, so that it may be its doing: ${others.join('; ')}]`;
    const text = `${by === undefined ? '' : `[${titleOf(by)}]\n`}${changesText(set, cwd)}${meanwhile}`;
    return [{ text, note: by === undefined ? note : { en: `${titleOf(by)}: ${note.en}`, zh: `${titleOf(by)}：${note.zh}` } }];
  });
  if (told.length === 0) return undefined;
  return {
    text: told.map(({ text }) => text).join('\n'),
    note: joinTexts(
      told.map(({ note }) => note),
      { en: '; ', zh: '；' },
    ),
  };
}

const titleOf = ({ title }: { readonly title: string }): string =>
  JSON.stringify(title.slice(0, MAX_TITLE_CHARS).toWellFormed()).slice(1, -1);

export function uncoveredText(uncovered: Uncovered, cwd: string): Bilingual {
  const pathsOf = (reason: string): readonly string[] => [...uncovered].filter(([, why]) => why === reason).map(([path]) => path);
  const named = (paths: readonly string[]): string =>
    paths
      .slice(0, MAX_UNCOVERED)
      .map((path) => (path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path))
      .join(', ');
  const more = (paths: readonly string[]): Bilingual => {
    const rest = paths.length - MAX_UNCOVERED;
    return rest > 0 ? { en: ` and ${rest} more`, zh: ` 等 ${paths.length} 处` } : { en: '', zh: '' };
  };
  const [unreadable, unnamed, late, name, apart] = (['unreadable', 'unnamed', 'late', 'name', 'apart'] as const).map(pathsOf);
  const parts: Bilingual[] = [];
  const add = (paths: readonly string[] | undefined, text: (names: string, more: Bilingual) => Bilingual): void => {
    if (paths !== undefined && paths.length > 0) parts.push(text(named(paths), more(paths)));
  };
  add(unnamed, () => ({
    en: 'this folder is too wide to keep: of what commands change, only paths that they name and files touched in this session can be brought back',
    zh: '此文件夹范围太大：命令所做的更改中，只有命令指明的路径和本会话接触过的文件可以恢复',
  }));
  add(late, () => ({
    en: 'this folder is too large to look at within a second: of what commands change in it, what was looked at and files that git tracks can be brought back',
    zh: '此文件夹太大，无法在一秒内看完：命令在其中的更改中，只有看到的部分和 git 跟踪的文件可以恢复',
  }));
  add(unreadable, (names, rest) => ({
    en: `could not be read, and cannot be brought back: ${names}${rest.en}`,
    zh: `无法读取，也无法恢复：${names}${rest.zh}`,
  }));
  add(name, (names, rest) => ({
    en: `have names that are not text, and cannot be brought back: ${names}${rest.en}`,
    zh: `名称不是文本，无法恢复：${names}${rest.zh}`,
  }));
  add(apart, (names) => ({
    en: `what commands do to branches, the stash and the index cannot be undone: this repository does not say that it belongs here (core.worktree): ${names}`,
    zh: `命令对分支、储藏（stash）和暂存区（index）的更改无法撤销：此仓库未声明属于此文件夹（core.worktree）：${names}`,
  }));
  return parts.length === 0 ? ALL_COVERED : joinTexts(parts, { en: '; ', zh: '；' });
}

const ALL_COVERED: Bilingual = {
  en: 'from now on, everything that commands change in this folder can be brought back',
  zh: '从现在起，命令在此文件夹中的更改都可以恢复',
};

/** Of more files than these, the folders are named. */
const MAX_PATHS = 20;

/** Which files acts changed or made, and which they deleted: below the folder where they ran, or absolute. A folder ends with a slash. */
export function changedPaths(sets: readonly ChangeSet[], cwd: string): ChangedPaths | undefined {
  const isGone = new Map<string, boolean>();
  for (const { path, after } of sets.flatMap(({ changes }) => changes.filter(isFileChange))) isGone.set(path, after === null);
  if (isGone.size === 0) return undefined;
  const pathsOf = (gone: boolean): string[] =>
    [...isGone].flatMap(([path, is]) => (is !== gone ? [] : [path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path]));
  return { files: fewPaths(pathsOf(false)), deleted: fewPaths(pathsOf(true)) };
}

function fewPaths(paths: string[]): string[] {
  if (paths.length <= MAX_PATHS) return paths;
  const folders = paths.map((path) => path.split('/').slice(0, -1));
  // The first name of an absolute path is empty.
  const foldersAt = (depth: number): string[] =>
    unique(folders.map((names) => folderName(names.slice(0, names[0] === '' ? depth + 1 : depth))));
  let depth = folders.reduce((most, { length }) => Math.max(most, length), 0);
  while (depth > 0 && foldersAt(depth).length > MAX_PATHS) depth -= 1;
  return foldersAt(depth);
}

const folderName = (names: readonly string[]): string => (names.length === 0 ? './' : `${names.join('/')}/`);
