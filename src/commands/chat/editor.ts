import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errorReason } from '../../domain/errors.ts';
import { type Bilingual, localize } from '../../domain/language.ts';
import { decodeLoosely } from '../../domain/value/text-bytes.ts';
import type { ProcessState } from '../../runtime/environment.ts';
import type { EditResult } from '../../terminal/slash/command.ts';

/** Has a person change a text in $VISUAL or $EDITOR, in a file of a folder that nobody else may read and that is gone afterwards. Never rejects. */
export async function editText({ env, platform }: ProcessState, text: string): Promise<EditResult> {
  const editor = env.VISUAL || env.EDITOR || (platform === 'win32' ? 'notepad' : 'vi');
  let folder: string | undefined;
  try {
    folder = mkdtempSync(join(tmpdir(), 'sanbot-edit-'));
    const file = join(folder, 'summary.md');
    writeFileSync(file, `${text}\n`, { mode: 0o600 });
    const why = await runEditor(editor, file, platform);
    return why === undefined ? { kind: 'edited', text: decodeLoosely(readFileSync(file)) } : { kind: 'failed', why: localize(why) };
  } catch (error) {
    return {
      kind: 'failed',
      why: localize({
        en: `The text could not be given to the editor: ${errorReason(error).en}.`,
        zh: `无法把文本交给编辑器：${errorReason(error).zh}。`,
      }),
    };
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  }
}

/** The editor's setting is a command line, such as "code --wait". Resolves with what went wrong. */
function runEditor(editor: string, file: string, platform: string): Promise<Bilingual | undefined> {
  const child =
    platform === 'win32'
      ? spawn(`${editor} "${file}"`, { stdio: 'inherit', shell: true })
      : spawn('/bin/sh', ['-c', `${editor} "$1"`, 'sh', file], { stdio: 'inherit' });
  return new Promise((resolve) => {
    child.on('error', (error) =>
      resolve(editorFailure(editor, { en: `could not be started: ${error.message}`, zh: `无法启动：${error.message}` })),
    );
    child.on('exit', (code, signal) => resolve(code === 0 ? undefined : editorFailure(editor, endOf(code, signal))));
  });
}

const endOf = (code: number | null, signal: string | null): Bilingual => ({
  en: `ended with ${signal ?? `exit code ${code}`}`,
  zh: signal === null ? `退出码为 ${code}` : `被 ${signal} 终止`,
});

const editorFailure = (editor: string, how: Bilingual): Bilingual => ({
  en: `The editor ${JSON.stringify(editor)} ${how.en}. Set VISUAL or EDITOR to another one.`,
  zh: `编辑器 ${JSON.stringify(editor)} ${how.zh}。请将 VISUAL 或 EDITOR 设为其他编辑器。`,
});
