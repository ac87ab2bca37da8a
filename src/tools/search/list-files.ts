import { join } from 'node:path';
import { z } from 'zod';
import type { ToolOutcome } from '../../agent/ports/tools.ts';
import { isBilingual, quotedText } from '../../domain/language.ts';
import { statOf } from '../place/folders.ts';
import { knowTemporary, type ResolvedPath, resolvePath, unlessMoved } from '../place/place.ts';
import { createRuledPaths } from '../place/ruled-paths.ts';
import { visibleLine } from '../place/visible.ts';
import { defineTool, failureOf, namingFailure, quantity, readPlan } from '../tool.ts';
import type { ToolContext } from '../tool-context.ts';
import { unwalkedIn } from './left-out.ts';
import { processOf, ripgrep } from './ripgrep.ts';
import { nameInSession, othersThere, walkOf } from './temporary-walk.ts';

const inputSchema = z.strictObject({
  path: z.string().min(1).default('.').describe('The folder; else the working folder.'),
});

const MAX_LINES = 800;
const MAX_FILES = 200_000;

/** Lists the files below a folder, except those that ignore files exclude. Large folders are not opened; their file counts are shown. */
export const listFilesTool = defineTool('list_files', inputSchema, async ({ path }, context: ToolContext) => {
  await knowTemporary(path, context);
  const target = resolvePath(path, context);
  if (isBilingual(target)) return target;
  const run = (signal: AbortSignal): Promise<ToolOutcome> =>
    unlessMoved({ path, target, context }, { en: 'listed', zh: '列出' }, () =>
      namingFailure(target.displayName, () => list(target, context, signal)),
    );
  return readPlan(`list_files ${target.displayName}`, run, target);
});

async function list(target: ResolvedPath, context: ToolContext, signal: AbortSignal): Promise<ToolOutcome> {
  const stats = statOf(target.path);
  if (stats === undefined) return failureOf(target.displayName, { en: 'no such folder', zh: '没有此文件夹' });
  if (!stats.isDirectory())
    return failureOf(target.displayName, { en: 'is not a folder; read_file reads files', zh: '不是文件夹；读取文件请用 read_file' });
  const paths: string[] = [];
  const ruled = createRuledPaths(context.pathRules?.(), {
    ...{ tool: 'list_files', cwd: target.cwd },
    nameOf: (path) => nameInSession(target, true, path) ?? join(target.path, path),
  });
  const args = ['--files', '--null', ...(await walkOf(target, context.home, context)), '--', '.'];
  const { kind, stderr } = await ripgrep(args, {
    cwd: target.path,
    ...processOf(context),
    signal,
    separator: '\0',
    onRecord: (path) => {
      const name = path.replace(/^\.[/\\]/, '').replaceAll('\\', context.platform === 'win32' ? '/' : '\\');
      if (!ruled.has || !ruled.isLeftOut(name)) paths.push(name);
      return paths.length < MAX_FILES;
    },
  });
  if (kind === 'failed' && paths.length === 0 && stderr !== '') return failureOf(target.displayName, quotedText(visibleLine(stderr, 500)));
  const tree = foldTree(paths, MAX_LINES);
  const hidden = unwalkedNames(target.path, new Set(paths), ruled.isRuled);
  const size = `${quantity(paths.length, 'file')} in ${quantity(tree.folders, 'folder')}`;
  const notes = [
    kind === 'stopped' || kind === 'timed_out' ? 'there are more files than that: list a folder below it' : '',
    tree.closed > 0 ? 'a folder with a count is not opened: list it by its path' : '',
    hidden.length > 0 ? `not walked (ignored, empty or a link): ${hidden.join(' ')}` : '',
    ...othersThere(target),
    ruled.note(),
    stderr === '' ? '' : `could not be read: ${visibleLine(stderr, 300)}`,
  ].filter((note) => note !== '');
  const lines = tree.lines.map((line) => visibleLine(line, 1_000));
  return {
    ok: true,
    content: [`${target.displayName}: ${[size, ...notes].join('; ')}`, ...lines].join('\n'),
    note: { en: size, zh: `${tree.folders} 个文件夹中 ${paths.length} 个文件` },
  };
}

const MAX_UNLISTED = 20;

/** Returns what is in the folder and in those below it, but was not walked, so that the reader knows it is there. */
function unwalkedNames(folder: string, paths: ReadonlySet<string>, isRuled: (path: string) => boolean): readonly string[] {
  const { ignored, closed, empty, links, special } = unwalkedIn(folder, paths, isRuled);
  const sorted = [...ignored, ...closed, ...empty, ...links, ...special].map((name) => visibleLine(name, 100)).sort();
  return sorted.length <= MAX_UNLISTED ? sorted : [...sorted.slice(0, MAX_UNLISTED), `and ${sorted.length - MAX_UNLISTED} more`];
}

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
