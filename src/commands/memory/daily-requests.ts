import { pastMessages } from '../../context/history/past.ts';
import { parseRequestLines, type RequestLine } from '../../context/memory/consolidate.ts';
import { SanbotError } from '../../domain/errors.ts';
import { pathsOf } from '../../store/files/paths.ts';
import type { Consolidations } from '../../store/memory/consolidation.ts';
import { allRecords } from '../../store/session/peek-session.ts';

/** What the user asked according to the daily log, from a day on. Messages that a rollback took back are left out. */
export function dailyRequests(home: string, { daily }: Pick<Consolidations, 'daily'>, since: string): readonly RequestLine[] {
  const requests = daily(since).flatMap(({ day, text }) => parseRequestLines(text, day));
  const standing = new Map([...new Set(requests.map(({ sessionId }) => sessionId))].map((id) => [id, standingMessages(home, id)] as const));
  return requests.filter(({ sessionId, messageId }) => standing.get(sessionId)?.has(messageId) ?? true);
}

/** Undefined when the log is gone or cannot be read: then nothing is known to have been taken back. */
function standingMessages(home: string, sessionId: string): ReadonlySet<string> | undefined {
  try {
    return new Set(pastMessages(allRecords(pathsOf(home), sessionId)).map(({ id }) => id));
  } catch (error) {
    if (error instanceof SanbotError) return undefined;
    throw error;
  }
}
