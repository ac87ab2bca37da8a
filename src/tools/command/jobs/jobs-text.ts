import { visibleLine } from '../../place/visible.ts';
import type { JobView } from './jobs.ts';

/** How a command in the background is doing: "running for 12 s", "exit 0". */
export function jobStatusText({ status, startedAt }: JobView, now: Date): string {
  switch (status.kind) {
    case 'running':
      return `running for ${seconds(startedAt, now)}`;
    case 'unwatched':
      return 'still runs, but what it prints is no longer kept';
    case 'lost':
      return 'has ended, and how is not known: what watched over it was killed';
    case 'ended':
      return endText(status, startedAt);
  }
}

function endText({ how, at }: Extract<JobView['status'], { kind: 'ended' }>, startedAt: string): string {
  const after = `after ${seconds(startedAt, new Date(at))}`;
  switch (how.kind) {
    case 'exited':
      return `exit ${how.code} ${after}`;
    case 'killed':
      return `killed by ${how.signal} ${after}`;
    case 'stopped':
      return `stopped ${after}`;
    case 'timed_out':
      return `stopped by its time limit ${after}`;
    case 'not_started':
      return `could not be started: ${visibleLine(how.why, 300)}`;
  }
}

const seconds = (from: string, to: Date): string => {
  const total = Math.max(0, Math.round((to.getTime() - Date.parse(from)) / 1_000));
  return total < 120 ? `${total} s` : `${Math.floor(total / 60)} min`;
};

const MAX_COMMAND_CHARS = 200;

/** One line for the model. */
export const jobLine = (job: JobView, now: Date): string =>
  `- ${job.name}: ${visibleLine(job.command, MAX_COMMAND_CHARS)} (${jobStatusText(job, now)})`;

export const startedText = ({ name, pid }: JobView, { isHeld, keep }: { readonly isHeld: boolean; readonly keep: boolean }): string =>
  [
    `${name} runs in the background${pid === undefined ? '' : ` (pid ${pid})`}. read_output shows what it prints, stop_command ends it.`,
    keep ? 'It goes on when the session is left.' : 'It is ended when the session is left.',
    ...(isHeld ? ['It is in the sandbox, without the network: nothing else can reach a server in it; needs: network changes that.'] : []),
  ].join(' ');

export const NO_SUCH_JOB = (name: string, jobs: readonly JobView[]): string =>
  `there is no background command ${visibleLine(name, 60)}; ${jobs.length === 0 ? 'none was started in this session' : `there are ${jobs.map((job) => job.name).join(', ')}`}`;
