import { hasEnded, isText, type Message, textOf } from '../../../domain/session/message.ts';
import { needsReferent } from '../../sentence/asks.ts';
import { identifiersIn, stripNoise } from '../identifiers.ts';
import { isReadOnlyCommand } from '../outcomes.ts';
import type { ToolCall } from '../types.ts';

/** Nobody types this much: the rest was pasted, and reading 8 MB of it sentence by sentence took 20 s. */
const HEAD_CHARS = 150_000;
const TAIL_CHARS = 50_000;

const truncateMiddle = (text: string): string =>
  text.length <= HEAD_CHARS + TAIL_CHARS ? text : `${text.slice(0, HEAD_CHARS)}\n${text.slice(-TAIL_CHARS)}`.toWellFormed();

/** What the user or the model said in a message, and no program in their name; of a very long text its beginning and end. */
export function messageText(message: Message): string {
  if (message.origin !== 'user' && message.origin !== 'model') return '';
  return message.content
    .filter(isText)
    .map(({ text }) => text)
    .filter((text) => message.origin === 'model' || !isProgramNote(text))
    .map(truncateMiddle)
    .join('\n');
}

export const isRequest = (message: Message): boolean => message.origin === 'user' && messageText(message).trim() !== '';

export function onlyKept(kept: readonly Message[], messages: readonly Message[]): readonly Message[] {
  const ids = new Set(messages.map(({ id }) => id));
  return kept.filter(({ id }) => !ids.has(id));
}

/** What a program wrote in the user's name: a background task's report, a note of an interruption, another agent's summary. */
export function programNotes(message: Message): string {
  const isForeign = message.origin === 'summary' && message.summary === undefined;
  if (message.origin !== 'user' && !isForeign) return '';
  return message.content
    .filter(isText)
    .map(({ text }) => text)
    .filter((text) => isForeign || isProgramNote(text))
    .join('\n');
}

/** Other agents wrap what the user did not write: `<task-notification>…</task-notification>`, `[Request interrupted by user]`. */
function isProgramNote(text: string): boolean {
  if (text.length < 200 && /^\s*\[[A-Z][^\]\n]*\]\s*$/.test(text)) return true;
  const name = /^\s{0,20}<([a-z]{2,30}(?:-[a-z]{2,30}){1,4})>/.exec(text)?.[1];
  return name !== undefined && text.includes(`</${name}>`);
}

/** A message from the user and what the model said and did until the next one. */
export type Exchange = {
  readonly request: string;
  readonly replies: readonly string[];
  /** True when the model ended its turn, or the user went on to something else. */
  readonly closed: boolean;
  /** False when the user went on before the model ended its turn. */
  readonly ended: boolean;
  readonly stopped: boolean;
  readonly from: number;
  /** The day, where the program noted one before it: each line says its own, since lines above it may be left out. */
  readonly date: string | undefined;
  /** The day of a request that later messages are a day or more behind. */
  readonly day: string | undefined;
  /** What the model had said before a request that is nothing without it: "yes", "option 2". */
  readonly referent: string | undefined;
};

/** True for replies of the offline model, which repeats results: only the first line is its own. */
export const isEcho = (message: Message): boolean => message.origin === 'model' && message.model === 'offline';

type Draft = { -readonly [Key in keyof Exchange]: Exchange[Key] } & { replies: string[] };

function exchangesOf(messages: readonly Message[]): readonly Exchange[] {
  const exchanges: Draft[] = [];
  let date: string | undefined;
  let lastReply: string | undefined;
  const begin = (request: string, from: number): Draft => {
    const referent = lastReply !== undefined && needsReferent(request) ? lastReply : undefined;
    const exchange: Draft = { request, replies: [], closed: false, ended: true, stopped: false, from, date, day: undefined, referent };
    exchanges.push(exchange);
    return exchange;
  };
  for (const [index, message] of messages.entries()) {
    if (message.origin === 'notice') date = dateIn(message) ?? date;
    const notes = programNotes(message);
    const fullText = stripNoise(messageText(message) || notes).trim();
    const text = isEcho(message) ? (fullText.split('\n', 1)[0] ?? '') : fullText;
    const current = exchanges.at(-1);
    if (isRequest(message)) {
      if (current !== undefined) current.closed = true;
      begin(text, index);
    } else if (message.origin === 'model') {
      const exchange = current ?? begin('', index);
      if (text !== '') exchange.replies.push(text);
      exchange.ended = hasEnded(message);
      exchange.closed = exchange.ended;
      exchange.stopped = message.stopReason === 'interrupted';
      if (text !== '') lastReply = text;
    } else if (notes !== '') {
      const exchange = current ?? begin('', index);
      if (STOPPED.test(text)) exchange.stopped = true;
      if (text !== '' && !isProgramMark(text)) exchange.replies.push(text);
    }
  }
  return exchanges;
}

const STOPPED = /^\[Request interrupted by user/;

const dateIn = (message: Message): string | undefined =>
  /^\s*(\d{4}-\d\d-\d\d|\d{4}年\d{1,2}月\d{1,2}日)\s*$/.exec(textOf(message.content).slice(0, 100))?.[1];

/** Returns the exchanges that began in the messages. The last one also counts as closed when its end is in the messages after them. */
export function exchangesBefore(messages: readonly Message[], after: readonly Message[]): readonly Exchange[] {
  const exchanges = exchangesOf(messages);
  const ids = new Set(messages.map(({ id }) => id));
  const fullExchanges = exchangesOf([...messages, ...after.filter(({ id }) => !ids.has(id))]);
  const newest = dayOf(after.at(-1) ?? messages.at(-1));
  return exchanges.map((exchange, at) => {
    const day = dayOf(messages[exchange.from]);
    const { closed, ended, stopped } = fullExchanges[at] ?? exchange;
    return { ...exchange, closed, ended, stopped, day: day === newest ? undefined : day };
  });
}

const dayOf = (message: Message | undefined): string | undefined => /^\d{4}-\d\d-\d\d(?=T)/.exec(message?.at ?? '')?.[0];

/** The calls that were made from this exchange's first message to the next exchange. Of calls in the order of their messages. */
export const callsIn = (exchanges: readonly Exchange[], at: number, calls: readonly ToolCall[]): readonly ToolCall[] =>
  calls.slice(
    firstFrom(calls, exchanges[at]?.from ?? 0),
    at + 1 < exchanges.length ? firstFrom(calls, exchanges[at + 1]?.from ?? 0) : undefined,
  );

function firstFrom(calls: readonly ToolCall[], index: number): number {
  let [low, high] = [0, calls.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((calls[middle]?.index ?? 0) < index) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** True for what a program leaves as a mark: `[Request interrupted by user]`, `<command-name>/exit</command-name>`. */
const isProgramMark = (text: string): boolean => /^\s*[[<]/.test(text);

export const isSlashCommand = (text: string): boolean =>
  /^\/[a-z][\w-]{0,40}(?:\s+[^\s]{1,200}){0,8}$/.test(text.trim()) ||
  (text.length < 80 &&
    isReadOnlyCommand(text.trim()) &&
    /^\S+(?: [-./~\w]+){0,3}$/.test(text.trim()) &&
    !/^(?:which|find|file|date|head|tail|tree)\b/.test(text.trim()));

/** 0 to 2: how much of the sentence, for its length, is identifiers that must not be reworded. */
export function density(sentence: string): number {
  const weight = identifiersIn(sentence).reduce((sum, [, kind]) => sum + Math.min(kind, 3), 0);
  return Math.min(2, (weight * 25) / (sentence.length + 40));
}
