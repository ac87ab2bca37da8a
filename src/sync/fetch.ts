import { bringEnd, bringRest } from './bring.ts';
import { agree, bringOne } from './exchange.ts';
import { type ExchangeReport, type ExchangeState, emptyReport } from './exchange-state.ts';
import { type AgreementFile, parseAgreed, type SyncHome } from './home.ts';
import type { SyncTarget } from './port.ts';
import { nameFor, treeOf } from './tree.ts';

type FetchOptions = { readonly endFirst?: boolean };

/**
 * The exchange of one session alone: what is only there is brought here, and what is only here is sent. `endFirst`: of one that is not here
 * what its context needs is enough.
 */
export async function exchangeSession(
  home: SyncHome,
  target: SyncTarget,
  file: AgreementFile,
  log: string,
  { endFirst }: FetchOptions = {},
): Promise<ExchangeReport> {
  return withLog(home, target, file, log, async (state) => {
    const { tree } = state;
    const isNew = (name: (typeof all)[number]): boolean => nameFor(name, tree.before(name)) === log && !tree.isDeleted(name.hash);
    if (!home.has(log) && endFirst === true) await bringEnd(state, log);
    const all = home.has(log) ? [] : tree.all();
    const begins = all.find(isNew);
    if (begins !== undefined && (await bringOne(state, begins, tree.before(begins))) === undefined) state.report.waiting.add(log);
    if (home.has(log)) await agree(state, log);
    return state.report;
  });
}

/** Brings what is missing of a session of which the end is here. False where this target does not have it. */
export const completeSession = (home: SyncHome, target: SyncTarget, file: AgreementFile, log: string): Promise<boolean> =>
  withLog(home, target, file, log, (state) => bringRest(state, log));

async function withLog<T>(
  home: SyncHome,
  target: SyncTarget,
  file: AgreementFile,
  log: string,
  work: (state: ExchangeState) => Promise<T>,
): Promise<T> {
  const { logs, purges } = parseAgreed(file.read());
  const tree = treeOf(await target.list(log));
  const agreements = new Map(Object.entries(logs));
  try {
    return await work({ home, target, tree, agreements, report: emptyReport(), held: new Set(), obeyed: new Set() });
  } finally {
    file.write({ logs: Object.fromEntries(agreements), purges });
  }
}
