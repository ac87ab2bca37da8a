import { type ContentBlock, isText, isThinking, isToolUse, noUsage, type Usage } from '../../src/domain/session/message.ts';
import type { Envelope } from './fake-diagnostics.ts';

export type SseEvent = { readonly type: string; readonly [field: string]: unknown };

export type StreamedReply = {
  readonly model: string;
  readonly content: readonly ContentBlock[];
  readonly stopReason: string;
  readonly usage: Usage | undefined;
  /** The id of the reply, and what it says of the cache. */
  readonly envelope?: Envelope | undefined;
};

/** Sizes of the deltas, in characters: small and odd, so that JSON breaks inside its escapes. */
export const DELTA_CHARS = 5;

/** A reply as the events of the Messages API, pings among them. */
export function replyEvents(reply: StreamedReply, deltaChars: number = DELTA_CHARS): readonly SseEvent[] {
  const { usage } = reply;
  return [
    messageStart(isCompacted(reply.content) ? { ...reply, usage: noUsage } : reply),
    { type: 'ping' },
    ...reply.content.flatMap((block, index) => blockEvents(block, index, deltaChars)),
    {
      type: 'message_delta',
      delta: { stop_reason: reply.stopReason, stop_sequence: null },
      usage: usage === undefined ? {} : endUsage(reply.content, usage),
    },
    { type: 'message_stop' },
  ];
}

const isCompacted = (content: readonly ContentBlock[]): boolean => content.some(({ type }) => type === 'compaction');

/** What a summary by the API costs stands apart; the figures on top are 0 then. */
const endUsage = (content: readonly ContentBlock[], usage: Usage): Readonly<Record<string, unknown>> =>
  isCompacted(content)
    ? { ...wireUsage(noUsage), iterations: [{ type: 'compaction', ...wireUsage(usage) }] }
    : { output_tokens: usage.outputTokens };

export const messageStart = ({ model, usage, envelope }: Pick<StreamedReply, 'model' | 'usage' | 'envelope'>): SseEvent => ({
  type: 'message_start',
  message: {
    id: 'msg_fake',
    ...envelope,
    type: 'message',
    role: 'assistant',
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: usage === undefined ? {} : wireUsage({ ...usage, outputTokens: 1 }),
  },
});

export const wireUsage = (usage: Usage): Readonly<Record<string, unknown>> => ({
  input_tokens: usage.inputTokens,
  cache_read_input_tokens: usage.cacheReadTokens,
  cache_creation_input_tokens: usage.cacheWriteTokens,
  cache_creation: {
    ephemeral_5m_input_tokens: usage.cacheWriteTokens - (usage.cacheWrite1hTokens ?? 0),
    ephemeral_1h_input_tokens: usage.cacheWrite1hTokens ?? 0,
  },
  output_tokens: usage.outputTokens,
});

/** Blocks of a type that has no deltas come whole, as new types of the API do. */
function blockEvents(block: ContentBlock, index: number, deltaChars: number): readonly SseEvent[] {
  const delta = (one: Readonly<Record<string, unknown>>): SseEvent => ({ type: 'content_block_delta', index, delta: one });
  const events = (start: ContentBlock, deltas: readonly SseEvent[]): readonly SseEvent[] => [
    { type: 'content_block_start', index, content_block: start },
    ...deltas,
    { type: 'content_block_stop', index },
  ];
  if (isText(block)) {
    const deltas = sliced(block.text, deltaChars).map((text) => delta({ type: 'text_delta', text }));
    return events({ ...block, text: '' }, deltas);
  }
  if (isToolUse(block)) {
    const deltas = sliced(JSON.stringify(block.input), deltaChars).map((json) => delta({ type: 'input_json_delta', partial_json: json }));
    return events({ ...block, input: {} }, deltas);
  }
  if (isThinking(block) && typeof block.thinking === 'string') {
    const deltas = sliced(block.thinking, deltaChars).map((thinking) => delta({ type: 'thinking_delta', thinking }));
    return events({ ...block, thinking: '', signature: '' }, [...deltas, delta({ type: 'signature_delta', signature: block.signature })]);
  }
  if (block.type === 'compaction') {
    const { content, encrypted_content } = block;
    return events({ ...block, content: null }, [delta({ type: 'compaction_delta', content, encrypted_content })]);
  }
  return events(block, []);
}

const sliced = (text: string, size: number): readonly string[] => {
  const chars = [...text];
  return Array.from({ length: Math.ceil(chars.length / size) }, (_, i) => chars.slice(i * size, (i + 1) * size).join(''));
};

export const encode = (event: SseEvent): string => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;

export const errorEvent = (type: string, message: string): SseEvent => ({ type: 'error', error: { type, message } });
