import { quantity } from '../tool.ts';

type Folder = { readonly path: string; readonly folders: Map<string, Folder>; readonly files: string[]; count: number };

/**
 * Returns the files of a folder as lines: first its own, then each folder with its path as a heading and its files below. When there are
 * more than `maxLines`, folders stay closed and show how many files they contain; upper folders are opened first, and small ones before
 * large ones. `folders` counts all with files below them, shown or not, `closed` those shown closed.
 */
export function foldTree(paths: readonly string[], maxLines: number) {
  const root = folderOf(paths);
  const open = openFolders(root, maxLines);
  const closed = [...open].flatMap((folder) => [...folder.folders.values()]).filter((folder) => !open.has(folder)).length;
  return { lines: linesOf(root, { open, maxLines }), folders: countFolders(root), closed };
}

function folderOf(paths: readonly string[]): Folder {
  const root: Folder = { path: '', folders: new Map(), files: [], count: 0 };
  for (const path of paths) {
    const parts = path.split('/');
    const name = parts.pop() ?? '';
    let current = root;
    current.count++;
    for (const part of parts) {
      const next = current.folders.get(part) ?? { path: `${current.path}${part}/`, folders: new Map(), files: [], count: 0 };
      current.folders.set(part, next);
      current = next;
      current.count++;
    }
    current.files.push(name);
  }
  return root;
}

const linesInside = (folder: Folder): number => folder.files.length + folder.folders.size;

/** Level by level, so that breadth comes before depth. */
function openFolders(root: Folder, maxLines: number): ReadonlySet<Folder> {
  const open = new Set([root]);
  let remaining = maxLines - linesInside(root);
  for (let level = [...root.folders.values()]; level.length > 0; ) {
    const next: Folder[] = [];
    for (const folder of level.sort((a, b) => linesInside(a) - linesInside(b))) {
      if (linesInside(folder) > remaining) continue;
      remaining -= linesInside(folder);
      open.add(folder);
      next.push(...folder.folders.values());
    }
    level = next;
  }
  return open;
}

function linesOf(root: Folder, options: { readonly open: ReadonlySet<Folder>; readonly maxLines: number }): readonly string[] {
  const lines: string[] = [];
  const addLines = (folder: Folder): void => {
    const indent = folder === root ? '' : '  ';
    lines.push(...truncate(folder.files.sort(), options.maxLines).map((name) => `${indent}${name}`));
    for (const child of [...folder.folders.values()].sort((a, b) => (a.path < b.path ? -1 : 1))) {
      if (!options.open.has(child)) lines.push(`${child.path} (${quantity(child.count, 'file')})`);
      else {
        if (child.files.length > 0) lines.push(child.path);
        addLines(child);
      }
    }
  };
  addLines(root);
  return lines;
}

const truncate = (names: readonly string[], max: number): readonly string[] =>
  names.length <= max ? names : [...names.slice(0, max), `… and ${names.length - max} more files`];

const countFolders = ({ folders }: Folder): number => [...folders.values()].reduce((sum, child) => sum + 1 + countFolders(child), 0);
