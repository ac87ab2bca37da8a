import type { SessionContext } from '../../domain/session/context.ts';
import type { Message } from '../../domain/session/message.ts';
import { withoutThinking } from '../history/apply-record.ts';
import { legalCuts, newestRequest } from '../history/cut.ts';
import type { Measure } from '../measure/measure.ts';

export type SlidePlan = { readonly measure: Measure; readonly ratio: number; readonly targetTokens: number };
export type Slid = { readonly messages: readonly Message[]; readonly dropped: number };

/**
 * Drops the oldest exchanges whole, as few as bring the context down to the target, and as many as can go when none do. The
 * newest request stays verbatim; a leading summary goes only when all else has gone and it still is too much. What is kept
 * loses its thinking, since its past has changed. Undefined when nothing is left to drop.
 */
export function slideWindow(context: SessionContext, { measure, ratio, targetTokens }: SlidePlan): Slid | undefined {
  const { messages } = context;
  const sizes = messages.map((message) => measure.message(message, ratio));
  const estimate = measure.context({ ...context, anchorFloor: messages.length }, ratio).tokens;
  const now = Math.max(estimate, measure.context(context, ratio).tokens);
  const choices = keepable(messages);
  const sizeBefore = runningSums(sizes);
  const dropped = (kept: Kept): number =>
    (sizeBefore[kept.from] ?? 0) - (sizeBefore[kept.leading] ?? 0) - (isBetween(kept) ? (sizes[kept.request] ?? 0) : 0);
  const choice = choices.find((kept) => now - dropped(kept) <= targetTokens) ?? choices.at(-1);
  if (choice === undefined) return undefined;
  const kept = messages.filter((_, index) => keeps(choice, index));
  return { messages: withoutThinking(kept), dropped: messages.length - kept.length };
}

/** The tail from an index on, with the first `leading` messages, and the message at `request` if the tail does not hold it. */
type Kept = { readonly leading: number; readonly request: number; readonly from: number };

const keeps = ({ leading, request, from }: Kept, index: number): boolean => index < leading || index === request || index >= from;

const isBetween = ({ leading, request, from }: Kept): boolean => request >= leading && request < from;

/** What can be kept, the most first. Each leaves out at least one message, starts with a user message and holds only whole pairs. */
function keepable(messages: readonly Message[]): readonly Kept[] {
  const legal = legalCuts(messages);
  const request = newestRequest(messages);
  const summaries = Math.max(
    0,
    messages.findIndex((message) => message.origin !== 'summary'),
  );
  const starts = (kept: Kept): boolean => kept.leading > 0 || isBetween(kept) || messages[kept.from]?.role === 'user';
  const drops = (kept: Kept): boolean => kept.from - kept.leading > (isBetween(kept) ? 1 : 0);
  const legalFrom = (leading: number): readonly Kept[] =>
    legal.flatMap((isLegal, from) => (isLegal ? [{ leading, request, from }] : [])).filter((kept) => starts(kept) && drops(kept));
  const withSummary = legalFrom(summaries);
  return summaries === 0 ? withSummary : [...withSummary, ...legalFrom(0).slice(-1)];
}

function runningSums(sizes: readonly number[]): readonly number[] {
  const sums = [0];
  for (const size of sizes) sums.push((sums.at(-1) ?? 0) + size);
  return sums;
}
