import type { Pin, SessionContext } from '../../domain/session/context.ts';
import { type ContentBlock, isText, isToolResult, isToolUse, type Message, stubOf } from '../../domain/session/message.ts';
import { mapStrings } from '../../domain/value/json.ts';
import { withoutThinking } from '../history/apply-record.ts';
import { legalCuts, newestRequest } from '../history/cut.ts';
import { isPinned } from '../history/pins.ts';
import type { Limits } from '../measure/limits.ts';
import type { Measure } from '../measure/measure.ts';
import { describeExcerpt, type ExcerptBudget, excerptOf, UNITS_PER_TOKEN, unitsOf } from './stub.ts';

export type TrimPlan = {
  readonly measure: Measure;
  readonly ratio: number;
  readonly limits: Limits;
  readonly targetTokens: number;
  /** Stores a whole text where the model can read it again and returns the path; undefined when it cannot. */
  readonly keep?: (text: string) => string | undefined;
};

/**
 * The messages with oversized texts cut to head and tail, each with a notice: the largest first, the newest request last and least. Ids,
 * summaries, pins and stubs stay; thinking goes. Undefined when the target is met, or nothing can be cut.
 */
export function planTrim(context: SessionContext, plan: TrimPlan): readonly Message[] | undefined {
  const { measure, ratio, limits, targetTokens } = plan;
  const minBudget = trimBudget(limits);
  const request = newestRequest(context.messages);
  const messages = [...withoutThinking(context.messages)];
  let tokens = measure.context({ ...context, messages, anchorFloor: messages.length }, ratio).tokens;
  tokens = Math.max(tokens, measure.context(context, ratio).tokens);
  let changed = false;
  for (const { messageIndex, blockIndex } of largestFirst(messages, { budget: minBudget, pins: context.pins ?? [] })) {
    if (tokens <= targetTokens) break;
    const message = messages[messageIndex];
    const block = message?.content[blockIndex];
    if (message === undefined || block === undefined) continue;
    const size = measure.message({ ...message, content: [block] }, ratio);
    const budget = message.id === context.messages[request]?.id ? requestBudget(minBudget, targetTokens - (tokens - size)) : minBudget;
    const smaller = mapTexts(block, (text) => (isOversized(text, budget) ? trimText(text, budget, plan.keep) : text));
    const saved = size - measure.message({ ...message, content: [smaller] }, ratio);
    if (saved <= 0) continue;
    messages[messageIndex] = { ...message, content: message.content.with(blockIndex, smaller) };
    tokens -= saved;
    changed = true;
  }
  return changed ? messages : undefined;
}

type BlockPosition = { readonly messageIndex: number; readonly blockIndex: number; readonly units: number };

type OversizeOptions = { readonly budget: ExcerptBudget; readonly pins: readonly Pin[] };

function largestFirst(messages: readonly Message[], { budget, pins }: OversizeOptions): readonly BlockPosition[] {
  const request = newestRequest(messages);
  const positions = messages.flatMap((message, messageIndex) =>
    message.origin === 'summary' || isPinned(message, pins)
      ? []
      : message.content.flatMap((block, blockIndex): BlockPosition[] => {
          const isStub = isToolResult(block) && stubOf(message, block) !== undefined;
          const units = isStub ? 0 : oversizedUnits(block, budget);
          return units > 0 ? [{ messageIndex, blockIndex, units }] : [];
        }),
  );
  const last = (position: BlockPosition): number => (position.messageIndex === request ? 1 : 0);
  return positions.sort((a, b) => last(a) - last(b) || b.units - a.units);
}

function oversizedUnits(block: ContentBlock, budget: ExcerptBudget): number {
  let units = 0;
  mapTexts(block, (text) => {
    if (isOversized(text, budget)) units += unitsOf(text);
    return text;
  });
  return units;
}

/** Returns the block with each text in it that is content (not an id, a name or an image) replaced. */
function mapTexts(block: ContentBlock, transform: (text: string) => string): ContentBlock {
  if (isText(block)) return { ...block, text: transform(block.text) };
  if (isToolUse(block)) return { ...block, input: mapStrings(block.input, transform) };
  if (!isToolResult(block)) return block;
  if (typeof block.content === 'string') return { ...block, content: transform(block.content) };
  return block.content === undefined
    ? block
    : { ...block, content: block.content.map((inner) => (isText(inner) ? { ...inner, text: transform(inner.text) } : inner)) };
}

/** Room for the notice, so that a trimmed text is not oversized again. */
const NOTICE_UNITS = 300;
const DEFAULT_SHARE = 0.3;

function trimBudget({ stubTokens, resultChars, headRatio, tailRatio }: Limits): ExcerptBudget {
  const [head, tail] = headRatio + tailRatio > 0 ? [headRatio, tailRatio] : [DEFAULT_SHARE, DEFAULT_SHARE];
  return { headChars: resultChars * head, tailChars: resultChars * tail, units: stubTokens * UNITS_PER_TOKEN };
}

/** The share of the free tokens that the newest request gets; the rest is for what the model does with it. */
const REQUEST_SHARE = 0.6;

function requestBudget(minBudget: ExcerptBudget, freeTokens: number): ExcerptBudget {
  const units = Math.floor(freeTokens * REQUEST_SHARE) * UNITS_PER_TOKEN;
  if (units <= minBudget.units) return minBudget;
  const share = minBudget.headChars / Math.max(1, minBudget.headChars + minBudget.tailChars);
  return { headChars: units * share, tailChars: units * (1 - share), units };
}

const isOversized = (text: string, { headChars, tailChars, units }: ExcerptBudget): boolean =>
  text.length > headChars + tailChars + NOTICE_UNITS || unitsOf(text) > units + NOTICE_UNITS;

/** The notice comes first, where it is seen [C3]. */
function trimText(text: string, budget: ExcerptBudget, keep: TrimPlan['keep']): string {
  const { head, tail, cutChars } = excerptOf(text, budget);
  const path = keep?.(text);
  const pointer =
    path === undefined
      ? "The whole text is in the session's history."
      : `The whole text is at: ${path} (read_file and search take this path)`;
  return `[Cut to fit the context window: of ${text.length} characters ${describeExcerpt(head.length, tail.length)} follow. ${pointer}]\n${head}\n[${cutChars} characters left out]\n${tail}`;
}

export type SlidePlan = { readonly measure: Measure; readonly ratio: number; readonly targetTokens: number };
export type SlideResult = { readonly messages: readonly Message[]; readonly dropped: number };

/**
 * Drops the oldest exchanges whole, as few as bring the context to the target. The newest request stays; a leading summary goes last. The
 * rest loses its thinking, since its past has changed. Undefined when nothing is left to drop.
 */
export function slideWindow(context: SessionContext, { measure, ratio, targetTokens }: SlidePlan): SlideResult | undefined {
  const { messages } = context;
  const sizes = measure.messages(messages, ratio);
  const estimate = measure.context({ ...context, anchorFloor: messages.length }, ratio).tokens;
  const currentTokens = Math.max(estimate, measure.context(context, ratio).tokens);
  const choices = keepRanges(messages);
  const sizeBefore = runningSums(sizes);
  const droppedTokens = (kept: KeepRange): number =>
    (sizeBefore[kept.from] ?? 0) - (sizeBefore[kept.leading] ?? 0) - (keepsRequestApart(kept) ? (sizes[kept.request] ?? 0) : 0);
  const choice = choices.find((kept) => currentTokens - droppedTokens(kept) <= targetTokens) ?? choices.at(-1);
  if (choice === undefined) return undefined;
  const kept = messages.filter((_, index) => isKept(choice, index));
  return { messages: withoutThinking(kept), dropped: messages.length - kept.length };
}

/** Keeps the tail from index `from`, the first `leading` messages, and the message at `request` if the tail does not hold it. */
type KeepRange = { readonly leading: number; readonly request: number; readonly from: number };

const isKept = ({ leading, request, from }: KeepRange, index: number): boolean => index < leading || index === request || index >= from;

const keepsRequestApart = ({ leading, request, from }: KeepRange): boolean => request >= leading && request < from;

/** What can be kept, the most first: each drops a message, starts with one of the user's and holds whole pairs. */
function keepRanges(messages: readonly Message[]): readonly KeepRange[] {
  const legal = legalCuts(messages);
  const request = newestRequest(messages);
  const firstOther = messages.findIndex((message) => message.origin !== 'summary');
  const summaries = Math.max(0, firstOther);
  const startsWithUser = (kept: KeepRange): boolean => kept.leading > 0 || keepsRequestApart(kept) || messages[kept.from]?.role === 'user';
  const dropsSome = (kept: KeepRange): boolean => kept.from - kept.leading > (keepsRequestApart(kept) ? 1 : 0);
  const legalFrom = (leading: number): readonly KeepRange[] =>
    legal
      .flatMap((isLegal, from) => (isLegal ? [{ leading, request, from }] : []))
      .filter((kept) => startsWithUser(kept) && dropsSome(kept));
  const withSummary = legalFrom(summaries);
  return summaries === 0 ? withSummary : [...withSummary, ...legalFrom(0).slice(-1)];
}

function runningSums(sizes: readonly number[]): readonly number[] {
  const sums = [0];
  for (const size of sizes) sums.push((sums.at(-1) ?? 0) + size);
  return sums;
}
