import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { SanbotError } from '../../../domain/errors.ts';
import type { Bilingual } from '../../../domain/language.ts';
import type { Transcript } from '../../../domain/session/transcript.ts';
import { decodeLoosely, formOf } from '../../../domain/value/text-bytes.ts';
import type { Environment } from '../../../runtime/environment.ts';
import { failureReason } from '../../../store/files/failure.ts';
import { safeLine } from '../../../terminal/text/safe-text.ts';
import { importTranscript } from './import-transcript.ts';
import type { Recording } from './recorded-content.ts';

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
      { en: 'Give the path of a recorded session.', zh: '请给出录制会话的路径。' },
      error,
    );
  }
}

export function importNotes(name: string, transcripts: readonly Transcript[]): readonly Bilingual[] {
  const sums = new Map<string, number>();
  for (const { leftOut } of transcripts) for (const { kind, count: n } of leftOut) sums.set(kind, (sums.get(kind) ?? 0) + n);
  const kinds = [...sums].map(([kind, n]) => `${n} ${kind}`).join(', ');
  const damaged = transcripts.flatMap((transcript) => transcript.damaged);
  const file = safeLine(name);
  return [
    ...(kinds === '' ? [] : [{ en: `${file}: left out: ${safeLine(kinds)}`, zh: `${file}：略去：${safeLine(kinds)}` }]),
    ...damaged.map((damage) => ({ en: `${file}: damaged: ${safeLine(damage)}`, zh: `${file}：损坏：${safeLine(damage)}` })),
  ];
}

/** The longest string that Node can hold is below 512 MB. */
const MAX_BYTES = 500_000_000;

function openRecording(path: string, displayName: string): Recording {
  return {
    lines: () => linesIn(path, displayName),
    readAll: () => {
      if (statSync(path).size > MAX_BYTES) throw tooLarge(displayName);
      return decodeLoosely(readFileSync(path));
    },
  };
}

const tooLarge = (displayName: string): SanbotError =>
  new SanbotError('usage', {
    en: `${displayName} is too large: more than 500 MB in one piece`,
    zh: `${displayName} 过大：单段超过 500 MB`,
  });

const CHUNK_BYTES = 1 << 20;

/** Some shells write what they redirect in UTF-16. */
const decoderFor = (start: Uint8Array) => new TextDecoder(formOf(start).encoding);

function* linesIn(path: string, displayName: string): Generator<string> {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.allocUnsafe(CHUNK_BYTES);
    let pending: string[] = [];
    let pendingChars = 0;
    let decoder: ReturnType<typeof decoderFor> | undefined;
    for (let read = readSync(file, bytes); read > 0; read = readSync(file, bytes)) {
      decoder ??= decoderFor(bytes.subarray(0, read));
      const [first = '', ...more] = decoder.decode(bytes.subarray(0, read), { stream: true }).split('\n');
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
    const lastLine = pending.join('') + (decoder?.decode() ?? '');
    if (lastLine !== '') yield lastLine;
  } finally {
    closeSync(file);
  }
}
