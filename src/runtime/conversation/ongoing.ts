import { killedRecord } from '../../agent/session/helper-list.ts';
import type { Session } from '../../agent/session/session.ts';
import { changedFilesText } from '../../context/history/changes-text.ts';
import { ongoingNotice } from '../../context/history/notices.ts';
import { oneLine } from '../../context/text/sentences.ts';
import type { Bilingual } from '../../domain/language.ts';
import type { ChangeSet } from '../../domain/session/change.ts';
import { type Helper, KILLED } from '../../domain/session/record.ts';
import { isLive, type JobView } from '../../tools/command/jobs/job-state.ts';
import type { Jobs } from '../../tools/command/jobs/jobs.ts';
import { jobLine } from '../../tools/command/jobs/jobs-text.ts';
import { helperLine } from '../helper/helper-text.ts';

/** The newest helpers are named after a compaction, so that none is asked twice for the same. */
const MAX_HELPERS = 8;

/** What runs in the background and what has ended there without the model knowing it, and the newest helpers; a line for each. */
export const ongoingLines = (session: Session, jobs: Jobs, now: Date): readonly string[] => [
  ...linesOf(jobs.list().filter(isOfInterest), now),
  ...helperLines(session, session.helpers.all().slice(-MAX_HELPERS)),
];

type Ongoing = {
  readonly now: Date;
  readonly all: boolean;
  /** What commands in the background have changed, each told once. */
  readonly changes: () => Promise<readonly ChangeSet[]>;
};

/**
 * Tells the model, before a turn, what has ended in the background since it last heard of it, and which helpers were killed; `all` also what
 * still runs, as when a session is opened again.
 */
export async function appendOngoing(session: Session, jobs: Jobs, { now, all, changes }: Ongoing): Promise<void> {
  const news = jobs.list().filter((job) => isOfInterest(job) && (all || !isLive(job)));
  const killed = session.helpers.killed();
  const changed = changedFilesText(await changes(), session.cwd, undefined);
  if (news.length + killed.length === 0 && changed === undefined) return;
  const lines = [
    ...linesOf(news, now),
    ...(changed === undefined ? [] : [`- Files that have changed meanwhile:\n${changed.text}`]),
    ...helperLines(
      session,
      killed.map((helper) => ({ ...helper, end: KILLED })),
    ),
  ];
  session.appendOrDiscard({
    type: 'message',
    message: session.message({ role: 'user', origin: 'notice', ...ongoingNotice(lines) }),
  });
  for (const job of news) if (!isLive(job)) jobs.markTold(job.name);
  for (const helper of killed) session.appendOrDiscard(killedRecord(helper));
}

const isOfInterest = (job: JobView): boolean => isLive(job) || !job.isTold;

const linesOf = (jobs: readonly JobView[], now: Date): readonly string[] => jobs.map((job) => jobLine(job, now));

const helperLines = ({ id }: Session, helpers: readonly Helper[]): readonly string[] => helpers.map((helper) => helperLine(helper, id));

/** What the person is told of helpers whose process was killed, and of whom nobody has been told yet. */
export const killedText = (killed: readonly Helper[]): Bilingual => {
  const ids = (before: string, after: string): string[] =>
    killed.map(({ id, task }) => `${id}${before}${oneLine(task, MAX_KILLED_CHARS)}${after}`);
  return {
    en: `${killed.length === 1 ? 'A helper was' : `${killed.length} helpers were`} killed in the middle: ${ids(' (', ')').join(', ')}. None goes on by itself.`,
    zh: `${killed.length} 个子代理在中途被终止：${ids('（', '）').join('、')}。不会自行继续。`,
  };
};

const MAX_KILLED_CHARS = 60;

/** What the person is told of calls that had no result when the session ended. */
export const interruptedText = (unanswered: number): Bilingual => ({
  en: `The session ended in the middle of ${unanswered === 1 ? 'a tool call; it is' : `${unanswered} tool calls; they are`} marked as interrupted.`,
  zh: `会话在 ${unanswered} 个工具调用中途结束；已标记为中断。`,
});
