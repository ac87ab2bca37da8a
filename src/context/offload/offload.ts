/**
 * How a context gets smaller without a summary: large results go to files and leave a stub, old ones are sent only in part, and when
 * nothing else helps, long messages are trimmed or the oldest exchanges dropped.
 *
 * A context, the limits and a target come in; a plan comes out as data, which the agent performs. A stub and its body lose nothing, the
 * same body gives the same stub, and what is planned in one batch changes the past once.
 *
 * Lossless steps come before lossy ones, and whoever performs a lossy one takes a snapshot first. Pins, and results that were read back,
 * are left as they are. A plan that would not make the context smaller is not made.
 */

import type { OffloadConfig } from '../../domain/config/config.ts';
import { calledTool } from '../../domain/session/called-tool.ts';
import type { SessionContext } from '../../domain/session/context.ts';
import {
  type ContentBlock,
  isText,
  isToolResult,
  isToolUse,
  type Message,
  resultText,
  type StubRef,
  stubOf,
  type ToolResultBlock,
} from '../../domain/session/message.ts';
import { matchesGlob } from '../../domain/value/glob.ts';
import { isPinned } from '../history/pins.ts';
import type { Limits } from '../measure/limits.ts';
import { type Measure, utf8Bytes } from '../measure/measure.ts';
import { countNewlines, stubText } from './stub.ts';

type ResultFacts = { readonly tool: string; readonly readBack: boolean; readonly stub?: boolean };

/** True when a result may be offloaded at all: its tool is allowed, and it is neither a stub nor a body that was read back. */
export function isOffloadable({ tool, readBack, stub = false }: ResultFacts, config: OffloadConfig): boolean {
  if (!config.enabled || readBack || stub) return false;
  const matchesTool = (glob: string): boolean => matchesGlob(glob, tool);
  return config.allow.some(matchesTool) && !config.deny.some(matchesTool);
}

/** True when a new result goes to a file before it is first sent. */
export const offloadsOnArrival = (
  result: { readonly tool: string; readonly content: string; readonly readBack: boolean },
  limits: Limits,
  config: OffloadConfig,
): boolean => result.content.length > limits.resultChars && isOffloadable(result, config);

export type OffloadPlan = {
  readonly measure: Measure;
  readonly ratio: number;
  readonly limits: Limits;
  readonly config: OffloadConfig;
  /** Index where the protected tail starts; results before it go first. */
  readonly keepFrom: number;
  /** The low-water mark: no more results are chosen once the context would be down to it. */
  readonly targetTokens: number;
  /** When set, the batch also goes on until the tool output in the context is down to this. */
  readonly targetBytes?: number;
};

export type OffloadCandidate = {
  readonly messageIndex: number;
  readonly toolUseId: string;
  readonly tool: string;
  readonly ok: boolean;
  readonly content: string;
  readonly source?: string;
  /** Estimated, since the stub's path is not known yet; above zero. */
  readonly savesTokens: number;
};

/**
 * Plans which results leave the context in one batch: before the tail the largest first, then inside it the oldest first, until the target
 * is met. Counts the context as it will be after the offload, without the provider's usage, where that count is higher.
 */
export function planOffload(context: SessionContext, plan: OffloadPlan): readonly OffloadCandidate[] {
  const { measure, ratio, targetTokens, targetBytes = Number.POSITIVE_INFINITY } = plan;
  const current = measure.context(context, ratio);
  const afterOffload = measure.context({ ...context, anchorFloor: context.messages.length }, ratio);
  let tokens = Math.max(current.tokens, afterOffload.tokens);
  let bytes = current.toolOutputBytes;
  const candidates: OffloadCandidate[] = [];
  for (const result of offloadOrder(offloadableResults(context, plan.config), plan.keepFrom)) {
    if (tokens <= targetTokens && bytes <= targetBytes) break;
    const { block, ...candidate } = result;
    const savesTokens = savedTokens(result, plan);
    if (savesTokens <= 0) continue;
    candidates.push({ ...candidate, savesTokens });
    tokens -= savesTokens;
    bytes -= utf8Bytes(candidate.content);
  }
  return candidates;
}

type OffloadableResult = Omit<OffloadCandidate, 'savesTokens'> & { readonly block: ToolResultBlock };

function offloadOrder(results: readonly OffloadableResult[], keepFrom: number): readonly OffloadableResult[] {
  const beforeTail = results.filter((result) => result.messageIndex < keepFrom);
  const inTail = results.filter((result) => result.messageIndex >= keepFrom);
  return [...beforeTail.sort((a, b) => b.content.length - a.content.length), ...inTail];
}

/**
 * Returns the text-only results that may leave, without pinned ones. Two results with the same id could not be told apart, so neither
 * leaves.
 */
function offloadableResults({ messages, pins = [] }: SessionContext, config: OffloadConfig): readonly OffloadableResult[] {
  const tools = new Map<string, string>();
  const occurrences = new Map<string, number>();
  const results: OffloadableResult[] = [];
  for (const [messageIndex, message] of messages.entries()) {
    for (const block of message.content) {
      if (isToolUse(block)) tools.set(block.id, calledTool(block).name);
      if (!isToolResult(block)) continue;
      const toolUseId = block.tool_use_id;
      occurrences.set(toolUseId, (occurrences.get(toolUseId) ?? 0) + 1);
      const tool = tools.get(toolUseId) ?? '';
      const facts = { tool, readBack: message.readBack?.includes(toolUseId) ?? false, stub: stubOf(message, block) !== undefined };
      if (isOnlyText(block) && isOffloadable(facts, config) && !isPinned(message, pins)) {
        const path = message.sources?.find((source) => source.toolUseId === toolUseId)?.path;
        const source = path === undefined ? {} : { source: path };
        results.push({ messageIndex, toolUseId, tool, ok: block.is_error !== true, content: resultText(block), ...source, block });
      }
    }
  }
  return results.filter((result) => occurrences.get(result.toolUseId) === 1);
}

export const isOnlyText = ({ content }: ToolResultBlock): boolean => typeof content === 'string' || (content?.every(isText) ?? false);

/** About as long as our paths usually are. */
const PLACEHOLDER_PATH = `/${'p'.repeat(120)}`;

const PLACEHOLDER_HASH = '0'.repeat(64);

type RawSizes = { readonly limits: Limits; readonly content: number; readonly stub: number | undefined };

/** A voluntary batch is planned at every step until it pays, but the sizes of a result and its stub stay the same, so they are cached. */
const sizeCache = new WeakMap<Measure, WeakMap<ToolResultBlock, RawSizes>>();

function savedTokens(result: OffloadableResult, { measure, ratio, limits }: OffloadPlan): number {
  const cache = sizeCache.get(measure) ?? new WeakMap<ToolResultBlock, RawSizes>();
  sizeCache.set(measure, cache);
  const cached = cache.get(result.block);
  const sizes = cached !== undefined && sameStubs(cached.limits, limits) ? cached : rawSizes(result, measure, limits);
  cache.set(result.block, sizes);
  return sizes.stub === undefined ? 0 : Math.ceil(ratio * sizes.content) - Math.ceil(ratio * sizes.stub);
}

const sameStubs = (a: Limits, b: Limits): boolean =>
  a.stubTokens === b.stubTokens && a.resultChars === b.resultChars && a.headRatio === b.headRatio && a.tailRatio === b.tailRatio;

function rawSizes({ tool, ok, content, source }: OffloadableResult, measure: Measure, limits: Limits): RawSizes {
  const ref = { sha256: PLACEHOLDER_HASH, bytes: utf8Bytes(content), lines: countNewlines(content) + 1 };
  const stub = stubText({ path: PLACEHOLDER_PATH, tool, ok, ref, body: content, ...(source === undefined ? {} : { source }) }, limits);
  if (stub === undefined) return { limits, content: 0, stub };
  return { limits, content: measure.text(content, 1), stub: measure.text(stub, 1) };
}

/**
 * Steps until removing one token has paid for rewriting one: a cached token costs a tenth, one written to the cache one and a quarter, and
 * everything behind a change is rewritten once.
 */
const REWRITE_STEPS = 11.5;

/** True when removing tokens from the past now is cheaper than carrying them through the expected steps. */
export function voluntaryOffloadPays(plan: {
  readonly removedTokens: number;
  /** Tokens after the first changed message, which the provider's cache loses. */
  readonly tokensBehind: number;
  readonly expectedSteps: number;
  readonly cacheCold: boolean;
}): boolean {
  if (plan.removedTokens <= 0) return false;
  return plan.cacheCold || plan.expectedSteps >= (REWRITE_STEPS * plan.tokensBehind) / plan.removedTokens;
}

/**
 * Returns the messages with these results replaced by their stubs. Results that are already stubs stay, and unchanged messages are the same
 * objects.
 */
export function withStubs(
  messages: readonly Message[],
  stubs: readonly { readonly ref: StubRef; readonly text: string }[],
): readonly Message[] {
  const byId = new Map(stubs.map((stub) => [stub.ref.toolUseId, stub]));
  return messages.map((message) => {
    const refs: StubRef[] = [];
    const content = message.content.map((block): ContentBlock => {
      const stub = isToolResult(block) && stubOf(message, block) === undefined ? byId.get(block.tool_use_id) : undefined;
      if (stub === undefined) return block;
      refs.push(stub.ref);
      return { ...block, content: stub.text };
    });
    return refs.length === 0 ? message : { ...message, content, stubs: [...(message.stubs ?? []), ...refs] };
  });
}

export type BatchBounds = {
  /** Tokens of each message of the context, in message order. */
  readonly sizes: readonly number[];
  /** What the batch has to remove at any cost. */
  readonly minTokens: number;
};

/**
 * Drops the oldest results of a batch where that makes it cheaper: everything behind the first change is written to the provider's cache
 * anew, so a batch starts where the fewest tokens are rewritten for each token removed. Keeps the order of the batch; returns the whole
 * batch when no start removes `minTokens`.
 */
export function fromCheapestStart(batch: readonly OffloadCandidate[], { sizes, minTokens }: BatchBounds): readonly OffloadCandidate[] {
  const savingsByIndex = new Map<number, number>();
  for (const { messageIndex, savesTokens } of batch)
    savingsByIndex.set(messageIndex, (savingsByIndex.get(messageIndex) ?? 0) + savesTokens);
  let removedTokens = 0;
  let tokensBehind = 0;
  let best: { readonly start: number; readonly price: number } | undefined;
  for (let start = sizes.length - 1; start >= 0; start--) {
    tokensBehind += sizes[start] ?? 0;
    const savings = savingsByIndex.get(start);
    if (savings === undefined) continue;
    removedTokens += savings;
    const price = (tokensBehind - removedTokens) / removedTokens;
    if (removedTokens >= minTokens && (best === undefined || price <= best.price)) best = { start, price };
  }
  const from = best?.start ?? 0;
  return batch.filter(({ messageIndex }) => messageIndex >= from);
}
