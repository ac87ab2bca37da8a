/**
 * Reads the text of a settings file: JSON and nothing more, with the place of every value, so that an error can point at it.
 * Stricter than JSON.parse where a slip would go unseen: a key may stand once in its object, nesting is shallow, a file is small.
 * Forgiven: a byte order mark at the start. Total: any text gives an object or a problem. Free of zod, for commands that start fast.
 */
export function parseConfigText(text: string): ConfigText {
  const source = text.startsWith('\uFEFF') ? text.slice(1) : text;
  if (source.length > MAX_CHARS) {
    return { kind: 'bad', place: { line: 1, column: 1 }, expected: `at most ${MAX_CHARS} characters`, found: `${source.length}` };
  }
  try {
    return { kind: 'ok', root: readRoot(source) };
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    return { kind: 'bad', place: positionOf(lineStarts(source), error.offset), expected: error.expected, found: error.found };
  }
}

export type Position = { readonly line: number; readonly column: number };
export type ConfigText =
  | { readonly kind: 'ok'; readonly root: ObjectNode }
  | { readonly kind: 'bad'; readonly place: Position; readonly expected: string; readonly found: string };

export type ObjectNode = { readonly type: 'object'; readonly place: Position; readonly entries: readonly EntryNode[] };
export type EntryNode = { readonly key: string; readonly place: Position; readonly value: ValueNode };
export type ListNode = { readonly type: 'list'; readonly place: Position; readonly items: readonly ValueNode[] };
export type ScalarNode = { readonly type: 'scalar'; readonly place: Position; readonly value: string | number | boolean | null };
export type ValueNode = ObjectNode | ListNode | ScalarNode;

/** Returns the plain value; keys such as `__proto__` become own properties and change nothing. */
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

/** Returns the value at a dotted key; undefined when there is none. */
export function nodeAt(root: ObjectNode, dottedKey: string): ValueNode | undefined {
  let node: ValueNode | undefined = root;
  for (const key of dottedKey.split('.')) {
    if (node?.type !== 'object') return undefined;
    node = node.entries.find((entry) => entry.key === key)?.value;
  }
  return node;
}

/** How long snapshots are kept unless a file says otherwise. */
export const SNAPSHOT_RETENTION_DAYS = 7;

/** Returns the days that snapshots are kept: from the last of these texts with a valid value. Enough for a list that only shows ages. */
export function retentionDays(texts: readonly string[]): number {
  let days = SNAPSHOT_RETENTION_DAYS;
  for (const text of texts) {
    const parsed = parseConfigText(text);
    const node = parsed.kind === 'ok' ? nodeAt(parsed.root, 'compaction.snapshotRetentionDays') : undefined;
    if (node?.type === 'scalar' && typeof node.value === 'number' && Number.isInteger(node.value) && node.value >= 0) days = node.value;
  }
  return days;
}

const MAX_CHARS = 1_000_000;
const MAX_DEPTH = 16;

/** Thrown and caught in this file only: a recursive reader has no other way out. */
class ParseError extends Error {
  readonly offset: number;
  readonly expected: string;
  readonly found: string;
  constructor(offset: number, expected: string, found: string) {
    super(expected);
    this.offset = offset;
    this.expected = expected;
    this.found = found;
  }
}

type Cursor = { readonly source: string; readonly lines: readonly number[]; offset: number };

function readRoot(source: string): ObjectNode {
  const cursor: Cursor = { source, lines: lineStarts(source), offset: 0 };
  skipSpace(cursor);
  if (cursor.offset >= source.length) throw new ParseError(0, 'an object of settings, {} when there are none', 'an empty file');
  const start = cursor.offset;
  const root = readValue(cursor, 1);
  skipSpace(cursor);
  if (cursor.offset < source.length) throw parseErrorAt(cursor, 'the end of the file');
  if (root.type === 'object') return root;
  throw new ParseError(start, 'an object of settings', root.type === 'list' ? 'a list' : JSON.stringify(root.value).slice(0, 40));
}

function readValue(cursor: Cursor, depth: number): ValueNode {
  if (depth > MAX_DEPTH) throw new ParseError(cursor.offset, `at most ${MAX_DEPTH} levels`, 'deeper nesting');
  const place = positionOf(cursor.lines, cursor.offset);
  const first = cursor.source[cursor.offset];
  if (first === '{') return { type: 'object', place, entries: readEntries(cursor, depth) };
  if (first === '[') return { type: 'list', place, items: readItems(cursor, depth) };
  if (first === '"') return { type: 'scalar', place, value: readString(cursor) };
  return { type: 'scalar', place, value: readLiteral(cursor) };
}

function readEntries(cursor: Cursor, depth: number): readonly EntryNode[] {
  const entries: EntryNode[] = [];
  const seen = new Set<string>();
  readSeparated(cursor, '}', () => {
    const start = cursor.offset;
    if (cursor.source[start] !== '"')
      throw parseErrorAt(cursor, entries.length === 0 ? 'a key in double quotes or }' : 'a key in double quotes');
    const key = readString(cursor);
    if (seen.has(key)) throw new ParseError(start, 'each key once', `${JSON.stringify(key).slice(0, 60)} again`);
    seen.add(key);
    skipSpace(cursor);
    if (cursor.source[cursor.offset] !== ':') throw parseErrorAt(cursor, ':');
    cursor.offset += 1;
    skipSpace(cursor);
    entries.push({ key, place: positionOf(cursor.lines, start), value: readValue(cursor, depth + 1) });
  });
  return entries;
}

function readItems(cursor: Cursor, depth: number): readonly ValueNode[] {
  const items: ValueNode[] = [];
  readSeparated(cursor, ']', () => {
    items.push(readValue(cursor, depth + 1));
  });
  return items;
}

/** Reads what stands between an opening bracket and its closing one, separated by single commas. */
function readSeparated(cursor: Cursor, close: '}' | ']', readItem: () => void): void {
  cursor.offset += 1;
  skipSpace(cursor);
  if (cursor.source[cursor.offset] === close) {
    cursor.offset += 1;
    return;
  }
  for (;;) {
    readItem();
    skipSpace(cursor);
    const next = cursor.source[cursor.offset];
    if (next === close) break;
    if (next !== ',') throw parseErrorAt(cursor, `, or ${close}`);
    const comma = cursor.offset;
    cursor.offset += 1;
    skipSpace(cursor);
    if (cursor.source[cursor.offset] === close) throw new ParseError(comma, `no comma before ${close}`, 'a trailing comma');
  }
  cursor.offset += 1;
}

const stringEnd = /[^"\\\u0000-\u001f]*(?:\\.[^"\\\u0000-\u001f]*)*"/y;

function readString(cursor: Cursor): string {
  stringEnd.lastIndex = cursor.offset + 1;
  const match = stringEnd.exec(cursor.source);
  if (match === null) throw new ParseError(cursor.offset, 'a string in double quotes on one line', 'one that does not end');
  const literal = cursor.source.slice(cursor.offset, stringEnd.lastIndex);
  const text = parseString(literal);
  if (text === undefined) throw new ParseError(cursor.offset, 'a string', `an unknown escape in ${literal.slice(0, 40)}`);
  cursor.offset = stringEnd.lastIndex;
  return text;
}

function parseString(literal: string): string | undefined {
  try {
    const text: unknown = JSON.parse(literal);
    return typeof text === 'string' ? text : undefined;
  } catch {
    return undefined;
  }
}

const literalPattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|true\b|false\b|null\b/y;

function readLiteral(cursor: Cursor): number | boolean | null {
  literalPattern.lastIndex = cursor.offset;
  const text = literalPattern.exec(cursor.source)?.[0];
  if (text === undefined) throw parseErrorAt(cursor, 'a value');
  const value: unknown = JSON.parse(text);
  if (value !== null && typeof value !== 'boolean' && !(typeof value === 'number' && Number.isFinite(value))) {
    throw new ParseError(cursor.offset, 'a number that fits', text.slice(0, 40));
  }
  cursor.offset += text.length;
  return value;
}

function skipSpace(cursor: Cursor): void {
  while (' \t\r\n'.includes(cursor.source[cursor.offset] ?? 'x')) cursor.offset += 1;
}

function parseErrorAt(cursor: Cursor, expected: string): ParseError {
  const rest = cursor.source.slice(cursor.offset, cursor.offset + 20).split(/[\s,}\]]/, 1)[0] ?? '';
  const found =
    cursor.offset >= cursor.source.length
      ? 'the end of the file'
      : rest === ''
        ? cursor.source.slice(cursor.offset, cursor.offset + 1)
        : rest;
  return new ParseError(cursor.offset, expected, found.toWellFormed());
}

function lineStarts(source: string): readonly number[] {
  const starts = [0];
  for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

function positionOf(lines: readonly number[], offset: number): Position {
  let low = 0;
  let high = lines.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((lines[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: offset - (lines[low] ?? 0) + 1 };
}
