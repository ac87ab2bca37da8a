import type { Bilingual } from '../language.ts';
import { type Fields, isDeeperThan, isObject } from '../value/json.ts';
import type { SessionContext } from './context.ts';
import { type ContentBlock, isCompaction, isText, isToolUse, type Message, type ToolUseBlock } from './message.ts';
import type { LogRecord } from './record.ts';

export type AdmittedReply = {
  readonly content: readonly ContentBlock[];
  /** What was left out or renamed, one short phrase each, for a person; empty for a reply that is stored as it came. */
  readonly changes: readonly Bilingual[];
};

/** The key under which arguments that are not a JSON object are kept whole: such a call can be sent back, and never runs. */
export const INVALID_JSON = 'INVALID_JSON';

/** What the API takes as the name of a tool or the id of a call. */
const NAME = /^[a-zA-Z0-9_-]{1,128}$/;
const BLOCK_TYPE = /^[a-z][a-z0-9_]{0,63}$/;
/** JSON.stringify overflows the stack some thousand levels down; a schema has a handful. */
const MAX_DEPTH = 200;
/** Only a user's message may hold these; sent back in a reply, they make every later request fail. */
const userTypes: ReadonlySet<string> = new Set(['tool_result', 'image', 'document', 'search_result', 'container_upload']);

/**
 * Judges a server's reply before it is stored and sent back with every later request: one block that no provider accepts would end the
 * session. What a reply cannot have is left out; a call keeps its place, with a name and an id that can be sent back and is not among
 * `usedIds`. Unknown types pass. The same array when there is nothing to change.
 */
export function admitReply(blocks: readonly ContentBlock[], usedIds: ReadonlySet<string>): AdmittedReply {
  const changes: Bilingual[] = [];
  const ids = new Set(usedIds);
  const content = blocks.flatMap((block): readonly ContentBlock[] => {
    if (block.type === 'tool_use') return [admitCall(block, ids, changes)];
    const problem = problemOf(block);
    if (problem === undefined) return [block];
    changes.push({ en: `left out ${problem.en}`, zh: `略去${problem.zh}` });
    return [];
  });
  const isSame = content.length === blocks.length && content.every((block, index) => block === blocks[index]);
  return { content: isSame ? blocks : content, changes };
}

/** The same for a stored reply of an earlier version: a call that has its result must keep its id. */
export function mendReply(blocks: readonly ContentBlock[]): readonly ContentBlock[] {
  const isSendable = (block: ContentBlock): boolean =>
    block.type === 'tool_use'
      ? isFilled(block.id) && isFilled(block.name) && isObject(block.input) && isShallow(block.input)
      : problemOf(block) === undefined;
  if (blocks.every(isSendable)) return blocks;
  return blocks.flatMap((block) => (isSendable(block) ? [block] : admitReply([block], new Set()).content));
}

const isFilled = (value: unknown): boolean => typeof value === 'string' && value !== '';

function admitCall(block: ContentBlock, ids: Set<string>, changes: Bilingual[]): ToolUseBlock {
  const name = legalName(block.name, 'unnamed');
  const id = unusedId(legalName(block.id, 'call'), ids);
  ids.add(id);
  const input = admitInput(block.input);
  if (name !== block.name)
    changes.push({
      en: `a call of a tool that has no usable name is stored as ${name}`,
      zh: `一个没有可用名称的工具调用存为 ${name}`,
    });
  // What a server added beside it is written with every request too.
  const rest = isShallow({ ...block, input: undefined }) ? block : {};
  const isSame = rest === block && isToolUse(block) && name === block.name && id === block.id && input === block.input;
  return isSame ? block : { ...rest, type: 'tool_use', id, name, input };
}

function legalName(value: unknown, fallback: string): string {
  if (typeof value !== 'string') return fallback;
  if (NAME.test(value)) return value;
  return value.slice(0, 128).replace(/[^a-zA-Z0-9_-]/g, '_') || fallback;
}

function unusedId(id: string, ids: Set<string>): string {
  let free = id;
  for (let suffix = 2; ids.has(free); suffix++) free = `${id.slice(0, 120)}_${suffix}`;
  return free;
}

/** The arguments of a call as they can be stored and sent back: as they came, or as text under INVALID_JSON. */
export const admitInput = (input: unknown): Fields =>
  isObject(input) && isShallow(input) ? input : { [INVALID_JSON]: describeInput(input) };

const isShallow = (value: unknown): boolean => !isDeeperThan(value, MAX_DEPTH);

/** What the arguments were, as text; nothing that is nested too deeply to be written. */
const describeInput = (input: unknown): string =>
  typeof input === 'string' ? input : isShallow(input) ? (JSON.stringify(input) ?? '') : 'nested too deeply';

/** Why a block cannot stand in a reply, in words that follow "left out" and 略去; undefined when it can. */
function problemOf(block: ContentBlock): Bilingual | undefined {
  const { type } = block;
  if (!BLOCK_TYPE.test(type)) return { en: 'a part whose type is not a name', zh: '一个类型不是名称的部分' };
  if (userTypes.has(type))
    return { en: `a part of the type ${type}, which no reply has`, zh: `一个 ${type} 类型的部分（回答中不会有这种类型）` };
  if (!hasItsFields(block)) return { en: `a part of the type ${type} without its content`, zh: `一个没有内容的 ${type} 类型的部分` };
  return isShallow(block)
    ? undefined
    : { en: `a part of the type ${type} that is nested too deeply`, zh: `一个嵌套过深的 ${type} 类型的部分` };
}

function hasItsFields(block: ContentBlock): boolean {
  switch (block.type) {
    case 'text':
      return isText(block);
    case 'thinking':
      return typeof block.thinking === 'string' && (block.signature === undefined || typeof block.signature === 'string');
    case 'redacted_thinking':
      return typeof block.data === 'string';
    case 'compaction':
      return isCompaction(block);
    default:
      return true;
  }
}

/** Returns a record without what no provider takes back, as 0.1.0 could store it; the same record when there is nothing. */
export function mendRecord(record: LogRecord): LogRecord {
  if (record.type === 'message') {
    const message = mendMessage(record.message);
    return message === record.message ? record : { ...record, message };
  }
  if (record.type === 'branch' && record.entry.type === 'message') {
    const message = mendMessage(record.entry.message);
    return message === record.entry.message ? record : { ...record, entry: { ...record.entry, message } };
  }
  if (record.type !== 'checkpoint') return record;
  const context = mendContext(record.context);
  return context === record.context ? record : { ...record, context };
}

function mendContext(context: SessionContext): SessionContext {
  const messages = context.messages.map(mendMessage);
  return messages.every((message, index) => message === context.messages[index]) ? context : { ...context, messages };
}

export function mendMessage(message: Message): Message {
  if (message.role === 'user') return message;
  const content = mendReply(message.content);
  return content === message.content ? message : { ...message, content };
}
