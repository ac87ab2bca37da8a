import type { ContentBlock } from '../../domain/session/message.ts';
import { type Fields, isObject } from '../../domain/value/json.ts';
import { MAX_BLOCKS, tooManyBlocks } from '../http/reply-bounds.ts';
import { hexHash } from './shared-fields.ts';

/**
 * What a server adds to a reply or a call and nobody here reads: signatures, sealed reasoning, whatever comes next. Some refuse the next
 * request without it, so it is kept beside the block as it came, with the endpoint it came from, and goes back to that one alone.
 */
export type Opaque = {
  /** The endpoint, as `originOf` names it. */
  readonly from: string;
  readonly fields?: Fields;
  /** Those of the `function` inside of a call. */
  readonly called?: Fields;
};

/** Names an endpoint by its address and its wire, without saying the address. */
export const originOf = (wire: 'chat' | 'responses' | 'messages', baseUrl: string): string => hexHash(`${wire} ${baseUrl}`).slice(0, 16);

/** The type of the block that stands for fields of a whole reply. */
export const REPLY_FIELDS = 'openai_fields';

/** The fields of a reply or a call that are not among the known ones and say something. */
export const unknownFields = (source: Fields, known: ReadonlySet<string>): Fields =>
  Object.fromEntries(Object.entries(source).filter(([name, value]) => !known.has(name) && !isEmpty(value)));

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);

/** Undefined where there is nothing to keep. */
export function opaqueOf(from: string, fields: Fields, called: Fields = {}): Opaque | undefined {
  if (isEmpty(fields) && isEmpty(called)) return undefined;
  return { from, ...(!isEmpty(fields) && { fields }), ...(!isEmpty(called) && { called }) };
}

/**
 * What stands beside a block for this endpoint. None of it takes the place of what the block itself says, as in a file that somebody wrote.
 */
export function opaqueFor({ opaque }: ContentBlock, origin: string | undefined): { readonly fields: Fields; readonly called: Fields } {
  if (!isObject(opaque) || origin === undefined || origin === '' || opaque.from !== origin) return { fields: {}, called: {} };
  return { fields: withoutOwn(opaque.fields), called: withoutOwn(opaque.called) };
}

/** What a block, a call or a message says itself, in the words of any of the wires. */
const ownFields: ReadonlySet<string> = new Set([
  ...['type', 'id', 'call_id', 'name', 'input', 'arguments', 'function', 'text', 'content', 'role', 'tool_calls', 'opaque'],
]);

const withoutOwn = (fields: unknown): Fields => (isObject(fields) ? unknownFields(fields, ownFields) : {});

/** What the Messages API has in a text or a call. */
const blockFields: ReadonlySet<string> = new Set(['type', 'id', 'name', 'input', 'text', 'citations', 'caller', 'cache_control']);

/** A text or a call of the Messages wire with what its server added beside it; the block itself where that is the provider's own. */
export function opaqueBlock(block: ContentBlock, origin: string): ContentBlock {
  if (origin === '' || (block.type !== 'text' && block.type !== 'tool_use')) return block;
  const fields = unknownFields(block, blockFields);
  const opaque = opaqueOf(origin, fields);
  if (opaque === undefined) return block;
  return { ...Object.fromEntries(Object.entries(block).filter(([name]) => !Object.hasOwn(fields, name))), type: block.type, opaque };
}

/** Text comes in pieces; of everything else the last word holds. */
const TEXTS = /^(?:text|summary|content|thinking|thought|reasoning)$|_(?:text|summary|content|thinking|thought)$/;

/** Puts together what came in pieces: lists grow, their numbered items and texts go on, and a repetition says nothing new. */
export function mergeFields(before: Fields, more: Fields): Fields {
  const names = [...new Set([...Object.keys(before), ...Object.keys(more)])];
  return Object.fromEntries(names.map((name) => [name, mergeValues(name, before[name], more[name])]));
}

function mergeValues(name: string, before: unknown, more: unknown): unknown {
  if (before === undefined || before === null) return more;
  if (more === undefined || more === null || more === '') return before;
  if (Array.isArray(before) && Array.isArray(more)) return more.reduce<readonly unknown[]>(addItem, before);
  if (isObject(before) && isObject(more)) return mergeFields(before, more);
  if (typeof before !== 'string' || typeof more !== 'string' || !TEXTS.test(name)) return more;
  return more.length >= before.length && more.startsWith(before) ? more : before + more;
}

function addItem(list: readonly unknown[], item: unknown): readonly unknown[] {
  if (list.some((one) => isSame(one, item))) return list;
  if (list.length >= MAX_BLOCKS) throw tooManyBlocks();
  const at = isObject(item) && typeof item.index === 'number' ? list.findLastIndex((one) => isSameItem(one, item)) : -1;
  const known = list[at];
  return isObject(known) && isObject(item) ? list.with(at, mergeFields(known, item)) : [...list, item];
}

/** Texts that have grown are told from short ones by their length: nothing is written or read anew. */
function isSame(a: unknown, b: unknown): boolean {
  if (a === b || typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  const [entries, others] = [Object.entries(a), new Map<string, unknown>(Object.entries(b))];
  return entries.length === others.size && entries.every(([name, value]) => others.has(name) && isSame(value, others.get(name)));
}

const isSameItem = (one: unknown, item: Fields): boolean =>
  isObject(one) &&
  one.index === item.index &&
  one.type === item.type &&
  (one.id === item.id || one.id === undefined || one.id === null || item.id === undefined || item.id === null);
