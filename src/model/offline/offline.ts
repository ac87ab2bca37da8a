import type { Clock } from '../../agent/ports/effects.ts';
import type { AskModel, ModelRequest } from '../../agent/ports/model.ts';
import { AbortedError, SanbotError } from '../../domain/errors.ts';
import { calledTool } from '../../domain/session/called-tool.ts';
import {
  isText,
  isToolResult,
  isToolUse,
  resultText,
  type ToolResultBlock,
  type ToolUseBlock,
  type WireMessage,
} from '../../domain/session/message.ts';
import type { ModelReply } from '../../domain/session/model-answer.ts';
import { isObject, isString } from '../../domain/value/json.ts';
import { OFFLINE_MODEL, OFFLINE_WINDOW_TOKENS } from '../catalog.ts';
import { countRequest, mostRequestTokens, roughTokens } from '../rough-tokens.ts';
import {
  type Continuation,
  type Directive,
  type Language,
  languageOf,
  type OfflineText,
  offlineText,
  parseDirective,
} from './offline-text.ts';

export type OfflineOptions = {
  /** Makes ids of tool calls unique across sessions; without it they count up within one context. */
  readonly now?: Clock;
  readonly windowTokens?: number;
  /** Counts what a request contains, against the window. Not called where the window has room for a token in each byte. */
  readonly countTokens?: (text: string) => number;
};

/**
 * Answers without a model, a key or a network: it understands direct requests, one per message, turns each into one call of a tool that the
 * request offers, and says what the tool returned. It is no language model, and says so. It has a window and refuses larger requests, so
 * that everything SanBot does about a full context can be seen at work.
 */
export function createOffline(options: OfflineOptions = {}): AskModel {
  const windowTokens = options.windowTokens ?? OFFLINE_WINDOW_TOKENS;
  const countTokens = options.countTokens ?? roughTokens;
  return async (request, stream) => {
    if (stream.signal.aborted) throw new AbortedError();
    if (request.purpose === 'summary') {
      throw new SanbotError(
        'model_failed',
        { en: 'The offline model cannot summarise.', zh: '离线模型不能生成摘要。' },
        { en: 'Summaries by rule work offline.', zh: '由规则生成的摘要可离线使用。' },
      );
    }
    const sentTokens = mostRequestTokens(request) > windowTokens ? countRequest(request, countTokens) : 0;
    if (sentTokens > windowTokens) return { kind: 'overflow', limitTokens: windowTokens, sentTokens };
    const reply = answer(request, { windowTokens, idStart: options.now?.().getTime().toString(36) ?? 'call' });
    for (const block of reply.content.filter(isText)) {
      for (const chunk of splitChunks(block.text)) {
        // A listener may abort in the middle.
        if (stream.signal.aborted) throw new AbortedError();
        stream.onText(chunk);
      }
    }
    return reply;
  };
}

type OfflineState = { readonly windowTokens: number; readonly idStart: string };

function answer(request: ModelRequest, state: OfflineState): ModelReply {
  const newMessages = sinceLastReply(request.messages);
  const results = newMessages.flatMap(({ content }) => content.filter(isToolResult));
  const lastDirective = findLastDirective(request.messages);
  const language = languageOf(lastDirective?.text ?? '');
  // A user's text after the results (of interrupted calls) gets the answer; the results are on the screen anyway.
  const pending = findLastDirective(newMessages)?.directive;
  const hasNewText = newMessages.some(({ content }) => content.some(isText));
  if (results.length > 0 && !hasNewText) return textReply(request, describeResults(results, request.messages, offlineText[language]));
  const directive = pending ?? { kind: 'help' };
  return answerTo(directive, request, { state, wording: offlineText[languageIn(newMessages) ?? language] });
}

function answerTo(
  directive: Directive,
  request: ModelRequest,
  { state, wording }: { readonly state: OfflineState; readonly wording: OfflineText },
): ModelReply {
  const tools = request.tools.map(({ name }) => name);
  switch (directive.kind) {
    case 'help':
      return textReply(request, wording.help(tools));
    case 'bad_range':
      return textReply(request, wording.refusal.badRange(directive.range));
    case 'status':
      return textReply(request, wording.status({ ...contextCounts(request), ...state, tools }));
    case 'call': {
      const { tool, input } = directive;
      if (!tools.includes(tool)) return textReply(request, wording.refusal.unknownTool(tool));
      const call = { type: 'tool_use', id: newCallId(request, state.idStart), name: tool, input };
      return { ...replyBase(request), content: [call], stopReason: 'tool_use' };
    }
  }
}

const replyBase = (request: ModelRequest) => ({ kind: 'reply' as const, model: request.model || OFFLINE_MODEL, usage: undefined });
const textReply = (request: ModelRequest, text: string): ModelReply => ({
  ...replyBase(request),
  content: [{ type: 'text', text }],
  stopReason: 'end_turn',
});

const sinceLastReply = (messages: readonly WireMessage[]): readonly WireMessage[] =>
  messages.slice(messages.findLastIndex(({ role }) => role === 'assistant') + 1);

/** Returns the newest block of a user's text that is a request. Notices and summaries are not requests, so they are skipped. */
const findLastDirective = (messages: readonly WireMessage[]): { readonly text: string; readonly directive: Directive } | undefined => {
  for (const { role, content } of messages.toReversed()) {
    if (role !== 'user') continue;
    for (const block of content.filter(isText).toReversed()) {
      const directive = parseDirective(block.text);
      if (directive !== undefined) return { text: block.text, directive };
    }
  }
  return undefined;
};

const languageIn = (newMessages: readonly WireMessage[]): Language | undefined => {
  const text = newMessages.flatMap(({ content }) => content.filter(isText)).at(-1)?.text;
  return text === undefined ? undefined : languageOf(text);
};

const newCallId = ({ messages }: ModelRequest, start: string): string => {
  const usedIds = new Set(messages.flatMap(({ content }) => content.filter(isToolUse).map(({ id }) => id)));
  let number = 1;
  while (usedIds.has(`offline_${start}_${number}`)) number += 1;
  return `offline_${start}_${number}`;
};

const STUB_START = 'Tool result is at: ';

const contextCounts = ({ messages }: ModelRequest) => {
  const blocks = messages.flatMap(({ content }) => content);
  const stubs = blocks.filter((block) => isToolResult(block) && resultText(block).startsWith(STUB_START)).length;
  return { messages: messages.length, calls: blocks.filter(isToolUse).length, stubs };
};

const MAX_FULL_LINES = 60;
const MAX_FULL_CHARS = 4_000;
const EDGE_LINES = 12;
const MAX_LINE_CHARS = 200;

function describeResults(results: readonly ToolResultBlock[], messages: readonly WireMessage[], wording: OfflineText): string {
  const calls = messages.flatMap(({ content }) => content.filter(isToolUse));
  const callOf = (result: ToolResultBlock) => calls.findLast(({ id }) => id === result.tool_use_id);
  return results.map((result) => describeResult(result, callOf(result), wording)).join('\n\n');
}

function describeResult(result: ToolResultBlock, call: ToolUseBlock | undefined, wording: OfflineText): string {
  const tool = call === undefined ? 'tool' : calledTool(call).name;
  const text = resultText(result).replace(/\n+$/, '');
  const path = text.startsWith(STUB_START) ? text.slice(STUB_START.length).split('\n', 1)[0]?.trim() : undefined;
  const readCall = tool === 'read_file' ? readInput(call?.input) : undefined;
  const next = readCall === undefined || path !== undefined ? undefined : continuationIn(text);
  const isPage = readCall?.byChars === true || (next !== undefined && 'char' in next);
  // A page of characters is small, and its lines may have any length, so it is shown unshortened.
  const isWhole = isPage && path === undefined;
  const view = isWhole ? { head: wording.complete(tool, text.split('\n').length), body: text } : excerpt(text, tool, wording);
  const head =
    result.is_error === true ? `${wording.failed(tool)}\n${view.body}` : view.head === '' ? view.body : `${view.head}\n${view.body}`;
  if (readCall !== undefined && next !== undefined) return `${head}\n\n${wording.continueReading(readCall.path, next)}`;
  return path === undefined ? head : `${head}\n\n${wording.storedInFile(path, charIn(text))}`;
}

const readInput = (input: unknown): { readonly path: string; readonly byChars: boolean } | undefined =>
  isObject(input) && isString(input.path) ? { path: input.path, byChars: 'char_offset' in input } : undefined;

/** Where to continue in a stub whose head ends inside a line; 0, its start, when not all of the head is shown. */
const charIn = (stub: string): number | undefined => {
  const offset = /^Only .+ characters are below\. Read on with read_file \(this path, char_offset: (\d+)\)/m.exec(stub)?.[1];
  return offset === undefined ? undefined : stub.length <= MAX_FULL_CHARS ? Number(offset) : 0;
};

/** Where to continue after a page that was read, according to its first line. */
const continuationIn = (text: string): Continuation | undefined => {
  const [, unit, offset] = /; not all of it, go on with (offset|char_offset)=(\d+)$/.exec(text.split('\n', 1)[0] ?? '') ?? [];
  return unit === undefined ? undefined : unit === 'offset' ? { line: Number(offset) } : { char: Number(offset) };
};

const excerpt = (text: string, tool: string, wording: OfflineText): { readonly head: string; readonly body: string } => {
  if (text === '') return { head: '', body: wording.empty(tool) };
  const lines = text.split('\n');
  if (lines.length <= MAX_FULL_LINES && text.length <= MAX_FULL_CHARS) return { head: wording.complete(tool, lines.length), body: text };
  const head = wording.part(tool, { lines: lines.length, chars: text.length });
  if (lines.length <= EDGE_LINES * 2) return { head, body: lines.map(shorten).join('\n') };
  const edges = [
    ...lines.slice(0, EDGE_LINES).map(shorten),
    wording.leftOut(lines.length - EDGE_LINES * 2),
    ...lines.slice(-EDGE_LINES).map(shorten),
  ];
  return { head, body: edges.join('\n') };
};

const shorten = (line: string): string => {
  if (line.length <= MAX_LINE_CHARS * 2) return line;
  const chars = [...line.slice(0, MAX_LINE_CHARS * 2)].slice(0, MAX_LINE_CHARS);
  return `${chars.join('')} … ${[...line.slice(-MAX_LINE_CHARS * 2)].slice(-MAX_LINE_CHARS).join('')}`;
};

const CHUNK_COUNT = 8;

/** A few pieces, cut between characters, that together are the text. */
const splitChunks = (text: string): readonly string[] => {
  const chars = [...text];
  const size = Math.max(1, Math.ceil(chars.length / CHUNK_COUNT));
  return Array.from({ length: Math.ceil(chars.length / size) }, (_, i) => chars.slice(i * size, (i + 1) * size).join(''));
};
