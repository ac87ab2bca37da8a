import type { PruningConfig } from '../../domain/config/config.ts';
import type { SessionContext } from '../../domain/session/context.ts';
import {
  type ContentBlock,
  isThinking,
  isToolResult,
  type Message,
  type PrunedResult,
  type PruneRecord,
  resultText,
  stubOf,
  type ToolResultBlock,
} from '../../domain/session/message.ts';
import { findLastGrowing, memoizeByObject } from '../../domain/value/memoize.ts';
import type { Measure } from '../measure/measure.ts';
import { alone } from './media-stub.ts';
import { allowsTool, textResults } from './offload.ts';
import { describeExcerpt, excerptOf } from './stub.ts';

export type PrunePlan = {
  readonly measure: Measure;
  readonly ratio: number;
  readonly config: PruningConfig;
  /** What was pruned before stays pruned. */
  readonly previous: PruneRecord | undefined;
  /** Nothing more is pruned once the request would be down to this. */
  readonly targetTokens: number;
};

/**
 * Plans which results are sent only in part: first large ones are cut, then whole ones replaced by the placeholder, the oldest first, until
 * the target is met. Stubs stay, and all since the last `keepLastAssistants` replies. Undefined when nothing more can go.
 */
export function planPrune(context: SessionContext, plan: PrunePlan): PruneRecord | undefined {
  const { measure, ratio, config, previous, targetTokens } = plan;
  const upTo = context.messages.at(-1)?.id;
  if (upTo === undefined) return undefined;
  const chosenResults = new Map(previous?.results.map((result) => [result.toolUseId, result]));
  const weightOf = (block: ToolResultBlock): number => measure.message(alone({ ...block }), ratio);
  const placeholder = previous?.placeholder ?? config.placeholder;
  const sentContext = applyPruning(context, previous);
  let tokens = measure.context({ ...sentContext, anchorFloor: sentContext.messages.length }, ratio).tokens;
  let changed = false;
  const prune = (block: ToolResultBlock, result: PrunedResult): void => {
    if (tokens <= targetTokens) return;
    const earlierResult = chosenResults.get(block.tool_use_id);
    const currentBlock = earlierResult === undefined ? block : pruneBlock(block, earlierResult, placeholder);
    const saved = weightOf(currentBlock) - weightOf(pruneBlock(block, result, placeholder));
    if (saved <= 0) return;
    chosenResults.set(block.tool_use_id, result);
    tokens -= saved;
    changed = true;
  };
  const results = prunableResults(context.messages, config);
  for (const block of results) if (!chosenResults.has(block.tool_use_id)) for (const cut of trimResult(block, config)) prune(block, cut);
  for (const block of results) prune(block, { toolUseId: block.tool_use_id, headChars: 0, tailChars: 0 });
  return changed ? { upTo, placeholder, results: [...chosenResults.values()] } : undefined;
}

/** The pruning with which the newest reply was made, as long as its past has not changed. */
export function activePruning({ messages, anchorFloor }: SessionContext): PruneRecord | undefined {
  const index = lastPruned(messages);
  return index >= anchorFloor ? messages[index]?.pruned : undefined;
}

const lastPruned = findLastGrowing(({ pruned }: Message) => pruned !== undefined);

/** The context as it is sent: without what is pruned, and the thinking up to there. What has nothing left out stays the same object. */
export function applyPruning(context: SessionContext, pruned: PruneRecord | undefined): SessionContext {
  const last = pruned === undefined ? -1 : context.messages.findLastIndex((message) => message.id === pruned.upTo);
  if (pruned === undefined || last === -1) return context;
  const prune = prunerOf(pruned);
  const messages = context.messages.map((message, index) => (index > last ? message : prune(message)));
  return { ...context, messages, anchorFloor: Math.max(context.anchorFloor, last + 1) };
}

/** The same message always maps to the same object, so that it is weighed once. */
const prunerOf = memoizeByObject(({ results, placeholder }: PruneRecord) => {
  const byId = new Map(results.map((result) => [result.toolUseId, result]));
  return memoizeByObject((message: Message) => pruneMessage(message, byId, placeholder));
});

function pruneMessage(message: Message, byId: ReadonlyMap<string, PrunedResult>, placeholder: string): Message {
  const content = message.content.flatMap((block): readonly ContentBlock[] => {
    if (isThinking(block)) return [];
    const result = isToolResult(block) ? byId.get(block.tool_use_id) : undefined;
    return [result !== undefined && isToolResult(block) ? pruneBlock(block, result, placeholder) : block];
  });
  const same = content.length === message.content.length && content.every((block, index) => block === message.content[index]);
  return same ? message : { ...message, content };
}

function pruneBlock(block: ToolResultBlock, { headChars, tailChars }: PrunedResult, placeholder: string): ToolResultBlock {
  if (headChars + tailChars === 0) return { ...block, content: placeholder };
  const text = resultText(block);
  const tailStart = Math.max(headChars, text.length - tailChars);
  const notice = `[Old tool result shortened: ${describeExcerpt(headChars, text.length - tailStart)} of ${text.length} characters are here. recall finds the rest.]`;
  const gapNote = `[${tailStart - headChars} characters left out]`;
  return { ...block, content: `${notice}\n${text.slice(0, headChars)}\n${gapNote}\n${text.slice(tailStart)}` };
}

/** Returns the cut of a large result; empty for one that is not large, or of which nothing would be kept. */
function trimResult(block: ToolResultBlock, { maxToolResultChars, headKeepRatio, tailKeepRatio }: PruningConfig): readonly PrunedResult[] {
  const text = resultText(block);
  if (text.length <= maxToolResultChars) return [];
  const budget = { headChars: maxToolResultChars * headKeepRatio, tailChars: maxToolResultChars * tailKeepRatio };
  const { head, tail } = excerptOf(text, { ...budget, units: Number.MAX_SAFE_INTEGER });
  return head.length + tail.length === 0 ? [] : [{ toolUseId: block.tool_use_id, headChars: head.length, tailChars: tail.length }];
}

function prunableResults(messages: readonly Message[], { tools, keepLastAssistants }: PruningConfig): readonly ToolResultBlock[] {
  const end = protectedFrom(messages, keepLastAssistants);
  return textResults(messages).flatMap(({ messageIndex, message, block, tool }) =>
    messageIndex < end && allowsTool(tools, tool) && stubOf(message, block) === undefined ? [block] : [],
  );
}

function protectedFrom(messages: readonly Message[], keepLastAssistants: number): number {
  if (keepLastAssistants === 0) return messages.length;
  return messages.flatMap(({ role }, index) => (role === 'assistant' ? [index] : [])).at(-keepLastAssistants) ?? 0;
}
