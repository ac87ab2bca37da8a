import type { Pin, SessionContext } from '../../domain/session/context.ts';
import { type ContentBlock, isText, isToolResult, isToolUse, type Message } from '../../domain/session/message.ts';
import { withoutThinking } from '../history/apply-record.ts';
import { newestRequest } from '../history/cut.ts';
import { isPinned } from '../history/pins.ts';
import type { Limits } from '../measure/limits.ts';
import type { Measure } from '../measure/measure.ts';
import { type ExcerptRoom, excerptOf, partsShown, UNITS_PER_TOKEN, unitsOf } from './excerpt.ts';

export type TrimPlan = {
  readonly measure: Measure;
  readonly ratio: number;
  readonly limits: Limits;
  readonly targetTokens: number;
  /** Puts a whole text where the model can read it again, and says where; undefined when it could not. */
  readonly keep?: (text: string) => string | undefined;
};

/**
 * The messages with oversized single texts cut to head and tail, each with a notice that says so: the largest first, the newest
 * request last and by no more than it must be, until the target is met. Ids, summaries, pins and stubs stay as they are, and thinking goes, since the past changes.
 * Undefined when the target is met already, or there is nothing to cut.
 */
export function planTrim(context: SessionContext, plan: TrimPlan): readonly Message[] | undefined {
  const { measure, ratio, limits, targetTokens } = plan;
  const least = trimRoom(limits);
  const request = newestRequest(context.messages);
  const messages = [...withoutThinking(context.messages)];
  let tokens = measure.context({ ...context, messages, anchorFloor: messages.length }, ratio).tokens;
  tokens = Math.max(tokens, measure.context(context, ratio).tokens);
  let trimmed = false;
  for (const { messageIndex, blockIndex } of largestFirst(messages, { room: least, pins: context.pins ?? [] })) {
    if (tokens <= targetTokens) break;
    const message = messages[messageIndex];
    const block = message?.content[blockIndex];
    if (message === undefined || block === undefined) continue;
    const size = measure.message({ ...message, content: [block] }, ratio);
    const room = message.id === context.messages[request]?.id ? roomLeft(least, targetTokens - (tokens - size)) : least;
    const smaller = trimBlock(block, room, plan.keep);
    const saved = size - measure.message({ ...message, content: [smaller] }, ratio);
    if (saved <= 0) continue;
    messages[messageIndex] = { ...message, content: message.content.with(blockIndex, smaller) };
    tokens -= saved;
    trimmed = true;
  }
  return trimmed ? messages : undefined;
}

type Place = { readonly messageIndex: number; readonly blockIndex: number; readonly units: number };

type Trimming = { readonly room: ExcerptRoom; readonly pins: readonly Pin[] };

function largestFirst(messages: readonly Message[], { room, pins }: Trimming): readonly Place[] {
  const request = newestRequest(messages);
  const places = messages.flatMap((message, messageIndex) =>
    message.origin === 'summary' || isPinned(message, pins)
      ? []
      : message.content.flatMap((block, blockIndex): Place[] => {
          const units = isStubIn(message, block) ? 0 : largestText(block, room);
          return units > 0 ? [{ messageIndex, blockIndex, units }] : [];
        }),
  );
  const last = (place: Place): number => (place.messageIndex === request ? 1 : 0);
  return places.sort((a, b) => last(a) - last(b) || b.units - a.units);
}

const isStubIn = (message: Message, block: ContentBlock): boolean =>
  isToolResult(block) && (message.stubs?.some((stub) => stub.toolUseId === block.tool_use_id) ?? false);

/** Units of all texts in a block that are too large; 0 when there is none. */
function largestText(block: ContentBlock, room: ExcerptRoom): number {
  let units = 0;
  mapTexts(block, (text) => {
    if (isOversized(text, room)) units += unitsOf(text);
    return text;
  });
  return units;
}

const trimBlock = (block: ContentBlock, room: ExcerptRoom, keep: TrimPlan['keep']): ContentBlock =>
  mapTexts(block, (text) => (isOversized(text, room) ? trimText(text, room, keep) : text));

/** The block with each text in it that is content (not an id, not a name, not an image) replaced. */
function mapTexts(block: ContentBlock, change: (text: string) => string): ContentBlock {
  if (isText(block)) return { ...block, text: change(block.text) };
  if (isToolUse(block)) return { ...block, input: mapStrings(block.input, change) };
  if (!isToolResult(block)) return block;
  if (typeof block.content === 'string') return { ...block, content: change(block.content) };
  return block.content === undefined
    ? block
    : { ...block, content: block.content.map((inner) => (isText(inner) ? { ...inner, text: change(inner.text) } : inner)) };
}

function mapStrings(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => mapStrings(item, change));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapStrings(item, change)]));
}

/** Room for the notice, so that what has been trimmed is not oversized again. */
const NOTICE_UNITS = 300;
const DEFAULT_SHARE = 0.3;

function trimRoom({ stubTokens, resultChars, headRatio, tailRatio }: Limits): ExcerptRoom {
  const [head, tail] = headRatio + tailRatio > 0 ? [headRatio, tailRatio] : [DEFAULT_SHARE, DEFAULT_SHARE];
  return { headChars: resultChars * head, tailChars: resultChars * tail, units: stubTokens * UNITS_PER_TOKEN };
}

/** Of the tokens that are free the newest request gets so much; the rest is for what the model does with it. */
const REQUEST_SHARE = 0.6;

function roomLeft(least: ExcerptRoom, freeTokens: number): ExcerptRoom {
  const units = Math.floor(freeTokens * REQUEST_SHARE) * UNITS_PER_TOKEN;
  if (units <= least.units) return least;
  const share = least.headChars / Math.max(1, least.headChars + least.tailChars);
  return { headChars: units * share, tailChars: units * (1 - share), units };
}

/** What is within either bound, with a notice, is what trimming would leave of it. */
const isOversized = (text: string, { headChars, tailChars, units }: ExcerptRoom): boolean =>
  text.length > headChars + tailChars + NOTICE_UNITS || unitsOf(text) > units + NOTICE_UNITS;

/** The notice stands at the head, where it is seen [C3]. */
function trimText(text: string, room: ExcerptRoom, keep: TrimPlan['keep']): string {
  const { head, tail, cutChars } = excerptOf(text, room);
  const path = keep?.(text);
  const whole =
    path === undefined
      ? "The whole text is in the session's history."
      : `The whole text is at: ${path} (read_file and search take this path)`;
  return `[Cut to fit the context window: of ${text.length} characters ${partsShown(head.length, tail.length)} follow. ${whole}]\n${head}\n[${cutChars} characters left out]\n${tail}`;
}
