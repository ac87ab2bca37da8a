import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { SanbotError } from '../../domain/errors.ts';
import { importTranscript } from '../../replay/import/import-transcript.ts';
import type { Recording } from '../../replay/import/json.ts';
import type { Transcript } from '../../replay/import/transcript.ts';
import type { World } from '../../runtime/world.ts';
import { failureReason } from '../../store/files/failure.ts';

/** The conversations of a recorded file. Throws not_found when it cannot be read, else like `importTranscript`. */
export function readTranscripts(world: Pick<World, 'cwd'>, file: string): readonly Transcript[] {
  const path = resolve(world.cwd(), file);
  try {
    return importTranscript(file, recordedFile(path, file));
  } catch (error) {
    if (error instanceof SanbotError) throw error;
    throw new SanbotError('not_found', `Cannot read ${file}: ${failureReason(error, path)}`, {
      hint: 'Give the path of a recorded session.',
      cause: error,
    });
  }
}

/** The longest string that Node can hold is below 512 MB. */
const MOST_BYTES = 500_000_000;

function recordedFile(path: string, shown: string): Recording {
  return {
    lines: () => linesIn(path, shown),
    readAll: () => {
      if (statSync(path).size > MOST_BYTES) throw tooLarge(shown);
      return readFileSync(path, 'utf8');
    },
  };
}

const tooLarge = (shown: string): SanbotError => new SanbotError('usage', `${shown} is too large: more than 500 MB in one piece`);

const PIECE_BYTES = 1 << 20;

function* linesIn(path: string, shown: string): Generator<string> {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.allocUnsafe(PIECE_BYTES);
    const decoder = new StringDecoder('utf8');
    let rest: string[] = [];
    let restChars = 0;
    for (let read = readSync(file, bytes); read > 0; read = readSync(file, bytes)) {
      const [first = '', ...more] = decoder.write(bytes.subarray(0, read)).split('\n');
      rest.push(first);
      restChars += first.length;
      if (restChars > MOST_BYTES) throw tooLarge(shown);
      const last = more.pop();
      if (last === undefined) continue;
      yield rest.join('');
      yield* more;
      rest = [last];
      restChars = last.length;
    }
    const end = rest.join('') + decoder.end();
    if (end !== '') yield end;
  } finally {
    closeSync(file);
  }
}
