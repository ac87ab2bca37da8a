import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import type { FoldedTexts } from './folded-text.ts';
import type { Keyboard } from './keyboard.ts';
import { CTRL_C, type KeyPiece } from './keys.ts';

export type Entered =
  | { readonly kind: 'message'; readonly text: string }
  /** Ctrl-D, or Ctrl-C twice. */
  | { readonly kind: 'leave' };

export type Complete = (beforeCursor: string) => Promise<readonly [candidates: string[], replaced: string]>;

export type LineEditorOptions = {
  readonly keyboard: Keyboard;
  readonly output: NodeJS.WritableStream;
  readonly prompt: string;
  readonly folded: FoldedTexts;
  /** Earlier messages, newest first. */
  readonly history: readonly string[];
  /** What was typed before the prompt came. */
  readonly prefill: string;
  readonly complete: Complete;
  /** Becomes true when the prompt has to go: the input has ended. */
  readonly signal: AbortSignal;
};

/**
 * Reads one message. Enter sends it; a backslash before Enter, and a paste, put several lines into one message. Ctrl-C clears what is
 * typed and says how to leave. Keys that came after Enter are put back.
 */
export function readMessage(options: LineEditorOptions): Promise<Entered> {
  if (options.signal.aborted) return Promise.resolve({ kind: 'leave' });
  return new Promise((resolve) => editLine(options, resolve));
}

function editLine(options: LineEditorOptions, resolve: (entered: Entered) => void): void {
  const { keyboard, output, folded, signal } = options;
  let written = '';
  let leaving = false;
  let ended = false;
  let release = (): void => undefined;
  // The prompt's own end must not switch raw keys off, being suspended with Ctrl-Z must.
  const keys = keyStream((raw) => {
    if (!ended) keyboard.setRaw(raw);
  });
  const lines = createInterface({
    input: keys.stream,
    output,
    terminal: true,
    prompt: options.prompt,
    history: options.history.map(folded.fold),
    historySize: 1_000,
    removeHistoryDuplicates: true,
    escapeCodeTimeout: 50,
    completer: completerFor(options.complete),
  });

  const end = (entered: Entered): void => {
    if (ended) return;
    ended = true;
    release();
    signal.removeEventListener('abort', leave);
    lines.close();
    resolve(entered);
  };
  const leave = (): void => end({ kind: 'leave' });
  const onLine = (line: string): void => {
    if (line.endsWith('\\')) {
      written += `${line.slice(0, -1)}\n`;
      lines.setPrompt(CONTINUED);
      lines.prompt();
    } else if (`${written}${line}`.trim() === '') {
      lines.prompt();
    } else {
      end({ kind: 'message', text: folded.unfold(`${written}${line}`) });
    }
  };
  const onInterrupt = (): void => {
    if (leaving) {
      leave();
      return;
    }
    leaving = true;
    written = '';
    lines.write(null, { ctrl: true, name: 'e' });
    lines.write(null, { ctrl: true, name: 'u' });
    output.write('\nPress Ctrl-C again to leave.\n');
    lines.setPrompt(options.prompt);
    lines.prompt();
  };
  const feed = (piece: KeyPiece): void => {
    if (piece.type === 'paste') {
      leaving = false;
      lines.write(folded.fold(piece.text));
      return;
    }
    const parts = piece.text.split(endOfLineOrInterrupt);
    while (!ended && parts.length > 0) {
      const part = parts.shift() ?? '';
      if (part !== CTRL_C) leaving = false;
      keys.send(part);
    }
    if (ended) keyboard.putBack(parts.map((text) => ({ type: 'keys', text })));
  };

  lines.on('line', onLine);
  lines.on('SIGINT', onInterrupt);
  lines.on('close', leave);
  signal.addEventListener('abort', leave);
  lines.prompt();
  if (options.prefill !== '') lines.write(folded.fold(options.prefill));
  release = keyboard.read(feed);
  if (ended) release();
}

/** Splits behind an Enter, and around Ctrl-C. */
const endOfLineOrInterrupt = /(?<=\r\n|\r(?!\n)|\n|\u0003)|(?=\u0003)/;

const CONTINUED = '… ';

/**
 * A stream that a line reader takes for a terminal's input. Keys are handed over at once and one after the other, so that what follows an
 * Enter can still go elsewhere.
 */
export function keyStream(onRaw: (raw: boolean) => void): {
  readonly stream: NodeJS.ReadableStream;
  readonly send: (text: string) => void;
} {
  const stream = Object.assign(new PassThrough(), { setRawMode: onRaw });
  return {
    stream,
    send: (text) => {
      stream.emit('data', plainEnds(text));
    },
  };
}

/** Newer versions of Node end a line at these characters too; typed or pasted, they are blanks. */
const plainEnds = (text: string): string => text.replace(/[\u2028\u2029]/g, ' ').replace('\r\n', '\r');

type Completer = (line: string, callback: (error: null, result: [string[], string]) => void) => void;

/** Two parameters tell the line reader that the answer comes later. A failed completion completes nothing. */
function completerFor(complete: Complete): Completer {
  return (line, callback) => {
    complete(line).then(
      ([candidates, replaced]) => callback(null, [candidates, replaced]),
      () => callback(null, [[], line]),
    );
  };
}
