import { entriesFromDaily, updateMasterPage } from '../../context/memory/consolidate.ts';
import { SanbotError } from '../../domain/errors.ts';
import { because } from '../../domain/language.ts';
import { parseMasterPage } from '../../domain/memory/master-page.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { dailyRequests } from './daily-requests.ts';

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
