import type { Message } from '../../domain/session/message.ts';
import { messageText, programNotes } from '../rules/message-text.ts';
import type { SummaryWords } from '../rules/rule-summary-words.ts';
import type { FitLine } from '../summary/fit-sections.ts';
import { isAnnouncement, statesOutcome } from '../text/cues.ts';
import { settlesSomething } from '../text/decided.ts';
import { saysNothing } from '../text/filler.ts';
import { quoteLine } from '../text/quote.ts';
import { statesRemaining } from '../text/remaining.ts';
import { looksLikeOutput, sentencesOf } from '../text/sentences.ts';
import { isStandingOrder } from '../text/standing.ts';
import { identifiersIn, stripNoise } from './identifiers.ts';

/** A message from the user and what the model said until the next one. */
export type Exchange = {
  readonly request: string;
  readonly replies: readonly string[];
  /** True when the model ended its turn, or the user went on to something else. */
  readonly closed: boolean;
};

/**
 * True for replies of the offline model, which has no words of its own: it repeats results and explains how to use it. Its first line says
 * what it shows.
 */
export const isEcho = (message: Message): boolean => message.origin === 'model' && message.model === 'offline';

function exchangesOf(messages: readonly Message[]): readonly Exchange[] {
  const exchanges: { request: string; replies: string[]; closed: boolean }[] = [];
  for (const message of messages) {
    const fullText = stripNoise(messageText(message) || programNotes(message)).trim();
    const text = isEcho(message) ? (fullText.split('\n', 1)[0] ?? '') : fullText;
    const current = exchanges.at(-1);
    if (message.origin === 'user' && messageText(message).trim() !== '') {
      if (current !== undefined) current.closed = true;
      exchanges.push({ request: text, replies: [], closed: false });
    } else if (message.origin === 'model' || programNotes(message) !== '') {
      const hasEnded = message.stopReason === 'end_turn' || message.stopReason === 'stop_sequence';
      // What a program says does not open a finished exchange again.
      if (current !== undefined && message.origin !== 'model') {
        if (text !== '' && !isProgramMark(text)) current.replies.push(text);
      } else if (current === undefined) exchanges.push({ request: '', replies: text === '' ? [] : [text], closed: hasEnded });
      else {
        if (text !== '') current.replies.push(text);
        current.closed = hasEnded;
      }
    }
  }
  return exchanges;
}

/** Returns the exchanges that began in the messages. The last one also counts as closed when its end is in the messages after them. */
export function exchangesBefore(messages: readonly Message[], after: readonly Message[]): readonly Exchange[] {
  const exchanges = exchangesOf(messages);
  const ids = new Set(messages.map(({ id }) => id));
  const fullExchanges = exchangesOf([...messages, ...after.filter(({ id }) => !ids.has(id))]);
  return exchanges.map((exchange, at) => ({ ...exchange, closed: fullExchanges[at]?.closed ?? exchange.closed }));
}

/** True for what a program leaves as a mark: `[Request interrupted by user]`, `<command-name>/exit</command-name>`. */
const isProgramMark = (text: string): boolean => /^\s*[[<]/.test(text);

const LINE_CHARS = 320;
const MAX_LINES = 12;

/**
 * Returns the lines that record one exchange, each with its worth: the request, marked as done or unfinished so that nobody takes it for an
 * order, then what the model said along the way and at the end. Sentences of the model that are in `elsewhere` are left out.
 */
export function exchangeLines(
  { request, replies, closed }: Exchange,
  { words, elsewhere }: { readonly words: SummaryWords; readonly elsewhere: ReadonlySet<string> },
): readonly FitLine[] {
  const mark = closed ? words.done : words.unfinished;
  // What an older reply called unfinished is no longer so, or the newest reply says it again.
  const isWorth = (sentence: string): boolean => isInformative(sentence) && !elsewhere.has(sentence) && !statesRemaining(sentence);
  const said = replies.flatMap((reply) => sentencesOf(reply).filter(isWorth));
  if (said.length === 0 && (isSlashCommand(request) || request.trim().length < 4)) return [];
  const requestLines = groupByWorth(sentencesOf(request), requestWorth).slice(0, MAX_LINES);
  const last = replies.length - 1;
  const replyLines = replies.flatMap((reply, at) => {
    const sentences = sentencesOf(reply).filter(isWorth);
    return groupByWorth(sentences, (sentence) => replyWorth(sentence, at === last)).slice(0, MAX_LINES);
  });
  return [
    ...requestLines.map(({ text, worth }, at) => ({
      text: at === 0 ? `- ${mark}: "${text}"` : `  "${text}"`,
      worth: at === 0 ? worth + 2 : worth,
    })),
    ...replyLines.map(({ text, worth }) => ({ text: `  ${words.result} ${text}`, worth })),
  ];
}

/** False for announcements of the next step and for a mere "Good catch.", which need not be kept. */
export const isInformative = (sentence: string): boolean =>
  !isAnnouncement(sentence) &&
  !saysNothing(sentence) &&
  (sentence.length > 24 ||
    /[\u4e00-\u9fff]{5}/.test(sentence) ||
    (sentence.length > 8 && identifiersIn(sentence).length > 0) ||
    statesOutcome(sentence));

/** A command to the program, with or without arguments. */
export const isSlashCommand = (text: string): boolean => /^\/[a-z][\w-]{0,40}(?:\s+[^\s]{1,200}){0,8}$/.test(text.trim());

function requestWorth(sentence: string): number {
  if (looksLikeOutput(sentence) || isSlashCommand(sentence)) return 2 + density(sentence);
  const cue = isStandingOrder(sentence) || settlesSomething(sentence, 'user') ? 1 : 0;
  return 5 + cue + density(sentence);
}

function replyWorth(sentence: string, inLast: boolean): number {
  const cue = settlesSomething(sentence, 'model') ? 2 : statesOutcome(sentence) ? 1.5 : 0;
  return 2 + cue + density(sentence) + (inLast ? 1 : 0);
}

/** 0 to 2: how much of the sentence, for its length, is identifiers that must not be reworded. */
export function density(sentence: string): number {
  const weight = identifiersIn(sentence).reduce((sum, [, kind]) => sum + Math.min(kind, 3), 0);
  return Math.min(2, (weight * 25) / (sentence.length + 40));
}

/** Joins neighbouring sentences of about the same worth on one line, so that the markup of a line is paid for once. */
function groupByWorth(sentences: readonly string[], worthOf: (sentence: string) => number): readonly FitLine[] {
  const lines: { text: string; worth: number }[] = [];
  for (const sentence of sentences) {
    const text = quoteLine(sentence, LINE_CHARS);
    const worth = worthOf(sentence);
    const line = lines.at(-1);
    if (line !== undefined && Math.abs(line.worth - worth) <= 0.5 && line.text.length + text.length < LINE_CHARS) {
      line.text += ` ${text}`;
      line.worth = Math.max(line.worth, worth);
    } else lines.push({ text, worth });
  }
  return lines;
}
