import type { ModelFacts, ModelRequest } from '../../agent/ports/model.ts';
import { type ContentBlock, isText, isThinking, isToolResult, isToolUse, type WireMessage } from '../../domain/session/message.ts';
import { type Fields, isObject } from '../../domain/value/json.ts';
import { flatMapGrowing, memoizeByName } from '../../domain/value/memoize.ts';
import { opaqueFor } from '../openai/opaque-fields.ts';
import { cacheKey, hexHash, mediaAddress, openAiEffort } from '../openai/shared-fields.ts';
import { outputTokens } from '../rough-tokens.ts';

/** The fields, and values of them, that some servers and models refuse; a request works without each of them. */
export const optionalFields = [
  'xhigh',
  'effort',
  'reasoning',
  'include',
  'prompt_cache_key',
  'parallel_tool_calls',
  'max_output_tokens',
  'store',
] as const;

export type OptionalField = (typeof optionalFields)[number];

type ResponsesTraits = {
  readonly facts: ModelFacts;
  /** False for a model that is known not to reason; undefined when nobody has told us. */
  readonly reasons: boolean | undefined;
  /** How the endpoint is named beside what only it takes back; empty for one that wants nothing back. */
  readonly origin?: string;
  /** What the endpoint has refused for this model. */
  readonly omitted: ReadonlySet<OptionalField>;
};

/**
 * Builds the request: nothing is stored at the provider, so that reasoning comes sealed and is sent back, and the whole conversation goes
 * with every request. The same request always gives the same bytes, and a longer conversation the same beginning.
 */
export function responsesBody(request: ModelRequest, traits: ResponsesTraits): Fields {
  const tools = request.tools.map(({ name, description, inputSchema }) => ({
    type: 'function',
    name,
    description,
    parameters: inputSchema,
    // Strict schemas know no optional arguments.
    strict: false,
  }));
  const optional = {
    ...(traits.reasons === false
      ? {}
      : { reasoning: { ...effortOf(request, traits.omitted), summary: 'auto' }, include: ['reasoning.encrypted_content'] }),
    ...(tools.length === 0 ? {} : { parallel_tool_calls: true }),
    ...cacheKey(request),
    max_output_tokens: outputTokens(request, traits.facts, { thinks: traits.reasons !== false }),
    store: false,
  };
  const omitted: ReadonlySet<string> = traits.omitted;
  return {
    model: request.model,
    ...(request.system.length === 0 ? {} : { instructions: request.system.join('\n\n') }),
    input: inputItems(request.messages, traits.origin),
    ...(tools.length === 0 ? {} : { tools }),
    ...Object.fromEntries(Object.entries(optional).filter(([name]) => !omitted.has(name))),
    stream: true,
  };
}

const effortOf = ({ effort }: ModelRequest, omitted: ReadonlySet<OptionalField>) =>
  effort === undefined || omitted.has('effort') ? {} : { effort: openAiEffort(effort, !omitted.has('xhigh')) };

/** An entry of `input`, in the API's own terms. */
export type InputItem = Readonly<Record<string, unknown>> & { readonly type: string };

/**
 * Turns a conversation into the items of a request. A longer conversation only appends, so that the provider reads the rest from its cache.
 * Reasoning goes back as it came, where it came from this API and what it led to still follows it; the API refuses it otherwise. What this
 * API does not know, such as the thinking of another, is left out. Ids of items are never sent: nothing is stored under them.
 */
export const inputItems = (messages: readonly WireMessage[], origin = ''): readonly InputItem[] => itemsFor(origin)(messages);

const itemsFor = memoizeByName((origin: string) =>
  flatMapGrowing(({ role, content }: WireMessage) =>
    role === 'user' ? userItems(content) : withoutLooseReasoning(content.flatMap((block) => replyItems(block, origin))),
  ),
);

function userItems(content: readonly ContentBlock[]): readonly InputItem[] {
  const outputs = content.filter(isToolResult).map(
    (result): InputItem => ({
      type: 'function_call_output',
      call_id: callId(result.tool_use_id),
      output: outputOf(result.content),
    }),
  );
  const parts = content.filter((block) => !isToolResult(block)).flatMap(inputParts);
  return parts.length === 0 ? outputs : [...outputs, { type: 'message', role: 'user', content: parts }];
}

/** Text stays text; only what is not needs the longer form. */
function outputOf(content: unknown): unknown {
  if (typeof content === 'string') return content;
  const blocks: readonly ContentBlock[] = Array.isArray(content) ? content.filter(isItem) : [];
  if (blocks.every(isText)) return blocks.map(({ text }) => text).join('\n');
  return blocks.flatMap(inputParts);
}

function inputParts(block: ContentBlock): readonly InputItem[] {
  if (isText(block)) return [{ type: 'input_text', text: block.text }];
  if (!isObject(block.source)) return [];
  const address = mediaAddress(block.source);
  if (block.type === 'image') return address === undefined ? [] : [{ type: 'input_image', image_url: address, detail: 'auto' }];
  if (block.type !== 'document') return [];
  if (block.source.type === 'text') return [{ type: 'input_text', text: String(block.source.data) }];
  const filename = typeof block.title === 'string' ? block.title : 'document.pdf';
  if (address === undefined) return [];
  return [block.source.type === 'url' ? { type: 'input_file', file_url: address } : { type: 'input_file', filename, file_data: address }];
}

function replyItems(block: ContentBlock, origin: string): readonly InputItem[] {
  const { fields } = opaqueFor(block, origin);
  if (isText(block)) {
    const phase = typeof block.phase === 'string' ? { phase: block.phase } : {};
    return [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: block.text }], ...phase, ...fields }];
  }
  if (isToolUse(block))
    return [
      { type: 'function_call', call_id: callId(block.id), name: block.name, arguments: JSON.stringify(block.input) ?? '{}', ...fields },
    ];
  if (block.type === 'openai_item' && isItem(block.item)) return [block.item];
  return isThinking(block) ? reasoningItem(block) : [];
}

const isItem = (value: unknown): value is InputItem => isObject(value) && typeof value.type === 'string';

/** Without its sealed content the API would look for it in a store that it was told not to keep; open content needs none. */
function reasoningItem({ reasoning, signature }: ContentBlock): readonly InputItem[] {
  if (!isItem(reasoning)) return [];
  if (typeof signature === 'string' && signature !== '') return [{ ...reasoning, encrypted_content: signature }];
  return Array.isArray(reasoning.content) && reasoning.content.length > 0 ? [reasoning] : [];
}

/** Reasoning that nothing follows any more, in this reply. */
function withoutLooseReasoning(items: readonly InputItem[]): readonly InputItem[] {
  const last = items.findLastIndex(({ type }) => type !== 'reasoning');
  return items.slice(0, last + 1);
}

const MAX_CALL_ID_CHARS = 64;
const HASH_CHARS = 16;

/** The API takes no longer ids; the same id is always shortened to the same one. */
const callId = (id: string): string =>
  id.length <= MAX_CALL_ID_CHARS ? id : `${id.slice(0, MAX_CALL_ID_CHARS - HASH_CHARS - 1)}_${hexHash(id).slice(0, HASH_CHARS)}`;
