import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import type { Tool, ToolOutcome } from '../../agent/ports.ts';
import { statOf } from '../place/folders.ts';
import { bodyName, leadsThere, nameFrom, type Placed, placePath } from '../place/place.ts';
import { visibleLine } from '../place/visible.ts';
import { counted, defineTool, failed, failureText, invalid } from '../tool.ts';
import type { ToolWorld } from '../tool-world.ts';
import { collectMatches, type Matches } from './matches.ts';
import { ripgrep, type Searched } from './ripgrep.ts';
import { walkArgs } from './walk.ts';

const inputSchema = z.strictObject({
  pattern: z.string().min(1).max(10_000).describe('A regular expression, in the syntax of ripgrep.'),
  path: z.string().min(1).default('.').describe('A file or folder; the working folder when left out.'),
  glob: z.string().min(1).max(1_000).optional().describe('Only files whose path matches, such as *.ts or !*.test.ts.'),
  ignore_case: z.boolean().default(false).describe('Upper and lower case are the same.'),
  context: z.int().min(0).max(20).default(0).describe('Lines to show before and after each match.'),
});
type Input = Readonly<z.output<typeof inputSchema>>;

/** Searches files with ripgrep, or an offloaded body. The result is bounded; what is left out is counted in its first line. */
export function searchTool(world: ToolWorld): Tool {
  return defineTool({
    name: 'search',
    description: world.prompts('search'),
    input: inputSchema,
    plan: async (input) => {
      if (input.pattern.includes('\0') || input.glob?.includes('\0') === true)
        return invalid('search: a NUL character cannot be searched for');
      const placed = await placePath(input.path, world);
      if (placed.kind === 'refused') return invalid(`search: ${placed.message}`);
      return {
        kind: 'ready',
        access: 'read',
        path: placed.path,
        place: placed.place,
        title: `search ${visibleLine(input.pattern, 200)} in ${placed.shown}`,
        preview: '',
        run: async (signal) => {
          try {
            if (!(await leadsThere(input.path, placed, world))) return failed(`${placed.shown}: now leads elsewhere; nothing was searched`);
            const body = placed.place === 'own_body' ? world.readBody(placed.path) : undefined;
            return await (body === undefined
              ? searchDisk(placed, input, { world, signal })
              : searchBody(placed, input, { world, signal, body }));
          } catch (error) {
            if (error instanceof Error && 'code' in error) return failed(failureText(error, placed.shown));
            throw error;
          }
        },
      };
    },
  });
}

const MAX_CHARS = 60_000;
type Call = { readonly world: ToolWorld; readonly signal: AbortSignal };

async function searchDisk(placed: Placed, input: Input, { world, signal }: Call): Promise<ToolOutcome> {
  const found = await statOf(placed.path);
  if (found === undefined) return failed(`${placed.shown}: no such file or folder`);
  const own = placed.place === 'own_body';
  const folder = found.isDirectory();
  if (!folder && !found.isFile()) return failed(`${placed.shown}: is neither a file nor a folder`);
  if (own && !folder) return failed(`${placed.shown}: no result of this session is stored there, or it is damaged`);
  const root = folder ? placed.path : dirname(placed.path);
  const matches = collectMatches({
    maxChars: own ? bodyChars(world) : MAX_CHARS,
    nameOf: (path) => visibleLine(nameFrom(placed.cwd, join(root, path)), 400),
  });
  const glob = input.glob === undefined ? [] : [`--glob=${input.glob}`];
  const walk = folder ? await walkArgs(root, own ? join(root, 'none') : world.home) : [];
  const args = [...matching(input), ...glob, ...walk, '--sort=path', '--', folder ? '.' : `./${basename(placed.path)}`];
  const searched = await ripgrep(args, { cwd: root, env: world.env, signal, separator: '\n', onRecord: matches.take });
  return outcomeOf(searched, matches.result(), { placed, own });
}

async function searchBody(placed: Placed, input: Input, { world, signal, body }: Call & { readonly body: string }): Promise<ToolOutcome> {
  const matches = collectMatches({ maxChars: bodyChars(world), nameOf: () => bodyName(placed.path), text: body });
  const args = [...matching(input), '--text', '--', '-'];
  const searched = await ripgrep(args, {
    cwd: dirname(world.sessionFolder),
    env: world.env,
    signal,
    input: body,
    separator: '\n',
    onRecord: matches.take,
  });
  return outcomeOf(searched, matches.result(), { placed, own: true });
}

/** Room for the first line of a page that counts as read back. */
const HEAD_CHARS = 300;
const bodyChars = (world: ToolWorld): number => Math.max(100, world.pageChars - HEAD_CHARS);

/** The pattern can be no option, whatever it starts with. */
function matching(input: Input): readonly string[] {
  const lines = /\n|\\n|\\r/.test(input.pattern) ? ['--multiline'] : [];
  const ignoreCase = input.ignore_case ? ['--ignore-case'] : ['--case-sensitive'];
  return ['--json', '--crlf', ...lines, ...ignoreCase, `--context=${input.context}`, '-e', input.pattern];
}

type Where = { readonly placed: Placed; readonly own: boolean };

function outcomeOf(searched: Searched, found: Matches, { placed, own }: Where): ToolOutcome {
  if (searched.kind === 'failed' && !found.ran)
    return failed(searched.complaints === '' ? 'the search failed' : searched.complaints, 'not searched');
  const readBack = own ? { readBack: true } : {};
  const late = searched.kind === 'timed_out' ? 'stopped after 30 s, so there may be more' : '';
  const unread = searched.complaints === '' ? '' : `not all could be searched: ${visibleLine(searched.complaints, 200)}`;
  const size = `${counted(found.matches, 'match', 'matches')} in ${counted(found.files, 'file')}`;
  const sum = found.matches === 0 ? `no matches in ${placed.shown}` : searched.kind === 'stopped' ? `more than ${size}` : size;
  const left =
    found.shown < found.matches
      ? `${found.shown === 0 ? 'none fits here' : `the first ${found.shown} are shown`}; narrow the pattern, the path or the glob for others`
      : '';
  const head = [sum, left, late, unread].filter((note) => note !== '').join('; ');
  const ok = found.matches > 0 || late === '';
  return { ok, content: [head, ...found.lines].join('\n'), note: found.matches === 0 ? 'no matches' : size, ...readBack };
}
