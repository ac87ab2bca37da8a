import { z } from 'zod';
import type { Tool, ToolOutcome } from '../../agent/ports/tools.ts';
import { statOf } from '../place/folders.ts';
import { type ResolvedPath, resolveTarget, stillResolvesTo } from '../place/place.ts';
import { createTool, failure, failureText, invalid, quantity } from '../tool.ts';
import type { ToolContext } from '../tool-context.ts';
import { createChangeRecorder } from './change-recorder.ts';
import { renderPreview } from './diff.ts';
import type { KnownFiles } from './known-files.ts';
import { CHANGED_ON_DISK, protectionOf, replaceIfUnchanged } from './replace-file.ts';
import { type Replacement, replaceText } from './replace-text.ts';
import { bytesOf, readTextFile } from './text-file.ts';
import { failingWritePlan, writePlanBase } from './write-plan.ts';

const MAX_EDITS = 200;

const inputSchema = z.strictObject({
  path: z.string().min(1),
  old_string: z.string().optional(),
  new_string: z.string().optional(),
  replace_all: z.boolean().default(false).describe('Every occurrence.'),
  edits: z
    .array(z.strictObject({ old_string: z.string(), new_string: z.string(), replace_all: z.boolean().default(false) }))
    .min(1)
    .max(MAX_EDITS)
    .optional()
    .describe('Several replacements, instead of one.'),
});

export const editFileDefinition = { name: 'edit_file', input: inputSchema };

/** Replaces text in a file and keeps everything else byte for byte: line ends, byte order mark, mode. */
export function editFileTool(context: ToolContext, knownFiles: KnownFiles): Tool {
  return createTool(editFileDefinition, async ({ path, ...given }) => {
    const edits = editsOf(given);
    if (typeof edits === 'string') return invalid(`edit_file: ${edits}`);
    if (!edits.every(({ newText }) => newText.isWellFormed()))
      return invalid('edit_file: new_string has half a character (a lone surrogate), which no file can hold');
    const target = await resolveTarget(path, context);
    if (target.kind === 'refused') return invalid(`edit_file: ${target.message}`);
    const plan = await planEdits(target.path, edits, knownFiles.sha256Of(target.path));
    if (plan.kind === 'no') return failingWritePlan('edit_file', target, plan.why);
    return {
      ...writePlanBase('edit_file', target),
      preview: await renderPreview({ name: target.displayName, before: plan.before, after: plan.after }),
      run: async () => {
        if (!(await stillResolvesTo(path, target, context)))
          return failure(`${target.displayName}: now leads elsewhere; nothing was written`);
        return knownFiles.runExclusive(target.path, () => perform(target, edits, { plannedSha256: plan.sha256, context, knownFiles }));
      },
    };
  });
}

type EditInput = Omit<z.output<typeof inputSchema>, 'path'>;

/** The replacements that a call asks for, in order; a text says why it asks for none that could be made. */
function editsOf({ old_string, new_string, replace_all, edits }: EditInput): readonly Replacement[] | string {
  if (edits === undefined) {
    const missing = old_string === undefined ? 'old_string' : 'new_string';
    if (old_string === undefined || new_string === undefined) return `"${missing}" is missing; give old_string and new_string, or edits`;
    return [{ oldText: old_string, newText: new_string, all: replace_all }];
  }
  // Some models fill in every argument.
  if ((old_string ?? '') !== '' || (new_string ?? '') !== '') return 'give either old_string and new_string, or edits, not both';
  return edits.map((edit) => ({ oldText: edit.old_string, newText: edit.new_string, all: edit.replace_all }));
}

type EditPlan =
  | { readonly kind: 'no'; readonly why: string }
  | {
      readonly kind: 'edited';
      readonly before: string;
      readonly after: string;
      readonly bom: boolean;
      readonly sha256: string;
      /** Where each replacement is, by the lines of the file as it is when its turn comes. */
      readonly lines: readonly number[];
    };

/** Plans all edits of a file, or none. `knownSha256` is the hash of the content that the model knows, if it knows any. */
async function planEdits(path: string, edits: readonly Replacement[], knownSha256: string | undefined): Promise<EditPlan> {
  try {
    const protection = protectionOf(await statOf(path));
    if (protection !== undefined) return { kind: 'no', why: protection };
    const file = await readTextFile(path);
    if (file.kind === 'missing') return { kind: 'no', why: 'no such file; write_file makes a new one' };
    if (file.kind === 'large')
      return { kind: 'no', why: `is ${file.bytes} bytes large, too large for edit_file; change it with run_command` };
    if (file.kind === 'unreadable') return { kind: 'no', why: file.why };
    if (knownSha256 !== undefined && knownSha256 !== file.sha256)
      return { kind: 'no', why: 'changed on disk since it was last read; read it again' };
    const result = replaceAll(file.text, edits);
    if (result.kind === 'no') return result;
    return { kind: 'edited', before: file.text, after: result.text, bom: file.bom, sha256: file.sha256, lines: result.lines };
  } catch (error) {
    return { kind: 'no', why: failureText(error) };
  }
}

/** Each edit finds the text as those before it left it. */
function replaceAll(text: string, edits: readonly Replacement[]): ReturnType<typeof replaceText> {
  let current = text;
  const lines: number[] = [];
  for (const [at, edit] of edits.entries()) {
    const result = replaceText(current, edit);
    if (result.kind === 'no')
      return edits.length === 1 ? result : { kind: 'no', why: `edits[${at}] cannot be made, so none was: ${result.why}` };
    current = result.text;
    lines.push(...result.lines);
  }
  return current === text
    ? { kind: 'no', why: 'the edits undo each other; nothing to change' }
    : { kind: 'replaced', text: current, lines };
}

type EditRun = { readonly plannedSha256: string; readonly context: ToolContext; readonly knownFiles: KnownFiles };

/** Applies the edits to the current file, provided that its content is what was planned for, or what a tool of this session wrote since. */
async function perform(
  target: ResolvedPath,
  edits: readonly Replacement[],
  { plannedSha256, context, knownFiles }: EditRun,
): Promise<ToolOutcome> {
  const current = await planEdits(target.path, edits, undefined);
  if (current.kind === 'no') return failure(`${target.displayName}: ${current.why}`);
  if (current.sha256 !== plannedSha256 && current.sha256 !== knownFiles.sha256Of(target.path))
    return failure(`${target.displayName}: ${CHANGED_ON_DISK}`, 'changed meanwhile');
  try {
    const bytes = bytesOf(current.after, current.bom);
    const recorder = createChangeRecorder(context, { path: target.path, tool: 'edit_file', bytes });
    const result = await replaceIfUnchanged(target.path, bytes, { ...context, expected: current.sha256, beforeReplace: recorder.record });
    if (result.kind === 'no') return failure(`${target.displayName}: ${result.why}`);
    knownFiles.recordEdit(target.path, result.sha256);
    const { lines } = current;
    const places = edits.length === 1 ? `${lines.length} occurrences` : `${edits.length} texts in ${lines.length} places`;
    const what = lines.length === 1 ? `the text at line ${lines[0]}` : places;
    return {
      ok: true,
      content: `${target.displayName}: replaced ${what}`,
      note: recorder.describe(quantity(lines.length, 'replacement')),
    };
  } catch (error) {
    return failure(failureText(error, target.displayName));
  }
}
