import { planCachePoint } from '../context/history/cache-point.ts';
import { pairingProblems, toWire } from '../context/history/pairing.ts';
import { type MediaFacts, sentMedia } from '../context/offload/sent-media.ts';
import { type CacheTtl, cacheTtlMs, chooseCacheTtl } from '../context/relief/price-relief.ts';
import type { Config } from '../domain/config/config.ts';
import { withEffort } from '../domain/config/effort.ts';
import { SanbotError } from '../domain/errors.ts';
import type { SessionContext } from '../domain/session/context.ts';
import type { WireMessage } from '../domain/session/message.ts';
import { durationMs } from '../domain/value/duration.ts';
import type { AgentDeps } from './deps.ts';
import type { ModelFacts, ModelRequest } from './ports/model.ts';
import type { TokenEstimate } from './session/estimate.ts';
import type { Session } from './session/session.ts';

type Recipient = { readonly model: string; readonly facts: Pick<ModelFacts, 'maxOutputTokens' | 'windowTokens' | keyof MediaFacts> };

/** A system prompt and the one message that goes with it. */
type Prompt = { readonly system: string; readonly user: string };

type TurnParts = Recipient & {
  readonly purpose: 'turn';
  readonly context: SessionContext;
  readonly estimate: Pick<TokenEstimate, 'count' | 'most'>;
  readonly config: Config['model'];
};

/** `roomTokens`: the most that the reply may take; what it is asked to take is in its instructions. */
type Summarising = { readonly roomTokens: number; readonly retryCount: number };

export type RequestParts =
  | TurnParts
  /** A model summarises the conversation itself: all of it as the turns sent it, with one more message of the user's at its end. */
  | (Recipient & Summarising & { readonly purpose: 'prefix_summary'; readonly context: SessionContext })
  /** A model summarises what stands in the prompt. */
  | (Recipient & Summarising & { readonly purpose: 'summary'; readonly prompt: Prompt })
  /** A model says what of the prompt is worth remembering. */
  | (Recipient & { readonly purpose: 'memory'; readonly prompt: Prompt });

/** Asked for at most, when the user has not said: more is rarely used and would only be reserved in vain. */
const DEFAULT_MAX_OUTPUT_TOKENS = 32_000;
const MIN_OUTPUT_TOKENS = 1_024;
const MEMORY_OUTPUT_TOKENS = 8_000;

/**
 * The one place where requests are made, whatever they are for, so that none leaves with a broken pair or asks for more than the model
 * can write. Throws `internal` when the conversation is not in a state to be sent: that is a fault of ours.
 */
export function buildRequest(parts: RequestParts): ModelRequest {
  const { model, facts } = parts;
  switch (parts.purpose) {
    case 'turn':
      return { model, ...conversationOf(parts), maxOutputTokens: turnOutputTokens(parts), purpose: 'turn' };
    case 'prefix_summary':
      return { model, ...conversationOf(parts), ...summaryRequest(parts), onPrefix: true };
    case 'summary':
      return { model, ...promptOf(parts.prompt), ...summaryRequest(parts) };
    case 'memory': {
      const maxOutputTokens = Math.min(MEMORY_OUTPUT_TOKENS, facts.maxOutputTokens);
      return { model, ...promptOf(parts.prompt), maxOutputTokens, purpose: 'summary', retryCount: 1 };
    }
  }
}

const summaryRequest = ({ roomTokens, retryCount, facts }: Summarising & Recipient) => ({
  maxOutputTokens: Math.min(roomTokens, facts.maxOutputTokens),
  ...{ purpose: 'summary' as const, retryCount },
});

const conversationOf = ({ context, facts }: Pick<TurnParts, 'context' | 'facts'>) => ({
  system: [context.system, context.shortTermSummary].filter((block) => block !== ''),
  tools: context.tools,
  messages: sentMedia(checkPairs(toWire(context.messages)), facts),
});

const promptOf = ({ system, user }: Prompt) => ({
  system: [system],
  tools: [],
  messages: checkPairs([{ role: 'user', content: [{ type: 'text', text: user }] }]),
});

function checkPairs(messages: readonly WireMessage[]): readonly WireMessage[] {
  const problems = pairingProblems(messages);
  if (problems.length === 0) return messages;
  throw new SanbotError('internal', {
    en: `The conversation is not in a state to be sent: ${problems.join('; ')}`,
    zh: `会话当前的状态不能发送：${problems.join('；')}`,
  });
}

/** Never above what the model can write, nor what the window has left [P32, C37]. */
function turnOutputTokens({ facts, estimate, config }: TurnParts): number {
  const cap = Math.min(config.maxOutputTokens ?? DEFAULT_MAX_OUTPUT_TOKENS, facts.maxOutputTokens);
  if (facts.windowTokens - estimate.most().tokens >= cap) return cap;
  const remaining = facts.windowTokens - estimate.count().tokens;
  return Math.min(cap, Math.max(remaining, MIN_OUTPUT_TOKENS));
}

/** The name by which a model is asked beside the conversation: with the effort that is set for that, where it is known to take one. */
export const besideConversation = (name: string, { config, model }: Pick<AgentDeps, 'config' | 'model'>): string => {
  const { helperEffort } = config.model;
  return helperEffort === null || model.facts(name).takesEffort !== true ? name : withEffort(name, helperEffort);
};

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
  const { previousReply } = session.prefix;
  return { ...request, previousReply, ...(point !== undefined && { cachePoint: point }), ...(ttl === '1h' && { cacheTtl: ttl }) };
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
