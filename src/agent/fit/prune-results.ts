import type { Limits } from '../../context/measure/limits.ts';
import { planPrune } from '../../context/offload/prune.ts';
import { cacheTtlMs, reportedTtl } from '../../context/relief/cache-ttl.ts';
import { durationMs } from '../../domain/value/duration.ts';
import { type AgentDeps, modelFacts } from '../deps.ts';
import type { Session } from '../session/session.ts';

type PruneDeps = CacheDeps & Pick<AgentDeps, 'measure' | 'report'>;
export type CacheDeps = Pick<AgentDeps, 'config' | 'clock' | 'model'>;

/**
 * Leaves out of the next requests what older tool results hold, down to the low-water mark, when the provider's cache is cold
 * anyway and the context above the soft limit. Changes only what is sent. What is pruned stays so until the past changes
 * otherwise; the reply to the first such request says so in the log, so that it holds after a restart and a rollback too.
 */
export function pruneWhenCold(session: Session, deps: PruneDeps, limits: Limits): void {
  const { pruning } = deps.config;
  if (pruning.mode === 'off' || !isCacheCold(session, deps)) return;
  if (session.estimate.count().tokens <= limits.softTokens) return;
  session.estimate.settle();
  const tokensBefore = session.estimate.count().tokens;
  const previous = session.pruned;
  const { measure } = deps;
  const { context } = session;
  const { ratio } = session.estimate;
  const pruned = planPrune(context, { measure, ratio, config: pruning, previous, targetTokens: limits.lowWaterTokens });
  if (pruned === undefined) return;
  session.prune(pruned);
  const newResults = pruned.results.filter((result) => !previous?.results.includes(result));
  const cleared = newResults.filter(({ headChars, tailChars }) => headChars + tailChars === 0).length;
  const tokensAfter = session.estimate.count().tokens;
  deps.report.emit({ type: 'pruned', trimmed: newResults.length - cleared, cleared, tokensBefore, tokensAfter });
}

/** Whether the last reply is so long ago that the provider has forgotten the prefix. */
export function isCacheCold(session: Session, deps: CacheDeps): boolean {
  const last = session.context.messages.findLast((message) => message.origin === 'model');
  return last !== undefined && deps.clock.now().getTime() - Date.parse(last.at) > cacheLifeMs(session, deps);
}

/** How long the provider keeps what it was sent: `pruning.ttl`, or longer where it says so. */
const cacheLifeMs = (session: Session, { config, model }: Omit<CacheDeps, 'clock'>): number =>
  Math.max(
    durationMs(config.pruning.ttl) ?? 0,
    modelFacts(session, { model }).cacheLifeMs ?? 0,
    reportedTtl(session.sent.messages) === '1h' ? cacheTtlMs['1h'] : 0,
  );
