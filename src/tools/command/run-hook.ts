import { spawn } from 'node:child_process';
import type { HookRun } from '../../domain/hook.ts';
import { endGroup } from './process-group.ts';
import { scrubbedEnv } from './scrub-env.ts';
import { exitOf, type ShellWorld, stopOn, within } from './shell.ts';

/** More than this of an output is read and dropped: a hook that prints without end must not fill the memory. */
const MOST_BYTES = 256 * 1024;

/** What the pipes still hold when the shell has ended comes within this time; after it only somebody else keeps them open. */
const DRAIN_MS = 300;

export type HookOrder = {
  readonly world: Omit<ShellWorld, 'shell'>;
  /** Given to the command on stdin, as one JSON text. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
};

/**
 * Runs one command of the user's in a shell and a process group of its own, with the environment that run_command gives, too. A string
 * is why it did not run to its end; nothing of it is left then. Resolves `aborted` when the signal did it. Never rejects.
 */
export async function runHook(command: string, { world, input, timeoutMs, signal }: HookOrder): Promise<HookRun | string | 'aborted'> {
  const [name, value] = ['SANBOT_HOOK_ID', world.newId()];
  const env = { ...scrubbedEnv(world.env), CLAUDE_PROJECT_DIR: world.cwd, [name]: value };
  const child = spawn('/bin/sh', ['-c', command], { cwd: world.cwd, env, stdio: ['pipe', 'pipe', 'pipe'], detached: true });
  const exited = exitOf(child);
  if (child.pid === undefined) return notStarted(await exited);
  const stdout = boundedText(child.stdout);
  const stderr = boundedText(child.stderr);
  // A command that does not read its input closes the pipe; that is its own affair.
  child.stdin.on('error', () => undefined);
  child.stdin.end(`${JSON.stringify(input)}\n`);
  const stopper = stopOn(signal, timeoutMs);
  const first = await Promise.race([exited, stopper.stopped]);
  stopper.dispose();
  if ('stop' in first) await endGroup({ pid: child.pid, mark: `${name}=${value}`, kill: world.kill, platform: world.platform });
  await within(DRAIN_MS, Promise.all([stdout.closed, stderr.closed]));
  for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe.destroy();
  child.unref();
  if ('stop' in first) return first.stop === 'aborted' ? 'aborted' : `it took longer than ${timeoutMs} ms and was stopped`;
  if (first.kind === 'exited') return { code: first.code, stdout: stdout.text(), stderr: stderr.text() };
  return first.kind === 'killed' ? `it was killed by ${first.signal}` : notStarted(first);
}

const notStarted = (how: Awaited<ReturnType<typeof exitOf>>): string =>
  how.kind === 'not_started' ? `it could not be started: ${how.why}` : 'it could not be started';

function boundedText(pipe: NodeJS.ReadableStream): { readonly text: () => string; readonly closed: Promise<void> } {
  const pieces: Buffer[] = [];
  let bytes = 0;
  pipe.on('data', (piece: Buffer) => {
    if (bytes < MOST_BYTES) pieces.push(piece.subarray(0, MOST_BYTES - bytes));
    bytes += piece.length;
  });
  pipe.on('error', () => undefined);
  return {
    text: () => Buffer.concat(pieces).toString('utf8'),
    closed: new Promise((resolve) => pipe.once('close', () => resolve())),
  };
}
