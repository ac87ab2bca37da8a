import { retentionDays } from '../../domain/config/config-text.ts';
import { SanbotError } from '../../domain/errors.ts';
import { inspectText, nearest } from '../../domain/text.ts';
import { homeOf } from '../../runtime/home.ts';
import { NO_CAP, openStore } from '../../runtime/open-store.ts';
import type { Screen } from '../../runtime/screen.ts';
import type { World } from '../../runtime/world.ts';
import { readConfigFiles } from '../../store/config-file.ts';
import { historyJson, historyTable } from '../../terminal/views/history-table.ts';
import { sessionsJson, sessionsTable } from '../../terminal/views/sessions-table.ts';
import type { HistoryOptions, SessionsOptions } from '../actions.ts';

/** The snapshots of one session, or the sessions. Reads files only: no key, no model, no schema library. */
export async function showHistory(world: World, options: HistoryOptions, screen: Screen): Promise<number> {
  if (options.snapshot !== undefined) return showSnapshot(world, { ...options, snapshot: options.snapshot }, screen);
  if (options.session === undefined) return showSessions(world, options, screen);
  const home = homeOf(world, options);
  const store = openStore(world, home, { maxSessionBytes: NO_CAP, tell: tellOn(screen) });
  const metas = store.snapshots.list(options.session);
  if (metas.length === 0) requireSession(store.sessions.find(options.session), options.session);
  const days = retentionDays(readConfigFiles(home, world.cwd()).map((file) => file.text));
  screen.out(options.json ? historyJson(metas) : historyTable(metas, { now: world.now(), retentionDays: days, columns: screen.columns }));
  return 0;
}

type SnapshotOptions = HistoryOptions & { readonly snapshot: string };

/** One snapshot with the receipt of its compaction. The schema of receipts is loaded for it. */
async function showSnapshot(world: World, options: SnapshotOptions, screen: Screen): Promise<number> {
  const store = openStore(world, homeOf(world, options), { maxSessionBytes: NO_CAP, tell: tellOn(screen) });
  const metas = store.snapshots.list(options.session);
  const meta = metas.find(({ id }) => id === options.snapshot);
  if (meta === undefined) {
    const near = nearest(
      options.snapshot,
      metas.map(({ id }) => id),
    );
    const where = options.session === undefined ? '' : ` of session ${inspectText(options.session)}`;
    const hint = near === undefined ? {} : { hint: `The nearest is: ${near}.` };
    throw new SanbotError('not_found', `There is no snapshot ${inspectText(options.snapshot)}${where}`, hint);
  }
  const { readReceipt } = await import('../../domain/session/snapshot.ts');
  const { snapshotJson, snapshotText } = await import('./receipt-text.ts');
  const receipt = readReceipt(meta.outcome?.receipt);
  screen.out(options.json ? snapshotJson(meta, receipt) : snapshotText(meta, receipt, world.now()));
  return 0;
}

export async function showSessions(world: World, options: SessionsOptions, screen: Screen): Promise<number> {
  const store = openStore(world, homeOf(world, options), { maxSessionBytes: NO_CAP, tell: tellOn(screen) });
  const rows = store.sessions.list();
  screen.out(options.json ? sessionsJson(rows) : sessionsTable(rows, { now: world.now(), columns: screen.columns }));
  return 0;
}

export function requireSession(found: { readonly exists: boolean; readonly nearest: readonly string[] }, sessionId: string): void {
  if (found.exists) return;
  const hint = found.nearest.length > 0 ? `The nearest are: ${found.nearest.join(', ')}.` : undefined;
  throw new SanbotError('not_found', `There is no session ${inspectText(sessionId)}`, hint === undefined ? {} : { hint });
}

const tellOn = (screen: Screen) => (line: string) => screen.err(`sanbot: ${line}\n`);
