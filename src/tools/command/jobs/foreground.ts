import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../../agent/ports/effects.ts';
import type { Bilingual } from '../../../domain/language.ts';
import { orUndefined } from '../../../domain/value/or-undefined.ts';
import { redact } from '../../../domain/value/redact.ts';
import { identityOf } from '../processes/process-identity.ts';
import type { RunningShell, ShellResult } from '../shell.ts';
import { createJobOutput } from './job-output.ts';
import { type JobEnd, type JobState, writeJobState } from './job-state.ts';

/** A command that is waited for. */
type ForegroundCommand = {
  readonly newest: RunningShell['newest'];
  /** A text says why it cannot go on in the background. */
  readonly toBackground: () => Bilingual | undefined;
};

/** The commands that are waited for. */
export function createForeground() {
  const running = new Set<ForegroundCommand>();
  return {
    /** Returns what is to be called when it is waited for no more. */
    begin: (command: ForegroundCommand): (() => void) => {
      running.add(command);
      return () => void running.delete(command);
    },
    newest: (): ForegroundCommand | undefined => [...running].at(-1),
  };
}

export type AdoptedCommand = Pick<JobState, 'command' | 'startedAt'> & {
  readonly running: RunningShell;
  readonly result: Promise<ShellResult>;
};

type AdoptedContext = { readonly folder: string; readonly pid: number; readonly platform: string; readonly now: Clock };

/**
 * Commands that were begun in the foreground and go on as jobs. Their pipes and their ends belong to this process, which watches over them
 * itself; so none outlives it.
 */
export function createAdopted({ folder: jobs, pid, platform, now }: AdoptedContext) {
  const adopted = new Map<string, { readonly stop: () => void; readonly ended: Promise<void> }>();
  return {
    has: (name: string): boolean => adopted.has(name),
    /** False for one of others; else resolves when it has ended. */
    stop: async (name: string): Promise<boolean> => {
      const job = adopted.get(name);
      job?.stop();
      await job?.ended;
      return job !== undefined;
    },
    /** Where the system does not tell one process from another, it goes on as it was. */
    begin: ({ running, result, ...command }: AdoptedCommand, number: number): void => {
      const [supervisor, child] = [identityOf(pid, platform), identityOf(running.pid, platform)];
      if (supervisor === undefined || child === undefined) return;
      const folder = join(jobs, String(number));
      const state: JobState = { ...command, command: redact(command.command), number, keep: false, mark: running.mark, supervisor, child };
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeJobState(folder, state);
      const stop = running.release(createJobOutput(folder));
      const ended = result.then(({ end }) => {
        orUndefined(() => writeJobState(folder, { ...state, end: { at: now().toISOString(), how: howOf(end) } }));
        adopted.delete(`job-${number}`);
      });
      adopted.set(`job-${number}`, { stop, ended });
    },
  };
}

/** Nothing but a person, or a limit of the machine, stops what was released. */
const howOf = (end: ShellResult['end']): JobEnd => (end.kind === 'aborted' || end.kind === 'suspended' ? { kind: 'stopped' } : end);
