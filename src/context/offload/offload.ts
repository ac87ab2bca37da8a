/**
 * How a context gets smaller without a summary: large results go to files, old ones are sent in part; when nothing else helps, long
 * messages are trimmed or the oldest exchanges dropped.
 *
 * Plans come out as data, which the agent performs. A stub and its body lose nothing, the same body gives the same stub, and a batch
 * changes the past once.
 *
 * Lossless steps come before lossy ones. Pins, and results that were read back, stay. A plan that would not make the context smaller is not
 * made.
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
import { isPinned } from '../history/pins.ts';
import type { Limits } from '../measure/limits.ts';
import { type PlacedMedia, placedMedia, type StoredResult, type StubSizing, savedByMedia, savedByStub } from './media-stub.ts';

type ResultFacts = { readonly tool: string; readonly readBack: boolean };

/** True when a result may be offloaded at all: its tool is allowed, and it is no body that was read back. */
export const isOffloadable = ({ tool, readBack }: ResultFacts, config: OffloadConfig): boolean =>
  config.enabled && !readBack && allowsTool(config, tool);

export function allowsTool(
  { allow, deny }: { readonly allow: readonly string[]; readonly deny: readonly string[] },
  tool: string,
): boolean {
  const matchesTool = (glob: string): boolean => matchesGlob(glob, tool);
  return allow.some(matchesTool) && !deny.some(matchesTool);
}

export const offloadsOnArrival = (
  result: { readonly tool: string; readonly content: string; readonly readBack: boolean },
  limits: Limits,
  config: OffloadConfig,
): boolean => result.content.length > limits.resultChars && isOffloadable(result, config);

export type OffloadPlan = StubSizing & {
  readonly config: OffloadConfig;
  /** Index where the newest part starts. What stands before it leaves in any case. */
  readonly keepFrom: number;
  /** The newest part is spared once the context would be down to this… */
  readonly targetTokens: number;
  /** …and the tool output in it, stubs included, down to this, where it is set. */
  readonly targetBytes?: number;
};

export type OffloadCandidate = StoredResult & {
  readonly messageIndex: number;
  readonly toolUseId: string;
  /** Set when it is an image or a document that leaves, and not the text. */
  readonly media?: PlacedMedia & { readonly messageId: string };
  /** Estimated, since the stub's path is not known yet; above zero. */
  readonly savesTokens: number;
};

/** A change of less costs more than it saves. */
const MIN_SAVED_TOKENS = 50;

/**
 * Plans a batch: before the newest part all results, the largest first, since the cache loses what stands behind the first change anyway;
 * then inside it the oldest first, until the targets are met. Counts without the provider's usage where that is higher.
 */
export function planOffload(context: SessionContext, plan: OffloadPlan): readonly OffloadCandidate[] {
  const { measure, ratio, keepFrom, targetTokens, targetBytes = Number.POSITIVE_INFINITY } = plan;
  const current = measure.context(context, ratio);
  const afterOffload = measure.context({ ...context, anchorFloor: context.messages.length }, ratio);
  let tokens = Math.max(current.tokens, afterOffload.tokens);
  let bytes = current.toolOutputBytes;
  const candidates: OffloadCandidate[] = [];
  const all = [...offloadableResults(context, plan), ...offloadableMedia(context, plan.config)];
  for (const result of offloadOrder(all, keepFrom)) {
    if (result.messageIndex >= keepFrom && tokens <= targetTokens && bytes <= targetBytes) break;
    const { block, ...candidate } = result;
    const saved = result.media === undefined ? savedByStub(result, plan) : { tokens: savedByMedia(result.media, plan), bytes: 0 };
    if (saved.tokens < MIN_SAVED_TOKENS) continue;
    candidates.push({ ...candidate, savesTokens: saved.tokens });
    tokens -= saved.tokens;
    bytes -= saved.bytes;
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

/** Returns the text-only results that may leave and the stubs that show more than a batch leaves of them, without pinned ones. */
const offloadableResults = (
  { messages, pins = [] }: SessionContext,
  { config, stubTokens }: Pick<OffloadPlan, 'config' | 'stubTokens'>,
): readonly OffloadableResult[] =>
  textResults(messages).flatMap(({ messageIndex, message, block, tool }) => {
    const toolUseId = block.tool_use_id;
    const readBack = message.readBack?.includes(toolUseId) ?? false;
    const stub = stubOf(message, block);
    if (!isOffloadable({ tool, readBack }, config) || isPinned(message, pins) || !showsMore(stub, stubTokens)) return [];
    const result = { messageIndex, toolUseId, tool, ok: block.is_error !== true, content: resultText(block), block };
    return [{ ...result, ...sourceOf(message, toolUseId), ...(stub !== undefined && { stub }) }];
  });

/** Than so many tokens below its first two lines: what is no stub, or one that arrived with the result, does. */
const showsMore = (stub: StubRef | undefined, tokens: number): boolean => (stub?.shownTokens ?? Number.POSITIVE_INFINITY) > tokens;

function sourceOf({ sources }: Message, toolUseId: string | undefined): { readonly source?: string } {
  const path = sources?.find((source) => source.toolUseId === toolUseId)?.path;
  return path === undefined ? {} : { source: path };
}

const toolsByCall = (messages: readonly Message[]): ReadonlyMap<string, string> =>
  new Map(messages.flatMap(({ content }) => content.filter(isToolUse).map((call) => [call.id, calledTool(call).name])));

type PlacedResult = { readonly messageIndex: number; readonly message: Message; readonly block: ToolResultBlock; readonly tool: string };

/** Returns the results that are text alone, stubs among them, oldest first. Two with the same id could not be told apart: neither is there. */
export function textResults(messages: readonly Message[]): readonly PlacedResult[] {
  const tools = toolsByCall(messages);
  const results = messages.flatMap((message, messageIndex) =>
    message.content.filter(isToolResult).map((block) => ({ messageIndex, message, block, tool: tools.get(block.tool_use_id) ?? '' })),
  );
  const byId = groupBy(results, ({ block }) => block.tool_use_id);
  return results.filter(({ block }) => byId.get(block.tool_use_id)?.length === 1 && isOnlyText(block));
}

const isOnlyText = ({ content }: ToolResultBlock): boolean => typeof content === 'string' || (content?.every(isText) ?? false);

/** Puts stubs in the place of results. One gives way only to a smaller one of the same body; unchanged messages are the same objects. */
export function withStubs(
  messages: readonly Message[],
  stubs: readonly { readonly ref: StubRef; readonly text: string }[],
): readonly Message[] {
  const byId = new Map(stubs.map((stub) => [stub.ref.toolUseId, stub]));
  return messages.map((message) => {
    let refs: readonly StubRef[] = message.stubs ?? [];
    const content = message.content.map((block): ContentBlock => {
      const stub = isToolResult(block) ? byId.get(block.tool_use_id) : undefined;
      if (stub === undefined || !isToolResult(block)) return block;
      const earlier = stubOf(message, block);
      if (earlier !== undefined && !isSmaller(stub.ref, earlier)) return block;
      refs = earlier === undefined ? [...refs, stub.ref] : refs.map((ref) => (ref === earlier ? stub.ref : ref));
      return { ...block, content: stub.text };
    });
    return refs === message.stubs || refs.length === 0 ? message : { ...message, content, stubs: refs };
  });
}

const isSmaller = ({ body, shownTokens }: StubRef, earlier: StubRef): boolean =>
  body.sha256 === earlier.body.sha256 && shownTokens !== undefined && showsMore(earlier, shownTokens);
