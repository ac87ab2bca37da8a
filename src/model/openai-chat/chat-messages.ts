import type { ModelRequest } from '../../agent/ports/model.ts';
import {
  type ContentBlock,
  isText,
  isToolResult,
  isToolUse,
  resultText,
  type ToolResultBlock,
  type ToolUseBlock,
  textOf,
  type WireMessage,
} from '../../domain/session/message.ts';
import type { Fields } from '../../domain/value/json.ts';
import { flatMapGrowing, memoizeByName } from '../../domain/value/memoize.ts';
import { mergeFields, opaqueFor, REPLY_FIELDS } from '../openai/opaque-fields.ts';
import { hexHash, mediaAddress } from '../openai/shared-fields.ts';
import type { ChatTraits } from './traits.ts';

type MessageTraits = Pick<ChatTraits, 'tools' | 'images' | 'reasoning' | 'shortIds' | 'origin' | 'opaque'>;

export type ChatMessage = Readonly<Record<string, unknown>> & { readonly role: 'system' | 'developer' | 'user' | 'assistant' | 'tool' };

/** The fields in which servers send what a model thought, and take it back. */
export const reasoningFields = ['reasoning_content', 'reasoning'] as const;
export type ReasoningField = (typeof reasoningFields)[number];

/** What was thought, in the field that it came in. It has no signature: only its own endpoint gets it back. */
export const reasoningBlock = (field: ReasoningField, thinking: string): ContentBlock => ({ type: 'thinking', thinking, field });

/** The conversation in the API's messages. */
export function chatMessages({ system, messages }: Pick<ModelRequest, 'system' | 'messages'>, traits: ChatTraits): readonly ChatMessage[] {
  const prompt = system.join('\n\n');
  const chat = conversationAs(traits)(messages);
  if (prompt === '') return chat;
  if (traits.systemRole !== 'none') return [{ role: traits.systemRole, content: prompt }, ...chat];
  const [first, ...rest] = chat;
  return typeof first?.content === 'string'
    ? [{ role: 'user', content: `${prompt}\n\n${first.content}` }, ...rest]
    : [{ role: 'user', content: prompt }, ...chat];
}

/** For each form that servers take: the same message is the same object in every request, as long as nothing new is learned. */
const conversationAs = ({ tools, images, reasoning, shortIds, origin, opaque }: MessageTraits) =>
  conversations(JSON.stringify({ tools, images, reasoning, shortIds, origin, opaque } satisfies MessageTraits));
const conversations = memoizeByName((form) => {
  const traits: MessageTraits = JSON.parse(form);
  return flatMapGrowing((message: WireMessage) =>
    message.role === 'user' ? userMessages(message, traits) : replyMessage(message, traits),
  );
});

/** Each result is a message of its own, and what the user says follows. The API takes no image in a result: it goes with the user's words. */
function userMessages({ content }: WireMessage, traits: MessageTraits): readonly ChatMessage[] {
  const results = content.filter(isToolResult);
  const others = content.filter((block) => !isToolResult(block));
  if (!traits.tools) return said([...results.map(resultAsText), ...others], traits);
  const images = results.flatMap((result) => imagesOf(result));
  return [
    ...results.map(
      (result): ChatMessage => ({ role: 'tool', tool_call_id: callId(result.tool_use_id, traits), content: resultContent(result) }),
    ),
    ...said([...images, ...others], traits),
  ];
}

function said(blocks: readonly ContentBlock[], traits: MessageTraits): readonly ChatMessage[] {
  if (blocks.length === 0) return [];
  const parts = blocks.map((block) => partOf(block, traits));
  const hasOnlyText = parts.every((part) => part.type === 'text');
  return [{ role: 'user', content: hasOnlyText ? parts.map(({ text }) => text).join('\n\n') : parts }];
}

type Part = Readonly<Record<string, unknown>> & { readonly type: 'text' | 'image_url' };

function partOf(block: ContentBlock, { images }: MessageTraits): Part {
  if (isText(block)) return { type: 'text', text: block.text };
  if (block.type !== 'image') return { type: 'text', text: `[${block.type}: not sent, since this API has no place for it]` };
  const url = mediaAddress(block.source);
  return images && url !== undefined ? { type: 'image_url', image_url: { url } } : { type: 'text', text: NO_IMAGE };
}

const NO_IMAGE = '[image: not sent, since this model takes none]';

const imagesOf = ({ content }: ToolResultBlock): readonly ContentBlock[] =>
  typeof content === 'string' || content === undefined ? [] : content.filter(({ type }) => type === 'image');

/** The API has no mark for a result that failed. */
function resultContent(result: ToolResultBlock): string {
  const text = resultText(result);
  const shown = text !== '' ? text : imagesOf(result).length > 0 ? '(an image, which follows)' : '(nothing)';
  return result.is_error === true && !/^\W*error/i.test(shown) ? `Error: ${shown}` : shown;
}

const resultAsText = (result: ToolResultBlock): ContentBlock => ({ type: 'text', text: `Result of the call:\n${resultContent(result)}` });

function replyMessage({ content }: WireMessage, traits: MessageTraits): readonly ChatMessage[] {
  const calls = content.filter(isToolUse);
  const text = textOf(content);
  if (!traits.tools) return [{ role: 'assistant', content: [text, ...calls.map(callAsText)].filter((part) => part !== '').join('\n\n') }];
  return [
    {
      role: 'assistant',
      content: text === '' ? null : text,
      ...(traits.reasoning ? reasoningOf(content) : {}),
      ...(traits.opaque === 'all' ? replyFields(content, traits) : {}),
      ...(calls.length === 0 ? {} : { tool_calls: calls.map((call) => callOf(call, traits)) }),
    },
  ];
}

function callOf(call: ToolUseBlock, traits: MessageTraits) {
  const { fields, called } = opaqueFor(call, traits.opaque === 'none' ? undefined : traits.origin);
  const { name, input } = call;
  return {
    ...{ id: callId(call.id, traits), type: 'function' },
    function: { name, arguments: JSON.stringify(input), ...called },
    ...fields,
  };
}

const replyFields = (content: readonly ContentBlock[], { origin }: MessageTraits): Fields =>
  content
    .filter(({ type }) => type === REPLY_FIELDS)
    .map((block) => opaqueFor(block, origin).fields)
    .reduce(mergeFields, {});

const callAsText = ({ name, input }: ToolUseBlock): string => `Call of ${name}: ${JSON.stringify(input)}`;

/** Back in the field that it came in; some models want it as long as their calls go on, the others do without. */
function reasoningOf(content: readonly ContentBlock[]): Readonly<Record<string, string>> {
  const block = content.find(({ type, field }) => type === 'thinking' && reasoningFields.some((one) => one === field));
  return block === undefined ? {} : { [String(block.field)]: String(block.thinking) };
}

/** The longest id that the API takes. */
const LEGAL_ID = /^[\w-]{1,40}$/;

/** The id of a call as the server takes it: the same for the same id, and as good as surely another for another. */
function callId(id: string, { shortIds }: MessageTraits): string {
  if (shortIds) return /^[a-zA-Z0-9]{9}$/.test(id) ? id : hexHash(id).slice(0, 9);
  return LEGAL_ID.test(id) ? id : `call_${hexHash(id).slice(0, 24)}`;
}
