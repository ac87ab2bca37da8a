import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Tool, ToolOutcome } from '../../agent/ports.ts';
import { statOf } from '../place/folders.ts';
import { leadsThere, type Placed, placePath } from '../place/place.ts';
import { visibleLine } from '../place/visible.ts';
import { counted, defineTool, failed, failureText, invalid } from '../tool.ts';
import type { ToolWorld } from '../tool-world.ts';
import { ripgrep } from './ripgrep.ts';
import { foldTree } from './tree.ts';
import { walkArgs } from './walk.ts';

const inputSchema = z.strictObject({
  path: z.string().min(1).default('.').describe('The folder; the working folder when left out.'),
});

const MAX_LINES = 800;
const MAX_FILES = 200_000;

/** Lists the files below a folder, those that ignore files name apart. Large folders stay closed, with their counts. */
export function listFilesTool(world: ToolWorld): Tool {
  return defineTool({
    name: 'list_files',
    description: world.prompts('list_files'),
    input: inputSchema,
    plan: async ({ path }) => {
      const placed = await placePath(path, world);
      if (placed.kind === 'refused') return invalid(`list_files: ${placed.message}`);
      return {
        kind: 'ready',
        access: 'read',
        path: placed.path,
        place: placed.place,
        title: `list_files ${placed.shown}`,
        preview: '',
        run: async (signal) => {
          try {
            if (!(await leadsThere(path, placed, world))) return failed(`${placed.shown}: now leads elsewhere; nothing was listed`);
            return await list(placed, world, signal);
          } catch (error) {
            if (error instanceof Error && 'code' in error) return failed(failureText(error, placed.shown));
            throw error;
          }
        },
      };
    },
  });
}

async function list(placed: Placed, world: ToolWorld, signal: AbortSignal): Promise<ToolOutcome> {
  const found = await statOf(placed.path);
  if (found === undefined) return failed(`${placed.shown}: no such folder`);
  if (!found.isDirectory()) return failed(`${placed.shown}: is not a folder; read_file reads files`);
  const paths: string[] = [];
  const args = ['--files', '--null', ...(await walkArgs(placed.path, world.home)), '--', '.'];
  const { kind, complaints } = await ripgrep(args, {
    cwd: placed.path,
    env: world.env,
    signal,
    separator: '\0',
    onRecord: (path) => {
      paths.push(path.replace(/^\.[/\\]/, '').replaceAll('\\', world.platform === 'win32' ? '/' : '\\'));
      return paths.length < MAX_FILES;
    },
  });
  if (kind === 'failed' && paths.length === 0 && complaints !== '') return failed(`${placed.shown}: ${visibleLine(complaints, 500)}`);
  const tree = foldTree(paths, MAX_LINES);
  const hidden = await unlisted(placed.path, tree.names);
  const size = `${counted(paths.length, 'file')} in ${counted(tree.folders, 'folder')}`;
  const notes = [
    kind === 'stopped' || kind === 'timed_out' ? 'there are more files than that: list a folder below it' : '',
    tree.closed > 0 ? 'a folder with a count is not opened: list it by its path' : '',
    hidden.length > 0 ? `not walked (ignored, empty or a link): ${hidden.join(' ')}` : '',
    complaints === '' ? '' : `could not be read: ${visibleLine(complaints, 300)}`,
  ].filter((note) => note !== '');
  const lines = tree.lines.map((line) => visibleLine(line, 1_000));
  return { ok: true, content: [`${placed.shown}: ${[size, ...notes].join('; ')}`, ...lines].join('\n'), note: size };
}

const MAX_UNLISTED = 20;

/** What stands in the folder itself and was not walked: the reader should know that it is there. */
async function unlisted(folder: string, names: ReadonlySet<string>): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const left = entries
    .filter((entry) => !names.has(entry.name))
    .map((entry) => visibleLine(entry.isDirectory() ? join(entry.name, '/') : entry.name, 100));
  const sorted = left.sort();
  return sorted.length <= MAX_UNLISTED ? sorted : [...sorted.slice(0, MAX_UNLISTED), `and ${sorted.length - MAX_UNLISTED} more`];
}
