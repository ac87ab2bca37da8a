import type { AskModel, Clock, ModelRequest } from '../../agent/ports.ts';
import { AbortedError, SanbotError } from '../../domain/errors.ts';
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
import { OFFLINE_MODEL, OFFLINE_WINDOW_TOKENS } from '../catalog.ts';
import { roughRequestTokens, roughTokens } from '../rough-tokens.ts';
import { type Directive, type Language, languageOf, parseDirective } from './offline-directive.ts';
import { type ReadOn, type Words, words } from './offline-words.ts';

export type OfflineOptions = {
  /** Makes ids of tool calls that are new in every session; without it they count up within one context. */
  readonly now?: Clock;
  readonly windowTokens?: number;
  /** Counts what a request holds, against the window. */
  readonly countTokens?: (text: string) => number;
};

/** It can't summarise: a summary made of its answers would be a pretence. Whoever composes uses the rules instead. */
export const offlineCanSummarise = false;

/**
 * Answers without a model, a key or a network: it understands direct requests, one a message, turns each into one call of
 * a tool that the request offers, and says what the tool returned. No language model, and it says so. It has a window and
 * refuses what is larger, so that all that SanBot does about a full context can be seen at work.
 */
export function createOffline(options: OfflineOptions = {}): AskModel {
  const windowTokens = options.windowTokens ?? OFFLINE_WINDOW_TOKENS;
  const countTokens = options.countTokens ?? roughTokens;
  return async (request, stream) => {
    if (stream.signal.aborted) throw new AbortedError();
    if (request.purpose === 'summary') {
      throw new SanbotError('model_failed', 'The offline model cannot summarise.', { hint: 'Summaries by rule work offline.' });
    }
    const sentTokens = roughRequestTokens(request, countTokens);
    if (sentTokens > windowTokens) return { kind: 'overflow', limitTokens: windowTokens, sentTokens };
    const reply = answer(request, { windowTokens, idStart: options.now?.().getTime().toString(36) ?? 'call' });
    for (const block of reply.content.filter(isText)) {
      for (const piece of pieces(block.text)) {
        // A listener may abort in the middle.
        if (stream.signal.aborted) throw new AbortedError();
        stream.onText(piece);
      }
    }
    return reply;
  };
}

type Known = { readonly windowTokens: number; readonly idStart: string };

function answer(request: ModelRequest, known: Known): ModelReply {
  const spoken = sinceLastReply(request.messages);
  const results = spoken.flatMap(({ content }) => content.filter(isToolResult));
  const asked = lastAsked(request.messages);
  const language = languageOf(asked?.text ?? '');
  // What the user said behind the results (of calls that were interrupted) is answered; the results are on the screen anyway.
  const waiting = lastAsked(spoken)?.directive;
  const saidSince = spoken.some(({ content }) => content.some(isText));
  if (results.length > 0 && !saidSince) return says(request, told(results, request.messages, words[language]));
  const directive = waiting ?? { kind: 'help' };
  return answerTo(directive, request, { known, say: words[languageIn(spoken) ?? language] });
}

function answerTo(directive: Directive, request: ModelRequest, { known, say }: { readonly known: Known; readonly say: Words }): ModelReply {
  const tools = request.tools.map(({ name }) => name);
  switch (directive.kind) {
    case 'help':
      return says(request, say.help(tools));
    case 'status':
      return says(request, say.status({ ...counted(request), ...known, tools }));
    case 'call': {
      const { tool, input } = directive;
      if (!tools.includes(tool)) return says(request, say.unknownTool(tool));
      const call = { type: 'tool_use', id: newCallId(request, known.idStart), name: tool, input };
      return { ...frame(request), content: [call], stopReason: 'tool_use' };
    }
  }
}

const frame = (request: ModelRequest) => ({ kind: 'reply' as const, model: request.model || OFFLINE_MODEL, usage: undefined });
const says = (request: ModelRequest, text: string): ModelReply => ({
  ...frame(request),
  content: [{ type: 'text', text }],
  stopReason: 'end_turn',
});

const sinceLastReply = (messages: readonly WireMessage[]): readonly WireMessage[] =>
  messages.slice(messages.findLastIndex(({ role }) => role === 'assistant') + 1);

/** The newest block of a user's text that is a request. Notices and summaries are none, so they are passed over. */
const lastAsked = (messages: readonly WireMessage[]): { readonly text: string; readonly directive: Directive } | undefined => {
  for (const { role, content } of messages.toReversed()) {
    if (role !== 'user') continue;
    for (const block of content.filter(isText).toReversed()) {
      const directive = parseDirective(block.text);
      if (directive !== undefined) return { text: block.text, directive };
    }
  }
  return undefined;
};

const languageIn = (spoken: readonly WireMessage[]): Language | undefined => {
  const text = spoken.flatMap(({ content }) => content.filter(isText)).at(-1)?.text;
  return text === undefined ? undefined : languageOf(text);
};

const newCallId = ({ messages }: ModelRequest, start: string): string => {
  const taken = new Set(messages.flatMap(({ content }) => content.filter(isToolUse).map(({ id }) => id)));
  let number = 1;
  while (taken.has(`offline_${start}_${number}`)) number += 1;
  return `offline_${start}_${number}`;
};

const STUB_START = 'Tool result is at: ';

const counted = ({ messages }: ModelRequest) => {
  const blocks = messages.flatMap(({ content }) => content);
  const stubs = blocks.filter((block) => isToolResult(block) && resultText(block).startsWith(STUB_START)).length;
  return { messages: messages.length, calls: blocks.filter(isToolUse).length, stubs };
};

// --- what a tool returned ---------------------------------------------------------------------------------------------

const WHOLE_LINES = 60;
const WHOLE_CHARS = 4_000;
const EDGE_LINES = 12;
const LINE_CHARS = 200;

function told(results: readonly ToolResultBlock[], messages: readonly WireMessage[], say: Words): string {
  const calls = new Map(
    messages.flatMap(({ content }) => content.filter(isToolUse).map((call): [string, ToolUseBlock] => [call.id, call])),
  );
  return results.map((result) => toldOne(result, calls.get(result.tool_use_id), say)).join('\n\n');
}

function toldOne(result: ToolResultBlock, call: ToolUseBlock | undefined, say: Words): string {
  const tool = call?.name ?? 'tool';
  const text = resultText(result).replace(/\n+$/, '');
  const path = text.startsWith(STUB_START) ? text.slice(STUB_START.length).split('\n', 1)[0]?.trim() : undefined;
  const read = tool === 'read_file' ? readInput(call?.input) : undefined;
  const next = read === undefined || path !== undefined ? undefined : readOnIn(text);
  const isPage = read?.byChars === true || (next !== undefined && 'char' in next);
  const shown = !isPage || path !== undefined ? excerpt(text, tool, say) : page(text, tool, say);
  const head =
    result.is_error === true ? `${say.failed(tool)}\n${shown.body}` : shown.head === '' ? shown.body : `${shown.head}\n${shown.body}`;
  if (read !== undefined && next !== undefined) return `${head}\n\n${say.readOn(read.path, next)}`;
  return path === undefined ? head : `${head}\n\n${say.stored(path, charIn(text))}`;
}

const readInput = (input: unknown): { readonly path: string; readonly byChars: boolean } | undefined =>
  typeof input === 'object' && input !== null && 'path' in input && typeof input.path === 'string'
    ? { path: input.path, byChars: 'char_offset' in input }
    : undefined;

/** Where to go on in a stub whose head ends inside a line; from the start when not all of the head is shown. */
const charIn = (stub: string): number | undefined => {
  const found = /^Only .+ characters are below\. Read on with read_file \(this path, char_offset: (\d+)\)/m.exec(stub)?.[1];
  return found === undefined ? undefined : stub.length <= WHOLE_CHARS ? Number(found) : 0;
};

/** Where a page that was read goes on, as its first line says. */
const readOnIn = (text: string): ReadOn | undefined => {
  const [, unit, found] = /; not all of it, go on with (offset|char_offset)=(\d+)$/.exec(text.split('\n', 1)[0] ?? '') ?? [];
  return unit === undefined ? undefined : unit === 'offset' ? { line: Number(found) } : { char: Number(found) };
};

/** A page of characters is small by itself, and its lines may be of any length: it is shown as it is. */
const page = (text: string, tool: string, say: Words): ReturnType<typeof excerpt> => ({
  head: say.whole(tool, text.split('\n').length),
  body: text,
});

const excerpt = (text: string, tool: string, say: Words): { readonly head: string; readonly body: string } => {
  if (text === '') return { head: '', body: say.empty(tool) };
  const lines = text.split('\n');
  if (lines.length <= WHOLE_LINES && text.length <= WHOLE_CHARS) return { head: say.whole(tool, lines.length), body: text };
  const head = say.part(tool, { lines: lines.length, chars: text.length });
  if (lines.length <= EDGE_LINES * 2) return { head, body: lines.map(shortened).join('\n') };
  const edges = [
    ...lines.slice(0, EDGE_LINES).map(shortened),
    say.leftOut(lines.length - EDGE_LINES * 2),
    ...lines.slice(-EDGE_LINES).map(shortened),
  ];
  return { head, body: edges.join('\n') };
};

const shortened = (line: string): string => {
  if (line.length <= LINE_CHARS * 2) return line;
  const chars = [...line.slice(0, LINE_CHARS * 2)].slice(0, LINE_CHARS);
  return `${chars.join('')} … ${[...line.slice(-LINE_CHARS * 2)].slice(-LINE_CHARS).join('')}`;
};

const PIECES = 8;

/** A few pieces, cut between characters, that together are the text. */
const pieces = (text: string): readonly string[] => {
  const chars = [...text];
  const size = Math.max(1, Math.ceil(chars.length / PIECES));
  return Array.from({ length: Math.ceil(chars.length / size) }, (_, i) => chars.slice(i * size, (i + 1) * size).join(''));
};
