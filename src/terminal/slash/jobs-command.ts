import { type Bilingual, localize, sameInBoth } from '../../domain/language.ts';
import type { JobLine, JobsPort } from '../chat/turn-port.ts';
import { safeLine } from '../text/safe-text.ts';
import { clip } from '../text/text-width.ts';
import type { CommandUi, SlashCommand } from './command.ts';

/** `/jobs`, `/jobs stop NUMBER`, `/jobs keep NUMBER`. */
async function runJobs(argument: string, port: JobsPort, { screen, columns }: CommandUi): Promise<void> {
  const jobs = port.jobs();
  if (argument === '') {
    if (jobs.length === 0) screen.line(localize({ en: 'No command was started in the background.', zh: '没有在后台启动的命令。' }));
    else {
      const hint = jobs.some(({ isLive }) => isLive) ? `${localize(usage)}\n` : '';
      screen.block(`${jobs.map((job) => clip(lineOf(job), columns())).join('\n')}\n${hint}`);
    }
    return;
  }
  const [, verb, number] = /^(stop|keep) +(?:job-)?(\d{1,9})$/.exec(argument) ?? [];
  const job = jobs.find(({ name }) => name === `job-${number}`);
  if (verb === undefined) screen.line(localize(usage), 'bad');
  else if (job === undefined)
    screen.line(
      localize({ en: `There is no job-${number}. /jobs lists them.`, zh: `没有 job-${number}。/jobs 列出所有后台命令。` }),
      'bad',
    );
  else if (!job.isLive) screen.line(localize({ en: `${job.name} has ended: ${job.status}.`, zh: `${job.name} 已结束：${job.status}。` }));
  else if (verb === 'keep') {
    port.keep(job.name);
    screen.line(localize({ en: `${job.name} goes on when you leave.`, zh: `你离开后 ${job.name} 会继续运行。` }), 'good');
  } else if (await port.stop(job.name)) screen.line(localize({ en: `${job.name} is stopped.`, zh: `${job.name} 已停止。` }), 'good');
  else screen.line(localize(notStopped(job)), 'bad');
}

const usage = {
  en: '/jobs stop NUMBER ends one; /jobs keep NUMBER lets it go on when you leave.',
  zh: '/jobs stop NUMBER 停止一个；/jobs keep NUMBER 让它在你离开后继续运行。',
};

const notStopped = ({ name, pid }: JobLine): Bilingual => ({
  en: `${name} could not be stopped; its process is ${pid ?? 'not known'}.`,
  zh: `无法停止 ${name}；它的进程是 ${pid ?? '未知'}。`,
});

const lineOf = ({ name, command, status, keep, isLive, pid }: JobLine): string => {
  const facts = [
    status,
    ...(isLive && pid !== undefined ? [`pid ${pid}`] : []),
    ...(isLive && keep ? [localize({ en: 'goes on when you leave', zh: '离开后继续' })] : []),
  ];
  return `  ${name}  ${facts.join(localize({ en: ', ', zh: '，' }))}  ${safeLine(command)}`;
};

export const slashJobs: SlashCommand = {
  name: 'jobs',
  argumentHint: { en: '[stop|keep number]', zh: '[stop|keep 编号]' },
  example: sameInBoth('/jobs stop 1'),
  description: { en: 'commands in the background; stop one, or keep it when you leave', zh: '后台命令；停止一个，或让它在你离开后继续' },
  choices: ({ jobs }) =>
    jobs
      .jobs()
      .filter(({ isLive }) => isLive)
      .flatMap(({ name, command }) => {
        const number = name.replace('job-', '');
        return ['stop', 'keep'].map((verb) => ({ text: `${verb} ${number}`, detail: command }));
      }),
  run: (argument, { chat, ui }) => runJobs(argument, chat.jobs, ui),
};
