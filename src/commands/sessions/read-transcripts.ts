import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { SanbotError } from '../../domain/errors.ts';
import { importTranscript } from '../../replay/import/import-transcript.ts';
import type { Recording } from '../../replay/import/json.ts';
import type { Transcript } from '../../replay/import/transcript.ts';
import type { Environment } from '../../runtime/environment.ts';
import { failureReason } from '../../store/files/failure.ts';

/** The conversations of a recorded file. Throws not_found when it cannot be read, else like `importTranscript`. */
export function readTranscripts(environment: Pick<Environment, 'cwd'>, file: string): readonly Transcript[] {
  const path = resolve(environment.cwd(), file);
  try {
    return importTranscript(file, openRecording(path, file));
  } catch (error) {
    if (error instanceof SanbotError) throw error;
    const reason = failureReason(error, path);
    throw new SanbotError(
      'not_found',
      { en: `Cannot read ${file}: ${reason.en}`, zh: `无法读取 ${file}：${reason.zh}` },
      {
        hint: { en: 'Give the path of a recorded session.', zh: '请给出录制会话的路径。' },
        cause: error,
      },
    );
  }
}

/** The longest string that Node can hold is below 512 MB. */
const MAX_BYTES = 500_000_000;

function openRecording(path: string, displayName: string): Recording {
  return {
    lines: () => linesIn(path, displayName),
    readAll: () => {
      if (statSync(path).size > MAX_BYTES) throw tooLarge(displayName);
      return readFileSync(path, 'utf8');
    },
  };
}

const tooLarge = (displayName: string): SanbotError =>
  new SanbotError('usage', {
    en: `${displayName} is too large: more than 500 MB in one piece`,
    zh: `${displayName} 过大：单段超过 500 MB`,
  });

const CHUNK_BYTES = 1 << 20;

function* linesIn(path: string, displayName: string): Generator<string> {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.allocUnsafe(CHUNK_BYTES);
    const decoder = new StringDecoder('utf8');
    let pending: string[] = [];
    let pendingChars = 0;
    for (let read = readSync(file, bytes); read > 0; read = readSync(file, bytes)) {
      const [first = '', ...more] = decoder.write(bytes.subarray(0, read)).split('\n');
      pending.push(first);
      pendingChars += first.length;
      if (pendingChars > MAX_BYTES) throw tooLarge(displayName);
      const last = more.pop();
      if (last === undefined) continue;
      yield pending.join('');
      yield* more;
      pending = [last];
      pendingChars = last.length;
    }
    const lastLine = pending.join('') + decoder.end();
    if (lastLine !== '') yield lastLine;
  } finally {
    closeSync(file);
  }
}
