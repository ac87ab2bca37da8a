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

const inputSchema = z.strictObject({
  path: z.string().min(1),
  old_string: z.string().describe('The text to replace.'),
  new_string: z.string().describe('What takes its place.'),
  replace_all: z.boolean().default(false).describe('Every occurrence.'),
});

export const editFileDefinition = { name: 'edit_file', input: inputSchema };

/** Replaces text in a file and keeps everything else byte for byte: line ends, byte order mark, mode. */
export function editFileTool(context: ToolContext, knownFiles: KnownFiles): Tool {
  return createTool(editFileDefinition, async ({ path, old_string: oldText, new_string: newText, replace_all: all }) => {
    if (!newText.isWellFormed()) return invalid('edit_file: new_string has half a character (a lone surrogate), which no file can hold');
    const target = await resolveTarget(path, context);
    if (target.kind === 'refused') return invalid(`edit_file: ${target.message}`);
    const edit = { oldText, newText, all };
    const plan = await planEdit(target.path, edit, knownFiles.sha256Of(target.path));
    if (plan.kind === 'no') return failingWritePlan('edit_file', target, plan.why);
    return {
      ...writePlanBase('edit_file', target),
      preview: await renderPreview({ name: target.displayName, before: plan.before, after: plan.after }),
      run: async () => {
        if (!(await stillResolvesTo(path, target, context)))
          return failure(`${target.displayName}: now leads elsewhere; nothing was written`);
        return knownFiles.runExclusive(target.path, () => perform(target, edit, { plannedSha256: plan.sha256, context, knownFiles }));
      },
    };
  });
}

type EditPlan =
  | { readonly kind: 'no'; readonly why: string }
  | {
      readonly kind: 'edited';
      readonly before: string;
      readonly after: string;
      readonly bom: boolean;
      readonly sha256: string;
      readonly lines: readonly number[];
    };

/** Plans the edit of a file. `knownSha256` is the hash of the content that the model knows, if it knows any. */
async function planEdit(path: string, edit: Replacement, knownSha256: string | undefined): Promise<EditPlan> {
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
    const result = replaceText(file.text, edit);
    if (result.kind === 'no') return result;
    return { kind: 'edited', before: file.text, after: result.text, bom: file.bom, sha256: file.sha256, lines: result.lines };
  } catch (error) {
    return { kind: 'no', why: failureText(error) };
  }
}

type EditRun = { readonly plannedSha256: string; readonly context: ToolContext; readonly knownFiles: KnownFiles };

/** Applies the edit to the current file, provided that its content is what was planned for, or what a tool of this session wrote since. */
async function perform(target: ResolvedPath, edit: Replacement, { plannedSha256, context, knownFiles }: EditRun): Promise<ToolOutcome> {
  const current = await planEdit(target.path, edit, undefined);
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
    const what = lines.length === 1 ? `the text at line ${lines[0]}` : `${lines.length} occurrences`;
    return {
      ok: true,
      content: `${target.displayName}: replaced ${what}`,
      note: recorder.describe(quantity(lines.length, 'replacement')),
    };
  } catch (error) {
    return failure(failureText(error, target.displayName));
  }
}
