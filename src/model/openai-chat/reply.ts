import type { ContentBlock, Usage } from '../../domain/session/message.ts';
import type { ModelReply } from '../../domain/session/model-answer.ts';
import { type Fields, isCount, isObject } from '../../domain/value/json.ts';
import { fieldsOf, isName, readArguments } from '../http/answer-fields.ts';
import { type AnswerCollector, streamedRefusal } from '../http/ask-over-http.ts';
import type { ReplyListener } from '../http/attempt.ts';
import { BrokenStream, MAX_BLOCK_CHARS, MAX_BLOCKS, tooLargeBlock, tooManyBlocks } from '../http/reply-bounds.ts';
import { usageFrom } from '../openai/shared-fields.ts';
import { type ReasoningField, reasoningBlock, reasoningFields } from './chat-messages.ts';

type DraftCall = { readonly index: number | undefined; id: string; name: string; json: string[]; chars: number };

type Draft = {
  text: string[];
  reasoning: string[];
  reasoningField: ReasoningField | undefined;
  readonly calls: DraftCall[];
  chars: number;
  finishReason: string | undefined;
  isRefused: boolean;
  isDone: boolean;
  model: string | undefined;
  usage: Usage | undefined;
};

/** Assembles a reply from its chunks, or from one that came whole. Of several choices, which nobody asks for, the first counts. */
export function collectChatReply(model: string, listener: ReplyListener): AnswerCollector {
  const draft: Draft = {
    ...{ text: [], reasoning: [], reasoningField: undefined, calls: [], chars: 0 },
    ...{ finishReason: undefined, isRefused: false, isDone: false, model: undefined, usage: undefined },
  };
  return {
    push: ({ data }) => {
      if (data.trim() === '[DONE]') draft.isDone = true;
      else if (data.trim() !== '') addChunk(draft, JSON.parse(data), listener);
    },
    whole: (body) => {
      addChunk(draft, body, listener);
      draft.isDone = true;
    },
    finish: () => (draft.isDone || draft.finishReason !== undefined ? replyOf(draft, model) : undefined),
  };
}

function addChunk(draft: Draft, chunk: unknown, listener: ReplyListener): void {
  if (!isObject(chunk)) throw new BrokenStream('the stream holds something that is no part of a reply');
  const isError = (chunk.error !== undefined && chunk.error !== null) || chunk.object === 'error';
  if (isError) throw streamedRefusal(chunk);
  if (isName(chunk.model)) draft.model = chunk.model;
  draft.usage = usageIn(chunk.usage) ?? draft.usage;
  const choice: unknown = Array.isArray(chunk.choices) ? chunk.choices[0] : undefined;
  if (!isObject(choice)) return;
  const delta = isObject(choice.delta) ? choice.delta : choice.message;
  if (isObject(delta)) addDelta(draft, delta, listener);
  if (isName(choice.finish_reason)) draft.finishReason = choice.finish_reason;
}

function addDelta(draft: Draft, delta: Fields, { onText, onThinking }: ReplyListener): void {
  const field = draft.reasoningField ?? reasoningFields.find((name) => isFilled(delta[name]));
  const thought = field === undefined ? thoughtIn(delta.content) : String(delta[field] ?? '');
  if (thought !== '') {
    draft.reasoningField = field;
    draft.reasoning.push(count(draft, thought));
    onThinking(thought);
  }
  for (const text of [textIn(delta.content), isFilled(delta.refusal) ? delta.refusal : '']) {
    if (text === '') continue;
    draft.text.push(count(draft, text));
    onText(text);
  }
  draft.isRefused ||= isFilled(delta.refusal);
  for (const call of parts(delta.tool_calls)) addCall(draft, call);
}

/** Servers number the parts of calls, or only name them, or send each call whole, at times all of them under one number. */
function addCall(draft: Draft, { index, id, function: called }: Fields): void {
  const { name, arguments: json } = isObject(called) ? called : {};
  const number = isCount(index) ? index : undefined;
  const open = number === undefined ? draft.calls.at(-1) : draft.calls.findLast((call) => call.index === number);
  const isAnother = open === undefined || (isFilled(id) && open.id !== '' && id !== open.id) || (number === undefined && isFilled(name));
  const call = isAnother ? { index: number, id: '', name: '', json: [], chars: 0 } : open;
  if (isAnother && draft.calls.push(call) > MAX_BLOCKS) throw tooManyBlocks();
  if (isFilled(id)) call.id = id;
  if (isFilled(name) && call.name === '') call.name = name;
  const piece = typeof json === 'string' ? json : isObject(json) ? JSON.stringify(json) : '';
  call.json.push(piece);
  call.chars += piece.length;
  if (call.chars > MAX_BLOCK_CHARS) throw tooLargeBlock();
}

function count(draft: Draft, text: string): string {
  draft.chars += text.length;
  if (draft.chars > MAX_BLOCK_CHARS) throw tooLargeBlock();
  return text;
}

/** The text of a delta; some servers send a list of parts. */
const textIn = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : parts(content)
        .flatMap((part) => (isFilled(part.text) ? [part.text] : []))
        .join('');

const thoughtIn = (content: unknown): string =>
  parts(content)
    .flatMap(({ type, thinking }) => (type === 'thinking' ? [textIn(thinking)] : []))
    .join('');

const parts = (content: unknown): readonly Fields[] => (Array.isArray(content) ? content.filter(isObject) : []);

function replyOf(draft: Draft, model: string): ModelReply {
  const { text, reasoning, reasoningField, calls, usage } = draft;
  const stopReason = stopReasonOf(draft);
  const content: ContentBlock[] = [];
  if (reasoning.length > 0) content.push(reasoningBlock(reasoningField ?? 'reasoning_content', reasoning.join('')));
  if (text.join('').trim() !== '') content.push({ type: 'text', text: text.join('') });
  calls.forEach(({ id, name, json }, at) => {
    const input = readArguments(json.join(''), { mends: stopReason !== 'max_tokens' });
    content.push({ type: 'tool_use', id: id === '' ? `call_${at}` : id, name, input });
  });
  // Thinking alone is no answer that could be sent back.
  return { kind: 'reply', content, stopReason, model: draft.model ?? model, usage };
}

const stopReasons: Readonly<Record<string, string>> = {
  stop: 'end_turn',
  eos: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  function_call: 'tool_use',
  content_filter: 'refusal',
  model_length: 'model_context_window_exceeded',
};

/** What went wrong at the server in the middle of a reply: it may pass. */
const failures: ReadonlySet<string> = new Set(['error', 'abort', 'insufficient_system_resource']);

/** In the words of the agent. Many servers say "stop" of a reply that calls tools. */
function stopReasonOf({ finishReason, isRefused, calls }: Draft): string {
  if (finishReason !== undefined && failures.has(finishReason)) throw new BrokenStream(`the server gave the reply up (${finishReason})`);
  if (isRefused) return 'refusal';
  const reason = stopReasons[finishReason ?? 'stop'] ?? finishReason ?? 'end_turn';
  if (reason === 'end_turn' && calls.length > 0) return 'tool_use';
  return reason === 'tool_use' && calls.length === 0 ? 'end_turn' : reason;
}

function usageIn(raw: unknown): Usage | undefined {
  const { prompt_tokens: input, completion_tokens: output, prompt_tokens_details, prompt_cache_hit_tokens: hit } = fieldsOf(raw);
  const details = fieldsOf(prompt_tokens_details);
  return usageFrom({ input, output, cached: details.cached_tokens ?? hit, written: details.cache_write_tokens });
}

const isFilled = (value: unknown): value is string => typeof value === 'string' && value !== '';
