/**
 * Commands in the background. Each is run by a supervisor, a process of its own that outlives SanBot: it keeps what the command prints in
 * files, bounded and without keys, ends all of it at a signal, and says at last how it ended. A folder of the session holds one folder for
 * each command, with its state and its output, so another process of SanBot finds them again.
 *
 * In come commands that were allowed; out come views of them, and text. A process is known by its number with its start time, and one that
 * got the number of another is never signalled. Where a supervisor was killed, its command is found by a mark in the environment of its
 * processes, and how it ended is not known.
 */

import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Clock } from '../../../agent/ports/effects.ts';
import { AbortedError } from '../../../domain/errors.ts';
import { type Bilingual, isBilingual, quotedText } from '../../../domain/language.ts';
import { orUndefined } from '../../../domain/value/or-undefined.ts';
import { endGroup } from '../processes/process-group.ts';
import { isRunning } from '../processes/process-identity.ts';
import { createSessionTemporary } from '../sandbox/temporary/session-temporary.ts';
import { scrubEnv } from '../scrub-env.ts';
import type { ShellContext } from '../shell.ts';
import { type AdoptedCommand, createAdopted, createForeground } from './foreground.ts';
import { readOutput } from './job-output.ts';
import { isLive, isUnsupervised, type JobOrder, type JobState, type JobView, readJobState } from './job-state.ts';
import { shellNotStarted, WATCHER_ENDED, WATCHER_SILENT } from './jobs-text.ts';

type JobsContext = Pick<ShellContext, 'env' | 'platform' | 'kill'> & {
  /** Where the jobs of this session are. */
  readonly folder: string;
  /** The temporary folder of the session; when undefined, beside that. */
  readonly temporary?: string;
  /** Runs a supervisor: node, and the file that it runs. */
  readonly supervisor: { readonly node: string; readonly file: string };
  /** This process. */
  readonly pid: number;
  readonly now: Clock;
};

export type Jobs = ReturnType<typeof createJobs>;

const POLL_MS = 25;
const START_MS = 15_000;
const STOP_MS = 10_000;
const MAX_RUNNING = 16;

export function createJobs(context: JobsContext) {
  const { folder, platform } = context;
  const adopted = createAdopted(context);
  const folderOf = (name: string): string => join(folder, name.replace(/^job-/, ''));
  const find = (name: string): JobView | undefined => {
    const state = /^job-\d{1,9}$/.test(name) ? readJobState(folderOf(name)) : undefined;
    return state && viewOf(state, folderOf(name), platform);
  };
  const list = (): readonly JobView[] => numbersIn(folder).flatMap((number) => find(`job-${number}`) ?? []);
  /** Resolves when it has ended, or after this time. Rejects with AbortedError when the signal aborts. */
  const waitFor = async (name: string, ms: number, signal: AbortSignal): Promise<JobView | undefined> => {
    for (let waitedMs = 0; ; waitedMs += POLL_MS) {
      const view = find(name);
      if (view === undefined || !isLive(view) || waitedMs >= ms) return view;
      if (signal.aborted) throw new AbortedError('stopped');
      await sleep(POLL_MS);
    }
  };
  /** Ends a job and all that it started. Resolves with what has become of it. */
  const stop = async (name: string): Promise<JobView | undefined> => {
    const state = readJobState(folderOf(name));
    if (state === undefined || find(name) === undefined) return undefined;
    if (!(await adopted.stop(name))) await endJob(state, context, () => readJobState(folderOf(name))?.end !== undefined);
    return find(name);
  };
  return {
    ...{ list, find, stop, waitFor, foreground: createForeground() },
    /** What commands in the sandbox have at /tmp, those in the background too. */
    temporary: createSessionTemporary(context.temporary ?? join(dirname(folder), 'temporary'), () => list().some(isLive)),
    /** Starts a command. Resolves once it runs, or with a text that says why it does not. */
    start: async (order: Omit<JobOrder, 'folder' | 'number' | 'platform'>): Promise<JobView | Bilingual> => {
      const number = nextNumber(list(), folder);
      if (isBilingual(number)) return number;
      const why = await startSupervisor({ ...order, platform, folder: join(folder, String(number)), number }, context);
      if (why !== undefined) return why;
      return startedView(find(`job-${number}`));
    },
    /** Lets a command that runs in the foreground go on as one in the background; a text says why it cannot. */
    adopt: (command: AdoptedCommand): JobView | Bilingual => {
      const number = nextNumber(list(), folder);
      if (isBilingual(number)) return number;
      adopted.begin(command, number);
      return startedView(find(`job-${number}`));
    },
    output: (name: string, from: number) => readOutput(folderOf(name), from),
    /** From now on it goes on when the session is left. False for one that was begun in the foreground: it ends with this process. */
    keep: (name: string): boolean => !adopted.has(name) && mark(folderOf(name), 'kept'),
    /** The model knows how it ended. */
    markTold: (name: string): void => void orUndefined(() => mark(folderOf(name), 'told')),
    /** Ends those that are not to be kept, and returns them. */
    leave: async (): Promise<readonly JobView[]> => {
      const leaving = list().filter((job) => isLive(job) && !job.keep);
      await Promise.all(leaving.map(({ name }) => stop(name)));
      return leaving;
    },
  };
}

function startedView(view: JobView | undefined): JobView | Bilingual {
  if (view?.status.kind === 'ended' && view.status.how.kind === 'not_started') return shellNotStarted(view.status.how.why);
  return view ?? WATCHER_ENDED;
}

const nextNumber = (jobs: readonly JobView[], folder: string): number | Bilingual =>
  jobs.filter(isLive).length >= MAX_RUNNING ? TOO_MANY : (numbersIn(folder).at(-1) ?? 0) + 1;

const TOO_MANY: Bilingual = {
  en: `${MAX_RUNNING} commands run in the background already; stop one first`,
  zh: `已有 ${MAX_RUNNING} 个命令在后台运行；请先停止一个`,
};

function mark(folder: string, name: 'kept' | 'told'): true {
  writeFileSync(join(folder, name), '', { mode: 0o600 });
  return true;
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const namesIn = (folder: string): readonly string[] => orUndefined(() => readdirSync(folder)) ?? [];

const numbersIn = (folder: string): readonly number[] =>
  namesIn(folder)
    .filter((name) => /^\d{1,9}$/.test(name))
    .map(Number)
    .sort((a, b) => a - b);

function viewOf(state: JobState, folder: string, platform: string): JobView {
  const names = namesIn(folder);
  return {
    ...{ name: `job-${state.number}`, command: state.command, pid: state.child?.pid, startedAt: state.startedAt },
    keep: state.keep || names.includes('kept'),
    status: statusOf(state, folder, platform),
    isTold: names.includes('told'),
  };
}

function statusOf(state: JobState, folder: string, platform: string): JobView['status'] {
  if (state.end !== undefined) return { kind: 'ended', ...state.end };
  if (isRunning(state.supervisor, platform)) return { kind: 'running' };
  // It may have written the end just before it was looked for.
  const end = readJobState(folder)?.end;
  if (end !== undefined) return { kind: 'ended', ...end };
  return { kind: isUnsupervised(state, platform) ? 'unwatched' : 'lost' };
}

/** Resolves when the job's state is there, or with why it will not be. */
async function startSupervisor(order: JobOrder, { supervisor, env }: JobsContext): Promise<Bilingual | undefined> {
  mkdirSync(order.folder, { recursive: true, mode: 0o700 });
  const child = spawn(supervisor.node, [supervisor.file], {
    // By this name a single executable is Node.
    argv0: 'node',
    cwd: order.cwd,
    env: scrubEnv(env, order.environmentRules).env,
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  let ended: Bilingual | undefined;
  child.once('error', (error) => {
    ended = quotedText(error.message);
  });
  child.once('exit', () => {
    ended ??= WATCHER_ENDED;
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end(JSON.stringify(order));
  child.unref();
  for (let waitedMs = 0; waitedMs < START_MS; waitedMs += POLL_MS) {
    const state = readJobState(order.folder);
    if (state?.child !== undefined || state?.end !== undefined) return undefined;
    if (ended !== undefined) return ended;
    await sleep(POLL_MS);
  }
  // Else it could begin the command later, of which the model has been told that it does not run.
  child.kill();
  return WATCHER_SILENT;
}

/** Asks the supervisor to end it; where that is gone or does not, ends what bears the job's mark. */
async function endJob(state: JobState, { kill, platform }: JobsContext, hasEnded: () => boolean): Promise<void> {
  if (state.end !== undefined) return;
  if (isRunning(state.supervisor, platform)) {
    orUndefined(() => kill(state.supervisor.pid, 'SIGTERM'));
    for (let waitedMs = 0; waitedMs < STOP_MS && !hasEnded() && isRunning(state.supervisor, platform); waitedMs += POLL_MS)
      await sleep(POLL_MS);
    if (hasEnded()) return;
    if (isRunning(state.supervisor, platform)) orUndefined(() => kill(state.supervisor.pid, 'SIGKILL'));
  }
  const leader = state.child !== undefined && isRunning(state.child, platform) ? state.child.pid : undefined;
  await endGroup({ pid: leader, mark: state.mark, kill, platform });
}
