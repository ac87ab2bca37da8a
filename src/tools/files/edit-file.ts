import { z } from 'zod';
import type { Tool, ToolOutcome } from '../../agent/ports/tools.ts';
import { type Bilingual, because, isBilingual, sameInBoth } from '../../domain/language.ts';
import { statOf } from '../place/folders.ts';
import { type ResolvedPath, resolveTarget, stillResolvesTo } from '../place/place.ts';
import { counted, createTool, failure, invalid, toolFailure } from '../tool.ts';
import type { ToolContext } from '../tool-context.ts';
import { renderPreview } from './diff.ts';
import type { KnownFiles } from './known-files.ts';
import { CHANGED_ON_DISK, CHANGED_SINCE_READ, protectionOf, replaceIfUnchanged } from './replace-file.ts';
import { type Replacement, replaceText } from './replace-text.ts';
import { bytesOf, readTextFile } from './text-file.ts';
import { createChangeRecorder, failingWritePlan, writePlanBase } from './write-plan.ts';

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

const EDIT_FILE = sameInBoth('edit_file');

export const editFileDefinition = { name: 'edit_file', input: () => inputSchema };

/** Replaces text in a file and keeps everything else byte for byte: line ends, byte order mark, mode. */
export function editFileTool(context: ToolContext, knownFiles: KnownFiles): Tool {
  return createTool(editFileDefinition, async ({ path, ...given }) => {
    const edits = editsOf(given);
    if (isBilingual(edits)) return invalid(because(EDIT_FILE, edits));
    if (!edits.every(({ newText }) => newText.isWellFormed()))
      return invalid(
        because(EDIT_FILE, {
          en: 'new_string has half a character (a lone surrogate), which no file can hold',
          zh: 'new_string 含有半个字符（孤立的代理项），文件无法保存',
        }),
      );
    const target = resolveTarget(path, context);
    if (target.kind === 'refused') return invalid(because(EDIT_FILE, target.message));
    const plan = await planEdits(target.path, edits, knownFiles.sha256Of(target.path));
    if (plan.kind === 'no') return failingWritePlan('edit_file', target, plan.why);
    return {
      ...writePlanBase('edit_file', target),
      preview: await renderPreview({ name: target.displayName, before: plan.before, after: plan.after }),
      run: async () => {
        if (!stillResolvesTo(path, target, context))
          return failure(
            because(sameInBoth(target.displayName), {
              en: 'now leads elsewhere; nothing was written',
              zh: '现在指向别处；没有写入任何内容',
            }),
          );
        return knownFiles.runExclusive(target.path, () => perform(target, edits, { plannedSha256: plan.sha256, context, knownFiles }));
      },
    };
  });
}

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

type EditPlan =
  | { readonly kind: 'no'; readonly why: Bilingual }
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
    const protection = protectionOf(statOf(path));
    if (protection !== undefined) return { kind: 'no', why: protection };
    const file = await readTextFile(path);
    if (file.kind === 'missing')
      return { kind: 'no', why: { en: 'no such file; write_file makes a new one', zh: '没有此文件；新建文件请用 write_file' } };
    if (file.kind === 'large')
      return {
        kind: 'no',
        why: {
          en: `is ${file.bytes} bytes large, too large for edit_file; change it with run_command`,
          zh: `有 ${file.bytes} 字节，对 edit_file 来说太大；请用 run_command 更改`,
        },
      };
    if (file.kind === 'unreadable') return { kind: 'no', why: file.why };
    if (knownSha256 !== undefined && knownSha256 !== file.sha256) return { kind: 'no', why: CHANGED_SINCE_READ };
    const result = replaceAll(file.text, edits);
    if (result.kind === 'no') return result;
    return { kind: 'edited', before: file.text, after: result.text, bom: file.bom, sha256: file.sha256, lines: result.lines };
  } catch (error) {
    return { kind: 'no', why: toolFailure(error) };
  }
}

/** Each edit finds the text as those before it left it. */
function replaceAll(text: string, edits: readonly Replacement[]): ReturnType<typeof replaceText> {
  let current = text;
  const lines: number[] = [];
  for (const [at, edit] of edits.entries()) {
    const result = replaceText(current, edit);
    if (result.kind === 'no')
      return edits.length === 1
        ? result
        : {
            kind: 'no',
            why: because({ en: `edits[${at}] cannot be made, so none was`, zh: `edits[${at}] 无法进行，因此没有做任何更改` }, result.why),
          };
    current = result.text;
    lines.push(...result.lines);
  }
  return current === text
    ? { kind: 'no', why: { en: 'the edits undo each other; nothing to change', zh: '这些更改互相抵消；无需更改' } }
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
  if (current.kind === 'no') return failure(because(sameInBoth(target.displayName), current.why));
  if (current.sha256 !== plannedSha256 && current.sha256 !== knownFiles.sha256Of(target.path))
    return failure(because(sameInBoth(target.displayName), CHANGED_ON_DISK), { en: 'changed meanwhile', zh: '其间已更改' });
  try {
    const bytes = bytesOf(current.after, current.bom);
    const recorder = createChangeRecorder(context, { path: target.path, tool: 'edit_file', bytes });
    const result = await replaceIfUnchanged(target.path, bytes, { ...context, expected: current.sha256, beforeReplace: recorder.record });
    if (result.kind === 'no') return failure(because(sameInBoth(target.displayName), result.why));
    knownFiles.recordEdit(target.path, result.sha256);
    const { lines } = current;
    const places = edits.length === 1 ? `${lines.length} occurrences` : `${edits.length} texts in ${lines.length} places`;
    const what = lines.length === 1 ? `the text at line ${lines[0]}` : places;
    return {
      ok: true,
      content: `${target.displayName}: replaced ${what}`,
      note: recorder.describe(counted(lines.length, 'replacement', '处替换')),
    };
  } catch (error) {
    return failure(toolFailure(error, target.displayName));
  }
}
