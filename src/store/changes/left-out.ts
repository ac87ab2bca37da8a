import { join } from 'node:path';
import type { Bilingual } from '../../domain/language.ts';
import type { Actor, Change, Entry, LaterFile, PutBack, PutBackProblem } from '../../domain/session/change.ts';
import type { ChangeLog, FindLater, OpenChange } from './acts/change-log.ts';
import { gitlinksIn } from './git/git-index.ts';
import { bytesNow } from './is-now.ts';

/**
 * What runs later and was left by an act that may leave nothing of the kind is put back, whenever it is found: right after the act, before
 * the next one, or by a later process. The line that tells of the change says so (`change-log`), so a kill at any moment leaves it to be
 * done. What the act had left is kept by the record, as what every act finds is: undoing this brings it.
 */

/** What was put back: `before` stands there again, and `after` is what the act had left. */
type LeftOutFile = Change & LaterFile;

export type LeftOut = { readonly files: readonly LeftOutFile[]; readonly problems: readonly PutBackProblem[] };

export type LeftOutActs = {
  /** Puts it back, as an act that can be undone. Undefined where there is nothing. Rejects with store_failed, with the rest left to be done. */
  readonly leaveOut: (cwd: string, by: Actor) => Promise<LeftOut | undefined>;
  /** Whether there is any. Those of a process that has the session open now look the same from another one. */
  readonly hasOpen: () => boolean;
  /** Brings back what was left out, as an act that can be undone: somebody has said yes. Rejects with store_failed. */
  readonly keepLeft: (files: readonly LeftOutFile[], cwd: string, by: Actor) => Promise<readonly PutBackProblem[]>;
};

/** Puts paths back as an act; `mayLose` also where what stands there cannot be kept. Rejects with store_failed. */
export type Restore = (all: readonly PutBack[], cwd: string, by: Actor, mayLose: boolean) => Promise<readonly PutBackProblem[]>;

type LeftOutDeps = {
  readonly log: ChangeLog;
  readonly isNow: (path: string, entry: Entry | null) => boolean;
  readonly restore: Restore;
  /** Does it while the folders on the way to these paths can be passed. */
  readonly reached: <T>(all: readonly { readonly path: string }[], work: () => Promise<T>) => Promise<T>;
};

export const createLeftOut = (deps: LeftOutDeps): LeftOutActs => ({
  leaveOut: (cwd, by) => deps.reached(deps.log.open(), () => leaveOut(cwd, by, deps)),
  hasOpen: () => deps.log.open().length > 0,
  keepLeft: async (files, cwd, by) => {
    const back = files.map(({ path, after }) => ({ path, to: after }));
    const problems = await deps.restore(back, cwd, by, false);
    deps.log.settleOpen(deps.log.open().filter(({ path }) => files.some((file) => file.path === path)));
    return problems;
  },
});

/** While others are at work in the folder they may leave it again. */
const MOST_TIMES = 3;

const CHANGED_SINCE: Bilingual = {
  en: 'a command left it, and somebody has changed it since: look at it before anything runs it',
  zh: '它是由命令留下的，此后又被更改：在运行之前请先查看',
};

async function leaveOut(cwd: string, by: Actor, { log, isNow, restore }: LeftOutDeps): Promise<LeftOut | undefined> {
  const files = new Map<string, LeftOutFile>();
  const handled = new Set<OpenChange>();
  const problems = new Map<string, PutBackProblem>();
  for (let times = 0; times < MOST_TIMES; times++) {
    const open = byPath(log.open().filter(({ path }) => !problems.has(path)));
    for (const { changes, ...file } of open) {
      for (const each of changes) handled.add(each);
      const isBack = isNow(file.path, file.before);
      const isOfOthers = !isBack && changes.every(({ isEarlier }) => isEarlier) && !isNow(file.path, file.after);
      if (isOfOthers) problems.set(file.path, { path: file.path, why: CHANGED_SINCE });
      else if (!isBack || changes.some(({ isEarlier }) => isEarlier)) files.set(file.path, { ...(files.get(file.path) ?? file) });
    }
    const todo = open.filter(({ path, before }) => !problems.has(path) && !isNow(path, before));
    if (todo.length === 0) break;
    const folders = foldersOf(todo, log);
    const failed = await restore([...todo.map(({ path, before }) => ({ path, to: before })), ...folders], cwd, by, true);
    for (const problem of failed) problems.set(problem.path, problem);
  }
  log.settleOpen([...handled].filter(({ path }) => (problems.get(path)?.why ?? CHANGED_SINCE) === CHANGED_SINCE));
  for (const path of problems.keys()) files.delete(path);
  return files.size + problems.size === 0 ? undefined : { files: [...files.values()].sort(byName), problems: [...problems.values()] };
}

const byName = (a: LeftOutFile, b: LeftOutFile): number => (a.path < b.path ? -1 : 1);

type OpenFile = LeftOutFile & { readonly changes: readonly OpenChange[] };

function byPath(open: readonly OpenChange[]): readonly OpenFile[] {
  const files = new Map<string, OpenFile>();
  for (const change of open) {
    const { path, why, before, after } = change;
    const former = files.get(path);
    files.set(path, {
      path,
      why,
      before: former === undefined ? before : former.before,
      after,
      changes: [...(former?.changes ?? []), change],
    });
  }
  return [...files.values()];
}

function foldersOf(todo: readonly OpenFile[], log: ChangeLog): readonly PutBack[] {
  const numbers = new Set(todo.flatMap(({ changes }) => changes.map(({ n }) => n)));
  const made = log
    .sets()
    .filter(({ n }) => numbers.has(n))
    .flatMap(({ changes }) => changes.filter(({ before, after }) => before === null && after?.kind === 'folder'));
  return made
    .filter(({ path: folder }) => todo.some(({ path, before }) => before === null && path.startsWith(`${folder}/`)))
    .map(({ path }) => ({ path, to: null }));
}

type ChangeTexts = { readonly before: string | undefined; readonly after: string | undefined };

/**
 * As `FindLater`, with the repositories that the index of the folder has as its parts since: `gitlinks`, absolute; and with what a changed
 * file held and holds.
 */
export type LaterFinder = (
  changes: readonly Change[],
  place: {
    readonly root: string;
    readonly actors: readonly Actor[];
    readonly gitlinks: readonly string[] | 'unknown';
    readonly texts: (change: Change) => ChangeTexts;
  },
) => readonly LaterFile[];

export const laterWith =
  (find: LaterFinder | undefined, bytesOf: (entry: Entry | null) => Buffer | undefined): FindLater =>
  (changes, root, actors) => {
    if (find === undefined) return [];
    const index = changes.find(({ path, after }) => path === join(root, '.git', 'index') && after?.kind === 'file');
    const [before, after] = index === undefined ? [] : [bytesOf(index.before), bytesNow(index.path)];
    const known = new Set(before === undefined ? [] : gitlinksIn(before));
    const links = after === undefined || after.length === 0 ? [] : gitlinksIn(after);
    const added = links?.filter((path) => !known.has(path)).map((path) => join(root, path));
    const texts: (change: Change) => ChangeTexts = (change) => ({
      before: bytesOf(change.before)?.toString(),
      after: bytesNow(change.path)?.toString(),
    });
    return find(changes, { root, actors, gitlinks: added ?? 'unknown', texts });
  };
