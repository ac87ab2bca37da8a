import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { orUndefined } from '../../src/domain/value/or-undefined.ts';
import { afterThisFile, afterThisTest } from './clean-up.ts';
import { runInProcess } from './in-process.ts';
import { InputPipe, OutputPipe } from './pipes.ts';
import { root } from './source.ts';
import { openTerminal, spawnInTerminal, type Terminal } from './terminal.ts';

/** The program in a world of its own: an empty home, an empty working folder, no key, no colour, no variable of the person who tests. */
export type Sandbox = {
  readonly home: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Runs a command line in this process, which test/contract/in-process.test.ts holds to the real binary; with SANBOT_TEST_BUNDLE by that. */
  readonly run: (args: readonly string[], more?: RunOptions) => Promise<Ran>;
  /** The same by the real binary, for what only a process of its own can show. */
  readonly runBinary: (args: readonly string[], more?: BinaryOptions) => Promise<Ran>;
  /** The same at a pseudo terminal. Signals and editors need the real binary there: see spawnInTerminal. */
  readonly runAtTerminal: (args: readonly string[], more?: TerminalRunOptions) => Promise<RunningAtTerminal>;
  /** A file of the home, by its path in it. */
  readonly read: (path: string) => string;
  /** The lines of a JSONL file of the home, parsed. */
  readonly records: (path: string) => readonly Record<string, unknown>[];
  /** Names in a folder of the home; none when it is not there. */
  readonly names: (path: string) => readonly string[];
};

export type RunOptions = {
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
};
export type TerminalRunOptions = Pick<RunOptions, 'env'> & { readonly columns?: number; readonly rows?: number };
export type RunningAtTerminal = Terminal & { readonly exit: Promise<{ readonly exitCode: number }> };
export type BinaryOptions = RunOptions & {
  /** What node runs instead of the binary: a driver of the crash tests. */
  readonly program?: string;
  /** Options of node itself, before the program. */
  readonly node?: readonly string[];
};
export type Ran = { readonly code: number | null; readonly signal: NodeJS.Signals | null; readonly out: string; readonly err: string };

export function createSandbox(env: Readonly<Record<string, string>> = {}): Sandbox {
  const base = mkdtempSync(join(tmpdir(), 'sanbot-test-'));
  afterThisFile(() => rmSync(base, { recursive: true, force: true }));
  const home = join(base, 'home', '.sanbot');
  const cwd = join(base, 'project');
  mkdirSync(join(base, 'home'));
  mkdirSync(cwd);
  const clean = {
    PATH: process.env.PATH ?? '',
    HOME: join(base, 'home'),
    TMPDIR: tmpdir(),
    NO_COLOR: '1',
    TERM: 'xterm',
    LANG: 'C.UTF-8',
    // A first start asks which model to work with, but not where this is set.
    CI: '1',
    // The same on every machine; tests of the sandbox choose it.
    SANBOT_SANDBOX: 'off',
    ...env,
  };
  const withModel = (more: RunOptions['env'] = {}) => offlineUnlessSet({ ...clean, ...more }, home);
  return {
    home,
    cwd,
    env: clean,
    run: (args, more = {}) => (isOnBundle ? runProcess : runHere)(args, { ...more, cwd: more.cwd ?? cwd, env: withModel(more.env) }),
    runBinary: (args, more = {}) => runProcess(args, { ...more, cwd: more.cwd ?? cwd, env: withModel(more.env) }),
    runAtTerminal: (args, { env: more, ...size } = {}) => runAtTerminal(args, { ...size, cwd, env: withModel(more) }),
    read: (path) => readFileSync(join(home, path), 'utf8'),
    records: (path) =>
      readFileSync(join(home, path), 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line)),
    names: (path) => {
      try {
        return readdirSync(join(home, path)).sort();
      } catch {
        return [];
      }
    },
  };
}

/** Nothing answers where no model is set up: a test that names none means the offline one. SANBOT_PROVIDER: '' stands for none at all. */
function offlineUnlessSet(env: Readonly<Record<string, string>>, home: string): Readonly<Record<string, string>> {
  const isSet = Object.keys(env).some((name) => /^(?:ANTHROPIC|OPENAI)_|^SANBOT_PROVIDER$/.test(name));
  const settings = orUndefined(() => readFileSync(join(home, 'config.json'), 'utf8')) ?? '';
  return isSet || /"(?:provider|apiKey|baseUrl|endpoints)"/.test(settings) ? env : { ...env, SANBOT_PROVIDER: 'offline' };
}

export const binary = join(root, 'bin', 'sanbot.js');
/** Runs a driver of the crash tests, which its first argument names. */
export const driver = join(root, 'test', 'crash', 'drive.cjs');

/** Set by `npm run test:e2e`: every command line runs from the bundle, in a process of its own. */
const isOnBundle = process.env.SANBOT_TEST_BUNDLE !== undefined;

type Where = { readonly env: Readonly<Record<string, string>>; readonly cwd: string };

async function runHere(args: readonly string[], { stdin = '', env, cwd }: RunOptions & Where): Promise<Ran> {
  const [out, err] = [new OutputPipe(), new OutputPipe()];
  const code = await runInProcess(args, { env, cwd, stdin: new InputPipe(stdin), stdout: out, stderr: err });
  return { code, signal: null, out: out.text, err: err.text };
}

/** The terminal goes away with the test, also where the program has not been left. */
async function runAtTerminal(
  args: readonly string[],
  { columns = 100, rows = 30, ...where }: Where & Omit<TerminalRunOptions, 'env'>,
): Promise<RunningAtTerminal> {
  if (isOnBundle) {
    const terminal = spawnInTerminal(process.execPath, [binary, ...args], { ...where, columns, rows });
    afterThisTest(() => terminal.kill('SIGKILL'));
    return { ...terminal, exit: terminal.exit.then(({ exitCode }) => ({ exitCode })) };
  }
  // Compiled for the first of them, which a busy machine may take longer for than anybody waits at a terminal.
  await import('../../src/commands/chat/interactive.ts');
  const { input, output, allCame, close, ...terminal } = await openTerminal({ columns, rows });
  afterThisTest(close);
  const ran = runInProcess(args, { ...where, stdin: input, stdout: output, stderr: output });
  return { ...terminal, exit: ran.then((exitCode) => allCame().then(() => ({ exitCode }))) };
}

function runProcess(args: readonly string[], { stdin = '', env, cwd, node = [], program = binary }: BinaryOptions & Where): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...node, program, ...args], { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on('data', (piece: Buffer) => out.push(piece));
    child.stderr.on('data', (piece: Buffer) => err.push(piece));
    child.stdin.on('error', () => undefined);
    child.stdin.end(stdin);
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, out: Buffer.concat(out).toString(), err: Buffer.concat(err).toString() }));
  });
}
