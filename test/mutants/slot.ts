import { type ChildProcess, fork } from 'node:child_process';
import { existsSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Answer, Question } from './runner.ts';

/** Why a fault is seen: the file that is red, or that one hangs. */
export type Seen = { readonly by: string; readonly how: 'red' | 'hangs' };

/** A copy in which files of tests are run, one question at a time. */
export type Slot = {
  /** Runs files one after another. Resolves at the first that is red or takes longer than `limit` says of it; undefined when all are green. */
  readonly firstRed: (files: readonly string[], limit: (file: string) => number) => Promise<Seen | undefined>;
  /** Runs all tests of a file, also after one that is red. */
  readonly runWhole: (file: string, limit: number) => Promise<Seen | undefined>;
  readonly close: () => Promise<void>;
};

const START_MS = 120_000;

export function openSlot(copy: string): Slot {
  let runner: Promise<ChildProcess> | undefined;
  const run = async (question: Question, limit: (file: string) => number): Promise<Seen | undefined> => {
    runner ??= startRunner(copy);
    const child = await runner;
    const seen = await ask(child, question, limit);
    if (seen?.how === 'hangs') {
      runner = undefined;
      await kill(child);
    }
    killLeftOver(copy);
    return seen;
  };
  return {
    firstRed: (files, limit) => run({ files, isWhole: false }, limit),
    runWhole: (file, limit) => run({ files: [file], isWhole: true }, () => limit),
    close: async () => {
      if (runner !== undefined) await leave(await runner);
      killLeftOver(copy);
    },
  };
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;

async function leave(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.disconnect();
  await ended;
}

function startRunner(copy: string): Promise<ChildProcess> {
  const log = openSync(join(copy, 'runner.log'), 'a');
  const child = fork(join('.bench', 'mutants', 'runner.js'), {
    cwd: copy,
    env: { ...process.env, CI: '1' },
    stdio: ['ignore', log, log, 'ipc'],
    detached: true,
  });
  return new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error(`The tests do not start: see ${join(copy, 'runner.log')}`)));
    child.once('message', (answer: Answer) => {
      child.removeAllListeners('exit');
      if (answer.type === 'ready') resolve(child);
    });
  });
}

function ask(child: ChildProcess, question: Question, limit: (file: string) => number): Promise<Seen | undefined> {
  return new Promise((resolve) => {
    let current = question.files[0] ?? '';
    const hangs = (): void => end({ by: current, how: 'hangs' });
    let timer = setTimeout(hangs, START_MS + limit(current));
    const hear = (answer: Answer): void => {
      if (answer.type === 'started') {
        current = answer.file;
        clearTimeout(timer);
        timer = setTimeout(hangs, limit(current));
      } else if (answer.type === 'done') end(answer.redFile === undefined ? undefined : { by: answer.redFile, how: 'red' });
    };
    const end = (seen: Seen | undefined): void => {
      clearTimeout(timer);
      child.off('message', hear).off('exit', hangs);
      resolve(seen);
    };
    child.on('message', hear).on('exit', hangs);
    child.send(question);
  });
}

/** With its workers, which are of its group. */
async function kill(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || hasEnded(child)) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  process.kill(-child.pid, 'SIGKILL');
  await ended;
}

/** Programs of the copy that no test waits for any more: a fault may keep one alive. Found where the system tells (Linux). */
function killLeftOver(copy: string): void {
  if (!existsSync('/proc/self/cmdline')) return;
  const programs = ['bin', 'dist', 'test'].map((folder) => join(copy, folder, '/'));
  for (const pid of readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number))
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      if (pid !== process.pid && programs.some((program) => command.includes(program))) process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended since, or is another person's.
    }
}
