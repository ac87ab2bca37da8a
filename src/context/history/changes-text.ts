import type { Bilingual } from '../../domain/language.ts';
import type { Change, ChangeSet } from '../../domain/session/change.ts';

const MAX_NAMES = 20;
/** What git keeps of its own is nobody's file. */
const isOfGit = (path: string): boolean => /\/\.git(?:\/|$)/.test(path);

type Counts = { readonly changed: readonly string[]; readonly added: readonly string[]; readonly deleted: readonly string[] };

function filesOf({ changes }: ChangeSet): Counts {
  const files = changes.filter(({ path, before, after }) => !isOfGit(path) && (after ?? before)?.kind !== 'folder');
  const pathsOf = (is: (change: Change) => boolean): readonly string[] => files.filter(is).map(({ path }) => path);
  return {
    changed: pathsOf(({ before, after }) => before !== null && after !== null),
    added: pathsOf(({ before }) => before === null),
    deleted: pathsOf(({ after }) => after === null),
  };
}

/** How many files an act changed, as a short line for a person; undefined where it changed none. */
export function changesNote(set: ChangeSet): Bilingual | undefined {
  const { changed, added, deleted } = filesOf(set);
  const parts = [
    { count: changed.length, en: 'changed', zh: '更改' },
    { count: added.length, en: 'new', zh: '新增' },
    { count: deleted.length, en: 'deleted', zh: '删除' },
  ].filter(({ count }) => count > 0);
  const [first, ...more] = parts;
  if (first === undefined) return undefined;
  return {
    en: [`${first.count} ${first.count === 1 ? 'file' : 'files'} ${first.en}`, ...more.map(({ count, en }) => `${count} ${en}`)].join(', '),
    zh: parts.map(({ count, zh }) => `${zh} ${count} 个文件`).join('，'),
  };
}

/** The same for the model, with the paths of the first of them: below the folder where it ran, or absolute. */
export function changesText(set: ChangeSet, cwd: string): string {
  const { changed, added, deleted } = filesOf(set);
  const nameOf = (path: string): string => JSON.stringify(path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path).slice(1, -1);
  const listOf = (what: string, paths: readonly string[]): readonly string[] =>
    paths.length === 0
      ? []
      : [
          `${what}: ${paths.slice(0, MAX_NAMES).map(nameOf).join(', ')}${paths.length > MAX_NAMES ? ` and ${paths.length - MAX_NAMES} more` : ''}`,
        ];
  return `[${[...listOf('changed', changed), ...listOf('new', added), ...listOf('deleted', deleted)].join('; ')}]`;
}
