import { spawn } from 'node:child_process';
import type { HookRun } from '../../domain/hook/hook-answer.ts';
import { type Bilingual, because, quotedText } from '../../domain/language.ts';
import { processGuard } from './processes/guard.ts';
import { endGroup } from './processes/process-group.ts';
import { scrubEnv } from './scrub-env.ts';
import { DRAIN_MS, exitOf, type ProcessEnd, type ShellContext, stopOn, withTimeout } from './shell.ts';

/** Output beyond this is read and dropped: a hook that prints without end must not fill the memory. */
const MAX_BYTES = 256 * 1024;

type HookOptions = {
  readonly context: Omit<ShellContext, 'shell' | 'redactSecrets' | 'limits'>;
  /** Passed to the command on stdin, as one JSON text. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
};

/**
 * Runs one of the user's commands in a shell and a process group of its own, with the same environment as run_command. Resolves with a
 * text that says why when the command did not run to its end; nothing of it is left then. Resolves with `aborted` when the signal stopped
 * it. Never rejects.
 */
export async function runHook(command: string, options: HookOptions): Promise<HookRun | Bilingual | 'aborted'> {
  const mark = ['SANBOT_HOOK_ID', options.context.newId()] as const;
  const guard = processGuard(options.context.platform);
  guard.begin(mark.join('='));
  try {
    return await runMarked(command, options, mark);
  } finally {
    guard.end(mark.join('='));
  }
}

async function runMarked(
  command: string,
  { context, input, timeoutMs, signal }: HookOptions,
  [name, value]: readonly [string, string],
): Promise<HookRun | Bilingual | 'aborted'> {
  const env = { ...scrubEnv(context.env, context.environmentRules).env, CLAUDE_PROJECT_DIR: context.cwd, [name]: value };
  const child = spawn('/bin/sh', ['-c', command], { cwd: context.cwd, env, stdio: ['pipe', 'pipe', 'pipe'], detached: true });
  const exited = exitOf(child);
  if (child.pid === undefined) return notStarted(await exited);
  processGuard(context.platform).group(`${name}=${value}`, child.pid);
  const stdout = boundedText(child.stdout);
  const stderr = boundedText(child.stderr);
  // A command that does not read its input closes the pipe, which is no failure.
  child.stdin.on('error', () => undefined);
  child.stdin.end(`${JSON.stringify(input)}\n`);
  const stopper = stopOn(signal, timeoutMs);
  const outcome = await Promise.race([exited, stopper.stopped]);
  stopper.dispose();
  if ('stop' in outcome) await endGroup({ pid: child.pid, mark: `${name}=${value}`, kill: context.kill, platform: context.platform });
  await withTimeout(DRAIN_MS, Promise.all([stdout.closed, stderr.closed]));
  for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe.destroy();
  child.unref();
  if ('stop' in outcome)
    return outcome.stop === 'aborted'
      ? 'aborted'
      : { en: `it took longer than ${timeoutMs} ms and was stopped`, zh: `超过 ${timeoutMs} 毫秒，已停止` };
  if (outcome.kind === 'exited') return { code: outcome.code, stdout: stdout.text(), stderr: stderr.text() };
  return outcome.kind === 'killed' ? { en: `it was killed by ${outcome.signal}`, zh: `被 ${outcome.signal} 终止` } : notStarted(outcome);
}

const notStarted = (end: ProcessEnd): Bilingual =>
  because({ en: 'it could not be started', zh: '无法启动' }, quotedText(end.kind === 'not_started' ? end.why : end.kind));

function boundedText(pipe: NodeJS.ReadableStream) {
  const chunks: Buffer[] = [];
  let bytes = 0;
  pipe.on('data', (chunk: Buffer) => {
    if (bytes < MAX_BYTES) chunks.push(chunk.subarray(0, MAX_BYTES - bytes));
    bytes += chunk.length;
  });
  pipe.on('error', () => undefined);
  return {
    text: () => Buffer.concat(chunks).toString('utf8'),
    closed: new Promise<void>((resolve) => pipe.once('close', () => resolve())),
  };
}
