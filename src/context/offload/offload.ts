/**
 * How a context gets smaller without a summary: large results go to files and leave a stub, old ones are sent only in part, and when
 * nothing else helps, long messages are trimmed or the oldest exchanges dropped.
 *
 * A context, the limits and a target come in; a plan comes out as data, which the agent performs. A stub and its body lose nothing, the
 * same body gives the same stub, and what is planned in one batch changes the past once.
 *
 * Lossless steps come before lossy ones, and whoever performs a lossy one takes a snapshot first. Pins, and results that were read back,
 * are left as they are. A plan that would not make the context smaller is not made.
 */

import type { OffloadConfig } from '../../domain/config/config.ts';
import { groupBy } from '../../domain/lists.ts';
import { calledTool } from '../../domain/session/called-tool.ts';
import type { SessionContext } from '../../domain/session/context.ts';
import { mediaSource } from '../../domain/session/media.ts';
import {
  type ContentBlock,
  isText,
  isToolResult,
  isToolUse,
  type Message,
  resultText,
  type StubRef,
  stubOf,
  type ToolResultBlock,
} from '../../domain/session/message.ts';
import { matchesGlob } from '../../domain/value/glob.ts';
import { memoizeByObject } from '../../domain/value/memoize.ts';
import { isPinned } from '../history/pins.ts';
import { utf8Bytes } from '../measure/count.ts';
import type { Limits } from '../measure/limits.ts';
import type { Measure } from '../measure/measure.ts';
import { mediaStubText, type PlacedMedia, placedMedia } from './media-stub.ts';
import { countNewlines, stubText } from './stub.ts';

type ResultFacts = { readonly tool: string; readonly readBack: boolean };

/** True when a result may be offloaded at all: its tool is allowed, and it is no body that was read back. */
export const isOffloadable = ({ tool, readBack }: ResultFacts, config: OffloadConfig): boolean =>
  config.enabled && !readBack && allowsTool(config, tool);

/** True when one of the patterns allows the tool, and none denies it. */
export function allowsTool(
  { allow, deny }: { readonly allow: readonly string[]; readonly deny: readonly string[] },
  tool: string,
): boolean {
  const matchesTool = (glob: string): boolean => matchesGlob(glob, tool);
  return allow.some(matchesTool) && !deny.some(matchesTool);
}

/** True when a new result goes to a file before it is first sent. */
export const offloadsOnArrival = (
  result: { readonly tool: string; readonly content: string; readonly readBack: boolean },
  limits: Limits,
  config: OffloadConfig,
): boolean => result.content.length > limits.resultChars && isOffloadable(result, config);

export type OffloadPlan = {
  readonly measure: Measure;
  readonly ratio: number;
  readonly limits: Limits;
  readonly config: OffloadConfig;
  /** Index where the protected tail starts; results before it go first. */
  readonly keepFrom: number;
  /** The low-water mark: no more results are chosen once the context would be down to it. */
  readonly targetTokens: number;
  /** When set, the batch also goes on until the tool output in the context is down to this. */
  readonly targetBytes?: number;
};

export type OffloadCandidate = {
  readonly messageIndex: number;
  readonly toolUseId: string;
  readonly tool: string;
  readonly ok: boolean;
  readonly content: string;
  readonly source?: string;
  /** Set when it is an image or a document that leaves, and not the text. */
  readonly media?: PlacedMedia & { readonly messageId: string };
  /** Estimated, since the stub's path is not known yet; above zero. */
  readonly savesTokens: number;
};

/**
 * Plans which results leave the context in one batch: before the tail the largest first, then inside it the oldest first, until the target
 * is met. Counts the context as it will be after the offload, without the provider's usage, where that count is higher.
 */
export function planOffload(context: SessionContext, plan: OffloadPlan): readonly OffloadCandidate[] {
  const { measure, ratio, targetTokens, targetBytes = Number.POSITIVE_INFINITY } = plan;
  const current = measure.context(context, ratio);
  const afterOffload = measure.context({ ...context, anchorFloor: context.messages.length }, ratio);
  let tokens = Math.max(current.tokens, afterOffload.tokens);
  let bytes = current.toolOutputBytes;
  const candidates: OffloadCandidate[] = [];
  const all = [...offloadableResults(context, plan.config), ...offloadableMedia(context, plan.config)];
  for (const result of offloadOrder(all, plan.keepFrom)) {
    if (tokens <= targetTokens && bytes <= targetBytes) break;
    const { block, ...candidate } = result;
    const savesTokens = result.media === undefined ? savedTokens(result, plan) : savedByMedia(result.media, plan);
    if (savesTokens <= 0) continue;
    candidates.push({ ...candidate, savesTokens });
    tokens -= savesTokens;
    bytes -= utf8Bytes(candidate.content);
  }
  return candidates;
}

type OffloadableResult = Omit<OffloadCandidate, 'savesTokens'> & { readonly block: ContentBlock };

/** An image weighs about as much as so many characters of text. */
const MEDIA_CHARS = 6_000;

function offloadOrder(results: readonly OffloadableResult[], keepFrom: number): readonly OffloadableResult[] {
  const size = ({ content, media }: OffloadableResult): number => (media === undefined ? content.length : MEDIA_CHARS);
  const beforeTail = results.filter((result) => result.messageIndex < keepFrom);
  const inTail = results.filter((result) => result.messageIndex >= keepFrom);
  return [...beforeTail.sort((a, b) => size(b) - size(a)), ...inTail.sort((a, b) => a.messageIndex - b.messageIndex)];
}

/** The tool that stands for a person who attached a file. */
const ATTACHED = 'attachment';

/** Returns the images and documents that may leave: of tool results like their texts, and those that the user attached. */
function offloadableMedia({ messages, pins = [] }: SessionContext, config: OffloadConfig): readonly OffloadableResult[] {
  const tools = toolsByCall(messages);
  return messages.flatMap((message, messageIndex) => {
    if (isPinned(message, pins)) return [];
    return placedMedia(message).flatMap((media): readonly OffloadableResult[] => {
      const { toolUseId, block } = media;
      const tool = toolUseId === undefined ? ATTACHED : (tools.get(toolUseId) ?? '');
      const readBack = toolUseId !== undefined && message.readBack?.includes(toolUseId) === true;
      const mayLeave = toolUseId === undefined ? config.enabled : isOffloadable({ tool, readBack }, config);
      if (!mayLeave || mediaSource(block) === undefined) return [];
      const placed = { ...media, messageId: message.id };
      return [
        { messageIndex, toolUseId: toolUseId ?? '', tool, ok: true, content: '', ...sourceOf(message, toolUseId), block, media: placed },
      ];
    });
  });
}

/** Returns the text-only results that may leave, without pinned ones. */
const offloadableResults = ({ messages, pins = [] }: SessionContext, config: OffloadConfig): readonly OffloadableResult[] =>
  textResults(messages).flatMap(({ messageIndex, message, block, tool }) => {
    const toolUseId = block.tool_use_id;
    const readBack = message.readBack?.includes(toolUseId) ?? false;
    if (!isOffloadable({ tool, readBack }, config) || isPinned(message, pins)) return [];
    return [
      { messageIndex, toolUseId, tool, ok: block.is_error !== true, content: resultText(block), ...sourceOf(message, toolUseId), block },
    ];
  });

function sourceOf({ sources }: Message, toolUseId: string | undefined): { readonly source?: string } {
  const path = sources?.find((source) => source.toolUseId === toolUseId)?.path;
  return path === undefined ? {} : { source: path };
}

const toolsByCall = (messages: readonly Message[]): ReadonlyMap<string, string> =>
  new Map(messages.flatMap(({ content }) => content.filter(isToolUse).map((call) => [call.id, calledTool(call).name])));

type PlacedResult = { readonly messageIndex: number; readonly message: Message; readonly block: ToolResultBlock; readonly tool: string };

/**
 * Returns the results that are text alone and no stubs, oldest first. Two with the same id could not be told apart, so neither is among
 * them.
 */
export function textResults(messages: readonly Message[]): readonly PlacedResult[] {
  const tools = toolsByCall(messages);
  const results = messages.flatMap((message, messageIndex) =>
    message.content.filter(isToolResult).map((block) => ({ messageIndex, message, block, tool: tools.get(block.tool_use_id) ?? '' })),
  );
  const byId = groupBy(results, ({ block }) => block.tool_use_id);
  return results.filter(
    ({ message, block }) => byId.get(block.tool_use_id)?.length === 1 && isOnlyText(block) && stubOf(message, block) === undefined,
  );
}

const isOnlyText = ({ content }: ToolResultBlock): boolean => typeof content === 'string' || (content?.every(isText) ?? false);

/** About as long as our paths usually are. */
const PLACEHOLDER_PATH = `/${'p'.repeat(120)}`;

const PLACEHOLDER_HASH = '0'.repeat(64);

/** Of a message with this alone, the same one each time, since messages are weighed once. */
export const alone = memoizeByObject(
  (block: ContentBlock): Message => ({ id: '', at: '', role: 'user', origin: 'tools', content: [block] }),
);
const PLACEHOLDER_STUB: Message = alone({
  type: 'text',
  text: mediaStubText({ path: PLACEHOLDER_PATH, what: 'PNG image, 1000 × 1000 pixels, 100000 bytes', sha256: PLACEHOLDER_HASH }),
});

const savedByMedia = ({ block }: PlacedMedia, { measure, ratio }: OffloadPlan): number =>
  measure.message(alone(block), ratio) - measure.message(PLACEHOLDER_STUB, ratio);

type RawSizes = { readonly limits: Limits; readonly content: number; readonly stub: number | undefined };

/** A voluntary batch is planned at every step until it pays, but the sizes of a result and its stub stay the same, so they are cached. */
const sizeCache = memoizeByObject((_: Measure) => new WeakMap<ContentBlock, RawSizes>());

function savedTokens(result: OffloadableResult, { measure, ratio, limits }: OffloadPlan): number {
  const cache = sizeCache(measure);
  const cached = cache.get(result.block);
  const sizes = cached !== undefined && sameStubs(cached.limits, limits) ? cached : rawSizes(result, measure, limits);
  cache.set(result.block, sizes);
  return sizes.stub === undefined ? 0 : Math.ceil(ratio * sizes.content) - Math.ceil(ratio * sizes.stub);
}

const sameStubs = (a: Limits, b: Limits): boolean =>
  a.stubTokens === b.stubTokens && a.resultChars === b.resultChars && a.headRatio === b.headRatio && a.tailRatio === b.tailRatio;

function rawSizes({ tool, ok, content, source }: OffloadableResult, measure: Measure, limits: Limits): RawSizes {
  const ref = { sha256: PLACEHOLDER_HASH, bytes: utf8Bytes(content), lines: countNewlines(content) + 1 };
  const stub = stubText({ path: PLACEHOLDER_PATH, tool, ok, ref, body: content, ...(source === undefined ? {} : { source }) }, limits);
  if (stub === undefined) return { limits, content: 0, stub };
  return { limits, content: measure.text(content, 1), stub: measure.text(stub, 1) };
}

/**
 * Returns the messages with these results replaced by their stubs. Results that are already stubs stay, and unchanged messages are the same
 * objects.
 */
export function withStubs(
  messages: readonly Message[],
  stubs: readonly { readonly ref: StubRef; readonly text: string }[],
): readonly Message[] {
  const byId = new Map(stubs.map((stub) => [stub.ref.toolUseId, stub]));
  return messages.map((message) => {
    const refs: StubRef[] = [];
    const content = message.content.map((block): ContentBlock => {
      const stub = isToolResult(block) && stubOf(message, block) === undefined ? byId.get(block.tool_use_id) : undefined;
      if (stub === undefined) return block;
      refs.push(stub.ref);
      return { ...block, content: stub.text };
    });
    return refs.length === 0 ? message : { ...message, content, stubs: [...(message.stubs ?? []), ...refs] };
  });
}
