/**
 * Runs command lines: those of the model, and the hooks of the user. Each runs in a process group and a session of its own, without input
 * and without a terminal, so that all that it started can be ended and nothing can ask behind the program's back.
 *
 * A command, a time limit and a signal come in; how it ended and what it printed come out, the head and the tail of it where it was much.
 * Nothing of a command that was stopped is left running; what it left in the background on its own is reported.
 *
 * Credentials, and variables that make a shell or a loader run something by itself, are kept from it. This is no sandbox: what the
 * command does to files and the network, nobody holds back here.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { NewId } from '../../agent/ports/effects.ts';
import type { EnvironmentRules } from '../../domain/config/command-environment.ts';
import { shellArgs } from './find-shell.ts';
import { withoutTerminal } from './output/no-terminal.ts';
import { type CommandOutput, createOutputBuffer, redactOutput } from './output-buffer.ts';
import { processGuard } from './processes/guard.ts';
import { type CommandLimits, type OverLimit, overLimits, watchLimits } from './processes/limits.ts';
import { endGroup, isSuspended, killGroup, type ProcessGroup } from './processes/process-group.ts';
import type { SandboxRun } from './sandbox/sandbox.ts';
import { scrubEnv } from './scrub-env.ts';

export type ShellContext = Pick<ProcessGroup, 'kill' | 'platform'> & {
  /** The working folder, absolute. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Which variables of `env` commands get, beyond what is decided for them. */
  readonly environmentRules: EnvironmentRules;
  /** A bash where there is one, by its path; it must understand `-c`. */
  readonly shell: string;
  /** Keys and passwords are masked as they are printed, so that none is halved where a long output is cut. */
  readonly redactSecrets: boolean;
  readonly limits: CommandLimits;
  readonly newId: NewId;
};

export type ShellResult = {
  readonly end:
    | { readonly kind: 'exited'; readonly code: number }
    | { readonly kind: 'killed'; readonly signal: string }
    | { readonly kind: 'timed_out' }
    /** It suspended itself, as a program does that waits for a terminal. */
    | { readonly kind: 'suspended' }
    | { readonly kind: 'aborted' }
    /** It took more of the machine than it may. */
    | { readonly kind: OverLimit }
    | { readonly kind: 'not_started'; readonly why: string };
  readonly output: CommandOutput;
  /** True when something that the command left running still holds its output open. */
  readonly background: boolean;
};

/** A command while it runs. */
export type RunningShell = {
  readonly pid: number;
  readonly mark: string;
  /** The end of what it has printed, without keys and passwords. */
  readonly newest: (bytes: number) => string;
  /**
   * From now on neither the signal nor the time limit ends it: it runs as a command in the background does, and nothing that it started outlives
   * it. All that it prints goes to `take`. Returns what ends it.
   */
  readonly release: (take: (text: string) => void) => () => void;
};

type ShellOptions = {
  readonly context: ShellContext;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** Called before anything of it has been printed. */
  readonly onStart?: (running: RunningShell) => void;
  /** Wraps the shell so that it is held to its place. */
  readonly sandbox?: SandboxRun | undefined;
};
/** How a process ended that nobody stopped. */
export type ProcessEnd = Extract<ShellResult['end'], { kind: 'exited' | 'killed' | 'not_started' }>;

/**
 * Runs a command line in a process group and a session of its own, so that all of it can be ended and no terminal is within its reach. Both
 * outputs go through one pipe, in the order in which they were written. Resolves when the command has ended, or when it was stopped and
 * nothing of it is left. Never rejects.
 */
export async function runShell(command: string, options: ShellOptions): Promise<ShellResult> {
  const mark = ['RUN_COMMAND_ID', options.context.newId()] as const;
  try {
    return await runWrapped(command, options, mark);
  } finally {
    processGuard(options.context.platform).end(mark.join('='));
  }
}

type Mark = readonly [name: string, value: string];

async function runWrapped(
  command: string,
  { context, signal, timeoutMs, onStart, sandbox }: ShellOptions,
  mark: Mark,
): Promise<ShellResult> {
  const output = context.redactSecrets ? redactOutput(createOutputBuffer()) : createOutputBuffer();
  const child = spawnShell(command, context, { mark, sandbox });
  const exited = shellExit(child);
  const { stdout, pid } = child;
  if (!stdout || pid === undefined) return { end: await exited, output: output.result(), background: false };
  stdout.on('data', output.write);
  const closed = new Promise<'closed'>((resolve) => stdout.once('close', () => resolve('closed')));
  const group = { pid, mark: mark.join('='), kill: context.kill, platform: context.platform };
  const stopper = stopOn(signal, timeoutMs);
  const watch = watchForSuspension(group);
  const limits = watchLimits(group, context.limits);
  let isReleased = false;
  const release: RunningShell['release'] = (take) => {
    isReleased = true;
    for (const each of [stopper, watch]) each.dispose();
    output.passTo(take);
    return stopper.stop;
  };
  onStart?.({ pid, mark: group.mark, newest: output.newest, release });
  const outcome = await Promise.race([exited, stopper.stopped, watch.suspended, limits.over]);
  for (const each of [stopper, watch, limits]) each.dispose();
  // Whoever killed the shell or its sandbox did not mean to leave the rest of it.
  if (!('stop' in outcome) && outcome.kind === 'killed') await killGroup(group);
  if ('stop' in outcome) {
    await endStopped(group, outcome.stop);
    await withTimeout(DRAIN_MS, closed);
    stdout.destroy();
    return { end: { kind: outcome.stop }, output: output.result(), background: false };
  }
  if (isReleased) {
    await withTimeout(DRAIN_MS, closed);
    await endGroup(group);
  }
  const background = outcome.kind !== 'not_started' && (await withTimeout(DRAIN_MS, closed)) === undefined;
  const finalOutput = output.result();
  if (background) detach(child, stdout);
  return { end: outcome, output: finalOutput, background };
}

/** Ends a command that was stopped; one that takes too much of the machine gets no time to take more. */
export const endStopped = (group: ProcessGroup, why: 'timed_out' | 'aborted' | 'suspended' | OverLimit): Promise<void> =>
  overLimits.some((limit) => limit === why) ? killGroup(group) : endGroup(group);

/** What the pipe still contains when the shell has ended arrives within this time; after it, only another process keeps it open. */
export const DRAIN_MS = 300;

type Wrapping = { readonly mark: Mark; readonly sandbox: SandboxRun | undefined };

/**
 * Redirects both outputs before the inner shell sees the command, so that no command can affect it. It does not outlive this process, unless
 * the guard is told that it has ended.
 */
export function spawnShell(
  command: string,
  context: Pick<ShellContext, 'cwd' | 'env' | 'environmentRules' | 'shell' | 'platform'>,
  { mark: [name, value], sandbox }: Wrapping,
): ChildProcess {
  const { environmentRules } = context;
  const env = { ...withoutTerminal(scrubEnv(context.env, environmentRules).env, environmentRules), [name]: value };
  const args = ['-c', 'exec "$0" "$@" 2>&1', context.shell, ...shellArgs(context.shell), command];
  const [program, ...all] = [...(sandbox === undefined ? [] : [sandbox.program, ...sandbox.args]), '/bin/sh', ...args];
  const guard = processGuard(context.platform);
  guard.begin(`${name}=${value}`);
  const child = spawn(program ?? '/bin/sh', all, { cwd: context.cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  if (child.pid !== undefined) guard.group(`${name}=${value}`, child.pid);
  for (const output of [child.stdout, child.stderr]) endAnswers(output);
  return child;
}

/** The pipes of Node go both ways: an editor without a terminal reads keys from where it writes, and would wait for them. */
function endAnswers(output: Readable | null): void {
  if (!(output instanceof Socket)) return;
  output.on('error', () => undefined);
  output.end();
}

export function exitOf(child: ChildProcess): Promise<ProcessEnd> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ kind: 'not_started', why: error.message }));
    child.once('exit', (code, signal) => resolve(signal === null ? { kind: 'exited', code: code ?? 0 } : { kind: 'killed', signal }));
  });
}

/** The same of a shell that was spawned: the inner one writes nothing to the error output, so what stands there says why there is none. */
export async function shellExit(child: ChildProcess): Promise<ProcessEnd> {
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    said = `${said}${chunk.toString('utf8')}`.slice(0, 1_000);
  });
  const told = new Promise<void>((resolve) => child.stderr?.once('close', () => resolve()));
  const end = await exitOf(child);
  if (end.kind !== 'exited' || end.code === 0) return end;
  await withTimeout(DRAIN_MS, told);
  return said === '' ? end : { kind: 'not_started', why: said.trim() };
}

const SUSPENSION_POLL_MS = 2_000;

/** Looks now and then whether all of a command is suspended: nothing would ever wake it. */
function watchForSuspension(group: ProcessGroup) {
  let dispose = () => {};
  const suspended = new Promise<{ readonly stop: 'suspended' }>((resolve) => {
    const timer = setInterval(() => {
      void isSuspended(group).then((is) => is && resolve({ stop: 'suspended' }));
    }, SUSPENSION_POLL_MS);
    dispose = () => clearInterval(timer);
  });
  return { suspended, dispose };
}

export function stopOn(signal: AbortSignal, timeoutMs: number) {
  let dispose = () => {};
  let stop = () => {};
  const stopped = new Promise<{ readonly stop: 'timed_out' | 'aborted' }>((resolve) => {
    const abort = () => resolve({ stop: 'aborted' });
    stop = abort;
    const timer = setTimeout(() => resolve({ stop: 'timed_out' }), timeoutMs);
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    dispose = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    };
  });
  return { stopped, stop, dispose };
}

/** Returns the value, or undefined when it does not arrive in time. */
export async function withTimeout<T>(ms: number, promise: Promise<T>): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** A process that still writes into the pipe must not be killed by it, and SanBot must not wait for it. */
function detach(child: ChildProcess, stdout: Readable): void {
  stdout.removeAllListeners('data');
  stdout.resume();
  if ('unref' in stdout && typeof stdout.unref === 'function') stdout.unref();
  child.unref();
}
