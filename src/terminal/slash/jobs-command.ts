import type { JobLine, JobsPort } from '../chat/jobs-port.ts';
import { safeLine } from '../text/safe-text.ts';
import { clip } from '../text/text-width.ts';
import type { CommandUi } from './command.ts';

/** `/jobs`, `/jobs stop NUMBER`, `/jobs keep NUMBER`. */
export async function runJobs(argument: string, port: JobsPort, { screen, columns }: CommandUi): Promise<void> {
  const jobs = port.jobs();
  if (argument === '') {
    if (jobs.length === 0) screen.line('No command was started in the background.');
    else screen.block(`${jobs.map((job) => clip(lineOf(job), columns())).join('\n')}\n${USAGE}\n`);
    return;
  }
  const [, verb, number] = /^(stop|keep) +(?:job-)?(\d{1,9})$/.exec(argument) ?? [];
  const job = jobs.find(({ name }) => name === `job-${number}`);
  if (verb === undefined) screen.line(USAGE, 'bad');
  else if (job === undefined) screen.line(`There is no job-${number}. /jobs lists them.`, 'bad');
  else if (!job.isLive) screen.line(`${job.name} has ended: ${job.status}.`);
  else if (verb === 'keep') {
    port.keep(job.name);
    screen.line(`${job.name} goes on when you leave.`, 'good');
  } else if (await port.stop(job.name)) screen.line(`${job.name} is stopped.`, 'good');
  else screen.line(`${job.name} could not be stopped; its process is ${job.pid ?? 'not known'}.`, 'bad');
}

const USAGE = '/jobs stop NUMBER ends one; /jobs keep NUMBER lets it go on when you leave.';

const lineOf = ({ name, command, status, keep, isLive, pid }: JobLine): string => {
  const facts = [status, ...(isLive && pid !== undefined ? [`pid ${pid}`] : []), ...(isLive && keep ? ['goes on when you leave'] : [])];
  return `  ${name}  ${facts.join(', ')}  ${safeLine(command)}`;
};
