import type { SessionContext } from '../../domain/session/context.ts';
import type { Message } from '../../domain/session/message.ts';
import { withoutThinking } from '../history/apply-record.ts';
import { legalCuts, newestRequest } from '../history/cut.ts';
import type { Measure } from '../measure/measure.ts';

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
