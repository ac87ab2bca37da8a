import { unique } from '../../../domain/lists.ts';
import { redact } from '../../../domain/value/redact.ts';
import { isQuestion } from '../../sentence/asks.ts';
import { isBinding, isLeft, isSettled, judge } from '../../sentence/judge.ts';
import { isAnnouncement, isGuess, isSelfTalk, saysNothing, statesOutcome, withoutCheer } from '../../sentence/work.ts';
import type { FitLine, SummaryWords } from '../../summary/fit-sections.ts';
import { type ProsePassage, passagesOf } from '../../text/passages.ts';
import { isImport, joinText, looksLikeOutput, oneLine, quoteLine, wordsFrom, wordsTo } from '../../text/sentences.ts';
import { identifiersIn } from '../identifiers.ts';
import { isReadOnlyCommand, wasRun } from '../outcomes.ts';
import { density, type Exchange, isSlashCommand } from './exchanges.ts';
import { type RequestContext, stateOf } from './progress.ts';

const LINE_CHARS = 320;
const LIST_CHARS = 600;
const MAX_LINES = 14;
const REFERENT_CHARS = 280;

export type ExchangeContext = RequestContext & {
  readonly elsewhere: ReadonlySet<string>;
  /** True when the user went on to something else: what was asked then is answered, or nobody wants to know it any more. */
  readonly isPast?: boolean;
};

/** The request, marked with what became of it so that nobody takes it for an order, then what the model said. Each with its worth. */
export function exchangeLines(exchange: Exchange, context: ExchangeContext): readonly FitLine[] {
  const { words } = context;
  const { request, date, referent } = exchange;
  const replies = replyLines(exchange, { ...context, isPast: true });
  const isEmpty = referent === undefined && (isSlashCommand(request) || request.trim().length < 4);
  if (replies.length === 0 && isEmpty) return [];
  const state = stateOf(exchange, context);
  const worth = requestWorth(request) - (state === words.said && !bindsLater(request) ? 2 : 0);
  if (request === '') return withoutRequest(replies, words);
  const head = {
    text: `- ${date === undefined ? '' : `${date} `}${state}: "${quoteRequest(request, words)}"`,
    worth,
    standsAlone: state === words.said,
  };
  return [head, ...referentLines(exchange, words, worth - 1), ...replies];
}

/** What was said to a request that is no longer known stands by itself, and not under the request above it. */
export const withoutRequest = (replies: readonly FitLine[], { result }: SummaryWords): readonly FitLine[] =>
  replies.map(({ text, worth }) => ({ text: `- ${text.trimStart().slice(result.length).trimStart()}`, worth }));

export const referentLines = ({ referent }: Exchange, words: SummaryWords, worth: number): readonly FitLine[] =>
  referent === undefined ? [] : [{ text: `  ${words.answers}: "${quoteLine(lastWords(referent), REFERENT_CHARS)}"`, worth }];

/** What of a reply is quoted whole beside the short answer to it, and need not stand below its own request too. */
export function quotedBy(answer: Exchange | undefined): readonly string[] {
  if (answer?.referent === undefined) return [];
  const quoted = lastWords(answer.referent);
  return passagesOf(answer.referent).flatMap(({ text }) => (quoted.includes(text) ? [text] : []));
}

/** What was said along the way and at the end; where nothing of it says what came of it, what was changed and run. */
export function replyLines(exchange: Exchange, context: ExchangeContext): readonly FitLine[] {
  const { words, elsewhere, isPast = false } = context;
  const last = exchange.replies.length - 1;
  const lines = exchange.replies.flatMap((reply, at) => {
    const passages = passagesOf(reply)
      .filter(({ text }) => !elsewhere.has(text))
      .map((passage) => ({ ...passage, text: withoutCheer(passage.text) }))
      .filter(({ text }) => isKept(text, at === last) && !(isPast && isQuestion(text)))
      .filter((passage) => at === last || !exchange.closed || !isOnlyGuess(passage));
    return joinSentences(passages, (text) => replyWorth(text, at === last)).slice(0, MAX_LINES);
  });
  const quoted = lines.map(({ text, worth }) => ({ text: `  ${words.result} ${text}`, worth }));
  const outcome = outcomeOf(context, lines);
  return [...quoted, ...(outcome === '' ? [] : [{ text: `  ${words.result} ${outcome}`, worth: 5 }])];
}

/** What was guessed on the way is confirmed or refuted by then; what settles something, or lists much, is more than that. */
const isOnlyGuess = ({ kind, text }: ProsePassage): boolean => kind === 'sentence' && isGuess(text) && !settles(text);

/** What an older reply called unfinished is no longer so, or the newest reply says it again. */
const isKept = (text: string, inLast: boolean): boolean =>
  isInformative(text) && !isLeft(judge(text, 'model')) && (inLast || (!isSelfTalk(text) && (statesOutcome(text) || settles(text))));

const settles = (text: string): boolean => isSettled(judge(text, 'model'));

/** The commits that were told of; and the files that were changed and the commands that were run, where the replies tell of nothing. */
function outcomeOf({ calls, words }: ExchangeContext, lines: readonly FitLine[]): string {
  const worked = calls.filter((call) => wasRun(call) && !call.failed);
  const commits = worked.flatMap(({ title }) => (/^(?:Commit|Removed:) [0-9a-f]{7,40} /.test(title) ? [quoteLine(title, 100)] : []));
  if (commits.length > 0) return commits.slice(-4).join('; ');
  if (lines.some(({ worth }) => worth >= 3.5)) return '';
  const names = worked.filter(({ kind }) => kind === 'write').flatMap(({ paths }) => paths.map((path) => path.split('/').at(-1) ?? path));
  const commands = worked.flatMap(({ kind, command }) =>
    kind === 'run' && command !== undefined && !isReadOnlyCommand(command) ? [oneLine(command, 70)] : [],
  );
  const [changed, ran] = [unique(names), unique(commands).slice(-2)];
  return [
    ...(changed.length === 0 ? [] : [`${words.changed} ${quoteLine(listed(changed, 6), 200)}`]),
    ...(ran.length === 0 ? [] : [`${words.ran} ${ran.map((command) => `\`${quoteLine(command, 70)}\``).join(', ')}`]),
  ].join('; ');
}

const listed = (names: readonly string[], most: number): string =>
  [...names.slice(0, most), ...(names.length > most ? [`… (+${names.length - most})`] : [])].join(', ');

export const isInformative = (sentence: string): boolean =>
  !isAnnouncement(sentence) &&
  !saysNothing(sentence) &&
  !isImport(sentence) &&
  !/^[│⋮]/.test(sentence) &&
  (sentence.length > 24 ||
    /[\u4e00-\u9fff]{5}/.test(sentence) ||
    (sentence.length > 8 && identifiersIn(sentence).length > 0) ||
    statesOutcome(sentence));

function requestWorth(request: string): number {
  const text = request.slice(0, 1_000);
  if (looksLikeOutput(oneLine(text, 400)) || isSlashCommand(request)) return 4 + density(text);
  return 7 + (bindsLater(request) ? 1 : 0) + density(text);
}

const bindsLater = (request: string): boolean => passagesOf(request.slice(0, 1_000)).some(({ text }) => isBinding(judge(text)));

function replyWorth(text: string, inLast: boolean): number {
  const cue = settles(text) ? 2 : statesOutcome(text) ? 1.5 : 0;
  return 2 + cue + density(text) + (inLast ? 1 : 0);
}

/** Joins neighbouring sentences of a paragraph that are of about the same worth, so that the markup of a line is paid for once. */
function joinSentences(passages: readonly ProsePassage[], worthOf: (text: string) => number): readonly FitLine[] {
  const lines: { text: string; worth: number; paragraph: number }[] = [];
  for (const { kind, text: whole, paragraph } of passages) {
    const text = quoteLine(whole, kind === 'list' ? LIST_CHARS : LINE_CHARS);
    const worth = worthOf(whole);
    const line = lines.at(-1);
    if (line?.paragraph === paragraph && Math.abs(line.worth - worth) <= 0.5 && line.text.length + text.length < LINE_CHARS) {
      line.text = joinText(line.text, text);
      line.worth = Math.max(line.worth, worth);
    } else lines.push({ text, worth, paragraph });
  }
  return lines.map(({ text, worth }) => ({ text, worth }));
}

const REQUEST_HEAD = 460;
const REQUEST_TAIL = 240;
const PASTED_CHARS = 160;

/** A request on one line, in its own words. Of a paste, the first line stands; the end, where the question is, is never left out. */
export function quoteRequest(request: string, words: SummaryWords): string {
  const parts: string[] = [];
  let pasted = 0;
  const endPaste = (): void => {
    if (pasted > 1) parts.push(words.pasted(pasted - 1));
    pasted = 0;
  };
  for (const line of request.split('\n', 20_000)) {
    if (line.trim() === '') continue;
    if (isPasted(line.trim())) {
      if (pasted === 0) parts.push(oneLine(line, PASTED_CHARS));
      pasted += 1;
    } else {
      endPaste();
      parts.push(oneLine(line, 4_000));
    }
  }
  endPaste();
  const text = parts.reduce(joinText, '');
  if (text.length <= REQUEST_HEAD + REQUEST_TAIL + 60) return quoteLine(text, REQUEST_HEAD + REQUEST_TAIL + 200);
  // Redacted before it is cut: half a key is not recognised as one.
  const safe = redact(text);
  const [start, end] = [wordsFrom(safe, REQUEST_HEAD), wordsTo(safe, REQUEST_TAIL)];
  return `${quoteLine(start, REQUEST_HEAD + 40)} ${words.leftOut(safe.length - start.length - end.length)} ${quoteLine(end, REQUEST_TAIL + 40)}`;
}

const isPasted = (line: string): boolean => looksLikeOutput(line) || /^at \S.*:\d+\)?$|^[─━═▀▄=_-]{6,}|^\d+ ?[│|█]/.test(line);

function lastWords(reply: string): string {
  const passages = passagesOf(reply);
  const last = passages.at(-1)?.text ?? '';
  if (last.length >= REFERENT_CHARS / 2) return last;
  const end = passages.slice(-3).reduce((joined, { text }) => joinText(joined, text), '');
  return end.length <= REFERENT_CHARS ? end : `…${wordsTo(end, REFERENT_CHARS - 1)}`;
}
