import { errorReason } from '../../domain/errors.ts';
import type { HomeOptions } from '../../runtime/home.ts';
import { NO_CAP, openStore, storeEnvironmentOf } from '../../runtime/open-store.ts';
import { readSettings } from '../../runtime/settings.ts';
import { findOrphans, removeOrphans } from '../../store/doctor/orphans.ts';
import type { Disk } from '../../store/files/disk.ts';
import { pathsOf } from '../../store/files/paths.ts';
import { sweepDeleted } from '../../store/session/change-session.ts';
import type { CommandContext } from '../command.ts';
import { cleanJson, cleanText, uncleanedIndexText } from './clean-text.ts';

export type CleanOptions = HomeOptions & { readonly dryRun?: boolean; readonly json?: boolean };

/** The index can be built anew at any time, so nothing about it stops what else there is to clean. */
async function cleanIndex(disk: Disk, { home, keepVectors }: { readonly home: string; readonly keepVectors: boolean }): Promise<void> {
  try {
    const { cleanSearchIndex } = await import('../../store/search/clean-index.ts');
    cleanSearchIndex(disk, pathsOf(home), { keepVectors });
  } catch (error) {
    disk.warn(uncleanedIndexText(errorReason(error)));
  }
}

/** What retention removes by the settings in force, or would remove. Never a snapshot that is a session's way back. */
export async function cleanHome(options: CleanOptions, { environment, io }: CommandContext): Promise<number> {
  const { home, config, notices } = readSettings(environment, options);
  for (const notice of notices) io.warn(notice);
  const { warn } = io;
  const store = openStore(environment, home, { maxSessionBytes: NO_CAP, warn });
  const { snapshotRetentionDays: days, snapshotMaxBytes: maxBytes } = config.compaction;
  const limits = { days, maxBytes, keep: new Set<string>() };
  const removed = options.dryRun ? store.snapshots.planRetention(limits) : store.snapshots.retain(limits);
  const disk = { ...storeEnvironmentOf(environment, home), warn };
  const orphans = options.dryRun ? findOrphans(disk, pathsOf(home)) : removeOrphans(disk, pathsOf(home));
  if (!options.dryRun) {
    store.sweep();
    sweepDeleted(disk, pathsOf(home));
    await cleanIndex(disk, { home, keepVectors: config.recall.embeddings !== null });
  }
  const plannedIds = new Set(options.dryRun ? removed.map(({ id }) => id) : []);
  const keptSnapshots = store.snapshots.list().filter(({ id }) => !plannedIds.has(id));
  const report = {
    dryRun: options.dryRun === true,
    days,
    maxBytes,
    removed,
    orphans,
    kept: keptSnapshots.length,
    keptBytes: keptSnapshots.reduce((sum, { bytes }) => sum + bytes, 0),
  };
  io.out(options.json ? cleanJson(report) : cleanText(report));
  return 0;
}
