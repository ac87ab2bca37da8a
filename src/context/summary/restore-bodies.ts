import {
  isText,
  isToolResult,
  isToolUse,
  type Message,
  type ReadBody,
  resultText,
  type StubRef,
  stubOf,
} from '../../domain/session/message.ts';
import { withoutMiddle } from '../history/transcript.ts';
import { toolCalls } from '../ledger/tool-calls.ts';
import type { CountTokens } from '../measure/count.ts';
import { quoteText } from '../text/quote.ts';

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
