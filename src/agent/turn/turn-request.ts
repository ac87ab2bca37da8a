import { planCachePoint } from '../../context/history/cache-point.ts';
import { type CacheTtl, cacheTtlMs, chooseCacheTtl } from '../../context/relief/cache-ttl.ts';
import { durationMs } from '../../domain/value/duration.ts';
import type { AgentDeps } from '../deps.ts';
import type { ModelFacts, ModelRequest } from '../ports/model.ts';
import { buildRequest } from '../request.ts';
import type { Session } from '../session/session.ts';

type RequestDeps = Pick<AgentDeps, 'config' | 'clock' | 'person'>;

/** The next request of a turn, with where and for how long the provider's cache is to keep it. */
export function turnRequest(session: Session, deps: RequestDeps, facts: ModelFacts): ModelRequest {
  const { config, clock } = deps;
  const { model, sent: context, estimate } = session;
  const request = buildRequest({ purpose: 'turn', model, facts, context, estimate, config: config.model });
  const ttl = cacheTtlOf(session, deps, facts);
  const { point, log } = planCachePoint(session.sentLog, request.messages, {
    now: clock.now().getTime(),
    ttlMs: ttl === '1h' ? cacheTtlMs['1h'] : (durationMs(config.pruning.ttl) ?? 0),
  });
  session.sentLog = log;
  return { ...request, ...(point !== undefined && { cachePoint: point }), ...(ttl === '1h' && { cacheTtl: ttl }) };
}

/**
 * Returns what tells of a request, once and with its exact size. It is called before anything else is told of that request; where the
 * tokenizer is not loaded, not before the request has left: to count what cannot be too much is no reason to let the model wait.
 */
export function requestNotice({ estimate }: Session, { report }: Pick<AgentDeps, 'report'>, { windowTokens }: ModelFacts): () => void {
  let isTold = false;
  const tell = (): void => {
    if (isTold) return;
    const { tokens } = estimate.count();
    isTold = true;
    report.emit({ type: 'request', purpose: 'turn', tokens, windowTokens });
  };
  if (estimate.hasCounted) tell();
  return tell;
}

/** The setting, or what pays where a person may be away for a while; a script never is. */
function cacheTtlOf(session: Session, { config, person }: RequestDeps, facts: ModelFacts): CacheTtl {
  if (config.model.cacheTtl !== 'auto') return config.model.cacheTtl;
  if (person.interactive !== true || facts.hourCache !== true) return '5m';
  return chooseCacheTtl(session.sent.messages, () => session.estimate.count().tokens, facts.costUsd);
}
