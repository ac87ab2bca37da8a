import { editSets } from '../../context/history/past.ts';
import { type Undo, undoOf } from '../../context/history/undo.ts';
import { groupBy } from '../../domain/lists.ts';
import type { Conversation } from '../../runtime/conversation/types.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { RestorableFile, RestorableFiles } from '../../terminal/views/file-restore.ts';
import { repositoryPreview, restorePreview } from '../../tools/files/restore-preview.ts';
import { displayPath } from '../../tools/place/place.ts';
import { visibleLine } from '../../tools/place/visible.ts';

type Item = Undo & { readonly bytes: Buffer | undefined };

const NOT_KEPT = { en: 'what it held then is not kept', zh: '当时的内容没有保留' };

/** What tools and commands of this session changed after record `n` of its log, and is not what it was then. */
export async function restorableFiles(
  { session, deps, changes: load }: Conversation,
  { environment }: Runtime,
  n: number,
): Promise<RestorableFiles> {
  const changes = await load();
  const cwd = environment.cwd();
  const nameOf = (path: string): string => visibleLine(displayPath(cwd, path), 400);
  const sets = [...editSets(deps.disk.past(session.id)), ...changes.sets()].sort((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)));
  const undos = undoOf(sets, ({ by }) => by !== undefined && by.record >= n).filter(({ path, target }) => !changes.isNow(path, target));
  const kept = changes.read(undos.map(({ target }) => target));
  const items = undos.map((undo, i): Item => ({ ...undo, bytes: kept[i] }));
  const isHere = ({ target, bytes }: Item): boolean => target?.kind !== 'file' || bytes !== undefined;
  const changedSince = ({ path, expected }: Item): boolean => !changes.isNow(path, expected);
  const single = async (item: Item): Promise<RestorableFile> => ({
    ...{ path: item.path, name: nameOf(item.path), items: [putBackOf(item)] },
    does: item.target === null ? 'remove' : changes.isNow(item.path, null) ? 'make' : 'write',
    changedSince: changedSince(item),
    preview: await restorePreview(nameOf(item.path), changes.current(item.path), item),
  });
  const ofRepository = (folder: string, all: readonly Item[]): RestorableFile => ({
    ...{ path: folder, name: nameOf(folder), items: all.map(putBackOf), does: 'write' },
    // git writes its index anew whenever somebody looks at the status.
    changedSince: all.some((item) => !item.path.endsWith('/index') && changedSince(item)),
    preview: repositoryPreview(nameOf(folder), all.length),
  });
  const repositories = groupBy(items, ({ path }) => gitFolderOf(path) ?? '');
  const files = repositories.get('') ?? [];
  const by = { id: environment.newId(), title: 'rollback', record: session.lastRecord };
  return {
    files: [
      ...[...repositories].filter(([folder]) => folder !== '').map(([folder, all]) => ofRepository(folder, all)),
      ...(await Promise.all(files.filter(isHere).map(single))),
    ],
    unrestorable: files.filter((item) => !isHere(item)).map(({ path }) => ({ path, name: nameOf(path), why: NOT_KEPT })),
    restore: (chosen) =>
      changes.restore(
        chosen.flatMap(({ items: all }) => all),
        cwd,
        by,
      ),
  };
}

const putBackOf = ({ path, target, bytes }: Item) => ({ path, to: target, bytes });

/** The folder of a repository that a path is of, as `.git`. */
const gitFolderOf = (path: string): string | undefined => /^.*?\/\.git(?=\/|$)/.exec(path)?.[0];
