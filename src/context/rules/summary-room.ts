import { senseOf } from '../../domain/memory/memory-sense.ts';
import type { Ledger } from '../../domain/session/ledger.ts';
import { isToolResult, type Message, type ReadBody, resultText, storedResult, textOf } from '../../domain/session/message.ts';
import { renderLedger } from '../ledger/render/render-ledger.ts';
import type { FitLine, TokenBudget } from '../summary/fit-sections.ts';
import { cutAt } from '../text/sentences.ts';

export type SummarySource = TokenBudget & {
  readonly earlier: string | undefined;
  /** The ledger of the messages and the earlier summary together. */
  readonly ledger: Ledger;
  readonly bodyOf: ReadBody;
};

/** The largest share of its source's tokens that a summary may take; one that is hardly shorter is useless. */
const MAX_SOURCE_SHARE = 0.8;
/** Of talk, the summary, the ledger beside it and what frames them together: what was said once is worth less than what was found. */
const TALK_SHARE = 0.4;
const FRAME_TOKENS = 160;
/** Of talk, at least so much is left for the summary however long the ledger is: its headings, the request and what was said to it. */
const LEAST = { share: 0.15, tokens: 200 };
/** Above this share of the source, what tools returned is what the summary is of. */
const MAX_TALK_RESULTS = 0.2;

/** How many tokens a summary of the messages may take. What an earlier one carries is not shortened again. */
export function summaryRoom(messages: readonly Message[], source: SummarySource): number {
  const { earlier, ledger, tokens, count } = source;
  const before = count(earlier ?? '');
  const { said, called } = sourceTokens(messages, source);
  const most = Math.min(tokens, Math.floor((before + said + called) * MAX_SOURCE_SHARE));
  if (called > (said + called) * MAX_TALK_RESULTS) return most;
  const beside = count(renderLedger({ ...ledger, identifiers: [] }, { tokens, count })) + FRAME_TOKENS;
  const room = Math.max(LEAST.tokens, said * LEAST.share, said * TALK_SHARE - beside);
  return Math.min(most, Math.floor(before + room));
}

/** Counts only as far as it matters: a source of so many times the budget is large enough. */
function sourceTokens(
  messages: readonly Message[],
  { bodyOf, tokens, count }: SummarySource,
): { readonly said: number; readonly called: number } {
  let [said, called] = [0, 0];
  for (const message of messages) {
    if (said + called > tokens * ENOUGH) break;
    said += count(textOf(message.content));
    for (const block of message.content) {
      if (isToolResult(block)) called += count(cutAt(storedResult(message, block, bodyOf) ?? resultText(block), 200_000));
      else if (block.type === 'tool_use') called += count(JSON.stringify(block.input) ?? '');
    }
  }
  return { said, called };
}

/** Beyond it, each of the shares leaves more than the budget. */
const ENOUGH = 4;

/** What a line gains for each word it shares with the instructions: a name, a number or a path matches exactly, a word only roughly. */
const EXACT_BONUS = 6;
const WORD_BONUS = 2;
const MAX_BONUS = 8;

/** Ranks lines that mention what the instructions name above others of the same worth. */
export function boostMentioned(instructions: string | undefined): (line: FitLine) => FitLine {
  if (instructions === undefined || instructions.trim() === '') return (line) => line;
  const { terms, exact } = senseOf(instructions);
  return (line) => {
    const lineTerms = new Set(senseOf(line.text).terms);
    const bonus = terms
      .filter((term) => lineTerms.has(term))
      .reduce((sum, term) => sum + (exact.includes(term) ? EXACT_BONUS : WORD_BONUS), 0);
    return bonus === 0 ? line : { ...line, worth: line.worth + Math.min(MAX_BONUS, bonus) };
  };
}
