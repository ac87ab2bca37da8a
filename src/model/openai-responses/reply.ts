import { type ContentBlock, isToolUse, type Usage } from '../../domain/session/message.ts';
import type { ModelReply } from '../../domain/session/model-answer.ts';
import { type Fields, isCount, isObject, isString, parseJson } from '../../domain/value/json.ts';
import { fieldsOf, isName, readArguments } from '../http/answer-fields.ts';
import type { AnswerCollector } from '../http/ask-over-http.ts';
import type { ReplyListener } from '../http/attempt.ts';
import type { ServerEvent } from '../http/read-events.ts';
import { BrokenStream, checkBlock, MAX_BLOCK_CHARS, MAX_BLOCKS, tooLargeBlock, tooManyBlocks } from '../http/reply-bounds.ts';
import { type Opaque, opaqueOf, unknownFields } from '../openai/opaque-fields.ts';
import { usageFrom } from '../openai/shared-fields.ts';
import { reportedError } from './refusal.ts';

/** What has come of one item: as it stood last, and the pieces that came for it since it began. */
type Draft = { item: Fields; readonly text: string[]; readonly json: string[]; chars: number };

/** Items by their place in the reply, and the response as it was when it ended. */
type Collected = { readonly drafts: Map<number, Draft>; readonly origin: string; ended?: Fields; model?: string };

/** Assembles a streamed response from its items, as each stood when it was done; pieces count only where a server never says that one was. */
export function collectResponse(model: string, listener: ReplyListener, origin = ''): AnswerCollector {
  const collected: Collected = { drafts: new Map(), origin };
  return {
    push: ({ data }: ServerEvent) => {
      if (data.trim() === '[DONE]') return;
      const event = parseJson(data);
      if (!isObject(event)) throw new BrokenStream('the stream holds something that is not JSON');
      handleEvent(event, collected, listener);
    },
    whole: (body) => {
      if (!isObject(body) || (isObject(body.error) && !Array.isArray(body.output))) throw reportedError(body);
      end(body, collected);
      for (const block of itemsOf(collected).flatMap((item) => blocksOf(item, origin)))
        if (block.type === 'text') listener.onText(String(block.text));
    },
    finish: () => (collected.ended === undefined ? undefined : replyOf(collected.ended, collected, model)),
  };
}

function handleEvent(event: Fields, collected: Collected, listener: ReplyListener): void {
  switch (event.type) {
    case 'response.output_item.added':
    case 'response.output_item.done':
      draftAt(event, collected).item = fieldsOf(event.item);
      return;
    case 'response.output_text.delta':
    case 'response.refusal.delta':
      add(event, draftAt(event, collected), { kind: 'text', tell: listener.onText });
      return;
    case 'response.function_call_arguments.delta':
      add(event, draftAt(event, collected), { kind: 'json', tell: () => undefined });
      return;
    case 'response.reasoning_summary_text.delta':
    case 'response.reasoning_text.delta':
      if (isString(event.delta)) listener.onThinking(event.delta);
      return;
    case 'response.reasoning_summary_part.added':
      if (isCount(event.summary_index) && event.summary_index > 0) listener.onThinking('\n\n');
      return;
    case 'response.completed':
    case 'response.incomplete':
    case 'response.done':
      end(fieldsOf(event.response), collected);
      return;
    case 'response.failed':
      throw reportedError(event.response);
    case 'error':
      throw reportedError(event);
    default:
      // The first event names the model; the rest repeats what these say, and future types are no reason to fail.
      noteModel(event.response, collected);
  }
}

type Piece = { readonly kind: 'text' | 'json'; readonly tell: (text: string) => void };

function add({ delta }: Fields, draft: Draft, { kind, tell }: Piece): void {
  if (!isString(delta) || delta === '') return;
  draft.chars += delta.length;
  if (draft.chars > MAX_BLOCK_CHARS) throw tooLargeBlock();
  draft[kind].push(delta);
  tell(delta);
}

function draftAt({ output_index: index }: Fields, { drafts }: Collected): Draft {
  if (!isCount(index)) throw new BrokenStream('an event came without the number of its item');
  const known = drafts.get(index);
  if (known !== undefined) return known;
  if (drafts.size >= MAX_BLOCKS) throw tooManyBlocks();
  const draft: Draft = { item: {}, text: [], json: [], chars: 0 };
  drafts.set(index, draft);
  return draft;
}

function end(response: Fields, collected: Collected): void {
  if (response.status === 'failed' || (isObject(response.error) && response.status !== 'incomplete')) throw reportedError(response);
  noteModel(response, collected);
  collected.ended = response;
}

function noteModel(response: unknown, collected: Collected): void {
  const { model } = fieldsOf(response);
  if (isName(model)) collected.model = model;
}

/** Some servers leave the items out of the response that ends the stream; others only send them there. */
function itemsOf({ drafts, ended }: Collected): readonly Fields[] {
  const output: readonly unknown[] = Array.isArray(ended?.output) ? ended.output : [];
  if (output.length > MAX_BLOCKS) throw tooManyBlocks();
  if (output.length >= drafts.size) return output.map(fieldsOf);
  return [...drafts].sort(([a], [b]) => a - b).map(([, draft]) => itemOf(draft));
}

function itemOf({ item, text, json }: Draft): Fields {
  if (item.type === 'function_call' && (item.arguments === '' || item.arguments === undefined))
    return { ...item, arguments: json.join('') };
  const parts = Array.isArray(item.content) ? item.content : [];
  if ((item.type === 'message' || item.type === undefined) && parts.length === 0 && text.length > 0)
    return { ...item, type: 'message', content: [{ type: 'output_text', text: text.join('') }] };
  return item;
}

function replyOf(response: Fields, collected: Collected, model: string): ModelReply {
  const items = itemsOf(collected);
  for (const item of items) checkBlock(item);
  const content = items.flatMap((item) => blocksOf(item, collected.origin));
  if (content.length > MAX_BLOCKS) throw tooManyBlocks();
  return {
    kind: 'reply',
    content,
    stopReason: stopReasonOf(response, content, items.some(isRefused)),
    model: collected.model ?? model,
    usage: usageIn(fieldsOf(response.usage)),
  };
}

/** A call in a response that was cut off is never run: its stop reason is not tool_use. */
function stopReasonOf({ status, incomplete_details: details }: Fields, content: readonly ContentBlock[], refused: boolean): string {
  if (status === 'incomplete') {
    const { reason } = fieldsOf(details);
    return reason === 'content_filter' ? 'refusal' : 'max_tokens';
  }
  if (content.some(isToolUse)) return 'tool_use';
  return refused ? 'refusal' : 'end_turn';
}

const isRefused = ({ content }: Fields): boolean => Array.isArray(content) && content.some((part) => fieldsOf(part).type === 'refusal');

/** The item as a block. Reasoning is a thinking block that keeps the item, without what is sealed in it, to be sent back. */
function blocksOf(item: Fields, origin: string): readonly ContentBlock[] {
  switch (item.type) {
    case 'message':
      return messageBlocks(item, origin);
    case 'function_call':
      return [
        {
          type: 'tool_use',
          id: item.call_id ?? item.id,
          name: item.name,
          input: isObject(item.arguments) ? item.arguments : readArguments(isString(item.arguments) ? item.arguments : ''),
          ...opaqueIn(item, callFields, origin),
        },
      ];
    case 'reasoning': {
      const { encrypted_content: sealed, ...reasoning } = item;
      return [{ type: 'thinking', thinking: reasoningText(item), signature: isString(sealed) ? sealed : '', reasoning }];
    }
    default:
      return isString(item.type) ? [{ type: 'openai_item', item }] : [];
  }
}

function messageBlocks(item: Fields, origin: string): readonly ContentBlock[] {
  const { content, phase } = item;
  const parts: readonly unknown[] = Array.isArray(content) ? content : [];
  const opaque = opaqueIn(item, messageFields, origin);
  return parts.map(fieldsOf).flatMap((part, at) => {
    const text = part.type === 'refusal' ? part.refusal : part.text;
    return isString(text) && text.trim() !== ''
      ? [{ type: 'text', text, ...(isString(phase) ? { phase } : {}), ...(at === 0 && opaque) }]
      : [];
  });
}

/** What is read of an item, sent back in another way, or has no place in a request. */
const callFields: ReadonlySet<string> = new Set(['id', 'type', 'call_id', 'name', 'arguments', 'status', 'created_by']);
const messageFields: ReadonlySet<string> = new Set(['id', 'type', 'role', 'content', 'status', 'phase', 'created_by']);

/** OpenAI itself wants back nothing but its reasoning, and refuses what it does not know; `origin` is empty there. */
function opaqueIn(item: Fields, known: ReadonlySet<string>, origin: string): { readonly opaque?: Opaque } {
  const opaque = origin === '' ? undefined : opaqueOf(origin, unknownFields(item, known));
  return opaque === undefined ? {} : { opaque };
}

const reasoningText = ({ summary, content }: Fields): string => partsText(summary) || partsText(content);

const partsText = (parts: unknown): string =>
  (Array.isArray(parts) ? parts : [])
    .map((part) => fieldsOf(part).text)
    .filter(isString)
    .join('\n\n');

function usageIn({ input_tokens: input, output_tokens: output, input_tokens_details: details }: Fields): Usage | undefined {
  const { cached_tokens: cached, cache_write_tokens: written } = fieldsOf(details);
  return usageFrom({ input, output, cached, written });
}
