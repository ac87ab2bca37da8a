import { localize } from '../../domain/language.ts';
import { formatSize, pluralize } from '../../terminal/text/format.ts';
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
  const reasons = { age: `older than ${pluralize(days, 'day')}`, size: `more than ${formatSize(maxBytes)} in all` };
  const verb = dryRun ? 'would be removed' : 'removed';
  const lines = removed.map(({ id, bytes, why }) => `${verb}  ${safeLine(id)}  ${formatSize(bytes)}, ${reasons[why]}`);
  const freedBytes = removed.reduce((sum, { bytes }) => sum + bytes, 0);
  const headline =
    removed.length === 0 ? 'Nothing to remove' : `${pluralize(removed.length, 'snapshot')} ${verb}, ${formatSize(freedBytes)}`;
  const totalLine = `${headline}. ${pluralize(kept, 'snapshot')} (${formatSize(keptBytes)}) ${dryRun ? 'would be kept' : 'kept'}. Limits: ${pluralize(days, 'day')}, ${formatSize(maxBytes)} in all.`;
  const orphanLines = orphans.map(({ path, bytes, what }) => `${verb}  ${safeLine(path)}  ${formatSize(bytes)}, ${orphanReasons[what]}`);
  return [...lines, ...orphanLines, totalLine].map((line) => `${line}\n`).join('');
}

const orphanReasons: Readonly<Record<CleanReport['orphans'][number]['what'], string>> = {
  body: 'an offloaded result that nothing refers to',
  version: 'an earlier version of a file that nothing refers to',
  temporary: 'left half written by a process that was killed',
};

export const uncleanedIndexText = (why: string): string =>
  localize({ en: `The search index was not cleaned: ${why}.`, zh: `搜索索引未清理：${why}。` });
