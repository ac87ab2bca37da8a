import { changesNote } from '../../context/history/changes-text.ts';
import type { Bilingual } from '../../domain/language.ts';
import { groupBy } from '../../domain/lists.ts';
import { actorsOf, type Change, type ChangeSet, ranUnwatched } from '../../domain/session/change.ts';
import type { Changes } from '../../store/changes/changes.ts';
import type { ActRow, FileDifference } from '../../terminal/chat/history-port.ts';
import { changePreview, repositoryChange } from '../../tools/files/restore-preview.ts';
import { displayPath } from '../../tools/place/place.ts';
import { visibleLine } from '../../tools/place/visible.ts';
import type { ChangedPlace, ChangedSession } from '../chat/restorable-files.ts';
import { actsIn, byPath, gitFolderOf } from './acts.ts';

export type PastChanges = {
  /** In order of time. */
  readonly rows: readonly ActRow[];
  /** What an act changed, by its number. */
  readonly differences: (number: number) => readonly FileDifference[];
  /** What acts of the session changed and is not now what it was before the first of them. */
  readonly total: () => readonly FileDifference[];
};

/** What changed files in a session, and how. Reads only. */
export async function pastChanges(
  { session, deps, changes: load }: ChangedSession,
  { environment }: Pick<ChangedPlace, 'environment'>,
): Promise<PastChanges> {
  const changes = await load();
  const acts = actsIn(deps.disk.past(session.id), changes.sets());
  const nameOf = (path: string): string => visibleLine(displayPath(environment.cwd(), path), 400);
  return {
    rows: acts.map((act, i) => rowOf(act, i + 1, nameOf)),
    differences: (number) => differencesOf(acts[number - 1]?.changes ?? [], { changes, nameOf }),
    total: () => {
      const firsts = new Map<string, Change>();
      for (const change of acts.filter((act) => actorsOf(act).length > 0).flatMap((act) => act.changes))
        if (!firsts.has(change.path)) firsts.set(change.path, { ...change, after: null });
      const all = [...firsts.values()]
        .filter(({ path, before }) => !changes.isNow(path, before))
        .map((change) => ({ ...change, after: changes.now(change.path) }));
      return differencesOf(all, { changes, nameOf });
    },
  };
}

function rowOf(act: ChangeSet, n: number, nameOf: (path: string) => string): ActRow {
  const { at, changes } = act;
  const [title, ...also] = actorsOf(act).map((actor) => visibleLine(actor.title, 400));
  const files = changes.map(({ path, before, after }) => ({
    ...{ path, name: nameOf(path) },
    change: before === null ? ('new' as const) : after === null ? ('deleted' as const) : ('changed' as const),
  }));
  return { n, at, title, also, isUnwatched: ranUnwatched(act), note: changesNote(act) ?? restNote(changes), files };
}

/** Of an act that changed no file of anybody's. */
const restNote = (changes: readonly Change[]): Bilingual =>
  changes.some(({ path }) => gitFolderOf(path) !== undefined)
    ? { en: "git's own state", zh: 'git 自身的状态' }
    : { en: `${changes.length} ${changes.length === 1 ? 'folder' : 'folders'}`, zh: `${changes.length} 个文件夹` };

type View = { readonly changes: Changes; readonly nameOf: (path: string) => string };

/** A repository is one thing. */
function differencesOf(all: readonly Change[], { changes, nameOf }: View): readonly FileDifference[] {
  const groups = groupBy(all.toSorted(byPath), ({ path }) => gitFolderOf(path) ?? '');
  const repositories = [...groups].filter(([folder]) => folder !== '');
  return [
    ...repositories.map(([path, { length }]) => ({
      path,
      name: nameOf(path),
      preview: async () => repositoryChange(nameOf(path), length),
    })),
    ...(groups.get('') ?? []).map((change) => {
      const { path, before, after } = change;
      return {
        ...{ path, name: nameOf(path) },
        preview: () => {
          const [was, is] = changes.read([before, after]);
          // What nobody has read since the act may stand there still.
          const now = is ?? (after !== null && changes.isNow(path, after) ? changes.current(path) : undefined);
          return changePreview(nameOf(path), { entry: before, bytes: was }, { entry: after, bytes: now });
        },
      };
    }),
  ];
}
