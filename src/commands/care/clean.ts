import { NO_CAP, openStore, storeWorldOf } from '../../runtime/open-store.ts';
import type { Screen } from '../../runtime/screen.ts';
import { readSettings } from '../../runtime/settings.ts';
import type { World } from '../../runtime/world.ts';
import { findOrphans, removeOrphans } from '../../store/doctor/orphans.ts';
import { pathsOf } from '../../store/files/paths.ts';
import { sweepDeleted } from '../../store/session/change-session.ts';
import type { CleanOptions } from '../actions.ts';
import { cleaningJson, cleaningText } from './cleaning-text.ts';

/** What retention removes by the settings in force, or would remove. Never a snapshot that is a session's way back. */
export async function cleanHome(world: World, options: CleanOptions, screen: Screen): Promise<number> {
  const { home, config, notices } = readSettings(world, options);
  for (const notice of notices) screen.err(`sanbot: ${notice}\n`);
  const warn = (line: string) => screen.err(`sanbot: ${line}\n`);
  const store = openStore(world, home, { maxSessionBytes: NO_CAP, tell: warn });
  const { snapshotRetentionDays: days, snapshotMaxBytes: maxBytes } = config.compaction;
  const limits = { days, maxBytes, keep: new Set<string>() };
  const removed = options.dryRun ? store.snapshots.planRetention(limits) : store.snapshots.retain(limits);
  const disk = { ...storeWorldOf(world, home), warn };
  const orphans = options.dryRun ? findOrphans(disk, pathsOf(home)) : removeOrphans(disk, pathsOf(home));
  if (!options.dryRun) {
    store.sweep();
    sweepDeleted(disk, pathsOf(home));
  }
  const going = new Set(options.dryRun ? removed.map(({ id }) => id) : []);
  const kept = store.snapshots.list().filter(({ id }) => !going.has(id));
  const cleaning = {
    dryRun: options.dryRun,
    days,
    maxBytes,
    removed,
    orphans,
    kept: kept.length,
    keptBytes: kept.reduce((sum, { bytes }) => sum + bytes, 0),
  };
  screen.out(options.json ? cleaningJson(cleaning) : cleaningText(cleaning));
  return 0;
}
