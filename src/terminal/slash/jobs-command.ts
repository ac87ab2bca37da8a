import { localize, sameInBoth } from '../../domain/language.ts';
import type { JobLine, JobsPort } from '../chat/turn-port.ts';
import { safeLine } from '../text/safe-text.ts';
import { clip } from '../text/text-width.ts';
import { BACKGROUND, type CommandUi, printLine, type SlashCommand } from './command.ts';

const usage = {
  en: '/jobs stop NUMBER ends one; /jobs keep NUMBER lets it go on when you leave.',
  zh: '/jobs stop NUMBER 停止一个；/jobs keep NUMBER 让它在你离开后继续运行。',
};

function listJobs(jobs: readonly JobLine[], ui: CommandUi): void {
  const hint = jobs.some(({ isLive }) => isLive) ? `${localize(usage)}\n` : '';
  if (jobs.length === 0) printLine(ui, 'plain', { en: 'No command was started in the background.', zh: '没有在后台启动的命令。' });
  else ui.screen.block(`${jobs.map((job) => clip(lineOf(job), ui.columns())).join('\n')}\n${hint}`);
}

const lineOf = ({ name, command, status, keep, isLive, pid }: JobLine): string => {
  const facts = [
    status,
    ...(isLive && pid !== undefined ? [`pid ${pid}`] : []),
    ...(isLive && keep ? [localize({ en: 'goes on when you leave', zh: '离开后继续' })] : []),
  ];
  return `  ${name}  ${facts.join(localize({ en: ', ', zh: '，' }))}  ${safeLine(command)}`;
};

async function changeJob(argument: string, port: JobsPort, ui: CommandUi): Promise<void> {
  const [, verb, number] = /^(stop|keep) +(?:job-)?(\d{1,9})$/.exec(argument) ?? [];
  if (verb === undefined) return printLine(ui, 'bad', usage);
  const job = port.jobs().find(({ name }) => name === `job-${number}`);
  if (job === undefined)
    return printLine(ui, 'bad', { en: `There is no job-${number}. /jobs lists them.`, zh: `没有 job-${number}。/jobs 列出所有后台命令。` });
  const { name, status, pid, isLive } = job;
  if (!isLive) return printLine(ui, 'plain', { en: `${name} has ended: ${status}.`, zh: `${name} 已结束：${status}。` });
  if (verb === 'keep') {
    if (port.keep(name)) printLine(ui, 'good', { en: `${name} goes on when you leave.`, zh: `你离开后 ${name} 会继续运行。` });
    else
      printLine(ui, 'bad', {
        en: `${name} was started in the foreground, so it ends when you leave.`,
        zh: `${name} 是在前台启动的，离开时会结束。`,
      });
  } else if (await port.stop(name)) printLine(ui, 'good', { en: `${name} is stopped.`, zh: `${name} 已停止。` });
  else
    printLine(ui, 'bad', {
      en: `${name} could not be stopped; its process is ${pid ?? 'not known'}.`,
      zh: `无法停止 ${name}；它的进程是 ${pid ?? '未知'}。`,
    });
}

/** While something runs it is not sent: the prompt acts on it at once, as on Ctrl-B. */
export const slashBackground: SlashCommand = {
  name: BACKGROUND,
  description: { en: 'let the command that runs go on in the background (Ctrl-B)', zh: '让正在运行的命令转入后台（Ctrl-B）' },
  run: (_, { ui }) => printLine(ui, 'plain', { en: 'No command is running.', zh: '没有正在运行的命令。' }),
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
  run: (argument, { chat: { jobs }, ui }) => (argument === '' ? listJobs(jobs.jobs(), ui) : changeJob(argument, jobs, ui)),
};
