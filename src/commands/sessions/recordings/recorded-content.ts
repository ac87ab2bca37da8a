import { createHash } from 'node:crypto';
import { EMPTY, REWOUND, type StepCollector } from '../../../context/history/collect-steps.ts';
import type { Bilingual } from '../../../domain/language.ts';
import type { ContentBlock } from '../../../domain/session/message.ts';
import { type Fields, isObject, isString, parseJson } from '../../../domain/value/json.ts';

export function recordedText(content: unknown, collector: Pick<StepCollector, 'leaveOut'>): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  const texts = content.map((part: unknown) => {
    if (typeof part === 'string') return part;
    if (isObject(part) && typeof part.text === 'string') return part.text;
    const type = stringAt(part, 'type') || 'unknown';
    collector.leaveOut({ en: `${type} in a message`, zh: `消息中的 ${type}` });
    return `[${type}]`;
  });
  return texts.join('\n');
}

export { REWOUND };

export const UNKNOWN: Bilingual = { en: 'unknown', zh: '未知' };
export const SIDE_CONVERSATION: Bilingual = { en: 'side conversation', zh: '旁支对话' };

export const leaveOutMessage = (role: string, { leaveOut }: StepCollector): void =>
  leaveOut({ en: `${role || 'unknown'} message`, zh: `${role || '未知'} 消息` });

export const textBlock = (text: string): ContentBlock => ({ type: 'text', text });

export const callBlock = (id: string, name: string, input: unknown): ContentBlock => ({
  type: 'tool_use',
  id,
  name: name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || 'unnamed',
  input: isObject(input) ? input : { input },
});

export function functionCallBlock(call: unknown): ContentBlock {
  const called = objectAt(call, 'function');
  return callBlock(stringAt(call, 'id'), stringAt(called, 'name'), argumentsOf(called));
}

export function argumentsOf(call: unknown): unknown {
  const text = stringAt(call, 'arguments');
  return parseJson(text) ?? text;
}

export function* objectsIn(list: readonly unknown[], name: Bilingual, collector: StepCollector): Generator<readonly [number, Fields]> {
  for (const [index, item] of list.entries()) {
    if (isObject(item)) {
      collector.time(stringAt(item, 'timestamp'));
      yield [index, item];
    } else collector.damage({ en: `${name.en} ${index + 1} is not an object`, zh: `${name.zh} ${index + 1} 不是对象` });
  }
}

export const TWICE: Bilingual = { en: 'line that was written twice', zh: '重复写入的行' };
export const EARLIER: Bilingual = { en: 'earlier state of a message', zh: '消息的先前状态' };

type Join = (first: Fields, later: readonly Fields[]) => Fields;

/** As it was last, in its first place. A copy that was appended later may have lost its parent. */
const asLast: Join = (first, later) => {
  const last = later.at(-1) ?? first;
  return { ...last, parentUuid: last.parentUuid ?? first.parentUuid, parentId: last.parentId ?? first.parentId };
};

/**
 * A line that says the same under the same id comes once, and so does one with a time that is the same as the line right before it. A
 * message that was written again otherwise comes once, as `join` makes it of all its states. Without a collector nothing is counted.
 */
export function* objectLines(recording: Pick<Recording, 'lines'>, collector?: StepCollector, join: Join = asLast): Generator<Fields, void> {
  const states = laterStates(recording);
  const seen = new Set<string>();
  let before = '';
  for (const { number, text } of linesOf(recording)) {
    const entry = parseJson(text);
    if (!isObject(entry)) {
      collector?.damage({ en: `line ${number} is not a JSON object`, zh: `第 ${number} 行不是 JSON 对象` });
      continue;
    }
    const time = stringAt(entry, 'timestamp') || stringAt(entry, 'ts');
    const key = lineKey(entry, text);
    const id = messageId(entry);
    const later = states.get(id);
    if (key === undefined ? time !== '' && text === before : seen.has(key)) collector?.leaveOut(TWICE);
    else if (later !== undefined && seen.has(id)) {
      if (join === asLast) collector?.leaveOut(EARLIER);
    } else {
      collector?.time(time);
      yield later === undefined ? entry : join(entry, later);
    }
    if (key !== undefined) seen.add(key).add(id);
    before = text;
  }
}

/** By its id what was written of a message after its first line, where that is something else. */
function laterStates(recording: Pick<Recording, 'lines'>): ReadonlyMap<string, readonly Fields[]> {
  const keys = new Map<string, Set<string>>();
  const states = new Map<string, Fields[]>();
  for (const { text } of linesOf(recording)) {
    const entry = parseJson(text);
    const id = isObject(entry) ? messageId(entry) : '';
    const key = isObject(entry) && id !== '' ? lineKey(entry, text) : undefined;
    if (!isObject(entry) || key === undefined) continue;
    const known = keys.get(id) ?? new Set();
    if (known.size > 0 && !known.has(key)) states.set(id, [...(states.get(id) ?? []), entry]);
    keys.set(id, known.add(key));
  }
  return states;
}

/** Empty where the entry is in no tree. */
const treeId = (entry: Fields): string => stringAt(entry, 'uuid') || ('parentId' in entry ? stringAt(entry, 'id') : '');

/** The parts of one reply may share an id; what begins otherwise is another message. */
function messageId(entry: Fields): string {
  const message = objectAt(entry, 'message');
  const [first] = arrayAt(message, 'content');
  const begins = ['type', 'id', 'tool_use_id'].map((key) => stringAt(first, key));
  const id = treeId(entry);
  return id === '' ? '' : JSON.stringify([id, entry.type, message.role, ...(begins.join('') === 'text' ? [] : begins)]);
}

/** A line that was copied may name another session or version; what it says and its id are the same. */
function lineKey(entry: Fields, text: string): string | undefined {
  const id = treeId(entry);
  if (id === '' && stringAt(entry, 'id') === '') return undefined;
  const said = id === '' ? text : JSON.stringify([id, entry.type, entry.message ?? entry.attachment ?? text]);
  return createHash('sha256').update(said).digest('base64').slice(0, 16);
}

export function anthropicUser(content: unknown, collector: StepCollector, onText: (text: string) => void): void {
  if (typeof content === 'string') {
    onText(content);
    return;
  }
  const blocks = Array.isArray(content) ? content : [];
  const textParts: unknown[] = [];
  for (const block of blocks) {
    if (stringAt(block, 'type') !== 'tool_result') textParts.push(block);
    else
      collector.result({
        toolUseId: stringAt(block, 'tool_use_id'),
        content: recordedText(isObject(block) ? block.content : '', collector),
        ok: !(isObject(block) && block.is_error === true),
      });
  }
  if (textParts.length > 0 || blocks.length === 0) onText(recordedText(textParts, collector));
}

const UNSIGNED: Bilingual = { en: 'thinking without a signature', zh: '没有签名的思考' };

/** Returns the blocks of a reply, without unsigned thinking, which could never be sent again. `calls`: what stands beside them. */
export function anthropicReply(content: unknown, collector: StepCollector, calls: readonly ContentBlock[] = []): readonly ContentBlock[] {
  const blocks: readonly unknown[] = Array.isArray(content) ? content : isString(content) && content !== '' ? [textBlock(content)] : [];
  if (blocks.length === 0 && calls.length === 0) collector.leaveOut(EMPTY);
  const said = blocks.flatMap((block): readonly ContentBlock[] => {
    const type = stringAt(block, 'type');
    if (!isObject(block) || type === '') return [];
    if (type === 'text') return [textBlock(stringAt(block, 'text'))];
    if (type === 'tool_use' || type === 'toolCall')
      return [callBlock(stringAt(block, 'id'), stringAt(block, 'name'), block.input ?? block.arguments)];
    if ((type === 'thinking' && stringAt(block, 'signature') !== '') || type === 'redacted_thinking') return [{ ...block, type }];
    collector.leaveOut(type === 'thinking' ? UNSIGNED : { en: `${type} in a reply`, zh: `回答中的 ${type}` });
    return [];
  });
  return [...said, ...calls];
}

// JSON of unknown shape: each accessor returns what was asked for, or an empty value of that type.

export const objectAt = (value: unknown, key: string): Fields => {
  const field = fieldOf(value, key);
  return isObject(field) ? field : {};
};

export const stringAt = (value: unknown, key: string): string => {
  const field = fieldOf(value, key);
  return isString(field) ? field : '';
};

export const arrayAt = (value: unknown, key: string): readonly unknown[] => {
  const field = fieldOf(value, key);
  return Array.isArray(field) ? field : [];
};

const fieldOf = (value: unknown, key: string): unknown => (isObject(value) ? value[key] : undefined);

export type Recording = {
  readonly lines: () => Iterable<string>;
  /** The whole text. Throws `usage` when it is too large for one string. */
  readonly readAll: () => string;
};

export const recordingOf = (text: string): Recording => ({ lines: () => splitLines(text), readAll: () => text });

function* splitLines(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start);
    const end = newline === -1 ? text.length : newline;
    yield text.slice(start, end);
    start = end + 1;
  }
}

export function* linesOf({ lines }: Pick<Recording, 'lines'>): Generator<{ readonly number: number; readonly text: string }> {
  let number = 0;
  for (const raw of lines()) {
    number += 1;
    const line = raw.trim();
    // A line behind a crash may begin with what the disk had there.
    const text = line.startsWith('\0') ? line.replace(/^\0+(?=\S)/, '') : line;
    if (text !== '') for (const entry of entriesIn(text)) yield { number, text: entry };
  }
}

/** Between two entries that stand in one line: what begins an object is neither in a list nor a field. */
const GLUED = /(?<=[^\s,:[])(?=\{")/;
const MAX_PIECES = 50;

/** A write that broke off, or lost its line end, leaves the next entry in the same line. */
function entriesIn(line: string): readonly string[] {
  const pieces = line.startsWith('{') && GLUED.test(line) ? line.split(GLUED, MAX_PIECES + 1) : [];
  if (pieces.length < 2 || pieces.length > MAX_PIECES || parseJson(line) !== undefined) return [line];
  const entries: string[] = [];
  while (pieces.length > 0) {
    const length = pieces.findIndex((_, at) => parseJson(pieces.slice(0, at + 1).join('')) !== undefined) + 1;
    entries.push(pieces.splice(0, length || 1).join(''));
  }
  return entries;
}
