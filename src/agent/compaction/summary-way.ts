import { type Limits, thinkingRoom, WINDOW_MARGIN } from '../../context/measure/limits.ts';
import { anchorOf } from '../../context/measure/measure.ts';
import { reportedTtl } from '../../context/relief/cache-ttl.ts';
import { chooseSummary, type RequestCost } from '../../context/relief/price-relief.ts';
import { summaryOf } from '../../context/summary/compressed-history.ts';
import { choosePrefixRoom, summaryRules } from '../../context/summary/prefix-request.ts';
import { splitEffort } from '../../domain/config/effort.ts';
import { type Message, noUsage, type Usage } from '../../domain/session/message.ts';
import { type AgentDeps, modelFacts } from '../deps.ts';
import { isCacheCold } from '../fit/prune-results.ts';
import type { Session } from '../session/session.ts';

/**
 * The configured one, its fallbacks, and at last the session's own, each once. The session's model by its name alone is the session's own with its
 * effort: with another, what the provider has cached would be lost.
 */
export function summaryModels({ model: own }: Session, { model, fallbackModels }: AgentDeps['config']['compaction']): readonly string[] {
  const { name } = splitEffort(own);
  const named = [...(model === null ? [] : [model]), ...fallbackModels];
  return [...new Set([...named.map((each) => (each === name ? own : each)), own])];
}

/** What says which part of the conversation leaves. */
const SCOPE_TOKENS = 150;

type WayDeps = Pick<AgentDeps, 'config' | 'model' | 'clock' | 'prompts' | 'measure'>;
type Wish = {
  readonly limits: Pick<Limits, 'summaryTokens' | 'summaryRoomTokens' | 'restoreTokens'>;
  /** Where the tail begins that is kept. */
  readonly index: number;
  /** What the user wants kept, and what hooks added. */
  readonly instructions?: string | undefined;
};

/**
 * How a model is asked for the summary, and what that uses: at the end of the conversation as it was last sent where there is a `room`, else
 * by a transcript. That is for another summariser, a changed past, a window without room, and a cold cache where it costs less than to write
 * everything again.
 */
export function chooseSummaryWay(session: Session, deps: WayDeps, { limits, index, instructions = '' }: Wish) {
  const { config, measure, prompts } = deps;
  const { messages } = session.sent;
  const { ratio } = session.estimate;
  const { tokens, anchored } = session.estimate.count();
  const sizes = measure.messages(messages, ratio);
  const sum = (from: number, to?: number): number => sizes.slice(from, to).reduce((total, size) => total + size, 0);
  const earlier = summaryOf(messages);
  const rules = summaryRules(prompts.summary(), { hasSummary: earlier !== undefined });
  const instructionTokens = measure.text(rules + instructions, ratio) + SCOPE_TOKENS;
  const { windowTokens, thinkingTokens = 0, keepsOnePrefix } = modelFacts(session, deps);
  const leftTokens = Math.floor(windowTokens * WINDOW_MARGIN) - tokens - instructionTokens - thinkingRoom(thinkingTokens, windowTokens);
  const anchor = anchored && summaryModels(session, config.compaction)[0] === session.model ? anchorOf(session.sent) : undefined;
  const bodyTokens = Math.round((bodyBytes(messages.slice(0, index)) / BYTES_PER_TOKEN) * ratio);
  const room = anchor && choosePrefixRoom({ messages, sizes, index, leftTokens, limits, hasBodies: bodyTokens > 0 });
  const isCached = keepsOnePrefix || (anchor !== undefined && anchor.usage.cacheReadTokens + anchor.usage.cacheWriteTokens > 0);
  const end = room?.end ?? messages.length;
  const lastReply = Math.max(
    0,
    messages.findLastIndex(({ origin }) => origin === 'model'),
  );
  return chooseSummary(
    {
      ...{ room, instructionTokens, isWarm: isCached && !isCacheCold(session, deps) },
      shownTokens: Math.max(0, tokens - sum(end)),
      newTokens: sum(lastReply, end),
      bodyTokens,
      transcriptTokens: Math.min(tokens, sum(0, index) + bodyTokens),
      summaryTokens: earlier === undefined ? limits.summaryTokens : measure.text(earlier.text, ratio),
    },
    pricesOf(session, deps),
  );
}

/** Of our own count, in English text and code. */
const BYTES_PER_TOKEN = 4;

const bodyBytes = (messages: readonly Message[]): number =>
  messages.reduce((sum, { stubs = [] }) => sum + stubs.reduce((bytes, { body }) => bytes + body.bytes, 0), 0);

/** Undefined where no price is known. What is written stays in the cache as long as what was written last. */
export function pricesOf(session: Session, deps: Pick<AgentDeps, 'model'>): RequestCost | undefined {
  const { costUsd } = modelFacts(session, deps);
  if (costUsd(noUsage) === undefined) return undefined;
  const isHour = reportedTtl(session.sent.messages) === '1h';
  return (usage: Usage): number => costUsd(isHour ? { ...usage, cacheWrite1hTokens: usage.cacheWriteTokens } : usage) ?? 0;
}
