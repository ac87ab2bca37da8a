import type { ModelRequest } from '../../agent/ports/model.ts';
import type { ContentBlock, Usage } from '../../domain/session/message.ts';
import type { ModelReply } from '../../domain/session/model-answer.ts';
import { type Fields, isObject, parseJson } from '../../domain/value/json.ts';
import {
  addPiece,
  fieldsOf,
  type GrowingText,
  indexIn,
  isName,
  LEAST_REPEATED_CHARS,
  plainStopReason,
  readArguments,
} from '../http/answer-fields.ts';
import type { ReplyListener } from '../http/attempt.ts';
import { isCallType, unwrapped } from '../http/plain-form.ts';
import { type AnswerCollector, eventIn } from '../http/read-answer.ts';
import { BrokenStream, checkBlock, MAX_BLOCK_CHARS, tooLargeBlock } from '../http/reply-bounds.ts';
import { reportedIn } from '../http/streamed-error.ts';
import { mergeFields, opaqueOf, REPLY_FIELDS, unknownFields } from '../openai/opaque-fields.ts';
import { usageFrom } from '../openai/shared-fields.ts';
import { collectCalls } from './call-fragments.ts';
import { type ReasoningField, reasoningBlock, reasoningFields } from './chat-messages.ts';
import { firstChoice } from './first-choice.ts';

type Draft = GrowingText & {
  readonly reasoning: GrowingText;
  reasoningField: ReasoningField | undefined;
  readonly calls: ReturnType<typeof collectCalls>;
  /** What nobody here reads. */
  fields: Fields;
  chars: number;
  finishReason: string | undefined;
  isRefused: boolean;
  isDone: boolean;
  hasBegun: boolean;
  readonly ofFirst: ReturnType<typeof firstChoice>;
  model: string | undefined;
  usage: Usage | undefined;
};

type Asked = Pick<ModelRequest, 'model' | 'tools'>;

/** Assembles a reply from its chunks, or from one that came whole. Of several choices, which nobody asks for, the first counts. */
export function collectChatReply({ model, tools }: Asked, listener: ReplyListener, origin = ''): AnswerCollector {
  const names = new Set(tools.map(({ name }) => name));
  const draft: Draft = {
    ...{
      text: [],
      grown: '',
      reasoning: { text: [], grown: '' },
      reasoningField: undefined,
      calls: collectCalls((name) => names.has(name)),
      fields: {},
      chars: 0,
    },
    ...{ finishReason: undefined, isRefused: false, isDone: false, hasBegun: false, model: undefined, usage: undefined },
    ofFirst: firstChoice(),
  };
  const addRest = (): void => {
    if (draft.finishReason === undefined) for (const choice of draft.ofFirst.rest()) addChoice(draft, choice, listener);
  };
  const end = (): void => {
    addRest();
    draft.isDone = true;
  };
  return {
    push: (event) => {
      const chunk = eventIn(event, replyFields);
      if (chunk === 'end') end();
      else if (chunk !== undefined) addChunk(draft, chunk, listener);
    },
    whole: (raw) => {
      const body = unwrapped(raw, replyFields);
      const refusal = reportedIn(body, replyFields);
      if (refusal !== undefined) throw refusal;
      if (!isObject(body) || !Array.isArray(body.choices)) throw new BrokenStream('the answer holds no reply');
      addChunk(draft, body, listener);
      end();
    },
    isOver: () => draft.isDone,
    isSaid: () => draft.finishReason !== undefined,
    finish: () => {
      addRest();
      return (draft.isDone && draft.hasBegun) || draft.finishReason !== undefined ? replyOf(draft, model, origin) : undefined;
    },
  };
}

const replyFields = ['choices', 'usage'];
const choiceFields = ['delta', 'message', 'finish_reason', 'text'];

function addChunk(draft: Draft, chunk: Fields, listener: ReplyListener): void {
  if (isName(chunk.model)) draft.model = chunk.model;
  draft.usage = usageIn(chunk.usage) ?? draft.usage;
  const choices = parts(isObject(chunk.choices) ? [chunk.choices] : chunk.choices);
  const choice = choices.find(({ index }) => indexIn(index) === 0) ?? choices[0];
  if (choice === undefined) return;
  for (const each of draft.ofFirst.take(choice, choices.length === 1)) addChoice(draft, each, listener);
}

function addChoice(draft: Draft, choice: Fields, listener: ReplyListener): void {
  draft.hasBegun = true;
  const refusal = reportedIn(choice, choiceFields);
  if (refusal !== undefined) throw refusal;
  const delta = [choice.delta, choice.message, { content: choice.text }].find(isObject) ?? {};
  // OpenRouter says of a provider that failed that it stopped, and the rest beside it.
  const { native_finish_reason: native, finish_reason: named } = choice;
  const hasFailed = isName(native) && /error|malformed/i.test(native);
  const reason = hasFailed ? native : isName(named) ? named : undefined;
  addDelta(draft, reason === undefined ? delta : withoutRepeats(draft, delta), listener);
  draft.finishReason = reason ?? draft.finishReason;
}

/** Some servers end a stream with all that they have sent, once more. */
function withoutRepeats({ text, reasoning }: Draft, delta: Fields): Fields {
  const isRepeated = (value: unknown): boolean =>
    typeof value === 'string' && value.length >= LEAST_REPEATED_CHARS && [text, reasoning.text].some((said) => said.join('') === value);
  return Object.fromEntries(Object.entries(delta).filter(([, value]) => !isRepeated(value)));
}

function addDelta(draft: Draft, delta: Fields, { onText, onThinking }: ReplyListener): void {
  const field = draft.reasoningField ?? reasoningFields.find((name) => isFilled(delta[name]));
  const thought = field === undefined ? thoughtIn(delta.content) : isFilled(delta[field]) ? delta[field] : '';
  if (thought !== '') {
    draft.reasoningField = field;
    const added = addPiece(draft.reasoning, count(draft, thought));
    if (added !== '') onThinking(added);
  }
  for (const text of [textIn(delta.content), isFilled(delta.refusal) ? delta.refusal : '']) {
    const added = text === '' ? '' : addPiece(draft, count(draft, text));
    if (added !== '') onText(added);
  }
  draft.isRefused ||= isFilled(delta.refusal);
  for (const call of callsIn(delta)) draft.calls.add(call);
  const fields = unknownFields(delta, knownFields);
  if (Object.keys(fields).length === 0) return;
  count(draft, JSON.stringify(fields));
  draft.fields = mergeFields(draft.fields, fields);
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

/** One alone stands there without a list of some servers, or all as a text; of old ones in the field that was there before, or among the parts of the text. */
function callsIn({ tool_calls: given, function_call: called, content }: Fields): readonly Fields[] {
  const calls = parts([isFilled(given) ? parseJson(given) : given].flat(2));
  if (calls.length > 0) return calls;
  return isObject(called) || isFilled(called) ? [{ function: called }] : parts(content).filter(({ type }) => isCallType(type));
}

const parts = (content: unknown): readonly Fields[] => (Array.isArray(content) ? content.filter(isObject) : []);

function replyOf(draft: Draft, model: string, origin: string): ModelReply {
  const { text, reasoning, reasoningField, calls, fields, usage } = draft;
  const stopReason = stopReasonOf(draft);
  const content: ContentBlock[] = [];
  if (reasoning.text.length > 0) content.push(reasoningBlock(reasoningField ?? 'reasoning_content', reasoning.text.join('')));
  const opaque = opaqueOf(origin, fields);
  const hasText = text.join('').trim() !== '';
  if (opaque !== undefined && (hasText || !calls.isEmpty)) content.push({ type: REPLY_FIELDS, opaque });
  if (hasText) content.push({ type: 'text', text: text.join('') });
  calls.calls().forEach((call, at) => {
    const { id, name, json } = call;
    const input = readArguments(json.text(), { mends: stopReason !== 'max_tokens' });
    const fieldsOfCall = opaqueOf(origin, call.fields, call.called);
    content.push({ type: 'tool_use', id: id === '' ? `call_${at}` : id, name, input, ...(fieldsOfCall && { opaque: fieldsOfCall }) });
  });
  for (const block of content) checkBlock(block);
  // Thinking alone is no answer that could be sent back.
  return { kind: 'reply', content, stopReason, model: draft.model ?? model, usage };
}

/** What is read of a reply, sent back in another way, or has no place in a request. */
const knownFields: ReadonlySet<string> = new Set([
  ...['role', 'content', 'refusal', 'tool_calls', 'function_call', 'annotations', 'audio', 'images', 'citations', 'executed_tools'],
  ...['logprobs', 'token_ids', 'obfuscation', 'index', 'name', ...reasoningFields],
]);
/** In the words of the agent. Many servers say "stop" of a reply that calls tools. */
function stopReasonOf({ finishReason, isRefused, calls }: Draft): string {
  const reason = plainStopReason(finishReason ?? 'stop');
  if (isRefused) return 'refusal';
  if (reason === 'end_turn' && !calls.isEmpty) return 'tool_use';
  return reason === 'tool_use' && calls.isEmpty ? 'end_turn' : reason;
}

function usageIn(raw: unknown): Usage | undefined {
  const { prompt_tokens: input, completion_tokens: output, prompt_tokens_details, prompt_cache_hit_tokens: hit } = fieldsOf(raw);
  const details = fieldsOf(prompt_tokens_details);
  return usageFrom({ input, output, cached: details.cached_tokens ?? hit, written: details.cache_write_tokens });
}

const isFilled = (value: unknown): value is string => typeof value === 'string' && value !== '';
