import { firstOf } from '../../domain/lists.ts';
import { senseOf } from '../../domain/memory/memory-sense.ts';
import type { Ledger } from '../../domain/session/ledger.ts';
import { isToolResult, type Message, type ReadBody, resultText, storedResult, textOf } from '../../domain/session/message.ts';
import { findsNoError } from '../ledger/error-line.ts';
import {
  type ExchangeContext,
  exchangeLines,
  isInformative,
  quoteRequest,
  referentLines,
  replyLines,
  withoutRequest,
} from '../ledger/exchange/exchange-lines.ts';
import { type Exchange, isSlashCommand, messageText } from '../ledger/exchange/exchanges.ts';
import { stateOf } from '../ledger/exchange/progress.ts';
import { commandText, isEmptySearch, isSlip, stateSince, wasRun } from '../ledger/outcomes.ts';
import { renderLedger } from '../ledger/render/render-ledger.ts';
import type { ToolCall } from '../ledger/types.ts';
import { saysNotDone } from '../sentence/forms-open.ts';
import { withoutCheer } from '../sentence/work.ts';
import { failureNote } from '../summary/carried/carried-line.ts';
import type { FitLine, SummaryWords, TokenBudget } from '../summary/fit-sections.ts';
import { cutAt, looksLikeOutput, quoteLine, sentencesOf } from '../text/sentences.ts';

/** A line that may quote a sentence, which the record of the exchanges then need not repeat. */
export type QuotingLine = FitLine & { readonly sentence?: string };

const MAX_NOTICES = 2;

/** Shows notices of the program that have no kind and say something: they leave the context with the other messages. */
export const noticeLines = (messages: readonly Message[], words: SummaryWords): readonly FitLine[] =>
  messages
    .filter(({ origin, notice }) => origin === 'notice' && notice === undefined)
    .map(({ content }) => textOf(content).trim())
    .filter(isProse)
    .slice(-MAX_NOTICES)
    .map((text) => ({ text: `- ${words.notice}: ${quoteLine(text, 400)}`, worth: 9 }));

/** False for tags, marks in brackets, printed output and bare dates, which programs leave in a conversation. */
const isProse = (text: string): boolean =>
  /^[A-Za-z\u4e00-\u9fff`"“]/.test(text) && text.length <= 1_000 && /[.!?。！？]$/.test(text) && !text.split('\n').some(looksLikeOutput);

export function technicalLines(messages: readonly Message[], calls: readonly ToolCall[], words: SummaryWords): readonly FitLine[] {
  const runCalls = calls.filter(wasRun);
  const programs = tally(runCalls.flatMap(({ command }) => programsIn(command ?? ''))).map((entry) => entry.join(' '));
  const languages = tally(messages.flatMap((message) => blockLanguages(messageText(message)))).map((entry) => entry.join(' '));
  return [...listLine(words.programs, programs, 5), ...listLine(words.languages, languages, 4)];
}

/** Where nothing is run, the marks of the code blocks tell what is spoken of. */
const blockLanguages = (text: string): readonly string[] =>
  [...text.matchAll(/^[ \t]{0,8}(?:```|~~~)([A-Za-z][\w+#-]{0,20})[ \t]*$/gm)].map(([, name = '']) => name.toLowerCase());

const listLine = (label: string, items: readonly string[], worth: number): readonly FitLine[] =>
  items.length === 0 ? [] : [{ text: quoteLine(`- ${label}: ${firstOf(items, 12)}`, 400), worth }];

const tally = (items: readonly string[]): readonly (readonly [string, number])[] => {
  const times = new Map<string, number>();
  for (const item of items) times.set(item, (times.get(item) ?? 0) + 1);
  return [...times].sort((a, b) => b[1] - a[1]);
};

const programsIn = (command: string): readonly string[] =>
  (command.slice(0, 400).split(IS_TEXT.test(command) ? '\n' : '<<')[0] ?? '')
    .split(/&&|\|\||[;|\n]/)
    .flatMap((part) => /^\s{0,20}(?:sudo )?([a-z][\w.-]{1,30})(?:\s|$)/.exec(part)?.[1] ?? [])
    .filter((name) => !SHELL_WORDS.has(name));

/** Lines of a file follow, as the commands of some agents have them. */
const IS_TEXT = /^(?:edit|insert|append|create|write|apply_patch)\b[^\n]*\n/;

const SHELL_WORDS = new Set(
  'cd echo ls cat head tail grep rg sed awk wc find sort uniq xargs tee cp mv rm mkdir touch chmod pwd which sleep true false export set test for do done if then fi while read printf cut tr diff stat source kill ps env date'.split(
    ' ',
  ),
);

/** Returns what failed, with its error, what the model said next, and whether it worked in the end: `since` has the later calls too. */
export function debugLines(
  messages: readonly Message[],
  calls: readonly ToolCall[],
  since: readonly ToolCall[],
  words: SummaryWords,
): readonly QuotingLine[] {
  const seen = new Set<string>();
  const lastSuccess = calls.findLastIndex((call) => wasRun(call) && call.result !== undefined && !call.failed);
  const failures = calls.flatMap((call, at) => (call.failed ? [{ call, at }] : []));
  const judged = new Set(failures.slice(-MAX_JUDGED).map(({ at }) => at));
  return failures.flatMap(({ call, at }): readonly QuotingLine[] => {
    const error = quoteLine(call.error ?? '', 300);
    const command = commandText(call);
    if (isEmptySearch(call) || (isSlip(call) && at < lastSuccess) || findsNoError(call.command ?? '', call.result ?? '')) return [];
    if (error === '' || seen.has(`${command}\n${error}`)) return [];
    seen.add(`${command}\n${error}`);
    const sentence = firstFinding(messages.slice(call.index + 1, call.index + 4));
    const outcome = judged.has(at) ? stateSince(since.slice(at + 1), since[at] ?? call) : undefined;
    const state = outcome === undefined ? '' : failureNote(outcome, words);
    const next =
      sentence === undefined || (outcome?.state === 'worked' && saysNotDone(sentence))
        ? ''
        : ` ${words.result} ${quoteLine(withoutCheer(sentence), 200)}`;
    const text = `- \`${quoteLine(command, 120)}\`: ${error}${state}${next}`;
    return [{ text, worth: call.kind === 'run' ? 8.5 : 5, ...(sentence === undefined ? {} : { sentence }) }];
  });
}

/** Each is compared with all calls after it. */
const MAX_JUDGED = 60;

function firstFinding(messages: readonly Message[]): string | undefined {
  for (const message of messages) {
    if (message.origin === 'user') return undefined;
    const sentence =
      message.origin === 'model' ? sentencesOf(messageText(message)).find((text) => isInformative(withoutCheer(text))) : undefined;
    if (sentence !== undefined) return sentence;
  }
  return undefined;
}

export function statusLines(
  last: Exchange | undefined,
  {
    counts,
    hasNewer,
    judged,
    ...context
  }: ExchangeContext & {
    readonly counts: string;
    readonly hasNewer: boolean;
    readonly judged: readonly ToolCall[];
  },
): readonly FitLine[] {
  const { words } = context;
  if (last === undefined) return [{ text: `- ${counts}`, worth: 3 }];
  const day = last.date ?? last.day;
  const label = `${hasNewer ? words.earlierRequest : words.lastRequest}${day === undefined ? '' : ` (${day})`}`;
  const request =
    last.request === ''
      ? []
      : [
          { text: `- ${label}: "${quoteRequest(last.request, words)}" (${stateOf(last, { ...context, calls: judged })})`, worth: 14 },
          ...referentLines(last, words, 13),
        ];
  const replies = replyLines(last, context).map(({ text, worth }) => ({ text, worth: worth + 2 }));
  return [...request, ...(last.request === '' ? withoutRequest(replies, words) : replies), { text: `- ${counts}`, worth: 3 }];
}

/** A request that was made again in the same words says nothing that the newer one does not. */
const REPEATED_WORTH = 4;

/** The first request of all is the goal: it is marked as such, and outlasts what came after it. Of equals the newer one counts for more. */
export function overviewLines(
  exchanges: readonly Exchange[],
  contextAt: (at: number) => ExchangeContext,
  { earlier, words }: { readonly earlier: string | undefined; readonly words: SummaryWords },
): readonly FitLine[] {
  const goal = earlier === undefined ? exchanges.find(({ request }) => request !== '' && !isSlashCommand(request)) : undefined;
  const lastOf = new Map(exchanges.map(({ request }, at) => [request, at]));
  return exchanges.flatMap((exchange, at) => {
    const isLast = at === exchanges.length - 1;
    const isRepeated = exchange.request !== '' && exchange.referent === undefined && lastOf.get(exchange.request) !== at;
    const newer = (0.8 * at) / exchanges.length - (isRepeated ? REPEATED_WORTH : 0);
    if (exchange !== goal)
      return isLast ? [] : exchangeLines(exchange, contextAt(at)).map((line) => ({ ...line, worth: line.worth + newer }));
    const line = { text: `- ${words.goal}: "${quoteRequest(exchange.request, words)}"`, worth: 15 };
    return isLast ? [line] : [line, ...exchangeLines(exchange, contextAt(at)).filter(({ text }) => !text.startsWith('- '))];
  });
}

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
