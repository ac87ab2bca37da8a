import { z } from 'zod';
import type { ToolOutcome } from '../../agent/ports/tools.ts';
import { type Bilingual, because, isBilingual } from '../../domain/language.ts';
import { encodeText } from '../../domain/value/text-bytes.ts';
import { statOf } from '../place/folders.ts';
import { knowTemporary, type ResolvedPath, resolveTarget } from '../place/place.ts';
import { defineTool, failure, failureOf, toolFailure } from '../tool.ts';
import type { ToolContext } from '../tool-context.ts';
import { diffNote, diffOf, renderPreview } from './diff.ts';
import type { KnownFiles } from './known-files.ts';
import { CHANGED_ON_DISK, CHANGED_SINCE_READ, protectionOf, replaceIfUnchanged } from './replace-file.ts';
import { type Replacement, replaceText } from './replace-text.ts';
import { readTextFile } from './text-file.ts';
import { CHANGED_MEANWHILE, createChangeRecorder, failingWritePlan, writeAlone, writePlanBase } from './write-plan.ts';

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

/** Replaces text in a file and keeps everything else byte for byte: encoding, byte order mark, line ends, mode. */
export const editFileTool = defineTool(
  'edit_file',
  inputSchema,
  async ({ path, ...given }, context: ToolContext, knownFiles: KnownFiles) => {
    const edits = editsOf(given);
    if (isBilingual(edits)) return edits;
    if (!edits.every(({ newText }) => newText.isWellFormed()))
      return {
        en: 'new_string has half a character (a lone surrogate), which no file can hold',
        zh: 'new_string 含有半个字符（孤立的代理项），文件无法保存',
      };
    await knowTemporary(path, context);
    const target = resolveTarget(path, context);
    if (isBilingual(target)) return target;
    const plan = await planEdits(target.path, edits, knownFiles.sha256Of(target.path));
    if (isBilingual(plan)) return failingWritePlan('edit_file', target, plan);
    return {
      ...writePlanBase('edit_file', target),
      preview: await renderPreview({ name: target.displayName, before: plan.before, after: plan.after, title: '' }),
      run: () =>
        writeAlone({ path, target, context }, knownFiles, () => perform(target, edits, { planned: plan.sha256, context, knownFiles })),
    };
  },
);

type EditInput = Omit<z.output<typeof inputSchema>, 'path'>;

/** The replacements that a call asks for, in order; a text says why it asks for none that could be made. */
function editsOf({ old_string, new_string, replace_all, edits }: EditInput): readonly Replacement[] | Bilingual {
  if (edits === undefined) {
    const missing = old_string === undefined ? 'old_string' : 'new_string';
    if (old_string === undefined || new_string === undefined)
      return {
        en: `"${missing}" is missing; give old_string and new_string, or edits`,
        zh: `缺少 "${missing}"；请给出 old_string 和 new_string，或 edits`,
      };
    return [{ oldText: old_string, newText: new_string, all: replace_all }];
  }
  // Some models fill in every argument.
  if ((old_string ?? '') !== '' || (new_string ?? '') !== '')
    return {
      en: 'give either old_string and new_string, or edits, not both',
      zh: '请给出 old_string 和 new_string，或 edits，不能两者都给',
    };
  return edits.map((edit) => ({ oldText: edit.old_string, newText: edit.new_string, all: edit.replace_all }));
}

/** Plans all edits of a file, or says why not. `knownSha256` is the hash of the content that the model knows, if it knows any. */
async function planEdits(path: string, edits: readonly Replacement[], knownSha256: string | undefined) {
  try {
    const protection = protectionOf(statOf(path));
    if (protection !== undefined) return protection;
    const file = await readTextFile(path);
    if (file.kind === 'missing') return { en: 'no such file; write_file makes a new one', zh: '没有此文件；新建文件请用 write_file' };
    if (file.kind === 'large')
      return {
        en: `is ${file.bytes} bytes large, too large for edit_file; change it with run_command`,
        zh: `有 ${file.bytes} 字节，对 edit_file 来说太大；请用 run_command 更改`,
      };
    if (file.kind === 'unreadable') return file.why;
    if (knownSha256 !== undefined && knownSha256 !== file.sha256) return CHANGED_SINCE_READ;
    const result = replaceAll(file.text, edits);
    return isBilingual(result) ? result : { ...file, before: file.text, after: result.text, lines: result.lines };
  } catch (error) {
    return toolFailure(error);
  }
}

/** Each edit finds the text as those before it left it. */
function replaceAll(text: string, edits: readonly Replacement[]): ReturnType<typeof replaceText> {
  let current = text;
  const lines: number[] = [];
  for (const [at, edit] of edits.entries()) {
    const result = replaceText(current, edit);
    if (isBilingual(result))
      return edits.length === 1
        ? result
        : because({ en: `edits[${at}] cannot be made, so none was`, zh: `edits[${at}] 无法进行，因此没有做任何更改` }, result);
    current = result.text;
    lines.push(...result.lines);
  }
  return current === text
    ? { en: 'the edits undo each other; nothing to change', zh: '这些更改互相抵消；无需更改' }
    : { text: current, lines };
}

type EditRun = { readonly planned: string; readonly context: ToolContext; readonly knownFiles: KnownFiles };

/** Applies the edits to the current file, provided that its content is what was planned for, or what a tool of this session wrote since. */
async function perform(target: ResolvedPath, edits: readonly Replacement[], run: EditRun): Promise<ToolOutcome> {
  const { planned, context, knownFiles } = run;
  const current = await planEdits(target.path, edits, undefined);
  if (isBilingual(current)) return failureOf(target.displayName, current);
  if (current.sha256 !== planned && current.sha256 !== knownFiles.sha256Of(target.path))
    return failureOf(target.displayName, CHANGED_ON_DISK, CHANGED_MEANWHILE);
  try {
    const bytes = encodeText(current.after, current.form);
    const recorder = await createChangeRecorder(context, { target, tool: 'edit_file', bytes });
    const result = await replaceIfUnchanged(target.path, bytes, { ...context, expected: current.sha256, beforeReplace: recorder.record });
    if (isBilingual(result)) return failureOf(target.displayName, result);
    knownFiles.recordEdit(target.path, result);
    const { lines } = current;
    const places = edits.length === 1 ? `${lines.length} occurrences` : `${edits.length} texts in ${lines.length} places`;
    const what = lines.length === 1 ? `the text at line ${lines[0]}` : places;
    const diff = await diffOf({ name: target.displayName, before: current.before, after: current.after });
    return { ok: true, content: `${target.displayName}: replaced ${what}`, note: recorder.describe(diffNote(diff)), diff };
  } catch (error) {
    return failure(toolFailure(error, target.displayName));
  }
}
