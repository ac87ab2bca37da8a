import type { ModelFacts, ModelRequest } from '../../agent/ports/model.ts';
import type { Effort } from '../../domain/config/effort.ts';
import { type ContentBlock, isText, isThinking, isToolResult, type WireMessage } from '../../domain/session/message.ts';
import { flatMapGrowing, memoizeByName } from '../../domain/value/memoize.ts';
import type { Thinking } from '../catalog.ts';
import { thinkingBudgets } from '../catalog-rows.ts';
import { opaqueFor, REPLY_FIELDS } from '../openai/opaque-fields.ts';
import { outputTokens } from '../rough-tokens.ts';

export type RequestBody = {
  readonly model: string;
  readonly max_tokens: number;
  readonly system?: readonly ContentBlock[];
  readonly tools?: readonly Readonly<Record<string, unknown>>[];
  readonly messages: readonly WireMessage[];
  readonly thinking?: Readonly<Record<string, unknown>>;
  readonly output_config?: { readonly effort: Effort };
  /** Asks how this request's start differs from that of the one before. No part of what is cached. */
  readonly diagnostics?: { readonly previous_message_id: string | null };
};

export type ModelTraits = {
  readonly facts: ModelFacts;
  readonly thinking: Thinking;
  /** How the endpoint is named beside what only it takes back; empty for the provider's own. */
  readonly origin?: string;
};

type Breakpoint = { readonly cache_control: { readonly type: 'ephemeral'; readonly ttl?: '1h' } };
/** All breakpoints of a request ask for the same time: the API refuses one for five minutes before one for an hour. */
const breakpointOf = ({ cacheTtl }: ModelRequest): Breakpoint => ({
  cache_control: { type: 'ephemeral', ...(cacheTtl !== undefined && { ttl: cacheTtl }) },
});

/**
 * Builds the request as the API accepts it: no sampling parameters (refused since 2026-10), thinking shown as a summary, and cache
 * breakpoints that change no content. The same request always gives the same bytes.
 */
export function requestBody(request: ModelRequest, model: ModelTraits): RequestBody {
  const messages = withOpaqueOf(model.origin ?? '')(request.messages);
  const budget = thinkingBudget(request, model.thinking);
  const system = request.system.map((text): ContentBlock => ({ type: 'text', text }));
  const tools = request.tools.map(({ name, description, inputSchema }) => ({ name, description, input_schema: inputSchema }));
  const isCached = request.purpose === 'turn' || request.onPrefix === true;
  const stable = isCached ? stableSystemIndex(system) : -1;
  const breakpoint = breakpointOf(request);
  const maxTokens = outputTokens({ ...request, maxOutputTokens: request.maxOutputTokens + budget }, model.facts, {
    thinks: thinksFirst(request, model),
  });
  const thinking = budget > 0 ? budgetParameter(budget, maxTokens) : thinkingParameter(request, model.thinking);
  return {
    model: request.model,
    max_tokens: maxTokens,
    ...(system.length === 0 ? {} : { system: system.map((block, i) => (i === stable ? { ...block, ...breakpoint } : block)) }),
    ...(tools.length === 0
      ? {}
      : { tools: system.length > 0 || !isCached ? tools : mapLast(tools, (tool) => ({ ...tool, ...breakpoint })) }),
    messages: isCached ? markMessages({ ...request, messages }) : messages,
    ...(thinking === undefined ? {} : { thinking }),
    ...(request.effort === undefined || model.thinking === 'budget' ? {} : { output_config: { effort: request.effort } }),
    ...(request.previousReply === undefined || isElsewhere(model) ? {} : { diagnostics: { previous_message_id: request.previousReply } }),
  };
}

/** Only the provider itself compares requests. */
const isElsewhere = ({ origin = '' }: ModelTraits): boolean => origin !== '';

/** What an endpoint added to its replies goes back to it; a named one may have been another, or one of another wire: that is not for this one. */
const withOpaqueOf = memoizeByName((origin: string) =>
  flatMapGrowing((message: WireMessage): readonly WireMessage[] => {
    if (message.content.every(({ opaque }) => opaque === undefined)) return [message];
    const content = message.content.flatMap((block) => {
      const { opaque: _, ...rest } = block;
      return block.type === REPLY_FIELDS ? [] : [{ ...rest, ...opaqueFor(block, origin).fields }];
    });
    return content.length === 0 ? [] : [{ ...message, content }];
  }),
);

/**
 * A request for a summary of the conversation itself uses the thinking of the turns before, whose cache it reads. Without `display` the newest models send
 * their words between tool calls as empty thinking blocks.
 */
const thinkingParameter = ({ purpose, onPrefix }: ModelRequest, thinking: Thinking): RequestBody['thinking'] => {
  if (thinking === 'budget' || thinking === 'none') return undefined;
  if (purpose === 'turn' || onPrefix === true) return { type: 'adaptive', display: 'summarized' };
  return thinking === 'always' ? { type: 'adaptive' } : { type: 'disabled' };
};

/** The share of a turn's reply that stays for the answer is a quarter at least. */
const LEAST_BUDGET = 1_024;
const BUDGET_SHARE = 0.75;

/** These models refuse to begin to think between a call and its result. */
function thinkingBudget({ effort, purpose, onPrefix, messages }: ModelRequest, thinking: Thinking): number {
  if (effort === undefined || thinking !== 'budget' || (purpose === 'summary' && onPrefix !== true)) return 0;
  const answersCall = messages.findLast(({ role }) => role === 'user')?.content.some(isToolResult) === true;
  const reply = messages.findLast(({ role }) => role === 'assistant');
  return answersCall && reply?.content.some(isThinking) !== true ? 0 : thinkingBudgets[effort];
}

function budgetParameter(wanted: number, maxTokens: number): RequestBody['thinking'] {
  const tokens = Math.min(wanted, Math.floor(maxTokens * BUDGET_SHARE));
  return tokens < LEAST_BUDGET ? undefined : { type: 'enabled', budget_tokens: tokens };
}

const thinksFirst = ({ onPrefix }: ModelRequest, { thinking }: ModelTraits): boolean =>
  thinking === 'always' || (thinking === 'adaptive' && onPrefix === true);

/** When there are several system blocks, the last one changes at each compaction; those before it stay the same. */
const stableSystemIndex = (system: readonly ContentBlock[]): number => Math.max(0, system.length - 2);

/**
 * Sets three breakpoints. One is at the end of this request. One is where the request wants it or, when it does not say, at the end of the
 * previous request (the last user message before the newest reply), where its cache entry ends: a single breakpoint at the end would look
 * back only 20 blocks, and a step with many parallel calls adds more. One is at the first block, which after a compaction is the summary: it
 * outlives every offload and pruning after it. With the one at the system prompt, these are the four allowed. A summary on the prefix is
 * read by nobody, so none is at its end.
 */
const markMessages = (request: ModelRequest): readonly WireMessage[] => {
  const { messages, onPrefix, cachePoint } = request;
  const newest = messages.findLastIndex(({ role }) => role === 'user');
  const reply = messages.findLastIndex(({ role }, i) => role === 'assistant' && i < newest);
  const previous = cachePoint ?? messages.findLastIndex(({ role }, i) => role === 'user' && i < reply);
  const breakpoint = breakpointOf(request);
  const marked = [...messages];
  const mark = (index: number, set: typeof markLastBlock): void => {
    const message = marked[index];
    if (message !== undefined) marked[index] = set(message, breakpoint);
  };
  for (const index of new Set(onPrefix === true ? [previous] : [newest, previous])) mark(index, markLastBlock);
  mark(0, markFirstBlock);
  return marked;
};

const markFirstBlock = (message: WireMessage, breakpoint: Breakpoint): WireMessage => {
  const [block, ...rest] = message.content;
  return block === undefined || !isText(block) || !canCarryBreakpoint(block)
    ? message
    : { ...message, content: [{ ...block, ...breakpoint }, ...rest] };
};

const markLastBlock = (message: WireMessage, breakpoint: Breakpoint): WireMessage => {
  const at = message.content.findLastIndex(canCarryBreakpoint);
  return at < 0 ? message : { ...message, content: message.content.map((block, i) => (i === at ? { ...block, ...breakpoint } : block)) };
};

/** Empty text, thinking and unknown blocks may not carry a breakpoint. */
const canCarryBreakpoint = (block: ContentBlock): boolean =>
  isText(block) ? block.text.trim() !== '' : ['tool_result', 'image', 'document'].includes(block.type);

const mapLast = <T>(list: readonly T[], change: (item: T) => T): readonly T[] =>
  list.map((item, i) => (i === list.length - 1 ? change(item) : item));
