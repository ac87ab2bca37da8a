import type { ToolOutcome } from '../../../agent/ports/tools.ts';
import { isBilingual } from '../../../domain/language.ts';
import type { RunningShell, ShellResult } from '../shell.ts';
import type { AdoptedCommand } from './foreground.ts';
import type { Jobs } from './jobs.ts';
import { movedText } from './jobs-text.ts';

/** A command that is waited for, until the person puts it into the background: `moved` resolves then, with what the model is told. */
export function waitForCommand(command: Pick<AdoptedCommand, 'command' | 'startedAt'>, isHeld: boolean, jobs: Jobs) {
  let end = (): void => undefined;
  let resolveMoved: (outcome: ToolOutcome) => void = () => undefined;
  const moved = new Promise<ToolOutcome>((resolve) => {
    resolveMoved = resolve;
  });
  const begin = (running: RunningShell, result: () => Promise<ShellResult>): void => {
    end = jobs.foreground.begin({
      newest: running.newest,
      toBackground: () => {
        const printed = running.newest(MOVED_BYTES);
        const job = jobs.adopt({ ...command, running, result: result() });
        if (isBilingual(job)) return job;
        const note = { en: `in the background as ${job.name}`, zh: `已转入后台：${job.name}` };
        resolveMoved({ ok: true, content: movedText(job, printed, isHeld), note, job: job.name });
        return undefined;
      },
    });
  };
  return { begin, moved, end: () => end() };
}

/** What the model is told of it at once. */
const MOVED_BYTES = 2_000;
