import type { ServerResponse } from 'node:http';
import { type ContentBlock, isText, isThinking, isToolUse, type Usage, type WireMessage } from '../../src/domain/session/message.ts';
import { asksForSummary } from './check-prefix.ts';
import type { Answering } from './fake-answers.ts';
import type { Body, FakeWire } from './fake-api.ts';
import type { FakeAnswer, FakeReply, Mischief } from './scenario.ts';

export type ChatServer = {
  /** The field in which the server sends what a model thought, and takes it back; without one it refuses such fields. */
  readonly reasoningField?: 'reasoning_content' | 'reasoning';
  /** The only name of the limit that it takes. */
  readonly limitField?: 'max_tokens' | 'max_completion_tokens';
};

/**
 * The chat completions API, as strict as the strictest server: fields that it does not know, messages in another order, calls without their
 * results and arguments that are no JSON are refused in OpenAI's words.
 */
export const chatWire = ({ reasoningField = 'reasoning_content', limitField = 'max_tokens' }: ChatServer = {}): FakeWire => ({
  path: '/v1/chat/completions',
  read: (body, _headers) => {
    const problems = formProblems(body, { reasoningField, limitField });
    const system = list(body.messages).flatMap((message) => (isPrompt(message) ? [String(message.content)] : []));
    const messages = wireMessages(list(body.messages).filter((message) => !isPrompt(message)));
    const tools = list(body.tools).map((tool) => {
      const { name, description, parameters } = record(tool.function);
      return { name: String(name), description: String(description), inputSchema: record(parameters) };
    });
    const maxOutputTokens = Number(body[limitField]);
    const purpose = tools.length === 0 || asksForSummary(messages) ? 'summary' : 'turn';
    return {
      request: { model: String(body.model), system, tools, messages, maxOutputTokens, purpose },
      sent: { system, tools, messages, maxTokens: maxOutputTokens, model: body.model, settings: body.tool_choice },
      problems,
    };
  },
  answer: (given, response, how) => answer(given, response, { ...how, reasoningField }),
  refuse,
  about: (path, { models = {} }) =>
    path === '/v1/models'
      ? {
          object: 'list',
          data: Object.entries(models).map(([id, facts]) => ({ id, object: 'model', context_length: facts.max_input_tokens })),
        }
      : undefined,
});

const isPrompt = ({ role }: Body): boolean => role === 'system' || role === 'developer';

// --- in --------------------------------------------------------------------------------------------------------------

const FIELDS = ['model', 'messages', 'tools', 'stream', 'stream_options', 'prompt_cache_key', 'reasoning_effort'];
const EFFORTS: readonly unknown[] = ['low', 'medium', 'high', 'xhigh'];
const MESSAGE_FIELDS: Readonly<Record<string, readonly string[]>> = {
  system: ['role', 'content'],
  developer: ['role', 'content'],
  user: ['role', 'content'],
  assistant: ['role', 'content', 'tool_calls'],
  tool: ['role', 'tool_call_id', 'content'],
};

function formProblems(body: Body, server: Required<ChatServer>): readonly string[] {
  const messages = list(body.messages);
  const unknown = Object.keys(body).filter((name) => ![...FIELDS, server.limitField].includes(name));
  const hasOptions = body.stream_options !== undefined;
  return [
    ...unknown.map((name) => `Unrecognized request argument supplied: ${name}`),
    ...(hasOptions && body.stream !== true ? ["The 'stream_options' parameter is only allowed when 'stream' is enabled."] : []),
    ...('reasoning_effort' in body && !EFFORTS.includes(body.reasoning_effort) ? ["Invalid value: 'reasoning_effort'"] : []),
    ...(messages.length === 0 ? ["[] is too short - 'messages'"] : []),
    ...(Array.isArray(body.tools) && body.tools.length === 0 ? ["[] is too short - 'tools'"] : []),
    ...list(body.tools).flatMap((tool, at) => toolProblems(tool, at)),
    ...messages.flatMap((message, at) => messageProblems(message, at, server)),
    ...orderProblems(messages),
  ];
}

const toolProblems = (tool: Body, at: number): readonly string[] => {
  const { name, description, parameters, ...more } = record(tool.function);
  const isGood = tool.type === 'function' && isName(name) && typeof description === 'string' && record(parameters).type === 'object';
  return isGood && Object.keys(more).length === 0 ? [] : [`Invalid 'tools[${at}]'`];
};

const isName = (name: unknown): boolean => typeof name === 'string' && /^[a-zA-Z0-9_-]{1,64}$/.test(name);

function messageProblems(message: Body, at: number, { reasoningField }: Required<ChatServer>): readonly string[] {
  const role = String(message.role);
  const known = MESSAGE_FIELDS[role];
  if (known === undefined) return [`Invalid value: '${role}' for 'messages[${at}].role'`];
  const allowed = role === 'assistant' ? [...known, reasoningField] : known;
  const { content, tool_calls: calls } = message;
  const problems = Object.keys(message)
    .filter((name) => !allowed.includes(name))
    .map((name) => `Unrecognized field messages[${at}].${name}`);
  if (isPrompt(message) && (at > 0 || typeof content !== 'string')) problems.push(`the ${role} message ${at} is not the first, or no text`);
  if (role === 'user' && !(isFilled(content) || (Array.isArray(content) && content.length > 0 && list(content).every(isPart))))
    problems.push(`Invalid content of messages[${at}]`);
  if (role === 'tool' && !(typeof content === 'string' && content !== '')) problems.push(`Invalid content of the result messages[${at}]`);
  if (role === 'assistant' && !isFilled(content) && !(content === null && Array.isArray(calls)))
    problems.push(`Invalid value for 'content' of messages[${at}]: expected a string, got null.`);
  if (calls !== undefined && (!Array.isArray(calls) || calls.length === 0)) problems.push(`[] is too short - 'messages.${at}.tool_calls'`);
  return [...problems, ...list(calls).flatMap((call) => callProblems(call, at))];
}

const isPart = (part: Body): boolean =>
  part.type === 'text'
    ? isFilled(part.text)
    : part.type === 'image_url' && /^(?:data:image\/|https:)/.test(String(record(part.image_url).url));

function callProblems({ id, type, function: called, ...more }: Body, at: number): readonly string[] {
  const { name, arguments: json, ...others } = record(called);
  const problems: string[] = [];
  if (!(isFilled(id) && id.length <= 40)) problems.push(`Invalid 'messages[${at}].tool_calls[].id': string too long, or none`);
  if (type !== 'function' || !isName(name) || Object.keys({ ...more, ...others }).length > 0)
    problems.push(`Invalid call in messages[${at}]`);
  if (typeof json !== 'string' || !isObjectJson(json)) problems.push(`The arguments of a call in messages[${at}] are no JSON object`);
  return problems;
}

const isObjectJson = (text: string): boolean => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
};

/** Results stand right behind the reply that calls for them, each once, and nothing but them. */
function orderProblems(messages: readonly Body[]): readonly string[] {
  const problems: string[] = [];
  let open = new Set<string>();
  messages.forEach(({ role, tool_calls: calls, tool_call_id: id }, at) => {
    if (role === 'tool') {
      if (!open.delete(String(id)))
        problems.push(`messages[${at}] with role 'tool' must be a response to a preceding message with 'tool_calls'`);
      return;
    }
    if (open.size > 0) problems.push(`An assistant message with 'tool_calls' must be followed by tool messages: ${[...open].join(', ')}`);
    open = new Set(list(calls).map((call) => String(call.id)));
  });
  if (open.size > 0) problems.push(`An assistant message with 'tool_calls' must be followed by tool messages: ${[...open].join(', ')}`);
  return problems;
}

/** In the form in which the checks of every wire take them: results and what the user says after them are one message. */
function wireMessages(messages: readonly Body[]): readonly WireMessage[] {
  const wire: { readonly role: 'user' | 'assistant'; readonly content: ContentBlock[]; readonly isResult: boolean }[] = [];
  for (const message of messages) {
    const content = blocksOf(message);
    const last = wire.at(-1);
    if (message.role === 'assistant') wire.push({ role: 'assistant', content: [...content], isResult: false });
    else if (last?.role === 'user' && last.isResult) last.content.push(...content);
    else wire.push({ role: 'user', content: [...content], isResult: message.role === 'tool' });
  }
  return wire.map(({ role, content }) => ({ role, content }));
}

function blocksOf({ role, content, tool_calls: calls, tool_call_id: id }: Body): readonly ContentBlock[] {
  if (role === 'tool') return [{ type: 'tool_result', tool_use_id: String(id), content: String(content) }];
  const said: readonly ContentBlock[] = isFilled(content)
    ? [{ type: 'text', text: content }]
    : list(content).map((part) => ({ ...part, type: part.type === 'text' ? 'text' : 'image' }));
  const made = list(calls).map((call): ContentBlock => {
    const { name, arguments: json } = record(call.function);
    return { type: 'tool_use', id: String(call.id), name: String(name), input: isObjectJson(String(json)) ? JSON.parse(String(json)) : {} };
  });
  return [...said, ...made];
}

// --- out -------------------------------------------------------------------------------------------------------------

type ChatAnswering = Answering & { readonly reasoningField: string };

async function answer(given: FakeAnswer, response: ServerResponse, how: ChatAnswering): Promise<void> {
  switch (given.kind) {
    case 'reply':
      return how.streamed ? streamReply(given, response, how) : sendWhole(given, response, how);
    case 'overflow':
      return sendError(response, 400, {
        message: `This model's maximum context length is ${given.limitTokens} tokens. However, your messages resulted in ${given.sentTokens} tokens. Please reduce the length of the messages.`,
        type: 'invalid_request_error',
        code: 'context_length_exceeded',
      });
    case 'stale_thinking':
      throw new Error('this API binds no thinking');
    case 'fails':
      return given.code === 'model_key'
        ? refuse(response, 401, 'invalid_request_error', given.message)
        : refuse(response, 400, 'invalid_request_error', given.message);
    case 'hangs':
      return how.stalled();
    case 'mischief':
      return misbehave(given.mischief, response, how);
  }
}

const finishReasons: Readonly<Record<string, string>> = {
  end_turn: 'stop',
  max_tokens: 'length',
  tool_use: 'tool_calls',
  refusal: 'content_filter',
};

const DELTA_CHARS = 7;

function chunksOf({ content, stopReason }: FakeReply, { request, reasoningField }: ChatAnswering): readonly unknown[] {
  const chunk = (delta: unknown, finish: string | null = null) => ({
    ...{ id: 'chatcmpl-fake', object: 'chat.completion.chunk', created: 1, model: request.model },
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  const calls = content.filter(isToolUse);
  const deltas = content.flatMap((block): readonly unknown[] => {
    if (isText(block)) return pieces(block.text).map((text) => ({ content: text }));
    if (isThinking(block)) return pieces(String(block.thinking)).map((text) => ({ [reasoningField]: text }));
    if (!isToolUse(block)) return [];
    const index = calls.indexOf(block);
    const start = { index, id: block.id, type: 'function', function: { name: block.name, arguments: '' } };
    const json = pieces(JSON.stringify(block.input)).map((piece) => ({ tool_calls: [{ index, function: { arguments: piece } }] }));
    return [{ tool_calls: [start] }, ...json];
  });
  return [
    chunk({ role: 'assistant', content: '' }),
    ...deltas.map((delta) => chunk(delta)),
    chunk({}, finishReasons[stopReason] ?? stopReason),
  ];
}

const pieces = (text: string): readonly string[] => {
  const chars = [...text];
  return Array.from({ length: Math.ceil(chars.length / DELTA_CHARS) }, (_, at) =>
    chars.slice(at * DELTA_CHARS, (at + 1) * DELTA_CHARS).join(''),
  );
};

const wireUsage = (usage: Usage) => {
  const prompt = usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
  return {
    ...{ prompt_tokens: prompt, completion_tokens: usage.outputTokens, total_tokens: prompt + usage.outputTokens },
    prompt_tokens_details: { cached_tokens: usage.cacheReadTokens, cache_write_tokens: usage.cacheWriteTokens },
  };
};

const usageOf = (given: FakeReply, how: ChatAnswering): Usage | undefined =>
  given.usage === null ? undefined : (given.usage ?? how.usage);

async function streamReply(given: FakeReply, response: ServerResponse, how: ChatAnswering): Promise<void> {
  const usage = usageOf(given, how);
  const end = usage === undefined ? [] : [{ id: 'chatcmpl-fake', object: 'chat.completion.chunk', choices: [], usage: wireUsage(usage) }];
  await send(response, [...chunksOf(given, how), ...end].map(encode).join('') + encodeText('[DONE]'), how);
  response.end();
}

function sendWhole(given: FakeReply, response: ServerResponse, how: ChatAnswering): void {
  const { content, stopReason } = given;
  const usage = usageOf(given, how);
  const calls = content
    .filter(isToolUse)
    .map(({ id, name, input }) => ({ id, type: 'function', function: { name, arguments: JSON.stringify(input) } }));
  const message = {
    role: 'assistant',
    content:
      content
        .filter(isText)
        .map(({ text }) => text)
        .join('') || null,
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
  const choices = [{ index: 0, message, finish_reason: finishReasons[stopReason] ?? stopReason }];
  sendJson(response, 200, {
    id: 'chatcmpl-fake',
    model: how.request.model,
    choices,
    ...(usage === undefined ? {} : { usage: wireUsage(usage) }),
  });
}

async function misbehave(mischief: Mischief, response: ServerResponse, how: ChatAnswering): Promise<void> {
  const begun = chunksOf({ kind: 'reply', content: [{ type: 'text', text: 'half a re' }], stopReason: 'end_turn' }, how).slice(0, -1);
  switch (mischief.how) {
    case 'status': {
      const { body = '', headers = {} } = mischief;
      response.writeHead(mischief.status, { 'content-type': typeof body === 'string' ? 'text/html' : 'application/json', ...headers });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
      return;
    }
    case 'hang':
      return how.stalled();
    case 'stall':
      await send(response, begun.map(encode).join(''), how);
      return how.stalled();
    case 'reset':
      await send(response, begun.map(encode).join(''), how);
      response.socket?.resetAndDestroy();
      return;
    case 'premature_end':
      await send(response, begun.map(encode).join(''), how);
      response.end();
      return;
    case 'error_event':
      await send(response, begun.map(encode).join('') + encode({ error: { type: mischief.type, message: mischief.message } }), how);
      response.end();
      return;
    case 'bad_json':
      await send(response, `${begun.map(encode).join('')}data: {"choices":[{"del\n\n`, how);
      response.end();
      return;
    case 'cut_tool_json': {
      const { name, json, stopReason } = mischief;
      const call = { index: 0, id: 'call_cut', type: 'function', function: { name, arguments: json } };
      const parts = [{ choices: [{ index: 0, delta: { tool_calls: [call] }, finish_reason: null }] }];
      const end = { choices: [{ index: 0, delta: {}, finish_reason: finishReasons[stopReason] ?? stopReason }] };
      await send(response, [...parts, end].map(encode).join('') + encodeText('[DONE]'), how);
      response.end();
      return;
    }
  }
}

const encode = (chunk: unknown): string => encodeText(JSON.stringify(chunk));
const encodeText = (data: string): string => `data: ${data}\n\n`;

/** Resolves once the bytes have left, piece by piece. */
async function send(response: ServerResponse, text: string, { chunkBytes }: ChatAnswering): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
  const bytes = Buffer.from(text, 'utf8');
  const size = chunkBytes ?? bytes.length;
  for (let start = 0; start < bytes.length; start += size) {
    await new Promise<void>((resolve) => response.write(bytes.subarray(start, start + size), () => resolve()));
  }
}

const refuse = (response: ServerResponse, status: number, type: string, message: string): void =>
  sendError(response, status, { message, type, code: null });

const sendError = (response: ServerResponse, status: number, error: unknown): void => sendJson(response, status, { error });

const sendJson = (response: ServerResponse, status: number, body: unknown): void => {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
};

const record = (value: unknown): Body => (typeof value === 'object' && value !== null ? { ...value } : {});
const list = (value: unknown): readonly Body[] => (Array.isArray(value) ? value.map(record) : []);
const isFilled = (value: unknown): value is string => typeof value === 'string' && value !== '';
