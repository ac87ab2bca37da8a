import { pastMessages } from '../../context/history/past.ts';
import { entriesFromDaily, parseRequestLines, type RequestLine, updateMasterPage } from '../../context/memory/consolidate.ts';
import { orFailure, SanbotError } from '../../domain/errors.ts';
import { because } from '../../domain/language.ts';
import { parseMasterPage } from '../../domain/memory/master-page.ts';
import { pathsOf } from '../../store/files/paths.ts';
import type { Consolidations } from '../../store/memory/consolidation.ts';
import { allRecords } from '../../store/session/peek-session.ts';
import type { Runtime } from '../runtime.ts';

/** Once a day at a start, when enabled: by rule, so that nobody waits or pays. Told in one line; a failure stops nothing. */
export async function consolidateDaily({ environment, home, config, store, show }: Runtime, group: string): Promise<void> {
  if (!config.memory.enabled || !config.memory.consolidateDaily) return;
  const consolidations = store.consolidations(group);
  const at = environment.now().toISOString();
  const lastDay = parseMasterPage(consolidations.master()).consolidatedAt?.slice(0, 10);
  if (lastDay === at.slice(0, 10)) return;
  try {
    await consolidations.exclusively(async () => {
      const memories = store.memories(group);
      const entries = entriesFromDaily(dailyRequests(home, consolidations, lastDay ?? ''));
      const before = consolidations.master();
      const { entries: activeEntries } = memories.preview(entries);
      const master = updateMasterPage({ entries: activeEntries, before, at, lines: undefined });
      if (master !== before) consolidations.apply({ at, entries, aside: [], master });
    });
  } catch (error) {
    if (!(error instanceof SanbotError)) throw error;
    show({ type: 'warning', message: because({ en: 'Memories were not consolidated', zh: '未整理记忆' }, error.shown.message) });
  }
}

/** What the user asked according to the daily log, from a day on. Messages that a rollback took back are left out. */
export function dailyRequests(home: string, { daily }: Pick<Consolidations, 'daily'>, since: string): readonly RequestLine[] {
  const requests = daily(since).flatMap(({ day, text }) => parseRequestLines(text, day));
  const standing = new Map([...new Set(requests.map(({ sessionId }) => sessionId))].map((id) => [id, standingMessages(home, id)] as const));
  return requests.filter(({ sessionId, messageId }) => standing.get(sessionId)?.has(messageId) ?? true);
}

/** Undefined when the log is gone or cannot be read: then nothing is known to have been taken back. */
function standingMessages(home: string, sessionId: string): ReadonlySet<string> | undefined {
  const messages = orFailure(() => pastMessages(allRecords(pathsOf(home), sessionId)));
  return messages instanceof SanbotError ? undefined : new Set(messages.map(({ id }) => id));
}
