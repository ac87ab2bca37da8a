import { Writable } from 'node:stream';
import { AbortedError } from '../../domain/errors.ts';
import type { Keyboard, KeyReader } from './keyboard.ts';
import { CTRL_C, ESC, type KeyEvent, splitKeys } from './keys.ts';
import { createKeyStream } from './line-editor.ts';
import type { Choice } from './prompts.ts';
import { createTypedAnswer, type TypedAnswer } from './typed-answer.ts';

export type QuestionIo = {
  readonly keyboard: Keyboard;
  readonly output: NodeJS.WriteStream;
  /** What is typed while a question is open and does not answer it. */
  readonly keep: KeyReader;
  /** True when `keep` holds the beginning of a message. */
  readonly isTyping: () => boolean;
};

export type Questions = {
  /** A list to choose from by arrows or by typing the beginning. Undefined when it was left with Esc or Ctrl-C. */
  readonly pick: <T>(message: string, choices: readonly Choice<T>[]) => Promise<T | undefined>;
  /**
   * A choice that what was typed before cannot make, and a paste neither: only arrows and Enter count, and a line of nothing but a
   * choice's word, and only after the keys have been quiet. Esc chooses the first, or `left` where that is given.
   */
  readonly decide: <T>(message: string, choices: readonly TypableChoice<T>[], signal: AbortSignal, left?: T) => Promise<T>;
  /** A line of words. Undefined when it was left with Esc or Ctrl-C. */
  readonly type: (message: string, signal: AbortSignal) => Promise<string | undefined>;
};

/** `words`, in small letters, can be typed in its place. */
export type TypableChoice<T> = Choice<T> & { readonly words?: readonly string[] };

export const YES: readonly string[] = ['y', 'yes', '是'];
export const NO: readonly string[] = ['n', 'no', '否'];

/** Keys that come within this time were typed before anybody could have read the question. */
const QUIET_MS = 150;

const PICK_TIP = 'arrow keys and Enter to choose; Esc to cancel';
const KEEP_TIP = 'anything else you type is kept for later';

export function createQuestions(io: QuestionIo): Questions {
  const { keyboard, output } = io;

  async function choose<T>(choices: readonly Choice<T>[], { message, tip, signal, readerFor }: ChooseOptions): Promise<T> {
    const { chooseOne } = await import('./prompts.ts');
    const keys = createKeyStream(() => undefined);
    const release = keyboard.read(readerFor(keys.send));
    try {
      return await chooseOne(message, { choices, tip }, { input: keys.stream, output: outputOnly(output), signal });
    } finally {
      release();
    }
  }

  return {
    pick: async (message, choices) => {
      const dismissal = new AbortController();
      const readerFor = dismissable(dismissal);
      try {
        return await choose(choices, { message, tip: PICK_TIP, signal: dismissal.signal, readerFor });
      } catch (error) {
        if (error instanceof AbortedError) return undefined;
        throw error;
      }
    },
    type: async (message, signal) => {
      const { typeLine } = await import('./prompts.ts');
      const dismissal = new AbortController();
      const keys = createKeyStream(() => undefined);
      const release = keyboard.read(dismissable(dismissal)(keys.send));
      try {
        return await typeLine(message, {
          input: keys.stream,
          output: outputOnly(output),
          signal: AbortSignal.any([signal, dismissal.signal]),
        });
      } catch (error) {
        if (error instanceof AbortedError && !signal.aborted) return undefined;
        throw error;
      } finally {
        release();
      }
    },
    decide: async (message, choices, signal, left) => {
      const [first] = choices;
      if (first === undefined) throw new Error('A question needs an answer to choose');
      await keyboard.untilIdle(QUIET_MS);
      if (signal.aborted) throw new AbortedError('Interrupted');
      const dismissal = new AbortController();
      const typedAnswer = createTypedAnswer(choices.map(({ words = [] }) => words));
      const readerFor = (send: (keys: string) => void): KeyReader =>
        decisionReader(io, { send, leave: () => dismissal.abort(), typedAnswer });
      try {
        return await choose(choices, { message, tip: decideTip(choices), signal: AbortSignal.any([signal, dismissal.signal]), readerFor });
      } catch (error) {
        if (dismissal.signal.aborted && !signal.aborted) return left ?? first.value;
        throw error;
      } finally {
        keepText(io.keep, typedAnswer.clear());
      }
    },
  };
}

const dismissable =
  (dismissal: AbortController) =>
  (send: (keys: string) => void): KeyReader =>
  (event) => {
    if (event.type === 'keys' && (event.text === ESC || event.text.includes(CTRL_C))) dismissal.abort();
    else send(event.text);
  };

function decideTip(choices: readonly TypableChoice<unknown>[]): string {
  const words = choices.flatMap(({ words: [word] = [] }) => (word === undefined ? [] : [word]));
  return `arrow keys and Enter${words.length === 0 ? '' : `, or ${words.toReversed().join(' / ')} and Enter`}; ${KEEP_TIP}`;
}

function keepText(keep: KeyReader, text: string): void {
  if (text !== '') keep({ type: 'keys', text });
}

type ChooseOptions = {
  readonly message: string;
  readonly tip: string;
  readonly signal: AbortSignal;
  readonly readerFor: (send: (keys: string) => void) => KeyReader;
};

type DecideOptions = { readonly send: (keys: string) => void; readonly leave: () => void; readonly typedAnswer: TypedAnswer };

/**
 * Lets arrows and Enter through to the question, and a line that is nothing but an answer's word; keeps the rest. An Enter that ends what
 * is being typed belongs to the typing; an arrow shows that the question has been seen. A word counts only when its Enter is the last
 * key that came, and the only Enter: what a terminal without bracketed paste sends at once is a text, not an answer.
 */
function decisionReader({ keep, isTyping }: QuestionIo, { send, leave, typedAnswer }: DecideOptions): KeyReader {
  let typing = isTyping();
  const keepAll = (event: KeyEvent): void => {
    keepText(keep, typedAnswer.clear());
    keep(event);
    typing = isTyping();
  };
  const enter = (key: string, isLine: boolean): void => {
    const answer = isLine ? typedAnswer.answer() : undefined;
    if (answer !== undefined) {
      typedAnswer.clear();
      // The list goes to the choice of that number.
      send(`${answer + 1}\r`);
    } else if (typing || typedAnswer.textSoFar() !== '') keepAll({ type: 'keys', text: key });
    else send('\r');
  };
  return (event: KeyEvent) => {
    if (event.type === 'paste' || event.text.includes(CTRL_C)) return keepAll(event);
    if (event.text === ESC) return leave();
    const keys = splitKeys(event.text);
    const isLine = keys.findIndex(isEnter) === keys.length - 1;
    for (const key of keys) {
      if (arrows.has(key)) {
        keepText(keep, typedAnswer.clear());
        typing = false;
        send(key);
      } else if (isEnter(key)) enter(key, isLine);
      else if (typing || isTyping() || !typedAnswer.accept(key)) keepAll({ type: 'keys', text: key });
    }
  };
}

const isEnter = (key: string): boolean => key === '\r' || key === '\n' || key === '\r\n';

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
