/**
 * Looking back: `sanbot history` lists the snapshots of a session, `events` the audit log, `metrics` counts it, and `report` writes a session
 * as a page.
 *
 * In come filters: a session, a type of event, a time. Out go tables, JSON, the text format of Prometheus, or one HTML file.
 *
 * These commands only read, take no lock and need no key, so that a session in use can be looked at. What is damaged is left out, counted and
 * reported.
 *
 * They refuse to show what was said, except for `report`, which has the first line of each message without what looks like a secret.
 */

import { retentionDays } from '../../domain/config/config-text.ts';
import { errorKinds, SanbotError } from '../../domain/errors.ts';
import type { SnapshotMeta } from '../../domain/session/snapshot.ts';
import { inspectText } from '../../domain/text.ts';
import type { HomeOptions } from '../../runtime/home.ts';
import { readConfigFiles } from '../../store/config-file.ts';
import type { Store } from '../../store/store.ts';
import { historyJson, historyTable } from '../../terminal/views/history-table.ts';
import type { CommandContext } from '../command.ts';
import { openHome } from '../open-home.ts';
import { showSessions } from '../sessions/list-sessions.ts';
import { nearestHint } from '../usage/usage-errors.ts';

export type HistoryOptions = HomeOptions & {
  readonly session?: string;
  readonly snapshot?: string;
  readonly json?: boolean;
};

export async function showHistory(options: HistoryOptions, { environment, io }: CommandContext): Promise<void> {
  if (options.snapshot !== undefined) return showSnapshot({ ...options, snapshot: options.snapshot }, { environment, io });
  if (options.session === undefined) return showSessions(options, { environment, io });
  const { home, store } = openHome(options, { environment, io });
  const metas = snapshotsOf(store, options.session);
  // A project's file has no say in how long snapshots are kept.
  const days = retentionDays(readConfigFiles(home, environment.cwd()).user?.text);
  io.out(options.json ? historyJson(metas) : historyTable(metas, { now: environment.now(), retentionDays: days, columns: io.columns }));
}

function snapshotsOf({ sessions, snapshots }: Store, session: string): readonly SnapshotMeta[] {
  const metas = snapshots.list(session);
  return metas.length > 0 ? metas : snapshots.list(sessions.findId(session));
}

type SnapshotOptions = HistoryOptions & { readonly snapshot: string };

async function showSnapshot(options: SnapshotOptions, { environment, io }: CommandContext): Promise<void> {
  const { store } = openHome(options, { environment, io });
  const metas = store.snapshots.list(options.session);
  const meta = metas.find(({ id }) => id === options.snapshot);
  if (meta === undefined) {
    const ids = metas.map((each) => each.id);
    const [id, session] = [inspectText(options.snapshot), inspectText(options.session ?? '')];
    const what =
      options.session === undefined
        ? { en: `There is no snapshot ${id}`, zh: `没有快照 ${id}` }
        : { en: `There is no snapshot ${id} of session ${session}`, zh: `会话 ${session} 没有快照 ${id}` };
    throw new SanbotError('not_found', what, nearestHint(options.snapshot, ids, errorKinds.not_found.hint));
  }
  const { readReceipt } = await import('../../domain/session/snapshot.ts');
  const { snapshotJson, snapshotText } = await import('./receipt-text.ts');
  const receipt = readReceipt(meta.outcome?.receipt);
  io.out(options.json ? snapshotJson(meta, receipt) : snapshotText(meta, receipt, environment.now()));
}
