import type { ContentBlock, WireMessage } from '../../src/domain/session/message.ts';

export type Fields = Readonly<Record<string, unknown>>;

export const fields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
export const list = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.map(fields) : []);

/** All that a body may have of what the API knows; anything else is refused. */
const KNOWN_FIELDS = new Set([
  ...['model', 'instructions', 'input', 'tools', 'tool_choice', 'parallel_tool_calls', 'max_output_tokens'],
  ...['store', 'stream', 'include', 'reasoning', 'prompt_cache_key'],
]);

const ITEM_FIELDS: Readonly<Record<string, readonly string[]>> = {
  message: ['type', 'role', 'content', 'phase'],
  function_call: ['type', 'call_id', 'name', 'arguments'],
  function_call_output: ['type', 'call_id', 'output'],
  reasoning: ['type', 'id', 'summary', 'content', 'encrypted_content', 'status'],
};

type CheckSetting = {
  /** The reasoning that was given out, by its id. */
  readonly sealed: ReadonlyMap<string, string>;
  readonly windowTokens: number | undefined;
};

/** Everything the API would refuse in a body, and all else that must never be sent; empty when it is good. */
export function checkResponsesBody(body: Fields, { sealed, windowTokens }: CheckSetting): readonly string[] {
  const items = list(body.input);
  const tokens = Math.ceil(JSON.stringify([body.instructions, body.tools, items]).replace(/data:[^"]*/g, '').length / 4);
  return [
    ...Object.keys(body)
      .filter((name) => !KNOWN_FIELDS.has(name))
      .map((name) => `Unknown parameter: '${name}'`),
    ...(items.length === 0 ? ['there is no input'] : []),
    ...(body.store === false ? [] : ['store is not false']),
    ...(body.stream === true ? [] : ['stream is not true']),
    ...(Number(body.max_output_tokens) >= 16 ? [] : ['max_output_tokens is below 16']),
    ...(windowTokens === undefined || tokens <= windowTokens ? [] : [`about ${tokens} tokens, the window has ${windowTokens}`]),
    ...(JSON.stringify(body).isWellFormed() ? [] : ['a text holds half a character']),
    ...checkTools(list(body.tools)),
    ...items.flatMap((item, at) => checkItem(item, at, items)),
    ...checkCalls(items),
    ...items.flatMap((item, at) => checkReasoning(item, at, { items, sealed })),
  ];
}

const checkTools = (tools: readonly Fields[]): readonly string[] => {
  const names = tools.map(({ name }) => String(name));
  return [
    ...(new Set(names).size === names.length ? [] : ['tool names are not unique']),
    ...tools.flatMap(({ type, name, parameters }) => [
      ...(type === 'function' ? [] : [`the tool ${String(name)} is no function`]),
      ...(/^[a-zA-Z0-9_-]{1,64}$/.test(String(name)) ? [] : [`the tool name ${String(name)}`]),
      ...(typeof parameters === 'object' ? [] : [`the tool ${String(name)} has no parameters`]),
    ]),
  ];
};

const PARTS: Readonly<Record<string, readonly string[]>> = {
  user: ['input_text', 'input_image', 'input_file'],
  assistant: ['output_text', 'refusal'],
};

function checkItem(item: Fields, at: number, items: readonly Fields[]): readonly string[] {
  const known = ITEM_FIELDS[String(item.type)];
  if (known === undefined) return [`input[${at}] is of the unknown type ${String(item.type)}`];
  const unknown = Object.keys(item).filter((name) => !known.includes(name));
  const problems = unknown.map((name) => `input[${at}] has the unknown field ${name}`);
  if (item.type !== 'message') return problems;
  const parts = list(item.content);
  if (parts.length === 0) problems.push(`input[${at}] is a message without content`);
  for (const part of parts) {
    if (!PARTS[String(item.role)]?.includes(String(part.type)))
      problems.push(`input[${at}] is of ${String(item.role)} and holds ${String(part.type)}`);
    if (typeof part.text === 'string' && part.text.trim() === '') problems.push(`input[${at}] holds a text without text`);
    if (part.type === 'input_image' && !/^(?:data:image\/|https?:)/.test(String(part.image_url)))
      problems.push(`input[${at}] has no image`);
  }
  if (item.role === 'user' && items[at - 1]?.type === 'function_call') problems.push(`input[${at}] comes between a call and its output`);
  return problems;
}

/** Every call has one output after it, every output a call before it. */
function checkCalls(items: readonly Fields[]): readonly string[] {
  const problems: string[] = [];
  const open = new Set<string>();
  for (const { type, call_id: id, arguments: json, output } of items) {
    const call = String(id);
    if (type === 'function_call') {
      if (call.length > 64 || call === '') problems.push(`the call id ${call} is too long`);
      if (open.has(call)) problems.push(`the call ${call} is there twice`);
      if (!isJsonObject(json)) problems.push(`the arguments of ${call} are no JSON object`);
      open.add(call);
    } else if (type === 'function_call_output') {
      if (!open.delete(call)) problems.push(`No tool call found for function call output with call_id ${call}.`);
      if (typeof output !== 'string' && !Array.isArray(output)) problems.push(`the output of ${call} is neither text nor a list`);
    }
  }
  return [...problems, ...[...open].map((call) => `No tool output found for function call ${call}.`)];
}

const isJsonObject = (json: unknown): boolean => {
  if (typeof json !== 'string') return false;
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
};

/** Reasoning goes back as it came, and something of the same reply follows it. */
function checkReasoning(
  item: Fields,
  at: number,
  { items, sealed }: { readonly items: readonly Fields[]; readonly sealed: ReadonlyMap<string, string> },
): readonly string[] {
  if (item.type !== 'reasoning') return [];
  const id = String(item.id);
  const given = sealed.get(id);
  const next = items[at + 1];
  const follows =
    next !== undefined &&
    (next.type === 'reasoning' || next.type === 'function_call' || (next.type === 'message' && next.role === 'assistant'));
  return [
    ...(given === undefined ? [`Item with id '${id}' not found. Items are not persisted when store is set to false.`] : []),
    ...(given !== undefined && given !== sorted(item) ? [`the reasoning ${id} was changed`] : []),
    ...(follows ? [] : [`Item '${id}' of type 'reasoning' was provided without its required following item.`]),
  ];
}

/** With its keys in order, whatever order they were sent in. */
export const sorted = (item: Fields): string =>
  JSON.stringify(Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1))));

/** The conversation in the terms of the scenarios: one message for each stretch of one side. */
export function messagesOf(items: readonly Fields[]): readonly WireMessage[] {
  const messages: { role: 'user' | 'assistant'; content: ContentBlock[] }[] = [];
  for (const item of items) {
    const role = item.type === 'function_call_output' || item.role === 'user' ? ('user' as const) : ('assistant' as const);
    const last = messages.at(-1);
    const into = last?.role === role ? last : { role, content: [] as ContentBlock[] };
    if (into !== last) messages.push(into);
    into.content.push(...blocksOf(item));
  }
  return messages;
}

function blocksOf(item: Fields): readonly ContentBlock[] {
  switch (item.type) {
    case 'function_call':
      return [{ type: 'tool_use', id: String(item.call_id), name: String(item.name), input: JSON.parse(String(item.arguments)) }];
    case 'function_call_output':
      return [
        {
          type: 'tool_result',
          tool_use_id: String(item.call_id),
          content: typeof item.output === 'string' ? item.output : list(item.output).map(partOf),
        },
      ];
    case 'message':
      return list(item.content).map(partOf);
    default:
      return [{ type: 'thinking', thinking: '', signature: String(item.encrypted_content) }];
  }
}

const partOf = (part: Fields): ContentBlock =>
  typeof part.text === 'string' ? { type: 'text', text: part.text } : { ...part, type: String(part.type) };
