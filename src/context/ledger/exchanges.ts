import type { Message } from '../../domain/session/message.ts';
import type { SummaryWords } from '../rules/rule-summary-words.ts';
import { notesIn, saidIn } from '../rules/said.ts';
import type { FitLine } from '../summary/fit-sections.ts';
import { announces, concludes, constraintStrength, decisionStrength } from '../text/cues.ts';
import { quotedLine } from '../text/quote.ts';
import { looksPrinted, sentencesOf } from '../text/sentences.ts';
import { identifiersIn, withoutNoise } from './identifiers.ts';

/** A message of the user and what the model said until the next one. */
export type Exchange = {
  readonly asked: string;
  readonly replies: readonly string[];
  /** The model ended its turn, or the user went on to something else. */
  readonly closed: boolean;
};

/** The offline model has no words of its own: it shows results again, and how to use it. What it shows is said in its first line. */
export const isEcho = (message: Message): boolean => message.origin === 'model' && message.model === 'offline';

function exchangesOf(messages: readonly Message[]): readonly Exchange[] {
  const exchanges: { asked: string; replies: string[]; closed: boolean }[] = [];
  for (const message of messages) {
    const all = withoutNoise(saidIn(message) || notesIn(message)).trim();
    const said = isEcho(message) ? (all.split('\n', 1)[0] ?? '') : all;
    const current = exchanges.at(-1);
    if (message.origin === 'user' && saidIn(message).trim() !== '') {
      if (current !== undefined) current.closed = true;
      exchanges.push({ asked: said, replies: [], closed: false });
    } else if (message.origin === 'model' || notesIn(message) !== '') {
      const ended = message.stopReason === 'end_turn' || message.stopReason === 'stop_sequence';
      if (current === undefined) exchanges.push({ asked: '', replies: said === '' ? [] : [said], closed: ended });
      else {
        if (said !== '') current.replies.push(said);
        current.closed = ended;
      }
    }
  }
  return exchanges;
}

/** The exchanges that began in the messages, the last one closed also when its end stands in what comes after them. */
export function exchangesBefore(messages: readonly Message[], after: readonly Message[]): readonly Exchange[] {
  const exchanges = exchangesOf(messages);
  const known = new Set(messages.map(({ id }) => id));
  const whole = exchangesOf([...messages, ...after.filter(({ id }) => !known.has(id))]);
  return exchanges.map((exchange, at) => ({ ...exchange, closed: whole[at]?.closed ?? exchange.closed }));
}

const LINE_CHARS = 320;
const MOST_LINES = 12;

/**
 * The record of one exchange, line by line with what each is worth: the request, marked as done or not so that nobody takes it for
 * an order, then what the model said on the way and in the end. Sentences of the model that stand elsewhere are left out.
 */
export function exchangeLines(
  { asked, replies, closed }: Exchange,
  { words, elsewhere }: { readonly words: SummaryWords; readonly elsewhere: ReadonlySet<string> },
): readonly FitLine[] {
  const mark = closed ? words.done : words.unfinished;
  const request = grouped(sentencesOf(asked), requestWorth).slice(0, MOST_LINES);
  const last = replies.length - 1;
  const said = replies.flatMap((reply, at) => {
    const sentences = sentencesOf(reply).filter((sentence) => tells(sentence) && !elsewhere.has(sentence));
    return grouped(sentences, (sentence) => replyWorth(sentence, at === last)).slice(0, MOST_LINES);
  });
  return [
    ...request.map(({ text, worth }, at) => ({
      text: at === 0 ? `- ${mark}: "${text}"` : `  "${text}"`,
      worth: at === 0 ? worth + 2 : worth,
    })),
    ...said.map(({ text, worth }) => ({ text: `  ${words.result} ${text}`, worth })),
  ];
}

/** Announcements of the next step and a mere "Good catch." say nothing that has to last. */
export const tells = (sentence: string): boolean =>
  !announces(sentence) &&
  (sentence.length > 24 ||
    /[\u4e00-\u9fff]{5}/.test(sentence) ||
    (sentence.length > 8 && identifiersIn(sentence).length > 0) ||
    concludes(sentence));

export const isSlashCommand = (text: string): boolean => /^\/[\w-]{0,40}$/.test(text.trim());

function requestWorth(sentence: string): number {
  if (looksPrinted(sentence) || isSlashCommand(sentence)) return 2 + density(sentence);
  const cue = constraintStrength(sentence) >= 2 || decisionStrength(sentence) > 0 ? 1 : 0;
  return 5 + cue + density(sentence);
}

function replyWorth(sentence: string, inLast: boolean): number {
  const cue = decisionStrength(sentence) === 2 ? 2 : concludes(sentence) ? 1.5 : 0;
  return 2 + cue + density(sentence) + (inLast ? 1 : 0);
}

/** 0 to 2: how much of what must not be reworded is in it, for its length. */
export function density(sentence: string): number {
  const weight = identifiersIn(sentence).reduce((sum, [, kind]) => sum + Math.min(kind, 3), 0);
  return Math.min(2, (weight * 25) / (sentence.length + 40));
}

/** Neighbouring sentences of about the same worth on one line, so that the marks of a line are paid once. */
function grouped(sentences: readonly string[], worthOf: (sentence: string) => number): readonly FitLine[] {
  const lines: { text: string; worth: number }[] = [];
  for (const sentence of sentences) {
    const text = quotedLine(sentence, LINE_CHARS);
    const worth = worthOf(sentence);
    const line = lines.at(-1);
    if (line !== undefined && Math.abs(line.worth - worth) <= 0.5 && line.text.length + text.length < LINE_CHARS) {
      line.text += ` ${text}`;
      line.worth = Math.max(line.worth, worth);
    } else lines.push({ text, worth });
  }
  return lines;
}
