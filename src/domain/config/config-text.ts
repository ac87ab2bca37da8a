import { applyEdits, type JSONVisitor, modify, printParseErrorCode, visit } from 'jsonc-parser';
import { type Bilingual, sameInBoth } from '../language.ts';

/**
 * Reads a settings file, JSON with comments, with the place of every value. Stricter than JSON.parse where a slip would go unseen: a key
 * once in its object, shallow nesting, a small file; forgiven is a byte order mark. Total, and free of zod, for commands that start fast.
 * jsonc-parser reads and counts lines; those limits and the words are ours.
 */
export function parseConfigText(text: string): ConfigText {
  const source = text.startsWith('\uFEFF') ? text.slice(1) : text;
  if (source.length > MAX_CHARS) {
    return {
      kind: 'bad',
      place: { line: 1, column: 1 },
      expected: { en: `at most ${MAX_CHARS} characters`, zh: `最多 ${MAX_CHARS} 个字符` },
      found: sameInBoth(`${source.length}`),
    };
  }
  try {
    return { kind: 'ok', root: readRoot(source) };
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    return { kind: 'bad', ...error.problem };
  }
}

export type Position = { readonly line: number; readonly column: number };
type TextProblem = { readonly place: Position; readonly expected: Bilingual; readonly found: Bilingual };
export type ConfigText = { readonly kind: 'ok'; readonly root: ObjectNode } | ({ readonly kind: 'bad' } & TextProblem);

export type ObjectNode = { readonly type: 'object'; readonly place: Position; readonly entries: readonly EntryNode[] };
export type EntryNode = { readonly key: string; readonly place: Position; readonly value: ValueNode };
export type ListNode = { readonly type: 'list'; readonly place: Position; readonly items: readonly ValueNode[] };
export type ScalarNode = { readonly type: 'scalar'; readonly place: Position; readonly value: string | number | boolean | null };
export type ValueNode = ObjectNode | ListNode | ScalarNode;

export function plainValue(node: ValueNode): unknown {
  switch (node.type) {
    case 'scalar':
      return node.value;
    case 'list':
      return node.items.map(plainValue);
    case 'object':
      return Object.fromEntries(node.entries.map(({ key, value }) => [key, plainValue(value)]));
  }
}

export function nodeAt(root: ObjectNode, dottedKey: string): ValueNode | undefined {
  let node: ValueNode | undefined = root;
  for (const key of dottedKey.split('.')) {
    if (node?.type !== 'object') return undefined;
    node = node.entries.find((entry) => entry.key === key)?.value;
  }
  return node;
}

/** Returns the text with another value at a dotted key, comments and all other values kept. The text must be one that `parseConfigText` takes. */
export function setValue(text: string, dottedKey: string, value: unknown): string {
  const edits = modify(text, dottedKey.split('.'), value, {
    formattingOptions: { insertSpaces: true, tabSize: 2, eol: text.includes('\r\n') ? '\r\n' : '\n' },
  });
  return applyEdits(text, edits);
}

/** How long snapshots are kept unless a file says otherwise. */
export const SNAPSHOT_RETENTION_DAYS = 7;

/** Returns the days that snapshots are kept, as the user's settings file says. Enough for a list that only shows ages. */
export function retentionDays(text: string | undefined): number {
  const parsed = parseConfigText(text ?? '{}');
  const node = parsed.kind === 'ok' ? nodeAt(parsed.root, 'compaction.snapshotRetentionDays') : undefined;
  const isDays = node?.type === 'scalar' && typeof node.value === 'number' && Number.isInteger(node.value) && node.value >= 0;
  return isDays ? Number(node.value) : SNAPSHOT_RETENTION_DAYS;
}

const texts = {
  settings: { en: 'an object of settings', zh: '设置的对象' },
  settingsOrEmpty: { en: 'an object of settings, {} when there are none', zh: '设置的对象，没有设置时为 {}' },
  emptyFile: { en: 'an empty file', zh: '空文件' },
  list: { en: 'a list', zh: '列表' },
  value: { en: 'a value', zh: '值' },
  deeper: { en: 'deeper nesting', zh: '更深的嵌套' },
  end: { en: 'the end of the file', zh: '文件结尾' },
  key: { en: 'a key in double quotes', zh: '双引号中的键' },
  keyOrEnd: { en: 'a key in double quotes or }', zh: '双引号中的键或 }' },
  once: { en: 'each key once', zh: '每个键只出现一次' },
  number: { en: 'a number that fits', zh: '范围内的数字' },
  string: { en: 'a string', zh: '字符串' },
  wholeString: { en: 'a string in double quotes on one line', zh: '一行内双引号中的字符串' },
  endless: { en: 'one that does not end', zh: '没有结束的字符串' },
  trailingComma: { en: 'a trailing comma', zh: '多余的逗号' },
} as const;
const again = (key: string): Bilingual => ({ en: `${key} again`, zh: `重复的 ${key}` });
const unknownEscape = (text: string): Bilingual => ({ en: `an unknown escape in ${text}`, zh: `${text} 中未知的转义` });
const noComma = (close: string | undefined): Bilingual => ({ en: `${close} without a comma before it`, zh: `前面没有逗号的 ${close}` });

const MAX_CHARS = 1_000_000;
const MAX_DEPTH = 16;

/** Thrown and caught in this file only: told of an error, the parser reads on unless its visitor throws. */
class ParseError extends Error {
  readonly problem: TextProblem;
  constructor(place: Position, expected: Bilingual, found: Bilingual) {
    super(expected.en);
    this.problem = { place, expected, found };
  }
}

function readRoot(source: string): ObjectNode {
  const start = { line: 1, column: 1 };
  if (/^[ \t\r\n]*$/.test(source)) throw new ParseError(start, texts.settingsOrEmpty, texts.emptyFile);
  const roots: ValueNode[] = [];
  visit(source, collectInto(roots, source), { disallowComments: false });
  const [root] = roots;
  if (root?.type === 'object') return root;
  const found = root?.type === 'scalar' ? sameInBoth(JSON.stringify(root.value).slice(0, 40)) : texts.list;
  throw new ParseError(root?.place ?? start, texts.settings, found);
}

type Container = { readonly close: '}' | ']'; readonly keys: Set<string>; readonly take: (value: ValueNode) => void };

/** What may come next; after a comma, where that stands and what may not follow it. */
type Next = { readonly expected: Bilingual; readonly comma?: { readonly place: Position; readonly close: string | undefined } };

/** Builds the nodes; refuses every error, and what the parser lets pass: a key twice, deep nesting, numbers such as 01 and 1e999. */
function collectInto(roots: ValueNode[], source: string): JSONVisitor {
  const open: Container[] = [];
  let next: Next = { expected: texts.value };
  let key: Omit<EntryNode, 'value'> = { key: '', place: { line: 1, column: 1 } };
  const add = (value: ValueNode): void => {
    if (open.length >= MAX_DEPTH)
      throw new ParseError(value.place, { en: `at most ${MAX_DEPTH} levels`, zh: `最多 ${MAX_DEPTH} 层` }, texts.deeper);
    const container = open.at(-1);
    if (container === undefined) roots.push(value);
    else container.take(value);
  };
  const afterValue = (): void => {
    const container = open.at(-1);
    next = { expected: container === undefined ? texts.end : { en: `, or ${container.close}`, zh: `, 或 ${container.close}` } };
  };
  // The parser also ends at the end of the file what is still open there.
  const end = (offset: number): void => {
    if (offset >= source.length) return;
    open.pop();
    afterValue();
  };
  return {
    onObjectBegin: (_offset, _length, line, column) => {
      const entries: EntryNode[] = [];
      add({ type: 'object', place: positionOf(line, column), entries });
      open.push({ close: '}', keys: new Set(), take: (value) => void entries.push({ ...key, value }) });
      next = { expected: texts.keyOrEnd };
    },
    onObjectProperty: (name, _offset, _length, line, column) => {
      key = { key: name, place: positionOf(line, column) };
      const keys = open.at(-1)?.keys;
      if (keys?.has(name)) throw new ParseError(key.place, texts.once, again(JSON.stringify(name).slice(0, 60)));
      keys?.add(name);
      next = { expected: sameInBoth(':') };
    },
    onArrayBegin: (_offset, _length, line, column) => {
      const items: ValueNode[] = [];
      add({ type: 'list', place: positionOf(line, column), items });
      open.push({ close: ']', keys: new Set(), take: (value) => void items.push(value) });
      next = { expected: texts.value };
    },
    onLiteralValue: (value: ScalarNode['value'], offset, length, line, column) => {
      const place = positionOf(line, column);
      if (typeof value === 'number') checkNumber(value, { source, offset, length, place });
      add({ type: 'scalar', place, value });
      afterValue();
    },
    onObjectEnd: end,
    onArrayEnd: end,
    onSeparator: (character, _offset, _length, line, column) => {
      const close = open.at(-1)?.close;
      if (character === ':') next = { expected: texts.value };
      else next = { expected: close === '}' ? texts.key : texts.value, comma: { place: positionOf(line, column), close } };
    },
    onError: (code, offset, length, line, column) => {
      throw parseErrorOf(printParseErrorCode(code), { source, offset, length, place: positionOf(line, column) }, next);
    },
  };
}

type Token = { readonly source: string; readonly offset: number; readonly length: number; readonly place: Position };

const textOf = ({ source, offset, length }: Token): string => source.slice(offset, offset + Math.min(length, 40));

function checkNumber(value: number, token: Token): void {
  const isWhole = !/[\w.]/.test(token.source.charAt(token.offset + token.length));
  if (!isWhole) throw new ParseError(token.place, texts.value, foundAt(token));
  if (!Number.isFinite(value)) throw new ParseError(token.place, texts.number, sameInBoth(textOf(token)));
}

function parseErrorOf(error: string, token: Token, { expected, comma }: Next): ParseError {
  const isEscape = error === 'InvalidEscapeCharacter' || error === 'InvalidUnicode';
  if (isEscape && !/\p{Cc}/u.test(textOf(token))) return new ParseError(token.place, texts.string, unknownEscape(textOf(token)));
  if (isEscape || error === 'UnexpectedEndOfString' || error === 'InvalidCharacter') {
    return new ParseError(token.place, texts.wholeString, texts.endless);
  }
  if (comma !== undefined && comma.close === token.source[token.offset]) {
    return new ParseError(comma.place, noComma(comma.close), texts.trailingComma);
  }
  return new ParseError(token.place, expected, foundAt(token));
}

function foundAt({ source, offset }: Token): Bilingual {
  if (offset >= source.length) return texts.end;
  const rest = source.slice(offset, offset + 20).split(/[\s,}\]]/, 1)[0] ?? '';
  return sameInBoth((rest === '' ? source.slice(offset, offset + 1) : rest).toWellFormed());
}

const positionOf = (line: number, column: number): Position => ({ line: line + 1, column: column + 1 });
