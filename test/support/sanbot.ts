import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { root } from './source.ts';

/** The real binary in a world of its own: an empty home, an empty working folder, no key, no colour, no variable of the person who tests. */
export type Sandbox = {
  readonly home: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly run: (args: readonly string[], more?: RunWish) => Promise<Ran>;
  /** A file of the home, by its path in it. */
  readonly read: (path: string) => string;
  /** The lines of a JSONL file of the home, parsed. */
  readonly records: (path: string) => readonly Record<string, unknown>[];
  /** Names in a folder of the home; none when it is not there. */
  readonly names: (path: string) => readonly string[];
};

export type RunWish = {
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** What node runs instead of the binary: a driver of the crash tests. */
  readonly program?: string;
  /** Options of node itself, before the program. */
  readonly node?: readonly string[];
};
export type Ran = { readonly code: number | null; readonly signal: NodeJS.Signals | null; readonly out: string; readonly err: string };

const made: string[] = [];
afterAll(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
});

export function createSandbox(env: Readonly<Record<string, string>> = {}): Sandbox {
  const base = mkdtempSync(join(tmpdir(), 'sanbot-test-'));
  made.push(base);
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
    ...env,
  };
  return {
    home,
    cwd,
    env: clean,
    run: (args, more = {}) => run(args, { ...more, cwd: more.cwd ?? cwd, env: { ...clean, ...more.env } }),
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

export const binary = join(root, 'bin', 'sanbot.js');

function run(
  args: readonly string[],
  { stdin = '', env, cwd, node = [], program = binary }: RunWish & { readonly env: Record<string, string>; readonly cwd: string },
): Promise<Ran> {
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
