import { type AgentDeps, limitsOf } from '../../src/agent/deps.ts';
import { createFit } from '../../src/agent/fit/fit.ts';
import type { Session } from '../../src/agent/session/session.ts';
import { slideWindow } from '../../src/context/offload/trim.ts';
import type { Config } from '../../src/domain/config/config.ts';

/**
 * What keeps a conversation inside the window: `sanbot` is everything that SanBot does; `summary-only` is its compaction without
 * offloading; `sliding-window` drops the oldest exchanges in chunks; `truncate` drops as few as necessary, at every request; `none` does
 * nothing.
 */
export const policies = ['sanbot', 'sliding-window', 'truncate', 'summary-only', 'none'] as const;

export type Policy = (typeof policies)[number];

/** Makes the context fit for the next request. May reject with context_cannot_fit. Each turn gets a new one from `startTurn`. */
export type FitContext = (session: Session, deps: AgentDeps, signal: AbortSignal) => Promise<void>;

/** A sliding window shrinks from the hard limit to this share of it: 0.8 W to 0.5 W. */
const CHUNK_SHARE = 5 / 8;

export function startTurn(policy: Policy): FitContext {
  switch (policy) {
    case 'sanbot':
    case 'summary-only':
      return createFit().makeFit;
    case 'sliding-window':
      return async (session, deps) => slide(session, deps, CHUNK_SHARE);
    case 'truncate':
      return async (session, deps) => slide(session, deps, 1);
    case 'none':
      return async () => undefined;
  }
}

export const usesLadder = (policy: Policy): boolean => policy === 'sanbot' || policy === 'summary-only';

/** Offloading is part of the policy `sanbot` only. */
export const configOf = (policy: Policy, config: Config): Config =>
  policy === 'sanbot' ? config : { ...config, offload: { ...config.offload, enabled: false } };

function slide(session: Session, deps: Pick<AgentDeps, 'config' | 'model' | 'report' | 'measure'>, share: number): void {
  const { hardTokens } = limitsOf(session, deps);
  if (session.estimate.count().tokens <= hardTokens) return;
  session.estimate.settle();
  const { context } = session;
  const { ratio } = session.estimate;
  const tokensBefore = session.estimate.count().tokens;
  const slid = slideWindow(context, { measure: deps.measure, ratio, targetTokens: Math.floor(hardTokens * share) });
  if (slid === undefined) return;
  const next = { ...context, messages: slid.messages, anchorFloor: slid.messages.length };
  const tokensAfter = deps.measure.context(next, ratio).tokens;
  session.append({ type: 'checkpoint', reason: 'window', context: next });
  deps.report.emit({ type: 'window_slid', dropped: slid.dropped, tokensBefore, tokensAfter, snapshotId: '' });
}
