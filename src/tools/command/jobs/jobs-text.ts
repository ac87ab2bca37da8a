import { type Bilingual, because, quotedText } from '../../../domain/language.ts';
import { visibleLine } from '../../place/visible.ts';
import type { JobView } from './job-state.ts';

/** How a command in the background is doing: "running for 12 s", "exit 0". */
export function jobStatusText({ status, startedAt }: JobView, now: Date): Bilingual {
  switch (status.kind) {
    case 'running': {
      const time = seconds(startedAt, now);
      return { en: `running for ${time.en}`, zh: `已运行 ${time.zh}` };
    }
    case 'unwatched':
      return { en: 'still runs, but what it prints is no longer kept', zh: '仍在运行，但其输出不再保留' };
    case 'lost':
      return { en: 'has ended, and how is not known: what watched over it was killed', zh: '已结束，结果未知：监视它的进程被终止' };
    case 'ended':
      return endText(status, startedAt);
  }
}

function endText({ how, at }: Extract<JobView['status'], { kind: 'ended' }>, startedAt: string): Bilingual {
  const time = seconds(startedAt, new Date(at));
  const after = `after ${time.en}`;
  const afterZh = `，用时 ${time.zh}`;
  switch (how.kind) {
    case 'exited':
      return { en: `exit ${how.code} ${after}`, zh: `退出码 ${how.code}${afterZh}` };
    case 'killed':
      return { en: `killed by ${how.signal} ${after}`, zh: `被 ${how.signal} 终止${afterZh}` };
    case 'stopped':
      return { en: `stopped ${after}`, zh: `已停止${afterZh}` };
    case 'timed_out':
      return { en: `stopped by its time limit ${after}`, zh: `达到时间上限而停止${afterZh}` };
    case 'too_many_processes':
      return {
        en: `stopped ${after}: it had too many processes at once (commands.maxProcesses)`,
        zh: `同时运行的进程过多（commands.maxProcesses），已停止${afterZh}`,
      };
    case 'too_much_memory':
      return {
        en: `stopped ${after}: it took too much memory (commands.maxMemoryBytes)`,
        zh: `占用的内存过多（commands.maxMemoryBytes），已停止${afterZh}`,
      };
    case 'temporary_full':
      return { en: `stopped ${after}: it put too much into /tmp`, zh: `在 /tmp 中写入过多，已停止${afterZh}` };
    case 'not_started':
      return because({ en: 'could not be started', zh: '无法启动' }, quotedText(visibleLine(how.why, 300)));
  }
}

const seconds = (from: string, to: Date): Bilingual => {
  const total = Math.max(0, Math.round((to.getTime() - Date.parse(from)) / 1_000));
  const minutes = Math.floor(total / 60);
  return total < 120 ? { en: `${total} s`, zh: `${total} 秒` } : { en: `${minutes} min`, zh: `${minutes} 分钟` };
};

const MAX_COMMAND_CHARS = 200;

/** One line for the model. */
export const jobLine = (job: JobView, now: Date): string =>
  `- ${job.name}: ${visibleLine(job.command, MAX_COMMAND_CHARS)} (${jobStatusText(job, now).en})`;

export const startedText = ({ name, pid }: JobView, { isHeld, keep }: { readonly isHeld: boolean; readonly keep: boolean }): string =>
  [
    `${name} runs in the background${pid === undefined ? '' : ` (pid ${pid})`}. read_output shows what it prints, stop_command ends it.`,
    keep ? 'It goes on when the session is left.' : 'It is ended when the session is left.',
    ...(isHeld ? ['It is in the sandbox, without the network: nothing else can reach a server in it; needs: network changes that.'] : []),
  ].join(' ');

/** What the model is told of a command that the person did not want to wait for. */
export function movedText(job: JobView, printed: string, isHeld: boolean): string {
  const head = `The user put it into the background. ${startedText(job, { isHeld, keep: false })}`;
  return printed.trim() === '' ? head : `${head} It has printed so far:\n${printed.trimEnd()}`;
}

export function noSuchJob(name: string, jobs: readonly JobView[]): Bilingual {
  const names = jobs.map((job) => job.name);
  return {
    en: `there is no background command ${visibleLine(name, 60)}; ${jobs.length === 0 ? 'none was started in this session' : `there are ${names.join(', ')}`}`,
    zh: `没有后台命令 ${visibleLine(name, 60)}；${jobs.length === 0 ? '本会话没有启动过' : `现有 ${names.join('、')}`}`,
  };
}

export const shellNotStarted = (why: string): Bilingual =>
  because({ en: 'the shell could not be started', zh: '无法启动 shell' }, quotedText(visibleLine(why, 300)));

export const WATCHER_ENDED: Bilingual = {
  en: 'the process that was to watch over it ended at once',
  zh: '负责监视它的进程立刻结束了',
};
export const WATCHER_SILENT: Bilingual = {
  en: 'the process that was to watch over it did not answer',
  zh: '负责监视它的进程没有应答',
};
