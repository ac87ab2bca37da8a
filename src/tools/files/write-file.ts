import { z } from 'zod';
import type { ToolOutcome } from '../../agent/ports/tools.ts';
import { type Bilingual, because, isBilingual, joinTexts, localize } from '../../domain/language.ts';
import { encodeText, PLAIN_FORM } from '../../domain/value/text-bytes.ts';
import { countLines } from '../page.ts';
import { statOf } from '../place/folders.ts';
import { knowTemporary, type ResolvedPath, resolveTarget } from '../place/place.ts';
import { counted, defineTool, failure, failureOf, quantity, toolFailure } from '../tool.ts';
import type { ToolContext } from '../tool-context.ts';
import { diffNote, diffOf, renderPreview } from './diff.ts';
import type { KnownFiles } from './known-files.ts';
import { writtenOver } from './line-ends.ts';
import { CHANGED_ON_DISK, CHANGED_SINCE_READ, protectionOf, replaceIfUnchanged } from './replace-file.ts';
import { addsRedaction, REDACTED_HINT } from './replace-text.ts';
import { ABSENT, fingerprintOf, readTextFile } from './text-file.ts';
import { CHANGED_MEANWHILE, createChangeRecorder, failingWritePlan, writeAlone, writePlanBase } from './write-plan.ts';

const inputSchema = z.strictObject({
  path: z.string().min(1),
  content: z.string().describe('All of it.'),
});

/**
 * Writes a whole file, in the place of what was planned for and nothing else: a new one exactly as given, over a text in its encoding, with
 * its byte order mark and its line ends.
 */
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
    if (addsRedaction(check.file?.text, content))
      return failingWritePlan('write_file', target, {
        en: `${REDACTED_HINT.en}; change the other parts with edit_file`,
        zh: `${REDACTED_HINT.zh}；请用 edit_file 更改其余部分`,
      });
    const asGiven = {
      text: content,
      bytes: encodeText(content, PLAIN_FORM),
      notes: check.replaced === undefined ? [] : [`replaced what was there: ${check.replaced.en}`],
    };
    const next = check.file === undefined ? asGiven : writtenOver(check.file, content);
    const title = check.file === undefined ? newFileTitle(next.text) : '';
    const preview =
      check.replaced === undefined
        ? await renderPreview({ name: target.displayName, before: check.file?.text, after: next.text, title })
        : localize(because({ en: 'Replaces what is there now', zh: '替换现有内容' }, check.replaced));
    return {
      ...writePlanBase('write_file', target),
      preview,
      run: () => {
        const work = { ...next, before: check.file?.text, expected: check.fingerprint, context, knownFiles };
        return writeAlone({ path, target, context }, knownFiles, () => write(target, work));
      },
    };
  },
);

const newFileTitle = (text: string): string =>
  localize(joinTexts([{ en: 'New file', zh: '新文件' }, counted(countLines(text), 'line', '行')], { en: ', ', zh: '，' }));

/** `replaced` says what is there where it is no text. */
type WriteCheck = { readonly fingerprint: string; readonly file?: TextRead; readonly replaced?: Bilingual };
type TextRead = Extract<Awaited<ReturnType<typeof readTextFile>>, { kind: 'text' }>;

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
    if (file.kind === 'text') return { fingerprint, file };
    if (file.kind === 'unreadable' && file.isText)
      return {
        en: `${file.why.en}. write_file writes UTF-8: convert the file first, or remove it, with run_command`,
        zh: `${file.why.zh}。write_file 写入 UTF-8：请先用 run_command 转换或删除该文件`,
      };
    const bytes = Number(stats?.size ?? 0);
    const replaced =
      file.kind === 'unreadable'
        ? { en: `the file there ${file.why.en}`, zh: `现有文件${file.why.zh}` }
        : { en: `a file of ${quantity(bytes, 'byte')}`, zh: `${bytes} 字节的文件` };
    return { fingerprint, replaced };
  } catch (error) {
    return toolFailure(error);
  }
}

type WriteRun = Pick<ReturnType<typeof writtenOver>, 'text' | 'bytes' | 'notes'> & {
  /** Undefined where it was no text. */
  readonly before: string | undefined;
  readonly expected: string;
  readonly context: ToolContext;
  readonly knownFiles: KnownFiles;
};

async function write(target: ResolvedPath, { text, bytes, notes, before, expected, context, knownFiles }: WriteRun): Promise<ToolOutcome> {
  try {
    const recorder = await createChangeRecorder(context, { target, tool: 'write_file', bytes });
    const result = await replaceIfUnchanged(target.path, bytes, { ...context, expected, beforeReplace: recorder.record });
    if (isBilingual(result))
      return failureOf(target.displayName, result, result === CHANGED_ON_DISK ? CHANGED_MEANWHILE : { en: 'refused', zh: '被拒绝' });
    knownFiles.recordWrite(target.path, result);
    const size = quantity(countLines(text), 'line');
    const diff = await diffOf({ name: target.displayName, before, after: text });
    const done = `${expected === ABSENT ? 'new file' : 'replaced'}, ${size}, ${quantity(bytes.length, 'byte')}`;
    return {
      ok: true,
      content: `${target.displayName}: ${[done, ...notes].join('; ')}`,
      note: recorder.describe(before === undefined ? counted(countLines(text), 'line', '行') : diffNote(diff)),
      diff,
    };
  } catch (error) {
    return failure(toolFailure(error, target.displayName));
  }
}
