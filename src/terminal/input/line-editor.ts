import { createInterface, type Interface } from 'node:readline';
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
  const state: Editing = { written: '', leaving: false, ended: false };
  // The prompt's own end must not switch raw keys off, being suspended with Ctrl-Z must.
  const keys = keyStream((raw) => {
    if (!state.ended) keyboard.setRaw(raw);
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

  let release = (): void => undefined;
  const end = (entered: Entered): void => {
    if (state.ended) return;
    state.ended = true;
    release();
    signal.removeEventListener('abort', leave);
    lines.close();
    resolve(entered);
  };
  const leave = (): void => end({ kind: 'leave' });

  lines.on('line', (line) => {
    const text = afterLine(state, line, { lines, folded });
    if (text !== undefined) end({ kind: 'message', text });
  });
  lines.on('SIGINT', () => (state.leaving ? leave() : clearLine(state, lines, options)));
  lines.on('close', leave);
  signal.addEventListener('abort', leave);
  lines.prompt();
  if (options.prefill !== '') lines.write(folded.fold(options.prefill));
  release = keyboard.read((piece) => feed(state, piece, { lines, keys, options }));
  if (state.ended) release();
}

type Editing = {
  /** Lines that a backslash has continued. */
  written: string;
  /** Ctrl-C was the last key. */
  leaving: boolean;
  ended: boolean;
};

/** The whole message when this line ends it. */
function afterLine(
  state: Editing,
  line: string,
  { lines, folded }: { readonly lines: Interface; readonly folded: FoldedTexts },
): string | undefined {
  if (line.endsWith('\\')) {
    state.written += `${line.slice(0, -1)}\n`;
    lines.setPrompt(CONTINUED);
  } else if (`${state.written}${line}`.trim() !== '') {
    return folded.unfold(`${state.written}${line}`);
  }
  lines.prompt();
  return undefined;
}

function clearLine(state: Editing, lines: Interface, { output, prompt }: LineEditorOptions): void {
  state.leaving = true;
  state.written = '';
  lines.write(null, { ctrl: true, name: 'e' });
  lines.write(null, { ctrl: true, name: 'u' });
  output.write('\nPress Ctrl-C again to leave.\n');
  lines.setPrompt(prompt);
  lines.prompt();
}

type Feeding = { readonly lines: Interface; readonly keys: KeyStream; readonly options: LineEditorOptions };

function feed(state: Editing, piece: KeyPiece, { lines, keys, options }: Feeding): void {
  if (piece.type === 'paste') {
    state.leaving = false;
    lines.write(options.folded.fold(piece.text));
    return;
  }
  const parts = piece.text.split(endOfLineOrInterrupt);
  while (!state.ended && parts.length > 0) {
    const part = parts.shift() ?? '';
    if (part !== CTRL_C) state.leaving = false;
    keys.send(part);
  }
  if (state.ended) options.keyboard.putBack(parts.map((text) => ({ type: 'keys', text })));
}

/** Splits behind an Enter, and around Ctrl-C. */
const endOfLineOrInterrupt = /(?<=\r\n|\r(?!\n)|\n|\u0003)|(?=\u0003)/;

const CONTINUED = '… ';

export type KeyStream = { readonly stream: NodeJS.ReadableStream; readonly send: (text: string) => void };

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
