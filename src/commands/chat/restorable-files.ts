import { type Undo, undoOf } from '../../context/history/past.ts';
import { type Bilingual, localize } from '../../domain/language.ts';
import { groupBy } from '../../domain/lists.ts';
import { callNames } from '../../domain/session/call-name.ts';
import {
  actorsOf,
  type ChangeSet,
  type Entry,
  isContent,
  type PutBack,
  type PutBackProblem,
  ranUnwatched,
} from '../../domain/session/change.ts';
import type { Conversation } from '../../runtime/conversation/types.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { Changes } from '../../store/changes/changes.ts';
import type { OtherWay, RestorableFile, RestorableFiles } from '../../terminal/views/restorable-file.ts';
import { repositoryPreview, restorePreview } from '../../tools/files/restore-preview.ts';
import { displayPath } from '../../tools/place/place.ts';
import { visibleLine } from '../../tools/place/visible.ts';
import { actsIn, byPath, gitFolderOf, type RestoreChoice } from '../changes/acts.ts';

type Item = Undo & {
  readonly isKept: boolean;
  readonly isEarlierKept: boolean;
  readonly bytes: () => Buffer | undefined;
  readonly earlierBytes: () => Buffer | undefined;
  readonly now: Entry | null;
};

type Scene = {
  readonly changes: Changes;
  readonly nameOf: (path: string) => string;
  /** Who changed a path last, if that was an act that is not undone and nothing came after it. */
  readonly laterActOn: (path: string) => Bilingual | undefined;
  /** Folders that come back: what is to be in them is not behind the link that took their place. */
  readonly made: ReadonlySet<string>;
  readonly unwatched: ReadonlySet<string>;
};

export type ChangedSession = {
  readonly session: Pick<Conversation['session'], 'id' | 'cwd' | 'lastRecord'>;
  readonly deps: { readonly disk: Pick<Conversation['deps']['disk'], 'past'> };
  readonly changes: Conversation['changes'];
};
export type ChangedPlace = {
  readonly environment: Pick<Runtime['environment'], 'cwd' | 'newId'>;
};

export async function restorableFiles(
  { session, deps, changes: load }: ChangedSession,
  { environment }: ChangedPlace,
  { title, isUndone, isMeant = () => true, isBeforeRewind = false }: RestoreChoice,
): Promise<RestorableFiles> {
  const changes = await load();
  changes.settleLeft();
  const acts = actsIn(deps.disk.past(session.id), changes.sets());
  const undone = new Set(acts.filter((act, i) => isUndone(act, i + 1)));
  const undos = undoOf(acts, (act) => undone.has(act)).filter(({ path, target }) => isMeant(path) && !changes.isNow(path, target));
  const [targets, earlier] = [undos.map(({ target }) => target), undos.map((undo) => undo.earlier ?? null)];
  const [areKept, areEarlierKept] = [changes.areKept(targets), changes.areKept(earlier)];
  const [bytesAt, earlierBytesAt] = [readAhead(targets, changes.read), readAhead(earlier, changes.read)];
  const items = undos.map(
    (undo, i): Item => ({
      ...undo,
      isKept: areKept[i] === true,
      isEarlierKept: areEarlierKept[i] === true,
      bytes: () => bytesAt(i),
      earlierBytes: () => earlierBytesAt(i),
      now: changes.now(undo.path),
    }),
  );
  const scene: Scene = {
    changes,
    nameOf: (path) => visibleLine(displayPath(environment.cwd(), path), 400),
    laterActOn: (path) => laterAct(acts, path, { undone, changes }),
    made: new Set(undos.flatMap(({ path, target }) => (target?.kind === 'folder' ? [path] : []))),
    unwatched: new Set([...undone].filter(ranUnwatched).flatMap((act) => act.changes.map(({ path }) => path))),
  };
  const by = { id: environment.newId(), title: localize(title), record: session.lastRecord + Number(isBeforeRewind) };
  return { ...sorted(items, scene), restore: (chosen) => restore(chosen, changes, (all) => changes.restore(all, session.cwd, by)) };
}

/** Read at once, since one after the other is asked for. */
const READ_AHEAD = { files: 64, bytes: 4 * 1024 * 1024 };

/** Reads what entries hold when it is asked for, the next ones with it; of these it keeps only the last. */
function readAhead(entries: readonly (Entry | null)[], read: Changes['read']): (i: number) => Buffer | undefined {
  let [start, page]: [number, readonly (Buffer | undefined)[]] = [0, []];
  return (i) => {
    if (i < start || i >= start + page.length) {
      let [end, bytes] = [i + 1, 0];
      while (end < Math.min(entries.length, i + READ_AHEAD.files)) {
        bytes += entries[end]?.size ?? 0;
        if (bytes > READ_AHEAD.bytes) break;
        end += 1;
      }
      [start, page] = [i, read(entries.slice(i, end))];
    }
    return page[i - start];
  };
}

/** An object that somebody wrote into is gone for good: all else of its repository comes back without it. */
const isGoneForGood = ({ path, target }: Item): boolean => target?.holds === 'lost' && path.includes('/objects/');

/** What can be restored, a repository as a whole, and what cannot. */
function sorted(items: readonly Item[], scene: Scene): Pick<RestorableFiles, 'files' | 'unrestorable'> {
  const repositories = groupBy(items.toSorted(byPath), ({ path }) => gitFolderOf(path) ?? '');
  const things = [...repositories].flatMap(([folder, all]) =>
    folder === ''
      ? all.map((item) => [item])
      : [all.filter((item) => !isGoneForGood(item)), ...all.filter(isGoneForGood).map((item) => [item])],
  );
  const judged = things.map((all) => ({ all, why: all.map((item) => problemOf(item, scene)).find((why) => why !== undefined) }));
  const pathOf = ([item]: readonly Item[]): string =>
    item === undefined ? '' : isGoneForGood(item) ? item.path : (gitFolderOf(item.path) ?? item.path);
  return {
    files: judged.flatMap(({ all, why }) => {
      const [item] = all;
      if (why !== undefined || item === undefined) return [];
      const folder = gitFolderOf(item.path);
      return [folder === undefined ? fileOf(item, scene) : repositoryOf(folder, all, scene)];
    }),
    unrestorable: judged.flatMap(({ all, why }) =>
      why === undefined
        ? []
        : [{ path: pathOf(all), name: scene.nameOf(pathOf(all)), why, ...(why === NOT_GIVEN && { failed: true as const }) }],
    ),
  };
}

const NOT_KEPT = { en: 'what it held then was not kept', zh: '当时的内容没有保留' };
const NOT_GIVEN = {
  en: 'git did not give what it held then: is it installed, and does it run?',
  zh: 'git 未能给出当时的内容：是否已安装并可运行？',
};
/** Also of what only SanBot changed, such as a large file under its new name: to undo that would be the end of it. */
const ONLY_HERE = { en: 'what it holds now is too large to keep, and would be lost', zh: '现在的内容太大，无法保留，会丢失' };
const NOT_MADE = { en: 'it was a pipe, a socket or a device, which is not made again', zh: '原是管道、套接字或设备，不会重新创建' };
const READ_ONLY = { en: 'is read-only now; chmod u+w first', zh: '现在是只读的；请先运行 chmod u+w' };

/** Why a path cannot be brought back. What an act itself made read-only can. */
function problemOf({ path, target, expected, isKept, now }: Item, { changes, made }: Scene): Bilingual | undefined {
  if (target?.kind === 'file' && !isKept) return target.holds?.startsWith('blob:') === true ? NOT_GIVEN : NOT_KEPT;
  if (target?.kind === 'other') return NOT_MADE;
  const wasWritable = expected === null || expected.mode < 0 || (expected.mode & 0o222) !== 0;
  if (now?.kind === 'file' && (now.mode & 0o222) === 0 && wasWritable) return READ_ONLY;
  return changes.blocked(path, made);
}

function fileOf(item: Item, { changes, nameOf, laterActOn, unwatched }: Scene): RestorableFile {
  const { path, expected, target, bytes, now, earlier, isEarlierKept, earlierBytes } = item;
  const name = nameOf(path);
  const isOnlyHere = now?.kind === 'file' && !isContent(now.holds);
  const changedSince = isOnlyHere || !changes.isNow(path, expected);
  const isBefore = earlier !== undefined && (earlier?.kind !== 'file' || isEarlierKept);
  const previewOf = (to: Entry | null, then: () => Buffer | undefined) => () =>
    restorePreview(name, { entry: now, bytes: changes.current(path) }, { entry: to, bytes: then() });
  return {
    ...{ path, name, changedSince, changedBy: isOnlyHere ? ONLY_HERE : changedSince ? laterActOn(path) : undefined },
    items: [{ path, to: target }],
    seen: [{ path, entry: now }],
    does: target === null ? 'remove' : now === null ? 'make' : 'write',
    isFolder: (target ?? now)?.kind === 'folder',
    isUnwatched: unwatched.has(path),
    preview: previewOf(target, bytes),
    ...(changedSince && target?.kind === 'file' && now !== null && { beside: besideOf(item, { changes, nameOf }) }),
    ...(isBefore && { earlier: { name, items: [{ path, to: earlier }], preview: previewOf(earlier, earlierBytes) } }),
  };
}

function besideOf({ path, target }: Item, { changes, nameOf }: Pick<Scene, 'changes' | 'nameOf'>): OtherWay {
  let n = 1;
  while (changes.now(`${path}.before-${n}`) !== null) n += 1;
  const beside = `${path}.before-${n}`;
  return { name: nameOf(beside), items: [{ path: beside, to: target }], seen: [{ path: beside, entry: null }] };
}

function repositoryOf(folder: string, all: readonly Item[], { changes, nameOf }: Scene): RestorableFile {
  const name = nameOf(folder);
  return {
    ...{ path: folder, name, does: 'write', isFolder: true },
    items: all.map(({ path, target }) => ({ path, to: target })),
    seen: all.flatMap(({ path, now }) => (isIndex(path) ? [] : [{ path, entry: now }])),
    changedSince: all.some(({ path, expected }) => !isIndex(path) && !changes.isNow(path, expected)),
    preview: async () => repositoryPreview(name, all.length),
  };
}

/** git writes its index anew whenever somebody looks at the status. */
const isIndex = (path: string): boolean => path.endsWith('/index');

/** The last act on a path, where what it left stands there still. */
function laterAct(
  acts: readonly ChangeSet[],
  path: string,
  { undone, changes }: { readonly undone: ReadonlySet<ChangeSet>; readonly changes: Changes },
): Bilingual | undefined {
  const at = acts.findLastIndex((act) => act.changes.some((change) => change.path === path));
  const act = acts[at];
  const change = act?.changes.find((each) => each.path === path);
  const [actor] = act === undefined ? [] : actorsOf(act);
  if (act === undefined || actor === undefined || change === undefined || undone.has(act) || !changes.isNow(path, change.after))
    return undefined;
  const { en, zh } = callNames(actor.title);
  return { en: `changed since by ${at + 1}, ${visibleLine(en, 100)}`, zh: `此后被 ${at + 1}（${visibleLine(zh, 100)}）改动` };
}

const CHANGED_MEANWHILE = { en: 'changed on disk since it was shown', zh: '显示之后，磁盘上的内容已更改' };
const NOT_EMPTY = { en: 'what others put there stays', zh: '其中有他人放入的内容，予以保留' };

async function restore(
  chosen: readonly RestorableFile[],
  changes: Changes,
  perform: (all: readonly PutBack[]) => Promise<readonly PutBackProblem[]>,
): Promise<readonly PutBackProblem[]> {
  const isAsSeen = ({ seen }: RestorableFile): boolean => seen.every(({ path, entry }) => changes.isNow(path, entry));
  const [ready, moved] = [chosen.filter(isAsSeen), chosen.filter((file) => !isAsSeen(file))];
  const items = ready.flatMap((file) => file.items);
  const problems = items.length === 0 ? [] : await perform(items);
  const left = items.filter(({ path, to }) => to === null && changes.now(path) !== null && !problems.some((each) => each.path === path));
  return [
    ...moved.flatMap((file) => file.items.map(({ path }) => ({ path, why: CHANGED_MEANWHILE }))),
    ...problems,
    ...left.map(({ path }) => ({ path, why: NOT_EMPTY })),
  ];
}
