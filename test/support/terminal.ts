import { constants, openSync } from 'node:fs';
import { ReadStream, WriteStream } from 'node:tty';
import { stripVTControlCharacters } from 'node:util';
import { type IPty, spawn } from '@lydell/node-pty';
import xterm from '@xterm/headless';
import { PATIENCE_MS } from './until.ts';

/** The end of a question that waits for a key. */
export const ASKED = /y \/ n(?: \/ [a-z])*, or arrow keys/;

/** A person at a pseudo terminal: waits until something stands on the screen, then types. Never sleeps. */
export type Terminal = {
  /** Keys as a keyboard sends them: Enter is \r, Ctrl-C \x03, Up \x1b[A. */
  readonly send: (keys: string) => void;
  /** Pastes as a terminal does it. */
  readonly paste: (text: string) => void;
  /**
   * Resolves with what was printed, control sequences left out, from the last match up to and including `wanted`.
   * Rejects with the whole screen when it does not come.
   */
  readonly waitFor: (wanted: string | RegExp) => Promise<string>;
  /** Resolves when all that was printed so far, control sequences included, satisfies `holds`. */
  readonly waitForRaw: (holds: (raw: string) => boolean) => Promise<string>;
  readonly text: () => string;
  /** Resolves with the rows of the window, as an emulator shows them, when `wanted` is on them. Rejects with the rows when it does not come. */
  readonly waitForScreen: (wanted: string | RegExp | ((rows: readonly string[]) => boolean)) => Promise<readonly string[]>;
  /** All rows, those that were scrolled away too, as the emulator has them after the last `waitForScreen`. */
  readonly rows: () => readonly string[];
  readonly resize: (columns: number, rows: number) => void;
};

export type TerminalOptions = { readonly columns?: number; readonly rows?: number; readonly patienceMs?: number };

export type SpawnedTerminal = Terminal & {
  readonly pid: number;
  readonly exit: Promise<{ readonly exitCode: number; readonly signal?: number | undefined }>;
  readonly kill: (signal?: NodeJS.Signals) => void;
};

/** Runs a program in a pseudo terminal. `env` is all of its environment. */
export function spawnInTerminal(
  file: string,
  args: readonly string[],
  options: TerminalOptions & { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): SpawnedTerminal {
  const { columns: cols = 100, rows = 30, cwd, env } = options;
  const pty = spawn(file, [...args], { name: env.TERM ?? 'xterm-256color', cols, rows, cwd, env: { TERM: 'xterm-256color', ...env } });
  const { seeMark: _, ...terminal } = watch(pty, options);
  return {
    ...terminal,
    pid: pty.pid,
    exit: new Promise((resolve) => pty.onExit(resolve)),
    kill: (signal) => pty.kill(signal),
  };
}

export type OpenedTerminal = Terminal & {
  /** The program's side, for code under test that runs in this process. */
  readonly input: ReadStream;
  readonly output: WriteStream;
  /** Resolves when all that was written to `output` has come: the system passes it on when it gets to it. */
  readonly allCame: () => Promise<void>;
  readonly close: () => void;
};

/** A pseudo terminal whose other end is here: real raw mode, real key codes, no program to start. */
export async function openTerminal(options: TerminalOptions = {}): Promise<OpenedTerminal> {
  const { columns: cols = 100, rows = 30 } = options;
  // The child only holds the terminal open, and tells its name.
  const pty = spawn('sh', ['-c', 'stty -echo; tty; exec sleep 3600'], { cols, rows, env: { PATH: process.env.PATH ?? '' } });
  const { seeMark, ...terminal } = watch(pty, options);
  const path = /\/dev\/\S+/.exec(await terminal.waitFor(/\/dev\/\S+\r?\n/))?.[0];
  if (path === undefined) throw new Error('The terminal has no name');
  const side = (): number => openSync(path, constants.O_RDWR | constants.O_NOCTTY);
  const input = new ReadStream(side());
  // As process.stdout has it: Node's legacy pipes, which the library of prompts uses, end every other stream with the first question.
  const output = Object.assign(new WriteStream(side()), { _isStdio: true });
  return {
    ...terminal,
    input,
    output,
    allCame: async () => {
      if (output.destroyed) return;
      const seen = seeMark();
      output.write(MARK);
      await Promise.race([seen, new Promise((resolve) => output.once('close', resolve))]);
    },
    close: () => {
      input.destroy();
      output.destroy();
      pty.kill('SIGKILL');
    },
  };
}

/** No terminal shows it, and no program writes it. */
const MARK = '\u001b]777;end of what was written\u0007';

type Emulator = {
  readonly write: (chunk: string) => void;
  readonly resize: (columns: number, rows: number) => void;
  readonly rows: (all: boolean) => readonly string[];
};

/** A terminal that draws in memory. `onDrawn` is called when a chunk has been obeyed. */
function createEmulator(
  { columns = 100, rows = 30 }: TerminalOptions,
  { onDrawn, onAnswer }: { readonly onDrawn: () => void; readonly onAnswer: (text: string) => void },
): Emulator {
  const emulator = new xterm.Terminal({ cols: columns, rows, scrollback: 50_000, allowProposedApi: true });
  emulator.onData(onAnswer);
  return {
    write: (chunk) => emulator.write(chunk, onDrawn),
    resize: (width, height) => emulator.resize(width, height),
    rows: (all) => {
      const { active } = emulator.buffer;
      const from = all ? 0 : active.baseY;
      return Array.from({ length: active.length - from }, (_, at) => active.getLine(from + at)?.translateToString(true) ?? '');
    },
  };
}

type Watched = Terminal & {
  /** Resolves when the mark has come, which is then taken out of what was printed. */
  readonly seeMark: () => Promise<void>;
};

function watch(pty: IPty, options: TerminalOptions): Watched {
  const { patienceMs = PATIENCE_MS } = options;
  let raw = '';
  let seen = 0;
  const waiting = new Set<() => void>();
  // Made for the first test that looks at the screen; until then it is only noted what it would be told.
  let emulator: Emulator | undefined;
  const toEmulate: ((emulator: Emulator) => void)[] = [];
  const emulate = (step: (emulator: Emulator) => void): void => {
    if (emulator === undefined) toEmulate.push(step);
    else step(emulator);
  };
  const emulated = (): Emulator => {
    emulator ??= createEmulator(options, {
      onDrawn: () => {
        for (const look of [...waiting]) look();
      },
      onAnswer: pty.write.bind(pty),
    });
    for (const step of toEmulate.splice(0)) step(emulator);
    return emulator;
  };
  pty.onData((chunk) => {
    raw += chunk;
    emulate(({ write }) => write(chunk));
    for (const look of [...waiting]) look();
  });
  const text = (): string => stripVTControlCharacters(raw);

  /** Resolves with what `find` finds, now or after some later output. */
  const waitUntil = (wanted: unknown, find: () => string | undefined): Promise<string> =>
    new Promise((resolve, reject) => {
      const giveUp = setTimeout(() => {
        waiting.delete(look);
        reject(new Error(`${wanted} did not come. The screen:\n${text()}\n--- since the last match:\n${text().slice(seen)}`));
      }, patienceMs);
      const look = (): void => {
        const found = find();
        if (found === undefined) return;
        clearTimeout(giveUp);
        waiting.delete(look);
        resolve(found);
      };
      waiting.add(look);
      look();
    });

  return {
    seeMark: async () => {
      await waitUntil('the end of what was written', () => (raw.includes(MARK) ? raw : undefined));
      raw = raw.replaceAll(MARK, '');
    },
    send: (keys) => pty.write(keys),
    paste: (pasted) => pty.write(`\u001b[200~${pasted}\u001b[201~`),
    text,
    resize: (columns, rows) => {
      emulate((each) => each.resize(columns, rows));
      pty.resize(columns, rows);
    },
    rows: () => emulated().rows(true),
    waitForScreen: async (wanted) => {
      const { rows } = emulated();
      const holds = typeof wanted === 'function' ? wanted : (shown: readonly string[]) => endOf(shown.join('\n'), wanted) !== undefined;
      await waitUntil(wanted, () => (holds(rows(false)) ? raw : undefined)).catch(() => {
        throw new Error(`${wanted} did not come. The screen:\n${rows(false).join('\n')}`);
      });
      return rows(false);
    },
    waitForRaw: (holds) => waitUntil(holds, () => (holds(raw) ? raw : undefined)),
    waitFor: (wanted) =>
      waitUntil(wanted, () => {
        const fresh = text().slice(seen);
        const end = endOf(fresh, wanted);
        if (end === undefined) return undefined;
        seen += end;
        return fresh.slice(0, end);
      }),
  };
}

function endOf(text: string, wanted: string | RegExp): number | undefined {
  if (typeof wanted === 'string') {
    const at = text.indexOf(wanted);
    return at < 0 ? undefined : at + wanted.length;
  }
  const match = wanted.exec(text);
  return match === null ? undefined : match.index + match[0].length;
}
