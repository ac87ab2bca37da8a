import { type Bilingual, localize } from '../../domain/language.ts';
import { formatCount, formatSize, pluralize } from '../../terminal/text/format.ts';
import { safeLine } from '../../terminal/text/safe-text.ts';

export type CleanReport = {
  readonly dryRun: boolean;
  /** The limits in force. */
  readonly days: number;
  readonly maxBytes: number;
  readonly removed: readonly { readonly id: string; readonly bytes: number; readonly why: 'age' | 'size' }[];
  /** Files of sessions that nothing needs, left by interrupted work. */
  readonly orphans: readonly { readonly path: string; readonly bytes: number; readonly what: 'body' | 'version' | 'temporary' }[];
  /** What is left, or would be. */
  readonly kept: number;
  readonly keptBytes: number;
};

/** One object; with `dryRun`, `removed` is what would go. */
export const cleanJson = (report: CleanReport): string => `${JSON.stringify(report, null, 2)}\n`;

/** One line for each snapshot that goes, then the sum. Ends with a newline. */
export function cleanText({ dryRun, days, maxBytes, removed, orphans, kept, keptBytes }: CleanReport): string {
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
  return [...lines, ...orphanLines, totalLine].map((line) => `${line}\n`).join('');
}

const orphanReasons: Readonly<Record<CleanReport['orphans'][number]['what'], Bilingual>> = {
  body: { en: 'an offloaded result that nothing refers to', zh: '没有任何引用的转存结果' },
  version: { en: 'an earlier version of a file that nothing refers to', zh: '没有任何引用的文件旧版本' },
  temporary: { en: 'left half written by a process that was killed', zh: '被终止的进程留下的未写完文件' },
};

export const uncleanedIndexText = (why: Bilingual): Bilingual => ({
  en: `The search index was not cleaned: ${why.en}.`,
  zh: `搜索索引未清理：${why.zh}。`,
});
