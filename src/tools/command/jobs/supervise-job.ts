import { existsSync, watch } from 'node:fs';
import type { Clock } from '../../../agent/ports/effects.ts';
import { orUndefined } from '../../../domain/value/or-undefined.ts';
import { redact } from '../../../domain/value/redact.ts';
import { createStreamRedactor } from '../../../domain/value/redact-stream.ts';
import { watchLimits } from '../processes/limits.ts';
import { endGroup } from '../processes/process-group.ts';
import { identityOf, type ProcessIdentity } from '../processes/process-identity.ts';
import { DRAIN_MS, endStopped, type ShellContext, shellExit, spawnShell, stopOn, withTimeout } from '../shell.ts';
import { createJobOutput } from './job-output.ts';
import { type JobEnd, type JobOrder, type JobState, writeJobState } from './job-state.ts';

type SupervisorContext = Pick<ShellContext, 'env' | 'newId' | 'kill'> & {
  readonly pid: number;
  readonly now: Clock;
  /** Aborts when the job is to be stopped. */
  readonly signal: AbortSignal;
};

/** The longest that a timer can be set for: without a limit of its own a job has this one. */
const MAX_TIMER_MS = 2_147_483_647;

/**
 * Runs a command to its end, in a process of its own, so that it outlives the SanBot that started it. What it prints goes to files as it
 * comes, without keys and passwords. When its shell has ended, nothing of it is left running. When its folder has been removed, as with its
 * session, nobody could find it any more: then it is ended.
 */
export async function superviseJob(order: JobOrder, context: SupervisorContext): Promise<void> {
  const { folder, number, command, keep, platform } = order;
  const mark = ['RUN_COMMAND_ID', context.newId()] as const;
  const own = identityOf(context.pid, platform);
  if (own === undefined) return;
  const save = saver(folder, {
    ...{ number, command: redact(command), keep, mark: mark.join('='), supervisor: own },
    startedAt: context.now().toISOString(),
  });
  // Written before the command begins: whatever is killed from here on, what runs is found by its mark.
  save(undefined, undefined, context.now);
  const child = spawnShell(command, { ...context, ...order }, { mark, sandbox: order.sandbox });
  const exited = shellExit(child);
  const { stdout, pid } = child;
  if (!stdout || pid === undefined) return save(undefined, await exited, context.now);
  const identity = identityOf(pid, platform);
  save(identity, undefined, context.now);
  const closed = new Promise<void>((resolve) => stdout.once('close', () => resolve()));
  const finish = keepOutput(stdout, order);
  const removal = watchRemoval(folder);
  const stopper = stopOn(AbortSignal.any([context.signal, removal.signal]), order.timeoutMs ?? MAX_TIMER_MS);
  const group = { pid, mark: mark.join('='), kill: context.kill, platform };
  const limits = watchLimits(group, { memoryBytes: undefined, ...order.limits });
  const outcome = await Promise.race([exited, stopper.stopped, limits.over]);
  for (const each of [stopper, limits]) each.dispose();
  if ('stop' in outcome) await endStopped(group, outcome.stop);
  else {
    await withTimeout(DRAIN_MS, closed);
    await endGroup(group);
  }
  await withTimeout(DRAIN_MS, closed);
  stdout.destroy();
  finish();
  removal.close();
  if (existsSync(folder))
    save(identity, 'stop' in outcome ? { kind: outcome.stop === 'aborted' ? 'stopped' : outcome.stop } : outcome, context.now);
}

/** Where a folder cannot be watched, its removal is not noticed. */
function watchRemoval(folder: string): { readonly signal: AbortSignal; readonly close: () => void } {
  const removal = new AbortController();
  const look = (): void => {
    if (!existsSync(folder)) removal.abort();
  };
  const watcher = orUndefined(() => watch(folder, { persistent: false }, look));
  watcher?.on('error', look);
  return { signal: removal.signal, close: () => watcher?.close() };
}

const saver =
  (folder: string, state: Omit<JobState, 'child' | 'end'>) =>
  (child: ProcessIdentity | undefined, how: JobEnd | undefined, now: Clock): void =>
    writeJobState(folder, {
      ...state,
      ...(child === undefined ? {} : { child }),
      ...(how === undefined ? {} : { end: { at: now().toISOString(), how } }),
    });

/** Returns what stores the rest. */
function keepOutput(stdout: NodeJS.ReadableStream, { folder, redactSecrets }: JobOrder): () => void {
  const writeText = createJobOutput(folder);
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const redactor = redactSecrets ? createStreamRedactor() : { push: (text: string) => text, end: () => '' };
  const write = (text: string): void => {
    if (text !== '') writeText(text);
  };
  stdout.on('data', (chunk: Buffer) => write(redactor.push(decoder.decode(chunk, { stream: true }))));
  return () => write(redactor.push(decoder.decode()) + redactor.end());
}
