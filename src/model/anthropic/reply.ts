import { type ContentBlock, isText, isThinking, isToolUse, type Usage, usageTotal } from '../../domain/session/message.ts';
import type { ModelReply } from '../../domain/session/model-answer.ts';
import { type Fields, isObject } from '../../domain/value/json.ts';
import { fieldsOf, isName, readArguments, tokenCount } from '../http/answer-fields.ts';
import type { ReplyListener } from '../http/attempt.ts';
import { BrokenStream, MAX_BLOCK_CHARS, MAX_BLOCKS, tooLargeBlock, tooManyBlocks } from '../http/reply-bounds.ts';

/** An event of the stream. Nothing but its type is trusted, since any server may be behind the address. */
export type StreamEvent = {
  readonly type: string;
  readonly index?: unknown;
  readonly message?: unknown;
  readonly content_block?: unknown;
  readonly delta?: unknown;
  readonly usage?: unknown;
};

type Draft = {
  readonly start: ContentBlock;
  text: string[];
  thinking: string[];
  json: string[];
  citations: unknown[];
  chars: number;
  signature?: string;
};
/** `given` once a server has said how the reply ended, even without a reason. */
type StreamEnd = { stopReason?: string; given: boolean; stopped: boolean; model?: string; usage: Record<string, unknown> };

/**
 * Assembles a streamed reply verbatim, blocks of unknown type as they came. A reply that ends for a reason other than tool_use may contain
 * a call that was cut off; its arguments are kept as text unless they happen to be complete. What a server sends for a
 * block is not judged here but where it is stored (admitReply), save that a reply is cut when it is larger than any model writes.
 */
export function collectReply(model: string, listener: ReplyListener) {
  const drafts = new Map<number, Draft>();
  const ending: StreamEnd = { given: false, stopped: false, usage: {} };
  return {
    /** Throws BrokenStream when an event does not fit what came before. */
    push: (event: StreamEvent): void => handleEvent(event, drafts, { ending, listener }),
    /** Returns the whole reply, or undefined until the stream has said that it ended. Of one that is over, it may have left out its last event. */
    finish: ({ isOver = false } = {}): ModelReply | undefined => {
      if (!(ending.stopped || isOver) || !(ending.given || ending.stopReason !== undefined)) return undefined;
      const blocks = [...drafts].sort(([a], [b]) => a - b).map(([, draft]) => blockOf(draft));
      return {
        kind: 'reply',
        content: withoutEmptyText(blocks),
        stopReason: ending.stopReason ?? (blocks.some(isToolUse) ? 'tool_use' : 'end_turn'),
        model: ending.model ?? model,
        usage: usageOf(ending.usage),
      };
    },
  };
}

type CollectorState = { readonly ending: StreamEnd; readonly listener: ReplyListener };

function handleEvent(event: StreamEvent, drafts: Map<number, Draft>, { ending, listener }: CollectorState): void {
  switch (event.type) {
    case 'message_start': {
      const message = fieldsOf(event.message);
      if (isName(message.model)) ending.model = message.model;
      Object.assign(ending.usage, fieldsOf(message.usage));
      return;
    }
    case 'content_block_start':
      drafts.set(indexOf(event), startDraft(event, drafts, listener));
      return;
    case 'content_block_delta': {
      const draft = drafts.get(indexOf(event));
      if (draft === undefined) throw new BrokenStream('a part of a block came before the block');
      addDelta(draft, fieldsOf(event.delta), listener);
      return;
    }
    case 'message_delta': {
      const reason = fieldsOf(event.delta).stop_reason;
      if (isName(reason)) ending.stopReason = reason;
      ending.given ||= reason === null && ending.stopReason === undefined;
      // These are totals; what does not apply is missing or null.
      for (const [name, value] of Object.entries(fieldsOf(event.usage))) if (value !== null) ending.usage[name] = value;
      return;
    }
    case 'message_stop':
      ending.stopped = true;
      return;
    // Block ends add nothing, and future event types are no reason to fail.
    default:
      return;
  }
}

const startDraft = (event: StreamEvent, drafts: ReadonlyMap<number, Draft>, listener: ReplyListener): Draft => {
  if (drafts.has(indexOf(event))) throw new BrokenStream('a block began twice');
  if (drafts.size >= MAX_BLOCKS) throw tooManyBlocks();
  const start = fieldsOf(event.content_block);
  const type = start.type;
  if (typeof type !== 'string') throw new BrokenStream('a block came without a type');
  const draft: Draft = { start: { ...start, type }, text: [], thinking: [], json: [], citations: [], chars: 0 };
  if (isText(draft.start) && draft.start.text !== '') listener.onText(draft.start.text);
  return draft;
};

const addDelta = (draft: Draft, delta: Fields, listener: ReplyListener): void => {
  const { type, text, thinking, partial_json: json, signature, citation } = delta;
  for (const piece of [text, thinking, json]) if (typeof piece === 'string') draft.chars += piece.length;
  if (draft.chars > MAX_BLOCK_CHARS || draft.citations.length > MAX_BLOCKS) throw tooLargeBlock();
  if (type === 'text_delta' && typeof text === 'string') {
    draft.text.push(text);
    if (text !== '') listener.onText(text);
  } else if (type === 'thinking_delta' && typeof thinking === 'string') {
    draft.thinking.push(thinking);
    if (thinking !== '') listener.onThinking(thinking);
  } else if (type === 'input_json_delta' && typeof json === 'string') draft.json.push(json);
  else if (type === 'signature_delta' && typeof signature === 'string') draft.signature = signature;
  else if (type === 'citations_delta') draft.citations.push(citation);
};

const blockOf = ({ start, text, thinking, json, citations, signature }: Draft): ContentBlock => ({
  ...start,
  ...(text.length === 0 ? {} : { text: `${asString(start.text)}${text.join('')}` }),
  ...(thinking.length === 0 ? {} : { thinking: `${asString(start.thinking)}${thinking.join('')}` }),
  ...(signature === undefined ? {} : { signature }),
  ...(citations.length === 0 ? {} : { citations: [...asArray(start.citations), ...citations] }),
  ...(json.length > 0 || isToolUse(start) ? { input: inputOf(start, json.join('')) } : {}),
});

/** A call without arguments sends no JSON, or only the empty object that it starts with. */
const inputOf = ({ input }: ContentBlock, json: string): unknown => (json.trim() === '' && isObject(input) ? input : readArguments(json));

/**
 * The API sends empty text blocks, and refuses them when they are sent back. Blank ones are removed too, unless a signed block follows that
 * may be bound to them.
 */
const withoutEmptyText = (blocks: readonly ContentBlock[]): readonly ContentBlock[] => {
  const lastSigned = blocks.findLastIndex(isThinking);
  return blocks.filter((block, i) => !isText(block) || (i < lastSigned ? block.text !== '' : block.text.trim() !== ''));
};

/** Undefined when a server reports no input at all. */
const usageOf = (raw: Fields): Usage | undefined => {
  const usage = parseUsage(raw);
  return usageTotal(usage) === usage.outputTokens ? undefined : usage;
};

const parseUsage = (raw: Fields): Usage => {
  const cacheWriteTokens = tokenCount(raw.cache_creation_input_tokens);
  const cacheWrite1hTokens = Math.min(cacheWriteTokens, tokenCount(fieldsOf(raw.cache_creation).ephemeral_1h_input_tokens));
  return {
    inputTokens: tokenCount(raw.input_tokens),
    cacheReadTokens: tokenCount(raw.cache_read_input_tokens),
    cacheWriteTokens,
    outputTokens: tokenCount(raw.output_tokens),
    ...(cacheWrite1hTokens > 0 && { cacheWrite1hTokens }),
  };
};

const asArray = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const asString = (value: unknown): string => (typeof value === 'string' ? value : '');

const indexOf = (event: StreamEvent): number => {
  if (typeof event.index !== 'number') throw new BrokenStream('an event came without the number of its block');
  return event.index;
};
