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

/** The part of a terminal's input that is used here. */
export type KeySource = Pick<EventEmitter, 'on' | 'off'> & {
  readonly resume: () => unknown;
  readonly pause: () => unknown;
  readonly setRawMode?: (raw: boolean) => unknown;
};

export type KeyReader = (event: KeyEvent) => void;

/**
 * The only one who reads the terminal. Keys go to the reader that came last and is still there, so that a question or a
 * picker has them for a while, and nothing is ever lost between two readers: without one, pieces wait.
 */
export type Keyboard = {
  /** Raw keys and bracketed paste on. */
  readonly start: () => void;
  /** Gives the keys to `reader` until the returned function is called. */
  readonly read: (reader: KeyReader) => () => void;
  /** As if this had been typed just now. */
  readonly press: (keys: string) => void;
  /**
   * Takes back what its reader did not want, to be read first. It and all that follows waits for a moment, until the reader
   * it is meant for is there: keys behind an Enter are for what the Enter has started.
   */
  readonly putBack: (events: readonly KeyEvent[]) => void;
  /** Resolves when no key has come for `ms`. */
  readonly untilIdle: (ms: number) => Promise<void>;
  /** Raw keys off for the time being (the program is being suspended), or on again. */
  readonly setRaw: (raw: boolean) => void;
  /** Leaves the terminal to another program while `work` lasts: nothing is read here, and no key is pressed. */
  readonly lend: <T>(work: () => Promise<T>) => Promise<T>;
  /** Gives the terminal back as it was: raw keys and bracketed paste off, cursor shown. Never throws, may be called at any time, and again. */
  readonly restore: () => void;
};

export type KeyboardOptions = {
  readonly input: KeySource;
  readonly write: (text: string) => void;
  /** The terminal is gone, or its input has ended. */
  readonly onEnd: () => void;
};

const MODES_ON = '\u001b[?2004h';
const MODES_OFF = '\u001b[?2004l\u001b[?25h';

export function createKeyboard({ input, write, onEnd }: KeyboardOptions): Keyboard {
  const queue = createKeyQueue();
  const idle = createIdleTimer();
  const utf8 = new TextDecoder();
  const decoder = createKeyDecoder();
  const setRaw = createRawMode(input, write);
  let isLent = false;

  const onData = (chunk: Uint8Array | string): void => {
    idle.restart();
    queue.deliver(decoder.write(typeof chunk === 'string' ? chunk : utf8.decode(chunk, { stream: true })));
  };
  const attach = (): void => {
    input.on('data', onData);
    setRaw(true);
    input.resume();
  };
  const detach = (): void => {
    input.off('data', onData);
    setRaw(false);
    input.pause();
  };

  return {
    start: () => {
      for (const event of ['end', 'error', 'close']) input.on(event, onEnd);
      attach();
    },
    read: queue.read,
    press: (keys) => {
      if (!isLent) queue.deliver([{ type: 'keys', text: keys }]);
    },
    putBack: queue.putBack,
    untilIdle: idle.wait,
    setRaw,
    lend: async (work) => {
      isLent = true;
      detach();
      try {
        return await work();
      } finally {
        isLent = false;
        attach();
      }
    },
    restore: detach,
  };
}

type KeyQueue = Pick<Keyboard, 'read' | 'putBack'> & { readonly deliver: (events: readonly KeyEvent[]) => void };

function createKeyQueue(): KeyQueue {
  const readers: KeyReader[] = [];
  const queue: KeyEvent[] = [];
  let isPaused = false;
  const deliver = (events: readonly KeyEvent[]): void => {
    queue.push(...events);
    for (let reader = readers.at(-1); reader !== undefined && !isPaused; reader = readers.at(-1)) {
      const event = queue.shift();
      if (event === undefined) return;
      reader(event);
    }
  };
  return {
    deliver,
    read: (reader) => {
      readers.push(reader);
      deliver([]);
      return () => {
        const index = readers.lastIndexOf(reader);
        if (index >= 0) readers.splice(index, 1);
      };
    },
    putBack: (events) => {
      queue.unshift(...events);
      isPaused = true;
      setImmediate(() => {
        isPaused = false;
        deliver([]);
      });
    },
  };
}

type IdleTimer = { readonly restart: () => void; readonly wait: (ms: number) => Promise<void> };

function createIdleTimer(): IdleTimer {
  const timers = new Set<NodeJS.Timeout>();
  return {
    restart: () => {
      for (const timer of timers) timer.refresh();
    },
    wait: (ms) =>
      new Promise((resolve) => {
        const timer = setTimeout(() => {
          timers.delete(timer);
          resolve();
        }, ms);
        timers.add(timer);
      }),
  };
}

function createRawMode(input: KeySource, write: (text: string) => void): Keyboard['setRaw'] {
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
