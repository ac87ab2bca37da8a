import type { PruningConfig } from '../../domain/config/config.ts';
import type { SessionContext } from '../../domain/session/context.ts';
import {
  type ContentBlock,
  isText,
  isThinking,
  isToolResult,
  isToolUse,
  type Message,
  type Pruned,
  type PrunedResult,
  resultText,
  type ToolResultBlock,
} from '../../domain/session/message.ts';
import type { Measure } from '../measure/measure.ts';
import { excerptOf, partsShown } from './excerpt.ts';
import { matchesGlob } from './glob.ts';

export type PrunePlan = {
  readonly measure: Measure;
  readonly ratio: number;
  readonly config: PruningConfig;
  /** What is pruned already stays so. */
  readonly already: Pruned | undefined;
  /** Nothing more is pruned once the request would be down to it. */
  readonly targetTokens: number;
};

/**
 * Which results the next requests send only in part: large ones cut to head and tail, then the placeholder for whole ones, each
 * the oldest first, until the target is met. Stubs stay, since they name a file, and so does all that came since the model's last
 * `keepLastAssistants` messages, and whatever is no result. Undefined when nothing more can be left out.
 */
export function planPrune(context: SessionContext, plan: PrunePlan): Pruned | undefined {
  const { measure, ratio, config, already, targetTokens } = plan;
  const upTo = context.messages.at(-1)?.id;
  if (upTo === undefined) return undefined;
  const chosen = new Map(already?.results.map((result) => [result.toolUseId, result]));
  const weightOf = (block: ToolResultBlock): number => measure.message(alone({ ...block }), ratio);
  const placeholder = already?.placeholder ?? config.placeholder;
  const bare = asSent(context, already);
  let tokens = measure.context({ ...bare, anchorFloor: bare.messages.length }, ratio).tokens;
  let changed = false;
  const prune = (block: ToolResultBlock, result: PrunedResult): void => {
    if (tokens <= targetTokens) return;
    const before = chosen.get(block.tool_use_id);
    const now = before === undefined ? block : prunedBlock(block, before, placeholder);
    const saved = weightOf(now) - weightOf(prunedBlock(block, result, placeholder));
    if (saved <= 0) return;
    chosen.set(block.tool_use_id, result);
    tokens -= saved;
    changed = true;
  };
  const results = prunable(context.messages, config);
  for (const block of results) if (!chosen.has(block.tool_use_id)) for (const cut of trimmed(block, config)) prune(block, cut);
  for (const block of results) prune(block, { toolUseId: block.tool_use_id, headChars: 0, tailChars: 0 });
  return changed ? { upTo, placeholder, results: [...chosen.values()] } : undefined;
}

/** What the newest reply of this very past was given; an earlier past, and what was pruned in it, is over. */
export function prunedIn({ messages, anchorFloor }: SessionContext): Pruned | undefined {
  return messages.findLast((message, index) => index >= anchorFloor && message.pruned !== undefined)?.pruned;
}

/**
 * The context as it is sent: with what is pruned left out, and without the thinking that was signed before. All that came later
 * is the same, and so is every message that holds nothing of it. Same input, same bytes.
 */
export function asSent(context: SessionContext, pruned: Pruned | undefined): SessionContext {
  const last = pruned === undefined ? -1 : context.messages.findLastIndex((message) => message.id === pruned.upTo);
  if (pruned === undefined || last === -1) return context;
  const known = madeBefore.get(pruned) ?? { byId: new Map(pruned.results.map((one) => [one.toolUseId, one])), messages: new WeakMap() };
  madeBefore.set(pruned, known);
  const messages = context.messages.map((message, index) => {
    if (index > last) return message;
    const made = known.messages.get(message) ?? without(message, known.byId, pruned.placeholder);
    known.messages.set(message, made);
    return made;
  });
  return { ...context, messages, anchorFloor: Math.max(context.anchorFloor, last + 1) };
}

type Made = { readonly byId: ReadonlyMap<string, PrunedResult>; readonly messages: WeakMap<Message, Message> };
/** The same message stays the same object, so that it is weighed once. */
const madeBefore = new WeakMap<Pruned, Made>();

function without(message: Message, byId: ReadonlyMap<string, PrunedResult>, placeholder: string): Message {
  const content = message.content.flatMap((block): readonly ContentBlock[] => {
    if (isThinking(block)) return [];
    const result = isToolResult(block) ? byId.get(block.tool_use_id) : undefined;
    return [result !== undefined && isToolResult(block) ? prunedBlock(block, result, placeholder) : block];
  });
  const same = content.length === message.content.length && content.every((block, index) => block === message.content[index]);
  return same ? message : { ...message, content };
}

function prunedBlock(block: ToolResultBlock, { headChars, tailChars }: PrunedResult, placeholder: string): ToolResultBlock {
  if (headChars + tailChars === 0) return { ...block, content: placeholder };
  const text = resultText(block);
  const tailStart = Math.max(headChars, text.length - tailChars);
  const notice = `[Old tool result shortened: ${partsShown(headChars, text.length - tailStart)} of ${text.length} characters are here. recall finds the rest.]`;
  const left = `[${tailStart - headChars} characters left out]`;
  return { ...block, content: `${notice}\n${text.slice(0, headChars)}\n${left}\n${text.slice(tailStart)}` };
}

/** The cut of a large result; none for one that is not, or of which nothing would be kept. */
function trimmed(block: ToolResultBlock, { maxToolResultChars, headKeepRatio, tailKeepRatio }: PruningConfig): readonly PrunedResult[] {
  const text = resultText(block);
  if (text.length <= maxToolResultChars) return [];
  const room = { headChars: maxToolResultChars * headKeepRatio, tailChars: maxToolResultChars * tailKeepRatio };
  const { head, tail } = excerptOf(text, { ...room, units: Number.MAX_SAFE_INTEGER });
  return head.length + tail.length === 0 ? [] : [{ toolUseId: block.tool_use_id, headChars: head.length, tailChars: tail.length }];
}

/** Results made of text that may be pruned, the oldest first. An id that stands for two results could not be told apart. */
function prunable(messages: readonly Message[], { tools, keepLastAssistants }: PruningConfig): readonly ToolResultBlock[] {
  const names = new Map(messages.flatMap(({ content }) => content.filter(isToolUse).map((call) => [call.id, call.name] as const)));
  const results = messages.flatMap((message, index) => message.content.filter(isToolResult).map((block) => ({ block, message, index })));
  const times = new Map<string, number>();
  for (const { block } of results) times.set(block.tool_use_id, (times.get(block.tool_use_id) ?? 0) + 1);
  const end = protectedFrom(messages, keepLastAssistants);
  const named = (globs: readonly string[], name: string): boolean => globs.some((glob) => matchesGlob(glob, name));
  return results.flatMap(({ block, message, index }) => {
    const name = names.get(block.tool_use_id) ?? '';
    const isStub = message.stubs?.some((stub) => stub.toolUseId === block.tool_use_id) ?? false;
    const may = index < end && !isStub && isOnlyText(block) && times.get(block.tool_use_id) === 1;
    return may && named(tools.allow, name) && !named(tools.deny, name) ? [block] : [];
  });
}

/** Where the newest so many messages of the model's begin; 0 when there are not as many. */
function protectedFrom(messages: readonly Message[], keepLastAssistants: number): number {
  if (keepLastAssistants === 0) return messages.length;
  return messages.flatMap(({ role }, index) => (role === 'assistant' ? [index] : [])).at(-keepLastAssistants) ?? 0;
}

const isOnlyText = ({ content }: ToolResultBlock): boolean => typeof content === 'string' || (content?.every(isText) ?? false);

const alone = (block: ContentBlock): Message => ({ id: '', at: '', role: 'user', origin: 'tools', content: [block] });
