import { type ContentBlock, isText, isToolUse, type Usage } from '../../src/domain/session/message.ts';
import { type Fields, fields, sorted } from './check-responses.ts';
import { DELTA_CHARS } from './fake-sse.ts';

export type RespondedReply = {
  readonly model: string;
  readonly content: readonly ContentBlock[];
  readonly stopReason: string;
  readonly usage: Usage | undefined;
};

let ids = 0;

/** A block as the item that the API would send; reasoning is noted, so that it can be told whether it comes back as it went. */
function itemOf(block: ContentBlock, sealed: Map<string, string>): Fields {
  const id = `${++ids}`;
  if (isText(block)) {
    const phase = typeof block.phase === 'string' ? { phase: block.phase } : {};
    return {
      id: `msg_${id}`,
      type: 'message',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', annotations: [], text: block.text }],
      ...phase,
    };
  }
  if (isToolUse(block))
    return {
      id: `fc_${id}`,
      type: 'function_call',
      status: 'completed',
      call_id: block.id,
      name: block.name,
      arguments: JSON.stringify(block.input),
    };
  if (block.type !== 'thinking') return fields(block.item);
  const item = {
    id: `rs_${id}`,
    type: 'reasoning',
    summary: [{ type: 'summary_text', text: String(block.thinking) }],
    encrypted_content: `gAAA-${String(block.signature)}`,
  };
  sealed.set(item.id, sorted(item));
  return item;
}

export const responseObject = (reply: RespondedReply, sealed: Map<string, string>): Fields =>
  finished(
    reply,
    reply.content.map((block) => itemOf(block, sealed)),
  );

const finished = ({ model, stopReason, usage, content }: RespondedReply, items: readonly Fields[]): Fields => {
  const isCut = stopReason === 'max_tokens';
  return {
    id: 'resp_fake',
    object: 'response',
    model,
    status: isCut ? 'incomplete' : 'completed',
    incomplete_details: isCut ? { reason: 'max_output_tokens' } : null,
    error: null,
    output: stopReason === 'refusal' ? content.map((block, i) => refusalOf(block, items[i])) : items,
    ...(usage === undefined ? {} : { usage: wireUsage(usage) }),
  };
};

const refusalOf = (block: ContentBlock, item: Fields | undefined): Fields => ({
  ...item,
  content: [{ type: 'refusal', refusal: isText(block) ? block.text : '' }],
});

const wireUsage = (usage: Usage): Fields => {
  const { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens } = usage;
  const input = inputTokens + cacheReadTokens + cacheWriteTokens;
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cacheReadTokens, cache_write_tokens: cacheWriteTokens },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input + outputTokens,
  };
};

/** A reply as the events of a stream. */
export function responseEvents(reply: RespondedReply, sealed: Map<string, string>): string {
  const items = reply.content.map((block) => itemOf(block, sealed));
  let sequence = 0;
  const event = (type: string, more: Fields): string =>
    `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence++, ...more })}\n\n`;
  const ended = finished(reply, items);
  const begun = { ...ended, status: 'in_progress', output: [], usage: null, incomplete_details: null };
  return [
    event('response.created', { response: begun }),
    event('response.in_progress', { response: begun }),
    ...items.flatMap((item, output_index) => itemEvents(item, output_index, event)),
    event(ended.status === 'incomplete' ? 'response.incomplete' : 'response.completed', { response: ended }),
  ].join('');
}

function itemEvents(item: Fields, output_index: number, event: (type: string, more: Fields) => string): readonly string[] {
  const at = { output_index, item_id: item.id };
  const around = (empty: Fields, deltas: readonly string[]): readonly string[] => [
    event('response.output_item.added', { output_index, item: { ...item, ...empty, status: 'in_progress' } }),
    ...deltas,
    event('response.output_item.done', { output_index, item }),
  ];
  if (item.type === 'function_call')
    return around(
      { arguments: '' },
      sliced(String(item.arguments)).map((delta) => event('response.function_call_arguments.delta', { ...at, delta })),
    );
  const [part] = Array.isArray(item.content) ? item.content.map(fields) : [];
  if (item.type === 'message')
    return around(
      { content: [] },
      sliced(String(part?.text)).map((delta) => event('response.output_text.delta', { ...at, content_index: 0, delta })),
    );
  if (item.type !== 'reasoning') return around({}, []);
  const [summary] = Array.isArray(item.summary) ? item.summary.map(fields) : [];
  return around({ summary: [], encrypted_content: null }, [
    event('response.reasoning_summary_part.added', { ...at, summary_index: 0 }),
    ...sliced(String(summary?.text)).map((delta) => event('response.reasoning_summary_text.delta', { ...at, summary_index: 0, delta })),
  ]);
}

const sliced = (text: string): readonly string[] => {
  const chars = [...text];
  return Array.from({ length: Math.ceil(chars.length / DELTA_CHARS) }, (_, i) =>
    chars.slice(i * DELTA_CHARS, (i + 1) * DELTA_CHARS).join(''),
  );
};
