import { type ContentBlock, isToolUse, type Usage } from '../../domain/session/message.ts';
import type { ModelReply } from '../../domain/session/model-answer.ts';
import { type Fields, isCount, isObject, isString } from '../../domain/value/json.ts';
import { addPiece, fieldsOf, type GrowingText, isName, readArguments } from '../http/answer-fields.ts';
import type { ReplyListener } from '../http/attempt.ts';
import { unwrapped } from '../http/plain-form.ts';
import { type AnswerCollector, eventIn, type ServerEvent } from '../http/read-answer.ts';
import { BrokenStream, checkBlock, MAX_BLOCKS, tooManyBlocks } from '../http/reply-bounds.ts';
import { reportedIn } from '../http/streamed-error.ts';
import { type Opaque, opaqueOf, unknownFields } from '../openai/opaque-fields.ts';
import { usageFrom } from '../openai/shared-fields.ts';
import { collectItems, partsOf, textIn, wireItem } from './item-drafts.ts';
import { reportedError } from './refusal.ts';

/** The response as it was when it ended. */
type Collected = {
  readonly items: ReturnType<typeof collectItems>;
  readonly origin: string;
  readonly listener: ReplyListener;
  /** What came of the thought that is told now. */
  readonly thought: GrowingText;
  hasText: boolean;
  ended?: Fields;
  model?: string;
};

/** The fields of a response; an event has a type. */
const replyFields = ['response', 'item', 'delta', 'output', 'output_text', 'part', 'text', 'arguments'];

/** Assembles a response from its items, as each stood when it was done; pieces count only where a server never says that one was. */
export function collectResponse(model: string, listener: ReplyListener, origin = ''): AnswerCollector {
  const collected: Collected = { items: collectItems(), origin, thought: { text: [], grown: '' }, hasText: false, listener };
  return {
    push: (raw) => {
      const event = parsedEvent(raw, collected);
      if (event !== undefined) handleEvent(event, collected);
    },
    whole: (raw) => {
      const body = unwrapped(raw, replyFields);
      if (!isObject(body) || (isObject(body.error) && !Array.isArray(body.output))) throw reportedError(body);
      const refusal = Array.isArray(body.output) ? undefined : reportedIn(body, replyFields, reportedError);
      if (refusal !== undefined) throw refusal;
      if (isString(body.type) && body.type.startsWith('response.')) return handleEvent(body, collected);
      if (outputOf(body) === undefined && body.status === undefined) throw new BrokenStream('the answer holds no reply');
      end(body, collected);
    },
    isOver: () => collected.ended !== undefined,
    isSaid: () => false,
    finish: () => (collected.ended === undefined ? undefined : replyOf(collected.ended, collected, model)),
  };
}

/** Undefined for what says nothing. Behind the mark that ends other streams nothing follows: then what is done is the response. */
function parsedEvent(raw: ServerEvent, collected: Collected): Fields | undefined {
  const fields = eventIn(raw, [...replyFields, 'type'], reportedError);
  if (fields === 'end') {
    if (collected.items.areDone) collected.ended ??= {};
    return undefined;
  }
  return fields === undefined || isString(fields.type) ? fields : { ...fields, type: raw.event };
}

function handleEvent(event: Fields, collected: Collected): void {
  const { items } = collected;
  switch (event.type) {
    case 'response.output_item.added':
    case 'response.output_item.done':
      items.item(event, { isDone: event.type.endsWith('done') });
      return;
    case 'response.output_text.delta':
    case 'response.refusal.delta':
      addText(event, collected);
      return;
    case 'response.function_call_arguments.delta':
      items.piece(event, { kind: 'json', text: textOf(event.delta) });
      return;
    case 'response.output_text.done':
      if (isString(event.text) && event.text !== '' && items.rest(event, { kind: 'text', text: event.text })) tell(event.text, collected);
      return;
    case 'response.function_call_arguments.done':
      if (textOf(event.arguments) !== '') items.rest(event, { kind: 'json', text: textOf(event.arguments) });
      return;
    case 'response.reasoning_summary_text.delta':
    case 'response.reasoning_text.delta':
      addThought(event.delta, collected);
      return;
    case 'response.reasoning_summary_part.added':
      Object.assign(collected.thought, { text: [], grown: '' });
      if (isCount(event.summary_index) && event.summary_index > 0) collected.listener.onThinking('\n\n');
      return;
    case 'response.completed':
    case 'response.incomplete':
    case 'response.done':
      // Some put what came beside the response, or in its place.
      end({ ...outputIn(event), ...fieldsOf(event.response) }, collected);
      return;
    case 'response.failed':
      throw reportedError(event.response);
    case 'error':
      throw reportedError(event);
    default:
      // The first event names the model; the rest repeats what these say, and future types are no reason to fail.
      if (!String(event.type).startsWith('response.') && outputOf(event) !== undefined) end(event, collected);
      else noteModel(event.response, collected);
  }
}

const textOf = (json: unknown): string => (isString(json) ? json : json === undefined || json === null ? '' : JSON.stringify(json));

function addText(event: Fields, collected: Collected): void {
  const { delta } = event;
  if (isString(delta) && delta !== '') tell(collected.items.piece(event, { kind: 'text', text: delta }), collected);
}

function tell(text: string, collected: Collected): void {
  if (text === '') return;
  collected.hasText = true;
  collected.listener.onText(text);
}

function addThought(delta: unknown, { thought, listener }: Collected): void {
  const added = isString(delta) && delta !== '' ? addPiece(thought, delta) : '';
  if (added !== '') listener.onThinking(added);
}

function end(response: Fields, collected: Collected): void {
  if (response.status === 'failed' || (isObject(response.error) && response.status !== 'incomplete')) throw reportedError(response);
  noteModel(response, collected);
  collected.ended = response;
  // Some servers send no pieces.
  const texts = collected.hasText ? [] : itemsOf(collected).map((item) => textIn(item));
  if (!collected.hasText) tell(texts.join(''), collected);
}

function noteModel(response: unknown, collected: Collected): void {
  const { model } = fieldsOf(response);
  if (isName(model)) collected.model = model;
}

/**
 * Some servers leave the items out of the response that ends the stream, or what is in them; others only send them there. What says more
 * counts: all the calls, and all the text.
 */
function itemsOf({ items, ended }: Collected): readonly Fields[] {
  const output = outputOf(ended ?? {}) ?? [];
  if (output.length > MAX_BLOCKS) throw tooManyBlocks();
  const [last, streamed] = [output.map(wireItem), items.items()];
  const sizes = sizeOf(streamed);
  return sizeOf(last).every((size, at) => size >= (sizes[at] ?? 0)) ? last : streamed;
}

const outputIn = ({ output, output_text }: Fields): Fields => ({
  ...(output !== undefined && { output }),
  ...(output_text !== undefined && { output_text }),
});

/** The items of a response; of some servers one alone, or only the text of them. Undefined where it has none. */
function outputOf({ output, output_text: text }: Fields): readonly unknown[] | undefined {
  if (Array.isArray(output) && (output.length > 0 || !isString(text))) return output;
  if (isObject(output)) return [output];
  const words = [output, text].find(isString);
  return words === undefined ? undefined : [{ type: 'message', content: words }];
}

const sizeOf = (items: readonly Fields[]): readonly number[] => {
  const calls = items.filter(({ type }) => type === 'function_call');
  const length = (texts: readonly unknown[]): number => texts.filter(isString).reduce((sum, text) => sum + text.length, 0);
  const asTexts = calls.map(({ arguments: json }) => (isObject(json) ? '' : json));
  return [items.length, calls.length, length(items.map((item) => textIn(item))), length(asTexts)];
};

function replyOf(response: Fields, collected: Collected, model: string): ModelReply {
  const items = itemsOf(collected);
  for (const item of items) checkBlock(item);
  const content = items.flatMap((item) => blocksOf(item, { origin: collected.origin, mends: response.status !== 'incomplete' }));
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
function blocksOf(item: Fields, { origin, mends }: { readonly origin: string; readonly mends: boolean }): readonly ContentBlock[] {
  switch (item.type) {
    case 'message':
      return messageBlocks(item, origin);
    case 'function_call':
      return [
        {
          type: 'tool_use',
          id: item.call_id ?? item.id,
          name: item.name,
          input: isObject(item.arguments) ? item.arguments : readArguments(textOf(item.arguments), { mends }),
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
  const { phase } = item;
  const opaque = opaqueIn(item, messageFields, origin);
  return partsOf(item).flatMap((part, at) => {
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

const reasoningText = ({ summary, content }: Fields): string => textIn({ content: summary }, '\n\n') || textIn({ content }, '\n\n');

function usageIn({ input_tokens: input, output_tokens: output, input_tokens_details: details }: Fields): Usage | undefined {
  const { cached_tokens: cached, cache_write_tokens: written } = fieldsOf(details);
  return usageFrom({ input, output, cached, written });
}
