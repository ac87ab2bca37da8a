import { counted, size } from '../../terminal/text/figures.ts';
import { safeLine } from '../../terminal/text/safe-text.ts';

export type CleaningView = {
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
export const cleaningJson = (cleaning: CleaningView): string => `${JSON.stringify(cleaning, null, 2)}\n`;

/** One line for each snapshot that goes, then the sum. Ends with a newline. */
export function cleaningText({ dryRun, days, maxBytes, removed, orphans, kept, keptBytes }: CleaningView): string {
  const reasons = { age: `older than ${counted(days, 'day')}`, size: `all together are over ${size(maxBytes)}` };
  const done = dryRun ? 'would go' : 'removed';
  const lines = removed.map(({ id, bytes, why }) => `${done}  ${safeLine(id)}  ${size(bytes)}, ${reasons[why]}`);
  const gone = removed.reduce((sum, { bytes }) => sum + bytes, 0);
  const first = removed.length === 0 ? 'Nothing to remove' : `${counted(removed.length, 'snapshot')} ${done}, ${size(gone)}`;
  const sum = `${first}; ${counted(kept, 'snapshot')} (${size(keptBytes)}) ${kept === 1 ? 'stays' : 'stay'}. The limits: ${counted(days, 'day')}, ${size(maxBytes)} in all.`;
  const found = orphans.map(({ path, bytes, what }) => `${done}  ${safeLine(path)}  ${size(bytes)}, ${left[what]}`);
  return [...lines, ...found, sum].map((line) => `${line}\n`).join('');
}

const left: Readonly<Record<CleaningView['orphans'][number]['what'], string>> = {
  body: 'an offloaded result that nothing refers to',
  version: "a file's content that nothing refers to",
  temporary: 'half written by a process that was killed',
};
