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
import { foldTree } from './tree.ts';

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
