import { type MemoryKind, memoryKinds } from '../../domain/memory/memory.ts';
import { parseMemoryLine, parseMemoryPage } from '../../domain/memory/memory-line.ts';
import { parseJson } from '../../domain/value/json.ts';
import { writeFileAtomic } from '../files/atomic-write.ts';
import { type Disk, ensureFolder, readOwnFile } from '../files/disk.ts';
import { withLock } from '../files/lock.ts';
import { folderOf, groupsOf, isGroupName, type StorePaths } from '../files/paths.ts';
import { readText } from '../files/read-text.ts';
import { createMemories } from '../memory/memories.ts';
import { changePage } from '../memory/page-file.ts';

type PageEntry = { readonly group: string; readonly page: string; readonly id: string; readonly line: string };
type PageOfKind = { readonly group: string; readonly kind: MemoryKind; readonly page: string; readonly path: string };

const MAX_PAGE_BYTES = 16 * 1024 * 1024;

type Leaving = { readonly mayMemoryLeave: (line: string) => boolean };

/** The pages of L1 of all groups, and those of older entries, entry by entry. */
export function createMemoryPages(disk: Disk, paths: StorePaths, { mayMemoryLeave }: Leaving) {
  const pages = (groups: readonly string[]): readonly PageOfKind[] =>
    groups.flatMap((group) =>
      memoryKinds.flatMap((kind) => [
        // Before the entries leave their page.
        { group, kind, page: `older/${kind}`, path: paths.olderExtracted(group, kind) },
        { group, kind, page: kind, path: paths.extracted(group, kind) },
      ]),
    );
  const entriesOf = ({ group, kind, page, path }: PageOfKind): readonly PageEntry[] => {
    const lines = parseMemoryPage(readText(path, MAX_PAGE_BYTES) ?? '', kind);
    return lines.map(({ id, line }) => ({ group, page, id, line: line.trimEnd() }));
  };
  return {
    entries: () => pages(groupsOf(paths)).flatMap(entriesOf),
    mayLeave: ({ line }: PageEntry): boolean => mayMemoryLeave(line),
    render: (live: readonly PageEntry[]): void => {
      const groups = new Set([...groupsOf(paths), ...live.map(({ group }) => group).filter(isGroupName)]);
      for (const each of pages([...groups])) {
        const shared = live.filter(({ group, page }) => group === each.group && page === each.page);
        const before = entriesOf(each);
        // What must not leave is on no list of others, and stays.
        const own = before.filter(({ id, line }) => !mayMemoryLeave(line) && !shared.some((entry) => entry.id === id));
        renderPage(disk, paths, each, { lines: [...shared, ...own], before });
      }
    },
    readRendered: (): unknown => {
      const kept = readOwnFile(paths.renderedMemories);
      return kept === undefined ? undefined : parseJson(kept);
    },
    writeRendered: (entries: readonly PageEntry[]): void => {
      ensureFolder(disk, folderOf(paths.renderedMemories));
      writeFileAtomic(disk, paths.renderedMemories, Buffer.from(`${JSON.stringify(entries)}\n`), { point: 'rendered' });
    },
  };
}

type Rendered = { readonly lines: readonly PageEntry[]; readonly before: readonly PageEntry[] };

/** An entry that was struck out elsewhere is forgotten here, so that it is not extracted again; one that was put aside is among the older. */
function renderPage(disk: Disk, paths: StorePaths, { group, kind, page, path }: PageOfKind, { lines, before }: Rendered): void {
  if (lines.map(({ line }) => line).join('\n') === before.map(({ line }) => line).join('\n')) return;
  const ids = new Set(lines.map(({ id }) => id));
  const gone = before.filter(({ id }) => !ids.has(id)).map(({ id }) => id);
  const older = new Set(parseMemoryPage(readText(paths.olderExtracted(group, kind), MAX_PAGE_BYTES) ?? '', kind).map(({ id }) => id));
  const struck = page === kind ? gone.filter((id) => !older.has(id)) : [];
  if (struck.length > 0) createMemories(disk, paths, group).forget(struck);
  ensureFolder(disk, paths.memory(group));
  withLock(disk, paths.memoryLock(group), () =>
    changePage(disk, path, (text) => withEntries(text, kind, { lines, isOlder: page !== kind })),
  );
}

type NewEntries = { readonly lines: readonly PageEntry[]; readonly isOlder: boolean };

/** A page that holds nothing else is written anew; on any other, lines change where they stand and new ones come last. */
function withEntries(text: string, kind: MemoryKind, { lines, isOlder }: NewEntries): string {
  const others = text.split('\n').filter((line) => parseMemoryLine(line, kind) === undefined);
  const words = others.filter((line) => line.trim() !== '');
  const isPlain = words.length === 0 || (words.length === 1 && words[0]?.startsWith('# ') === true);
  const heading = isOlder ? [] : [words[0] ?? `# ${kind.charAt(0).toUpperCase()}${kind.slice(1)}`, ''];
  if (isPlain) return `${[...heading, ...lines.map(({ line }) => line)].join('\n')}\n`;
  const left = new Map(lines.map((entry) => [entry.id, entry.line]));
  const kept = text.split('\n').flatMap((line) => {
    const id = parseMemoryLine(line, kind)?.id;
    if (id === undefined) return [line];
    const now = left.get(id);
    left.delete(id);
    return now === undefined ? [] : [now];
  });
  const end = kept.at(-1) === '' ? kept.slice(0, -1) : kept;
  return `${[...end, ...left.values()].join('\n')}\n`;
}
