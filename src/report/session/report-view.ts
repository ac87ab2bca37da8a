import type { SnapshotMeta } from '../../domain/session/snapshot.ts';
import { formatCount } from '../../terminal/text/format.ts';
import type { AuditSummary } from './report-events.ts';
import type { TouchedFile } from './report-files.ts';
import type { LogSummary } from './report-log.ts';
import type { Timeline } from './report-timeline.ts';

/** All that the page of a session is made of. */
export type Report = {
  readonly sessionId: string;
  /** Empty when nothing was said. */
  readonly title: string;
  /** A running process has it open. */
  readonly open: boolean;
  readonly log: LogSummary;
  readonly audit: AuditSummary;
  readonly timeline: Timeline;
  readonly files: readonly TouchedFile[];
  /** Reads of results that SanBot keeps. */
  readonly lookUps: number;
  readonly snapshots: readonly SnapshotMeta[];
  /** What could not be read. */
  readonly warnings: readonly string[];
  readonly at: string;
};

export const shortTime = (iso: string): string =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(iso) ? iso.slice(0, 19).replace('T', ' ') : iso || 'not known';
export const changeText = (before: number | undefined, after: number | undefined): string =>
  before === undefined || after === undefined ? '' : `${formatCount(before)} -> ${formatCount(after)}`;

/** How many requests had been answered by then. */
export function stepsUntil(at: string, steps: LogSummary['steps']): number {
  let low = 0;
  for (let high = steps.length; low < high; ) {
    const middle = (low + high) >> 1;
    if ((steps[middle]?.at ?? '') <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}

export const snapshotExists = (snapshotId: string, snapshots: readonly SnapshotMeta[]): boolean =>
  snapshots.some(({ id }) => id === snapshotId);
