/**
 * What a person types, from the bytes of a terminal to a message or an answer. The keyboard decodes bytes into keys and pastes and hands
 * them to one reader at a time: the line editor, a question, or the type-ahead of the REPL. Nothing else reads the terminal.
 *
 * Bytes come in; whole messages, chosen answers and AbortedError go out. No key is lost between two readers, a paste is never taken for
 * commands, and Enter alone never allows anything: the first choice of every question is the harmless one.
 *
 * It shows only what is being typed and asked. It decides nothing about what an answer means, and it keeps no history on disk.
 */

import type { EventEmitter } from 'node:events';
import { createKeyDecoder, type KeyEvent } from './keys.ts';

export type KeySource = Pick<EventEmitter, 'on' | 'off'> & {
  readonly resume: () => unknown;
  readonly pause: () => unknown;
  readonly setRawMode?: (raw: boolean) => unknown;
};

export type KeyReader = (event: KeyEvent) => void;

export type Keyboard = ReturnType<typeof createKeyboard>;

type KeyboardOptions = {
  readonly input: KeySource;
  readonly write: (text: string) => void;
  readonly onEnd: () => void;
};

/** Pastes in brackets, word of the window's focus, and Esc, Shift-Enter and the like told apart (kitty's protocol, its first level). */
const MODES_ON = '\u001b[?2004h\u001b[?1004h\u001b[>1u';
const MODES_OFF = '\u001b[<u\u001b[?1004l\u001b[?2004l\u001b[?25h';

/** The terminal has shown what was typed early; it comes again where it belongs. */
const UNDO_ECHO = '\r\u001b[J';

/** What is held as a possible beginning of a marker is a key when nothing has followed in this time. */
const ESCAPE_MS = 50;

/**
 * The only one who reads the terminal. Keys go to the reader that came last and is still there, so that a question or a
 * picker has them for a while, and nothing is ever lost between two readers: without one, pieces wait.
 *
 * `start` turns raw keys and bracketed paste on, and resolves when what was typed before that has come. `read` gives the keys to a reader until
 * the function that it returns is called; `press` is as if keys had been typed just now; `untilIdle` resolves when no key has come for so many
 * milliseconds. `lend` leaves the terminal to another program while `work` lasts: nothing is read here, and no key is pressed. `restore` gives it
 * back as it was: raw keys and bracketed paste off, cursor shown. It never throws, and may be called at any time, and again.
 */
export function createKeyboard({ input, write, onEnd }: KeyboardOptions) {
  const queue = createKeyQueue();
  const idle = createIdleTimer();
  const decode = createTextDecoder();
  const decoder = createKeyDecoder();
  const setRaw = createRawMode(input, write);
  let isLent = false;
  const { takeFrom, ...reports } = createReports(write);
  let early: string | undefined;
  let held: NodeJS.Timeout | undefined;

  const onData = (chunk: Uint8Array | string): void => {
    clearTimeout(held);
    const text = decode(chunk);
    if (early !== undefined) early += text;
    const events = decoder.write(early === undefined ? text : text.replaceAll('\n', '\r')).flatMap(takeFrom);
    if (events.length > 0) idle.restart();
    queue.deliver(events);
    held = setTimeout(() => queue.deliver(decoder.flush()), ESCAPE_MS).unref();
  };
  const attach = async (): Promise<void> => {
    early = '';
    input.on('data', onData);
    setRaw(true);
    input.resume();
    await nextRead();
    if (/[^\n]$/.test(early)) write(UNDO_ECHO);
    early = undefined;
  };
  const detach = (): void => {
    input.off('data', onData);
    setRaw(false);
    input.pause();
  };

  return {
    start: (): Promise<void> => {
      for (const event of ['end', 'error', 'close']) input.on(event, onEnd);
      return attach();
    },
    read: queue.read,
    press: (keys: string): void => {
      if (!isLent) queue.deliver([{ type: 'keys', text: keys }]);
    },
    untilIdle: idle.wait,
    ...reports,
    lend: async <T>(work: () => Promise<T>): Promise<T> => {
      isLent = true;
      detach();
      try {
        return await work();
      } finally {
        isLent = false;
        await attach();
      }
    },
    restore: detach,
  };
}

export function createTextDecoder(): (chunk: Uint8Array | string) => string {
  const utf8 = new TextDecoder();
  return (chunk) => (typeof chunk === 'string' ? chunk : utf8.decode(chunk, { stream: true }));
}

/** Keys that come within this time were typed before anybody could have read a question. */
export const QUIET_MS = 150;

/** What was typed before keys were raw comes with the next read, and that is over when the loop of events has gone round once. */
export const nextRead = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

function createKeyQueue() {
  const readers: KeyReader[] = [];
  const queue: KeyEvent[] = [];
  const deliver = (events: readonly KeyEvent[]): void => {
    queue.push(...events);
    for (let reader = readers.at(-1); reader !== undefined; reader = readers.at(-1)) {
      const event = queue.shift();
      if (event === undefined) return;
      reader(event);
    }
  };
  return {
    deliver,
    read: (reader: KeyReader): (() => void) => {
      readers.push(reader);
      deliver([]);
      return () => {
        const index = readers.lastIndexOf(reader);
        if (index >= 0) readers.splice(index, 1);
      };
    },
  };
}

function createIdleTimer() {
  const timers = new Set<NodeJS.Timeout>();
  return {
    restart: (): void => {
      for (const timer of timers) timer.refresh();
    },
    wait: (ms: number): Promise<void> =>
      new Promise((resolve) => {
        const timer = setTimeout(() => {
          timers.delete(timer);
          resolve();
        }, ms);
        timers.add(timer);
      }),
  };
}

function createRawMode(input: KeySource, write: (text: string) => void): (raw: boolean) => void {
  let isRaw = false;
  return (raw) => {
    if (isRaw === raw) return;
    isRaw = raw;
    write(raw ? MODES_ON : MODES_OFF);
    try {
      input.setRawMode?.(raw);
    } catch {
      // The terminal is gone: there is nothing left to set, and its end is told by the stream.
    }
  };
}

const ASK_BACKGROUND = '\u001b]11;?\u001b\\';
const ASK_POSITION = '\u001b[6n';
/** A terminal that answers does so at once; over a slow line it is not waited for. */
const POSITION_MS = 200;

/** Where the cursor is comes as a key of function does: it is taken for an answer only when it was asked for. */
export function createReports(write: (text: string) => void) {
  let isFocused = true;
  let tellBackground: ((answer: string) => void) | undefined;
  let tell: ((column: number | undefined) => void) | undefined;
  const takeFocus = (text: string): string =>
    withControlBytes(text).replace(/\u001b\[([IO])/g, (_, change) => {
      isFocused = change === 'I';
      return '';
    });
  const takeBackground = (text: string): string =>
    text.replace(/\u001b\]11;([ -~]*?)(?:\u0007|\u001b\\)/g, (_, answer) => {
      tellBackground?.(answer);
      return '';
    });
  const takePosition = (text: string): string =>
    text.replace(/\u001b\[\d+;(\d+)R/, (_, column) => {
      tell?.(Number(column));
      return '';
    });
  return {
    takeFrom: (event: KeyEvent): readonly KeyEvent[] => {
      if (event.type === 'paste') return [event];
      const keys = takeBackground(takeFocus(event.text));
      const text = tell === undefined ? keys : takePosition(keys);
      return text === '' ? [] : [{ type: 'keys', text }];
    },
    hasFocus: (): boolean => isFocused,
    /** Nothing waits for the answer: many terminals give none. */
    askBackground: (answered: (answer: string) => void): void => {
      tellBackground = answered;
      write(ASK_BACKGROUND);
    },
    /** In which column the terminal says that the cursor is, counted from 1; undefined when it does not say. */
    cursorColumn: (): Promise<number | undefined> =>
      new Promise((resolve) => {
        const answer = (column: number | undefined): void => {
          clearTimeout(timer);
          if (tell === answer) tell = undefined;
          resolve(column);
        };
        const timer = setTimeout(() => answer(undefined), POSITION_MS);
        tell?.(undefined);
        tell = answer;
        write(ASK_POSITION);
      }),
  };
}

/** Ctrl with a letter as the byte that it is on older terminals, so that Ctrl-C is one thing everywhere. */
const withControlBytes = (text: string): string =>
  text.replace(/\u001b\[(\d+)(?::\d*)*;5u/g, (sequence, code) => {
    const letter = Number(code);
    return letter >= 97 && letter <= 122 ? String.fromCharCode(letter - 96) : sequence;
  });
