import { z } from 'zod';
import type { Tool, ToolOutcome } from '../../agent/ports.ts';
import { countLines } from '../page.ts';
import { statOf } from '../place/folders.ts';
import { leadsThere, type Placed, placeTarget } from '../place/place.ts';
import { counted, defineTool, failed, failureText, invalid } from '../tool.ts';
import type { ToolWorld } from '../tool-world.ts';
import { previewOf } from './diff.ts';
import { keepingOf } from './keeping.ts';
import type { KnownFiles } from './known-files.ts';
import { CHANGED, protectionOf, replaceFile } from './replace-file.ts';
import { HIDDEN, wouldHide } from './replace-text.ts';
import { ABSENT, bytesOf, fingerprintOf, readTextFile } from './text-file.ts';
import { cannotWrite, writeTo } from './write-plan.ts';

const inputSchema = z.strictObject({
  path: z.string().min(1).describe('The file; folders on the way are made.'),
  content: z.string().describe('All that the file will hold.'),
});

/** Writes a whole file, exactly as given, in the place of what was planned for and nothing else. */
export function writeFileTool(world: ToolWorld, known: KnownFiles): Tool {
  return defineTool({
    name: 'write_file',
    description: world.prompts('write_file'),
    input: inputSchema,
    plan: async ({ path, content }) => {
      if (!content.isWellFormed())
        return invalid('write_file: the content has half a character (a lone surrogate), which no file can hold');
      const placed = await placeTarget(path, world);
      if (placed.kind === 'refused') return invalid(`write_file: ${placed.message}`);
      const before = await beforeOf(placed.path, known);
      if (before.kind === 'no') return cannotWrite('write_file', placed, before.why);
      if (wouldHide(before.text, content)) return cannotWrite('write_file', placed, `${HIDDEN}; change the other parts with edit_file`);
      const preview = before.note ?? (await previewOf({ name: placed.shown, before: before.text, after: content }));
      return {
        ...writeTo('write_file', placed),
        preview,
        run: async () => {
          if (!(await leadsThere(path, placed, world))) return failed(`${placed.shown}: now leads elsewhere; nothing was written`);
          return known.inTurn(placed.path, () => write(placed, { content, expected: before.fingerprint, world, known }));
        },
      };
    },
  });
}

type Before =
  | { readonly kind: 'no'; readonly why: string }
  | { readonly kind: 'yes'; readonly fingerprint: string; readonly text: string | undefined; readonly note: string | undefined };

/** What the file holds before, or why it must not be replaced. */
async function beforeOf(path: string, known: KnownFiles): Promise<Before> {
  try {
    const found = await statOf(path);
    const protection = found === undefined ? undefined : protectionOf(found);
    if (protection !== undefined) return { kind: 'no', why: protection };
    const fingerprint = await fingerprintOf(path);
    if (fingerprint === ABSENT) return { kind: 'yes', fingerprint, text: undefined, note: undefined };
    const read = known.sha256Of(path);
    if (read !== undefined && read !== fingerprint) return { kind: 'no', why: 'changed on disk since it was last read; read it again' };
    if (known.partlySeen(path))
      return { kind: 'no', why: 'only a part of it was read; read the rest first, or change the part with edit_file' };
    const file = await readTextFile(path);
    if (file.kind === 'text') return { kind: 'yes', fingerprint, text: file.text, note: undefined };
    const what = file.kind === 'unreadable' ? `the file there ${file.why}` : `a file of ${found?.size ?? 0} bytes`;
    return { kind: 'yes', fingerprint, text: undefined, note: `Replaces what is there now: ${what}` };
  } catch (error) {
    return { kind: 'no', why: failureText(error) };
  }
}

type Writing = { readonly content: string; readonly expected: string; readonly world: ToolWorld; readonly known: KnownFiles };

async function write(placed: Placed, { content, expected, world, known }: Writing): Promise<ToolOutcome> {
  try {
    const bytes = bytesOf(content, false);
    const keeping = keepingOf(world, { path: placed.path, tool: 'write_file', bytes });
    const done = await replaceFile(placed.path, bytes, { expected, newId: world.newId, now: world.now, note: keeping.note });
    if (done.kind === 'no') return failed(`${placed.shown}: ${done.why}`, done.why === CHANGED ? 'changed meanwhile' : 'refused');
    known.noteWritten(placed.path, done.sha256);
    const size = counted(countLines(content), 'line');
    return {
      ok: true,
      content: `${placed.shown}: ${expected === ABSENT ? 'new file' : 'replaced'}, ${size}, ${bytes.length} bytes`,
      note: keeping.told(size),
    };
  } catch (error) {
    return failed(failureText(error, placed.shown));
  }
}
