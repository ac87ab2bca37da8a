import {
  isText,
  isToolResult,
  isToolUse,
  type Message,
  type ReadBody,
  resultText,
  type StubRef,
  stubOf,
  textOf,
} from '../../domain/session/message.ts';
import { legalCuts } from '../history/cut.ts';
import { toWire } from '../history/pairing.ts';
import { withoutMiddle } from '../history/transcript.ts';
import { toolCalls } from '../ledger/tool-calls.ts';
import type { CountTokens } from '../measure/count.ts';
import { type Limits, REPLY_SHARE } from '../measure/limits.ts';
import { quoteLine, quoteText } from '../text/sentences.ts';
import { fillPrompt, instructionsValue, partsOfPrompt, type SummaryPrompts } from './summary-request.ts';

type RestoreOptions = {
  readonly messages: readonly Message[];
  /** All messages: what is said later counts too. */
  readonly all: readonly Message[];
  readonly tokens: number;
  readonly count: CountTokens;
  readonly bodyOf: ReadBody;
  readonly bodyPath: (body: StubRef['body']) => string;
};

const MAX_SHARE = 1 / 4;
const MIN_TOKENS = 50;

/** What stubs left out, of calls that failed, files changed afterwards, and results named later, in this order and the newest first. */
export function restoredBodies(options: RestoreOptions): string {
  const { tokens, count, bodyOf, bodyPath } = options;
  let remaining = tokens;
  const parts: string[] = [];
  for (const { call, body, shown } of bodiesThatMatter(options)) {
    const budget = Math.min(remaining, Math.ceil(tokens * MAX_SHARE));
    if (budget < MIN_TOKENS) break;
    const path = bodyPath(body);
    const text = bodyOf(body);
    const leftOut = text === undefined ? `[Content unavailable: ${path}]` : shorten(withoutShown(text, shown), { budget, count });
    const part = `(${call.failed ? 'failed result' : 'result'} of ${quoteText(call.title)}, in ${path})\n  ${quoteText(leftOut).replaceAll('\n', '\n  ')}`;
    remaining -= count(part);
    parts.push(part);
  }
  return parts.length === 0 ? '' : `${INTRO}\n\n<tool_results>\n${parts.join('\n\n')}\n</tool_results>`;
}

const INTRO = 'Of some results above only the beginning and the end are shown. What was left out of those that matter most:';

function bodiesThatMatter({ messages, all, bodyOf, bodyPath }: RestoreOptions) {
  const stubs = new Map(messages.flatMap(stubTexts));
  if (stubs.size === 0) return [];
  const calls = toolCalls(messages, bodyOf);
  const leaving = new Set(messages.map(({ id }) => id));
  const staying = all.filter(({ id }) => !leaving.has(id));
  const later = [...calls, ...toolCalls(staying, bodyOf)];
  const said = all.map((message) => ({ id: message.id, text: saidIn(message) }));
  const place = new Map(all.map(({ id }, index) => [id, index]));
  const ranked = calls.flatMap((call, at) => {
    const { body } = call;
    const shown = body === undefined ? undefined : stubs.get(body.sha256);
    if (body === undefined || shown === undefined) return [];
    const from = (place.get(call.messageId) ?? 0) + 1;
    const names = [bodyPath(body), ...call.paths].filter((name) => name.length >= MIN_NAME_CHARS);
    const wasChanged = later.slice(at + 1).some(({ kind, paths }) => kind !== 'read' && paths.some((path) => call.paths.includes(path)));
    const isNamed = said.slice(from).some(({ text }) => names.some((name) => text.includes(name)));
    const rank = call.failed ? 0 : wasChanged ? 1 : isNamed ? 2 : undefined;
    return rank === undefined ? [] : [{ call, body, shown, rank, at }];
  });
  return ranked.sort((a, b) => a.rank - b.rank || b.at - a.at);
}

/** A shorter name stands in too many texts by chance. */
const MIN_NAME_CHARS = 4;

const stubTexts = (message: Message): readonly (readonly [string, string])[] =>
  message.content.filter(isToolResult).flatMap((block) => {
    const stub = stubOf(message, block);
    return stub === undefined ? [] : [[stub.body.sha256, resultText(block)] as const];
  });

const saidIn = ({ origin, content }: Message): string =>
  origin !== 'user' && origin !== 'model'
    ? ''
    : content.flatMap((block) => (isText(block) ? [block.text] : isToolUse(block) ? [JSON.stringify(block.input)] : [])).join('\n');

function withoutShown(body: string, stub: string): string {
  const [head, tail] = [between(stub, '--- head\n', '\n--- '), stub.slice(stub.lastIndexOf('--- tail\n') + '--- tail\n'.length).trimEnd()];
  const start = head !== '' && body.startsWith(head) ? head.length : 0;
  const trimmed = body.trimEnd();
  const end = stub.includes('--- tail\n') && tail !== '' && trimmed.endsWith(tail) ? trimmed.length - tail.length : body.length;
  return start < end ? body.slice(start, end).trim() : body;
}

function between(text: string, from: string, to: string): string {
  const start = text.indexOf(from);
  const end = start === -1 ? -1 : text.indexOf(to, start + from.length);
  return end === -1 ? '' : text.slice(start + from.length, end);
}

function shorten(text: string, { budget, count }: { readonly budget: number; readonly count: CountTokens }): string {
  const tokens = count(text.slice(0, SAMPLE_CHARS));
  const perToken = Math.min(text.length, SAMPLE_CHARS) / Math.max(1, tokens);
  const chars = Math.floor(budget * perToken * 0.9) - NOTE_CHARS;
  return withoutMiddle(text, Math.max(0, chars));
}

const SAMPLE_CHARS = 4_000;
const NOTE_CHARS = 60;

type PrefixRequestOptions = {
  readonly messages: readonly Message[];
  readonly index: number;
  /** Where what the request shows of the conversation ends: behind `index`, or there. */
  readonly end: number;
  readonly hasSummary: boolean;
  readonly instructions: string | undefined;
  readonly targetTokens: number;
  readonly prompts: SummaryPrompts;
};

const RULES_START = 'How to write it:';

/** What of the prompts stands in such a message, unfilled: how long it will be. */
export const summaryRules = (prompts: SummaryPrompts, { hasSummary }: Pick<PrefixRequestOptions, 'hasSummary'>): string =>
  prompts.prefix + partsOfPrompt(hasSummary ? prompts.update : prompts.first, RULES_START)[0] + prompts.memories;

/** The message that asks for a summary at the end of the conversation, so that all before it is read from the provider's cache. */
export function prefixInstructions(options: PrefixRequestOptions): string {
  const { prompts, hasSummary, targetTokens, instructions } = options;
  const [template] = partsOfPrompt(hasSummary ? prompts.update : prompts.first, RULES_START);
  const values = {
    targetTokens: String(Math.max(1, targetTokens)),
    instructions: instructionsValue(instructions),
    memories: prompts.memories.trim(),
  };
  const rules = fillPrompt(template, values).trim();
  return fillPrompt(prompts.prefix, { scope: scopeOf(options), rules }).trim();
}

function scopeOf({ messages, index, end, hasSummary }: PrefixRequestOptions): string {
  const [first, ...others] = messages.slice(index, end);
  const replaced = hasSummary
    ? ' The summary at its start, [Compressed History], is replaced too: what still holds of it must be in yours.'
    : '';
  const newest = end < messages.length ? ' The newest messages stay as they are and are not shown here.' : '';
  if (first === undefined) return `The whole conversation leaves.${newest}${replaced}`;
  const count = toWire([first, ...others]).length;
  return `What leaves is everything before the last ${count === 1 ? 'message' : `${count} messages`}. These stay as they are; they begin with ${nameOf(first)}. Summarise what stands before that; look at what follows only to see how things stand now.${newest}${replaced}`;
}

const QUOTE_CHARS = 160;

function nameOf({ origin, content }: Message): string {
  const call = content.find(isToolUse);
  const text = quoteLine(textOf(content.filter(isText)), QUOTE_CHARS);
  const speaker = origin === 'user' ? "the user's message" : origin === 'model' ? 'your message' : 'the note';
  if (text !== '') return `${speaker} "${text}"`;
  return call === undefined ? 'the message after that' : `your call of ${call.name} ${quoteLine(JSON.stringify(call.input), QUOTE_CHARS)}`;
}

/** What a request for a summary shows of a conversation, and what it may have beside it. */
export type PrefixRoom = {
  /** The conversation is shown up to here. */
  readonly end: number;
  readonly restoreTokens: number;
  /** The most that the reply may take. */
  readonly replyTokens: number;
};

type RoomOptions = {
  readonly messages: readonly Message[];
  /** Tokens of each message. */
  readonly sizes: readonly number[];
  /** Where the tail begins, which a compaction keeps. */
  readonly index: number;
  /** What the window leaves beside the whole conversation, the instructions and the model's thinking; negative where that is too much. */
  readonly leftTokens: number;
  /** Some of what leaves is in files. */
  readonly hasBodies: boolean;
  readonly limits: Pick<Limits, 'summaryTokens' | 'summaryRoomTokens' | 'restoreTokens'>;
};

/**
 * What of the window goes to what. Where it is too small for everything, messages of the tail are not shown, the newest first, since they stay in the
 * context anyway; then less of the bodies is, and at last the reply has no more than it is asked for. Undefined where not even that fits.
 */
export function choosePrefixRoom({ messages, sizes, index, leftTokens, hasBodies, limits }: RoomOptions): PrefixRoom | undefined {
  const { summaryTokens, summaryRoomTokens, restoreTokens } = limits;
  const wantedTokens = summaryRoomTokens + (hasBodies ? restoreTokens : 0);
  const legal = legalCuts(messages);
  let best = { end: messages.length, left: leftTokens };
  let left = leftTokens;
  for (let end = messages.length - 1; end >= index && best.left < wantedTokens; end--) {
    left += sizes[end] ?? 0;
    if (legal[end]) best = { end, left };
  }
  const replyTokens = Math.min(summaryRoomTokens, best.left);
  if (replyTokens < summaryTokens * REPLY_SHARE) return undefined;
  return { end: best.end, replyTokens, restoreTokens: Math.min(restoreTokens, best.left - replyTokens) };
}
