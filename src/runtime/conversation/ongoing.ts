import type { Session } from '../../agent/session/session.ts';
import { ongoingNotice } from '../../context/history/notices.ts';
import { isLive, type Jobs, type JobView } from '../../tools/command/jobs/jobs.ts';
import { jobLine } from '../../tools/command/jobs/jobs-text.ts';

/** What runs in the background, and what has ended there without the model knowing it, a line for each. */
export const ongoingLines = (jobs: Jobs, now: Date): readonly string[] => linesOf(jobs.list().filter(isOfInterest), now);

/**
 * Tells the model, before a turn, what has ended in the background since it last heard of it; `all` also what still runs, as when a session
 * is opened again.
 */
export function appendOngoing(session: Session, jobs: Jobs, { now, all }: { readonly now: Date; readonly all: boolean }): void {
  const news = jobs.list().filter((job) => isOfInterest(job) && (all || !isLive(job)));
  if (news.length === 0) return;
  session.appendOrDiscard({
    type: 'message',
    message: session.message({ role: 'user', origin: 'notice', ...ongoingNotice(linesOf(news, now)) }),
  });
  for (const job of news) if (!isLive(job)) jobs.markTold(job.name);
}

const isOfInterest = (job: JobView): boolean => isLive(job) || !job.isTold;

const linesOf = (jobs: readonly JobView[], now: Date): readonly string[] => jobs.map((job) => jobLine(job, now));
