import { errorReason } from '../../domain/errors.ts';
import { type Bilingual, because, localize } from '../../domain/language.ts';
import type { HomeOptions } from '../../runtime/home.ts';
import { cleanChanges } from '../../store/changes/room/home-room.ts';
import { findOrphans, type Orphan, removeOrphans } from '../../store/doctor/orphans.ts';
import type { Disk } from '../../store/files/disk.ts';
import type { StorePaths } from '../../store/files/paths.ts';
import { cleanTemporary, sweepDeleted, sweepTemporary, TEMPORARY_DAYS } from '../../store/session/change-session.ts';
import { formatCount, formatSize, pluralize } from '../../terminal/text/format.ts';
import { safeLine } from '../../terminal/text/safe-text.ts';
import type { CommandContext } from '../command.ts';
import { openHome, settingsOf } from '../open-home.ts';

export type CleanOptions = HomeOptions & { readonly dryRun?: boolean; readonly json?: boolean };

/** The index can be built anew at any time, so nothing about it stops what else there is to clean. */
async function cleanIndex(disk: Disk, paths: StorePaths, options: { readonly keepVectors: boolean }): Promise<void> {
  try {
    const { cleanSearchIndex } = await import('../../store/search/search-store.ts');
    cleanSearchIndex(disk, paths, options);
  } catch (error) {
    disk.warn(because({ en: 'The search index was not cleaned', zh: '搜索索引未清理' }, errorReason(error)));
  }
}

/** What retention removes by the settings in force, or would remove. Never a snapshot that is a session's way back. */
export async function cleanHome(options: CleanOptions, context: CommandContext): Promise<void> {
  const report = await clean(options, context);
  context.io.out(options.json ? `${JSON.stringify(report, null, 2)}\n` : cleanText(report));
}

async function clean(options: CleanOptions, context: CommandContext) {
  const { config } = settingsOf(options, context);
  const { disk, paths, store } = openHome(options, context);
  const { snapshotRetentionDays: days, snapshotMaxBytes: maxBytes } = config.compaction;
  const limits = { days, maxBytes, keep: new Set<string>() };
  const removed = options.dryRun ? store.snapshots.planRetention(limits) : store.snapshots.retain(limits);
  const changes = cleanChanges(disk, paths, { ...config.changes, dryRun: options.dryRun === true });
  const temporary = cleanTemporary(disk, paths, { dryRun: options.dryRun === true });
  const orphans = options.dryRun ? findOrphans(disk, paths) : removeOrphans(disk, paths);
  if (!options.dryRun) {
    await store.recover();
    sweepDeleted(disk, paths);
    sweepTemporary(paths);
    await cleanIndex(disk, paths, { keepVectors: config.recall.embeddings !== null });
  }
  const plannedIds = new Set(options.dryRun ? removed.map(({ id }) => id) : []);
  const keptSnapshots = store.snapshots.list().filter(({ id }) => !plannedIds.has(id));
  return {
    dryRun: options.dryRun === true,
    days,
    maxBytes,
    removed,
    orphans,
    kept: keptSnapshots.length,
    keptBytes: keptSnapshots.reduce((sum, { bytes }) => sum + bytes, 0),
    ...(temporary.length > 0 && { temporary }),
    // Where nothing of commands is kept, the report is what it was before that could be.
    ...((changes.dropped.length > 0 || changes.keptBytes > 0) && { changes: changes.dropped, changesBytes: changes.keptBytes }),
  };
}

type Dropped = ReturnType<typeof cleanChanges>['dropped'];

/** With `dryRun`, `removed` is what would go. */
type CleanReport = Awaited<ReturnType<typeof clean>>;

function cleanText({
  dryRun,
  days,
  maxBytes,
  removed,
  orphans,
  temporary = [],
  changes = [],
  changesBytes = 0,
  kept,
  keptBytes,
}: CleanReport): string {
  const reasons = localize({
    en: { age: `older than ${pluralize(days, 'day')}`, size: `more than ${formatSize(maxBytes)} in all` },
    zh: { age: `早于 ${days} 天`, size: `合计超过 ${formatSize(maxBytes)}` },
  });
  const verb = dryRun ? localize({ en: 'would be removed', zh: '将删除' }) : localize({ en: 'removed', zh: '已删除' });
  const lines = removed.map(({ id, bytes, why }) => `${verb}  ${safeLine(id)}  ${formatSize(bytes)}, ${reasons[why]}`);
  const freedBytes = removed.reduce((sum, { bytes }) => sum + bytes, 0);
  const headline =
    removed.length === 0
      ? localize({ en: 'Nothing to remove', zh: '没有可删除的内容' })
      : localize({
          en: `${pluralize(removed.length, 'snapshot')} ${verb}, ${formatSize(freedBytes)}`,
          zh: `${verb} ${formatCount(removed.length)} 个快照，${formatSize(freedBytes)}`,
        });
  const totalLine = localize({
    en: `${headline}. ${pluralize(kept, 'snapshot')} (${formatSize(keptBytes)}) ${dryRun ? 'would be kept' : 'kept'}. Limits: ${pluralize(days, 'day')}, ${formatSize(maxBytes)} in all.`,
    zh: `${headline}。${dryRun ? '将保留' : '保留'} ${formatCount(kept)} 个快照（${formatSize(keptBytes)}）。上限：${formatCount(days)} 天，合计 ${formatSize(maxBytes)}。`,
  });
  const orphanLines = orphans.map(
    ({ path, bytes, what }) => `${verb}  ${safeLine(path)}  ${formatSize(bytes)}, ${localize(orphanReasons[what])}`,
  );
  const changeLines = changes.map(
    ({ sessionId, bytes, why }) => `${verb}  ${safeLine(sessionId)}  ${formatSize(bytes)}, ${localize(changeReasons[why])}`,
  );
  const changesLine = localize({
    en: `${formatSize(changesBytes)} ${dryRun ? 'would be kept' : 'kept'} to undo commands.`,
    zh: `${dryRun ? '将保留' : '保留'} ${formatSize(changesBytes)} 用于撤销命令。`,
  });
  const changesLines = changes.length > 0 || changesBytes > 0 ? [...changeLines, changesLine] : [];
  const unused = localize({
    en: `the temporary folder, unused for ${pluralize(TEMPORARY_DAYS, 'day')}`,
    zh: `临时文件夹，${TEMPORARY_DAYS} 天未使用`,
  });
  const temporaryLines = temporary.map(({ sessionId, bytes }) => `${verb}  ${safeLine(sessionId)}  ${formatSize(bytes)}, ${unused}`);
  return [...lines, ...orphanLines, ...temporaryLines, ...changesLines, totalLine].map((line) => `${line}\n`).join('');
}

const changeReasons: Readonly<Record<Dropped[number]['why'], Bilingual>> = {
  age: { en: 'what commands changed longer ago than changes.keep', zh: '早于 changes.keep 的命令更改' },
  size: { en: 'the oldest of what commands changed, beyond changes.homeBytes', zh: '超出 changes.homeBytes 的最旧的命令更改' },
  unneeded: { en: 'contents that nothing refers to', zh: '没有任何引用的内容' },
};

const orphanReasons: Readonly<Record<Orphan['what'], Bilingual>> = {
  body: { en: 'an offloaded result that nothing refers to', zh: '没有任何引用的转存结果' },
  version: { en: 'an earlier version of a file that nothing refers to', zh: '没有任何引用的文件旧版本' },
  temporary: { en: 'left half written by a process that was killed', zh: '被终止的进程留下的未写完文件' },
};
