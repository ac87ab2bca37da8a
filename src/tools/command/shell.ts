import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import type { NewId } from '../../agent/ports.ts';
import { createKeptOutput, type Output } from './kept-output.ts';
import { endGroup } from './process-group.ts';
import { scrubbedEnv } from './scrub-env.ts';

export type ShellWorld = {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: string;
  readonly shell: string;
  readonly newId: NewId;
  readonly kill: (pid: number, signal: 'SIGTERM' | 'SIGKILL' | 0) => unknown;
};

export type Ended = {
  readonly how:
    | { readonly kind: 'exited'; readonly code: number }
    | { readonly kind: 'killed'; readonly signal: string }
    | { readonly kind: 'timed_out' }
    | { readonly kind: 'aborted' }
    | { readonly kind: 'not_started'; readonly why: string };
  readonly output: Output;
  /** Something the command left running still holds its output open. */
  readonly background: boolean;
};

type Options = { readonly world: ShellWorld; readonly signal: AbortSignal; readonly timeoutMs: number };
type How = Ended['how'];

/**
 * Runs a command line in a process group and a session of its own, so that all of it can be ended and no terminal is in
 * reach. Both outputs go through one pipe, in the order they were written. Resolves when the command has ended, or when it
 * was stopped and nothing of it is left. Never rejects.
 */
export async function runShell(command: string, { world, signal, timeoutMs }: Options): Promise<Ended> {
  const output = createKeptOutput();
  const mark = ['RUN_COMMAND_ID', world.newId()] as const;
  const child = start(command, world, mark);
  const exited = exitOf(child);
  const { stdout, stderr, pid } = child;
  if (!stdout || pid === undefined) return { how: await exited, output: output.result(), background: false };
  stdout.on('data', output.take);
  stderr?.on('data', output.take); // only what the outer shell says when there is no inner one
  const closed = new Promise<'closed'>((resolve) => stdout.once('close', () => resolve('closed')));
  const stopper = stopOn(signal, timeoutMs);
  const first = await Promise.race([exited, stopper.stopped]);
  stopper.dispose();
  if ('stop' in first) {
    await endGroup({ pid, mark: mark.join('='), kill: world.kill, platform: world.platform });
    await within(DRAIN_MS, closed);
    stdout.destroy();
    return { how: { kind: first.stop }, output: output.result(), background: false };
  }
  const background = first.kind !== 'not_started' && (await within(DRAIN_MS, closed)) === undefined;
  const kept = output.result();
  if (background) letGo(child, stdout);
  return { how: first, output: kept, background };
}

/** What the pipe still holds when the shell has ended comes within this time; after it only somebody else keeps it open. */
const DRAIN_MS = 300;

/** The inner shell is told where its two outputs go before it sees the command, whatever the command is. */
function start(command: string, world: ShellWorld, [name, value]: readonly [string, string]): ChildProcess {
  const env = { ...scrubbedEnv(world.env), [name]: value };
  const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe'];
  const args = ['-c', 'exec "$0" -c -- "$1" 2>&1', world.shell, command];
  return spawn('/bin/sh', args, { cwd: world.cwd, env, stdio, detached: true });
}

export function exitOf(child: ChildProcess): Promise<How> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ kind: 'not_started', why: error.message }));
    child.once('exit', (code, signal) => resolve(signal === null ? { kind: 'exited', code: code ?? 0 } : { kind: 'killed', signal }));
  });
}

type Stopper = { readonly stopped: Promise<{ readonly stop: 'timed_out' | 'aborted' }>; readonly dispose: () => void };

export function stopOn(signal: AbortSignal, timeoutMs: number): Stopper {
  let dispose = () => {};
  const stopped = new Promise<{ readonly stop: 'timed_out' | 'aborted' }>((resolve) => {
    const abort = () => resolve({ stop: 'aborted' });
    const timer = setTimeout(() => resolve({ stop: 'timed_out' }), timeoutMs);
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    dispose = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    };
  });
  return { stopped, dispose };
}

/** The value, or undefined when it does not come in time. */
export async function within<T>(ms: number, coming: Promise<T>): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  try {
    return await Promise.race([coming, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Whoever still writes into the pipe must not die of it, and SanBot must not wait for them. */
function letGo(child: ChildProcess, stdout: Readable): void {
  stdout.removeAllListeners('data');
  stdout.resume();
  if ('unref' in stdout && typeof stdout.unref === 'function') stdout.unref();
  child.unref();
}
