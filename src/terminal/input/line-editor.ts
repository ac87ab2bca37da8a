import { createInterface, type Interface } from 'node:readline';
import { PassThrough } from 'node:stream';
import type { Keyboard } from './keyboard.ts';
import { CTRL_C, type KeyEvent } from './keys.ts';
import type { TextPlaceholders } from './text-placeholders.ts';

export type LineResult =
  | { readonly kind: 'message'; readonly text: string }
  /** Ctrl-D, or Ctrl-C twice. */
  | { readonly kind: 'leave' };

export type Complete = (beforeCursor: string) => Promise<readonly [candidates: string[], replaced: string]>;

export type LineEditorOptions = {
  readonly keyboard: Keyboard;
  readonly output: NodeJS.WritableStream;
  readonly prompt: string;
  readonly placeholders: TextPlaceholders;
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
export function readMessage(options: LineEditorOptions): Promise<LineResult> {
  if (options.signal.aborted) return Promise.resolve({ kind: 'leave' });
  return new Promise((resolve) => editLine(options, resolve));
}

function editLine(options: LineEditorOptions, resolve: (result: LineResult) => void): void {
  const { keyboard, output, placeholders, signal } = options;
  const state: EditorState = { previousLines: '', exitArmed: false, isDone: false };
  // The prompt's own end must not switch raw keys off, being suspended with Ctrl-Z must.
  const keys = createKeyStream((raw) => {
    if (!state.isDone) keyboard.setRaw(raw);
  });
  const lines = createInterface({
    input: keys.stream,
    output,
    terminal: true,
    prompt: options.prompt,
    history: options.history.map(placeholders.collapse),
    historySize: 1_000,
    removeHistoryDuplicates: true,
    escapeCodeTimeout: 50,
    completer: completerFor(options.complete),
  });

  let release = (): void => undefined;
  const end = (result: LineResult): void => {
    if (state.isDone) return;
    state.isDone = true;
    release();
    signal.removeEventListener('abort', exit);
    lines.close();
    resolve(result);
  };
  const exit = (): void => end({ kind: 'leave' });

  lines.on('line', (line) => {
    const text = finishLine(state, line, { lines, placeholders });
    if (text !== undefined) end({ kind: 'message', text });
  });
  lines.on('SIGINT', () => (state.exitArmed ? exit() : clearLine(state, lines, options)));
  lines.on('close', exit);
  signal.addEventListener('abort', exit);
  lines.prompt();
  if (options.prefill !== '') lines.write(placeholders.collapse(options.prefill));
  release = keyboard.read((event) => feed(state, event, { lines, keys, options }));
  if (state.isDone) release();
}

type EditorState = {
  /** Lines that a backslash has continued. */
  previousLines: string;
  /** Ctrl-C was the last key. */
  exitArmed: boolean;
  isDone: boolean;
};

/** The whole message when this line ends it. */
function finishLine(
  state: EditorState,
  line: string,
  { lines, placeholders }: { readonly lines: Interface; readonly placeholders: TextPlaceholders },
): string | undefined {
  if (line.endsWith('\\')) {
    state.previousLines += `${line.slice(0, -1)}\n`;
    lines.setPrompt(CONTINUATION_PROMPT);
  } else if (`${state.previousLines}${line}`.trim() !== '') {
    return placeholders.expand(`${state.previousLines}${line}`);
  }
  lines.prompt();
  return undefined;
}

function clearLine(state: EditorState, lines: Interface, { output, prompt }: LineEditorOptions): void {
  state.exitArmed = true;
  state.previousLines = '';
  lines.write(null, { ctrl: true, name: 'e' });
  lines.write(null, { ctrl: true, name: 'u' });
  output.write('\nPress Ctrl-C again to exit.\n');
  lines.setPrompt(prompt);
  lines.prompt();
}

type FeedContext = { readonly lines: Interface; readonly keys: KeyStream; readonly options: LineEditorOptions };

function feed(state: EditorState, event: KeyEvent, { lines, keys, options }: FeedContext): void {
  if (event.type === 'paste') {
    state.exitArmed = false;
    lines.write(options.placeholders.collapse(event.text));
    return;
  }
  const parts = event.text.split(endOfLineOrInterrupt);
  while (!state.isDone && parts.length > 0) {
    const part = parts.shift() ?? '';
    if (part !== CTRL_C) state.exitArmed = false;
    keys.send(part);
  }
  if (state.isDone) options.keyboard.putBack(parts.map((text) => ({ type: 'keys', text })));
}

/** Splits behind an Enter, and around Ctrl-C. */
const endOfLineOrInterrupt = /(?<=\r\n|\r(?!\n)|\n|\u0003)|(?=\u0003)/;

const CONTINUATION_PROMPT = '… ';

export type KeyStream = { readonly stream: NodeJS.ReadableStream; readonly send: (text: string) => void };

/**
 * A stream that a line reader takes for a terminal's input. Keys are handed over at once and one after the other, so that what follows an
 * Enter can still go elsewhere.
 */
export function createKeyStream(onRaw: (raw: boolean) => void): {
  readonly stream: NodeJS.ReadableStream;
  readonly send: (text: string) => void;
} {
  const stream = Object.assign(new PassThrough(), { setRawMode: onRaw });
  return {
    stream,
    send: (text) => {
      stream.emit('data', normalizeLineEnds(text));
    },
  };
}

/** Newer versions of Node end a line at these characters too; typed or pasted, they are blanks. */
const normalizeLineEnds = (text: string): string => text.replace(/[\u2028\u2029]/g, ' ').replace('\r\n', '\r');

type Completer = (line: string, callback: (error: null, result: [string[], string]) => void) => void;

/** Two parameters tell the line reader that the answer comes later. A failed completion completes nothing. */
function completerFor(complete: Complete): Completer {
  return (line, callback) => {
    complete(line).then(
      ([candidates, replacedText]) => callback(null, [candidates, replacedText]),
      () => callback(null, [[], line]),
    );
  };
}
