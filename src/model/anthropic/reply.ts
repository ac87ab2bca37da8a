import { type ContentBlock, isText, isThinking, isToolUse, type Usage, usageTotal } from '../../domain/session/message.ts';
import type { ModelReply, PrefixCheck } from '../../domain/session/model-answer.ts';
import { type Fields, isObject, isString } from '../../domain/value/json.ts';
import { fieldsOf, isName, plainStopReason, tokenCount } from '../http/answer-fields.ts';
import type { ReplyListener } from '../http/attempt.ts';
import { unwrapped } from '../http/plain-form.ts';
import { type AnswerCollector, eventIn } from '../http/read-answer.ts';
import { BrokenStream, checkBlock } from '../http/reply-bounds.ts';
import { reportedIn } from '../http/streamed-error.ts';
import { opaqueBlock } from '../openai/opaque-fields.ts';
import { collectBlocks } from './blocks.ts';
import type { RequestBody } from './request.ts';

/** `given` once a server has said how the reply ended, even without a reason. */
type Reply = {
  readonly blocks: ReturnType<typeof collectBlocks>;
  stopReason?: string;
  given: boolean;
  stopped: boolean;
  model?: string;
  usage: Record<string, unknown>;
  id?: string;
  prefix?: PrefixCheck;
};

type Asked = {
  readonly model: string;
  /** How the endpoint is named beside what only it takes back; empty for the provider's own, whose blocks stay as they came. */
  readonly origin?: string;
  readonly diagnostics?: RequestBody['diagnostics'];
};

/** The fields of a part of a reply: an event is named by its type, and a whole reply has content. */
const replyFields = ['delta', 'content_block', 'content', 'stop_reason', 'usage', 'index'];

/**
 * Assembles a reply verbatim, blocks of unknown type as they came. One that ends for a reason other than tool_use may contain a call that
 * was cut off; its arguments are kept as text unless they happen to be complete. What a server sends for a block is not judged here but
 * where it is stored (admitReply), save that a reply is cut when it is larger than any model writes.
 */
export function collectReply({ model, origin = '', diagnostics }: Asked, listener: ReplyListener): AnswerCollector {
  const reply: Reply = { blocks: collectBlocks(listener), given: false, stopped: false, usage: {} };
  return {
    push: (event) => {
      const fields = eventIn(event, replyFields);
      if (fields === 'end') reply.stopped = true;
      else if (fields !== undefined) handleEvent(isString(fields.type) ? fields : { ...fields, type: event.event }, reply);
    },
    whole: (raw) => {
      const body = unwrapped(raw, replyFields);
      const refusal = reportedIn(body, replyFields);
      if (refusal !== undefined) throw refusal;
      if (isObject(body) && isString(body.content)) return takeWhole({ ...body, content: [{ type: 'text', text: body.content }] }, reply);
      if (!isObject(body) || !Array.isArray(body.content)) throw new BrokenStream('the answer holds no reply');
      takeWhole(body, reply);
    },
    isOver: () => reply.stopped,
    isSaid: () => reply.given || reply.stopReason !== undefined,
    /** Of a stream that is over, a server may have left out the last event, or the one that says how it ended. */
    finish: () => {
      const isWhole = reply.given || reply.stopReason !== undefined || (reply.stopped && !reply.blocks.isEmpty);
      if (!isWhole) return undefined;
      const { id, prefix } = reply;
      const isCompared = typeof diagnostics?.previous_message_id === 'string' && prefix !== undefined;
      return { ...replyOf(reply, model, origin), ...(diagnostics && id !== undefined && { id }), ...(isCompared && { prefix }) };
    },
  };
}

function replyOf({ blocks, ...ending }: Reply, model: string, origin: string): ModelReply {
  const reason = ending.stopReason === undefined ? undefined : plainStopReason(ending.stopReason);
  const content = withoutEmptyText(blocks.blocks(reason !== 'max_tokens').map((block) => opaqueBlock(block, origin)));
  for (const block of content) checkBlock(block);
  return {
    kind: 'reply',
    content,
    stopReason: reason ?? (content.some(isToolUse) ? 'tool_use' : 'end_turn'),
    model: ending.model ?? model,
    usage: usageOf(ending.usage),
  };
}

function handleEvent(event: Fields, reply: Reply): void {
  switch (event.type) {
    case 'message_start':
      takeMessage(fieldsOf(event.message), reply);
      return;
    case 'message':
      takeMessage(event, reply);
      return;
    case 'content_block_start':
      reply.blocks.start(event);
      return;
    case 'content_block_delta':
      reply.blocks.delta(event);
      return;
    case 'content_block_stop':
      reply.blocks.stop(event);
      return;
    case 'message_delta': {
      const reason = fieldsOf(event.delta).stop_reason;
      if (isName(reason)) reply.stopReason = reason;
      reply.given ||= reason === null && reply.stopReason === undefined;
      // These are totals; what does not apply is missing or null.
      for (const [name, value] of Object.entries(fieldsOf(event.usage))) if (value !== null) reply.usage[name] = value;
      return;
    }
    case 'message_stop':
      reply.stopped = true;
      return;
    // Future event types are no reason to fail.
    default:
      return;
  }
}

function takeWhole(message: Fields, reply: Reply): void {
  takeMessage(message, reply);
  [reply.given, reply.stopped] = [true, true];
}

/** A message that has no content yet, or all of it. */
function takeMessage({ id, model, usage, content, diagnostics, stop_reason: reason }: Fields, reply: Reply): void {
  if (isName(model)) reply.model = model;
  if (isName(id)) reply.id = id;
  const prefix = prefixIn(diagnostics);
  if (prefix !== undefined) reply.prefix = prefix;
  Object.assign(reply.usage, fieldsOf(usage));
  if (!Array.isArray(content) || content.length === 0) return;
  for (const block of content) {
    reply.blocks.start({ content_block: block });
    reply.blocks.stop({});
  }
  if (isName(reason)) reply.stopReason = reason;
}

const CHANGES: Readonly<Record<string, PrefixCheck['changed']>> = {
  model_changed: 'model',
  system_changed: 'system',
  tools_changed: 'tools',
  messages_changed: 'messages',
};

/** Null says that nothing differs; undefined comes back where the API does not know. */
function prefixIn(diagnostics: unknown): PrefixCheck | undefined {
  if (diagnostics === null) return { changed: 'nothing', missedTokens: 0 };
  const reason = fieldsOf(fieldsOf(diagnostics).cache_miss_reason);
  const changed = CHANGES[String(reason.type)];
  return changed && { changed, missedTokens: tokenCount(reason.cache_missed_input_tokens) };
}

/**
 * The API sends empty text blocks, and refuses them when they are sent back. Blank ones are removed too, unless a signed block follows that
 * may be bound to them.
 */
const withoutEmptyText = (blocks: readonly ContentBlock[]): readonly ContentBlock[] => {
  const lastSigned = blocks.findLastIndex(isThinking);
  return blocks.filter((block, i) => !isText(block) || (i < lastSigned ? block.text !== '' : block.text.trim() !== ''));
};

/** Undefined when a server reports no input at all. */
const usageOf = (raw: Fields): Usage | undefined => {
  const usage = parseUsage(raw);
  return usageTotal(usage) === usage.outputTokens ? undefined : usage;
};

const parseUsage = (raw: Fields): Usage => {
  const cacheWriteTokens = tokenCount(raw.cache_creation_input_tokens);
  const cacheWrite1hTokens = Math.min(cacheWriteTokens, tokenCount(fieldsOf(raw.cache_creation).ephemeral_1h_input_tokens));
  return {
    inputTokens: tokenCount(raw.input_tokens),
    cacheReadTokens: tokenCount(raw.cache_read_input_tokens),
    cacheWriteTokens,
    outputTokens: tokenCount(raw.output_tokens),
    ...(cacheWrite1hTokens > 0 && { cacheWrite1hTokens }),
  };
};
