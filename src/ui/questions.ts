import { Writable } from 'node:stream';
import { AbortedError } from '../domain/errors.ts';
import type { Keyboard, KeyReader } from './keyboard.ts';
import { CTRL_C, ESC, type KeyPiece, keysOf } from './keys.ts';
import { keyStream } from './line-editor.ts';
import type { Choice } from './prompts.ts';

export type QuestionIo = {
  readonly keyboard: Keyboard;
  readonly output: NodeJS.WriteStream;
  /** What is typed while a question is open that must not be answered by typing. */
  readonly keep: KeyReader;
  /** True when `keep` holds the beginning of a message. */
  readonly isTyping: () => boolean;
};

export type Questions = {
  /** A list to choose from by arrows or by typing the beginning. Undefined when it was left with Esc or Ctrl-C. */
  readonly pick: <T>(message: string, choices: readonly Choice<T>[]) => Promise<T | undefined>;
  /** A choice that typing cannot make: only arrows and Enter count, and only after the keys have been quiet. Esc chooses the first. */
  readonly decide: <T>(message: string, choices: readonly Choice<T>[], signal: AbortSignal) => Promise<T>;
};

/** Keys that come within this time were typed before anybody could have read the question. */
const QUIET_MS = 150;

const PICK_TIP = 'up, down and Enter; Esc leaves';
const DECIDE_TIP = 'up, down and Enter; anything else you type is kept for later';

export function createQuestions(io: QuestionIo): Questions {
  const { keyboard, output } = io;

  async function choose<T>(choices: readonly Choice<T>[], { message, tip, signal, readerFor }: Choosing): Promise<T> {
    const { chooseOne } = await import('./prompts.ts');
    const keys = keyStream(() => undefined);
    const release = keyboard.read(readerFor(keys.send));
    try {
      return await chooseOne(message, { choices, tip }, { input: keys.stream, output: outputOnly(output), signal });
    } finally {
      release();
    }
  }

  return {
    pick: async (message, choices) => {
      const left = new AbortController();
      const readerFor =
        (send: (keys: string) => void): KeyReader =>
        (piece) => {
          if (piece.type === 'keys' && (piece.text === ESC || piece.text.includes(CTRL_C))) left.abort();
          else send(piece.text);
        };
      try {
        return await choose(choices, { message, tip: PICK_TIP, signal: left.signal, readerFor });
      } catch (error) {
        if (error instanceof AbortedError) return undefined;
        throw error;
      }
    },
    decide: async (message, choices, signal) => {
      const [first] = choices;
      if (first === undefined) throw new Error('A question needs an answer to choose');
      await keyboard.quiet(QUIET_MS);
      if (signal.aborted) throw new AbortedError('Interrupted');
      const left = new AbortController();
      const readerFor = (send: (keys: string) => void): KeyReader => decidingReader(io, { send, leave: () => left.abort() });
      try {
        return await choose(choices, { message, tip: DECIDE_TIP, signal: AbortSignal.any([signal, left.signal]), readerFor });
      } catch (error) {
        if (left.signal.aborted && !signal.aborted) return first.value;
        throw error;
      }
    },
  };
}

type Choosing = {
  readonly message: string;
  readonly tip: string;
  readonly signal: AbortSignal;
  readonly readerFor: (send: (keys: string) => void) => KeyReader;
};

/**
 * Lets arrows and Enter through to the question, and keeps the rest. An Enter that ends what is being typed belongs to the typing; an
 * arrow shows that the question has been seen.
 */
function decidingReader(
  { keep, isTyping }: QuestionIo,
  { send, leave }: { readonly send: (keys: string) => void; readonly leave: () => void },
): KeyReader {
  let typing = isTyping();
  return (piece: KeyPiece) => {
    if (piece.type === 'paste' || piece.text.includes(CTRL_C)) {
      typing = piece.type === 'paste';
      keep(piece);
      return;
    }
    if (piece.text === ESC) {
      leave();
      return;
    }
    for (const key of keysOf(piece.text)) {
      if (arrows.has(key)) {
        typing = false;
        send(key);
      } else if (!typing && (key === '\r' || key === '\n')) {
        send('\r');
      } else {
        typing = key !== '\r' && key !== '\n';
        keep({ type: 'keys', text: key });
      }
    }
  };
}

const arrows: ReadonlySet<string> = new Set(['\u001b[A', '\u001b[B', '\u001bOA', '\u001bOB']);

/** The library of prompts ends the stream it writes to; the screen goes on. */
function outputOnly(output: NodeJS.WriteStream): NodeJS.WritableStream {
  const stream = new Writable({
    decodeStrings: false,
    write: (chunk: string | Uint8Array, _encoding, done) => {
      output.write(chunk);
      done();
    },
  });
  return Object.defineProperties(stream, {
    isTTY: { value: true },
    columns: { get: () => output.columns },
    rows: { get: () => output.rows },
  });
}
