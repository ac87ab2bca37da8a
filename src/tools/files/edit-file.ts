import { z } from 'zod';
import type { Tool, ToolOutcome } from '../../agent/ports.ts';
import { statOf } from '../place/folders.ts';
import { leadsThere, type Placed, placeTarget } from '../place/place.ts';
import { counted, defineTool, failed, failureText, invalid } from '../tool.ts';
import type { ToolWorld } from '../tool-world.ts';
import { previewOf } from './diff.ts';
import { keepingOf } from './keeping.ts';
import type { KnownFiles } from './known-files.ts';
import { CHANGED, protectionOf, replaceFile } from './replace-file.ts';
import { replaceText } from './replace-text.ts';
import { bytesOf, readTextFile } from './text-file.ts';
import { cannotWrite, writeTo } from './write-plan.ts';

const inputSchema = z.strictObject({
  path: z.string().min(1).describe('The file.'),
  old_string: z.string().describe('The text to replace, exactly as it stands in the file.'),
  new_string: z.string().describe('The text to put in its place.'),
  replace_all: z.boolean().default(false).describe('Replace every occurrence instead of the only one.'),
});

type Edit = { readonly oldText: string; readonly newText: string; readonly all: boolean };

/** Replaces text in a file, keeping all the rest of it byte by byte: line ends, byte order mark, mode. */
export function editFileTool(world: ToolWorld, known: KnownFiles): Tool {
  return defineTool({
    name: 'edit_file',
    description: world.prompts('edit_file'),
    input: inputSchema,
    plan: async ({ path, old_string: oldText, new_string: newText, replace_all: all }) => {
      if (!newText.isWellFormed()) return invalid('edit_file: new_string has half a character (a lone surrogate), which no file can hold');
      const placed = await placeTarget(path, world);
      if (placed.kind === 'refused') return invalid(`edit_file: ${placed.message}`);
      const edit = { oldText, newText, all };
      const planned = await edited(placed.path, edit, known.sha256Of(placed.path));
      if (planned.kind === 'no') return cannotWrite('edit_file', placed, planned.why);
      return {
        ...writeTo('edit_file', placed),
        preview: await previewOf({ name: placed.shown, before: planned.before, after: planned.after }),
        run: async () => {
          if (!(await leadsThere(path, placed, world))) return failed(`${placed.shown}: now leads elsewhere; nothing was written`);
          return known.inTurn(placed.path, () => perform(placed, edit, { planned: planned.sha256, world, known }));
        },
      };
    },
  });
}

type Edited =
  | { readonly kind: 'no'; readonly why: string }
  | {
      readonly kind: 'edited';
      readonly before: string;
      readonly after: string;
      readonly bom: boolean;
      readonly sha256: string;
      readonly lines: readonly number[];
    };

/** The file as it would be. `read` is its content as the model knows it, if it does. */
async function edited(path: string, edit: Edit, read: string | undefined): Promise<Edited> {
  try {
    const found = await statOf(path);
    const protection = found === undefined ? undefined : protectionOf(found);
    if (protection !== undefined) return { kind: 'no', why: protection };
    const file = await readTextFile(path);
    if (file.kind === 'missing') return { kind: 'no', why: 'no such file; write_file makes a new one' };
    if (file.kind === 'large')
      return { kind: 'no', why: `is ${file.bytes} bytes large, too large for edit_file; change it with run_command` };
    if (file.kind === 'unreadable') return { kind: 'no', why: file.why };
    if (read !== undefined && read !== file.sha256) return { kind: 'no', why: 'changed on disk since it was last read; read it again' };
    const replaced = replaceText(file.text, edit);
    if (replaced.kind === 'no') return replaced;
    return { kind: 'edited', before: file.text, after: replaced.text, bom: file.bom, sha256: file.sha256, lines: replaced.lines };
  } catch (error) {
    return { kind: 'no', why: failureText(error) };
  }
}

type Performing = { readonly planned: string; readonly world: ToolWorld; readonly known: KnownFiles };

/** Applies the edit to the file as it is now, when that is what was planned for or what a tool of this session wrote since. */
async function perform(placed: Placed, edit: Edit, { planned, world, known }: Performing): Promise<ToolOutcome> {
  const now = await edited(placed.path, edit, undefined);
  if (now.kind === 'no') return failed(`${placed.shown}: ${now.why}`);
  if (now.sha256 !== planned && now.sha256 !== known.sha256Of(placed.path))
    return failed(`${placed.shown}: ${CHANGED}`, 'changed meanwhile');
  try {
    const bytes = bytesOf(now.after, now.bom);
    const keeping = keepingOf(world, { path: placed.path, tool: 'edit_file', bytes });
    const done = await replaceFile(placed.path, bytes, { expected: now.sha256, newId: world.newId, now: world.now, note: keeping.note });
    if (done.kind === 'no') return failed(`${placed.shown}: ${done.why}`);
    known.noteEdited(placed.path, done.sha256);
    const { lines } = now;
    const what = lines.length === 1 ? `the text at line ${lines[0]}` : `${lines.length} occurrences`;
    return { ok: true, content: `${placed.shown}: replaced ${what}`, note: keeping.told(counted(lines.length, 'replacement')) };
  } catch (error) {
    return failed(failureText(error, placed.shown));
  }
}
