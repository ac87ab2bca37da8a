import { agree, bringOne } from './exchange.ts';
import { type ExchangeReport, type ExchangeState, emptyReport } from './exchange-state.ts';
import { type AgreementFile, parseAgreed, type SyncHome } from './home.ts';
import type { SyncTarget } from './port.ts';
import { nameFor, treeOf } from './tree.ts';

/** The exchange of one session alone: what is only there is brought here, and what is only here is sent. */
export async function exchangeSession(home: SyncHome, target: SyncTarget, file: AgreementFile, log: string): Promise<ExchangeReport> {
  const { logs, purges } = parseAgreed(file.read());
  const tree = treeOf(await target.list(log));
  const agreements = new Map(Object.entries(logs));
  const state: ExchangeState = { home, target, tree, agreements, report: emptyReport(), held: new Set(), obeyed: new Set() };
  try {
    const isNew = (name: (typeof all)[number]): boolean => nameFor(name, tree.before(name)) === log && !tree.isDeleted(name.hash);
    const all = home.has(log) ? [] : tree.all();
    const begins = all.find(isNew);
    if (begins !== undefined && (await bringOne(state, begins, tree.before(begins))) === undefined) state.report.waiting.add(log);
    if (home.has(log)) await agree(state, log);
  } finally {
    file.write({ logs: Object.fromEntries(agreements), purges });
  }
  return state.report;
}
