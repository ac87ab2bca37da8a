import { join } from 'node:path';
import type { Actor, Change, Entry, LaterFile } from '../../../domain/session/change.ts';
import type { FindLater } from '../acts/change-log.ts';
import { gitlinksIn } from '../git/git-index.ts';
import { bytesNow } from '../is-now.ts';

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
