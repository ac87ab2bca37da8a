import { z } from 'zod';
import type { ToolOutcome } from '../../agent/ports/tools.ts';
import { type Bilingual, because, isBilingual, localize } from '../../domain/language.ts';
import { countLines } from '../page.ts';
import { statOf } from '../place/folders.ts';
import { knowTemporary, type ResolvedPath, resolveTarget } from '../place/place.ts';
import { counted, defineTool, failure, failureOf, quantity, toolFailure } from '../tool.ts';
import type { ToolContext } from '../tool-context.ts';
import { renderPreview } from './diff.ts';
import type { KnownFiles } from './known-files.ts';
import { CHANGED_ON_DISK, CHANGED_SINCE_READ, protectionOf, replaceIfUnchanged } from './replace-file.ts';
import { addsRedaction, REDACTED_HINT } from './replace-text.ts';
import { ABSENT, bytesOf, fingerprintOf, readTextFile } from './text-file.ts';
import { CHANGED_MEANWHILE, createChangeRecorder, failingWritePlan, writeAlone, writePlanBase } from './write-plan.ts';

const inputSchema = z.strictObject({
  path: z.string().min(1),
  content: z.string().describe('All of it.'),
});

/** Writes a whole file, exactly as given, in the place of what was planned for and nothing else. */
export const writeFileTool = defineTool(
  'write_file',
  inputSchema,
  async ({ path, content }, context: ToolContext, knownFiles: KnownFiles) => {
    if (!content.isWellFormed())
      return {
        en: 'the content has half a character (a lone surrogate), which no file can hold',
        zh: '内容含有半个字符（孤立的代理项），文件无法保存',
      };
    await knowTemporary(path, context);
    const target = resolveTarget(path, context);
    if (isBilingual(target)) return target;
    const check = await checkWrite(target.path, knownFiles);
    if (isBilingual(check)) return failingWritePlan('write_file', target, check);
    if (addsRedaction(check.text, content))
      return failingWritePlan('write_file', target, {
        en: `${REDACTED_HINT.en}; change the other parts with edit_file`,
        zh: `${REDACTED_HINT.zh}；请用 edit_file 更改其余部分`,
      });
    const preview = check.note ?? (await renderPreview({ name: target.displayName, before: check.text, after: content }));
    return {
      ...writePlanBase('write_file', target),
      preview,
      run: () => {
        const work = { content, expected: check.fingerprint, context, knownFiles };
        return writeAlone({ path, target, context }, knownFiles, () => write(target, work));
      },
    };
  },
);

type WriteCheck = { readonly fingerprint: string; readonly text?: string; readonly note?: string };

/** Returns the current content of the file, or why it must not be replaced. */
async function checkWrite(path: string, knownFiles: KnownFiles): Promise<WriteCheck | Bilingual> {
  try {
    const stats = statOf(path);
    const protection = protectionOf(stats);
    if (protection !== undefined) return protection;
    const fingerprint = await fingerprintOf(path);
    if (fingerprint === ABSENT) return { fingerprint };
    const knownSha256 = knownFiles.sha256Of(path);
    if (knownSha256 !== undefined && knownSha256 !== fingerprint) return CHANGED_SINCE_READ;
    if (knownFiles.partlySeen(path))
      return {
        en: 'only a part of it was read; read the rest first, or change the part with edit_file',
        zh: '只读过其中一部分；请先读其余部分，或用 edit_file 更改这一部分',
      };
    const file = await readTextFile(path);
    if (file.kind === 'text') return { fingerprint, text: file.text };
    const bytes = Number(stats?.size ?? 0);
    const what =
      file.kind === 'unreadable'
        ? { en: `the file there ${file.why.en}`, zh: `现有文件${file.why.zh}` }
        : { en: `a file of ${quantity(bytes, 'byte')}`, zh: `${bytes} 字节的文件` };
    return { fingerprint, note: localize(because({ en: 'Replaces what is there now', zh: '替换现有内容' }, what)) };
  } catch (error) {
    return toolFailure(error);
  }
}

type WriteRun = { readonly content: string; readonly expected: string; readonly context: ToolContext; readonly knownFiles: KnownFiles };

async function write(target: ResolvedPath, { content, expected, context, knownFiles }: WriteRun): Promise<ToolOutcome> {
  try {
    const bytes = bytesOf(content, false);
    const recorder = await createChangeRecorder(context, { target, tool: 'write_file', bytes });
    const result = await replaceIfUnchanged(target.path, bytes, { ...context, expected, beforeReplace: recorder.record });
    if (isBilingual(result))
      return failureOf(target.displayName, result, result === CHANGED_ON_DISK ? CHANGED_MEANWHILE : { en: 'refused', zh: '被拒绝' });
    knownFiles.recordWrite(target.path, result);
    const size = quantity(countLines(content), 'line');
    return {
      ok: true,
      content: `${target.displayName}: ${expected === ABSENT ? 'new file' : 'replaced'}, ${size}, ${quantity(bytes.length, 'byte')}`,
      note: recorder.describe(counted(countLines(content), 'line', '行')),
    };
  } catch (error) {
    return failure(toolFailure(error, target.displayName));
  }
}
