import { INVALID_JSON } from '../../domain/session/admit-reply.ts';
import { type ContentBlock, isToolUse, type ToolUseBlock } from '../../domain/session/message.ts';
import { isObject, parseJson } from '../../domain/value/json.ts';
import type { ToolPlan } from '../ports/tools.ts';

/** What is wrong with arguments that are no JSON object, and where, for the model that wrote them; undefined for arguments that are one. */
export function argumentsFault({ input }: Pick<ToolUseBlock, 'input'>): (ToolPlan & { readonly kind: 'invalid' }) | undefined {
  if (!isObject(input) || Object.keys(input).length !== 1) return undefined;
  const text = input[INVALID_JSON];
  if (typeof text !== 'string') return undefined;
  const at = faultIn(text);
  const [en, zh] = at === undefined ? [`it is ${kindOf(text)}`, '它不是对象'] : whatIsAt(text, at);
  const message = `The arguments of this call are not a JSON object: ${en}. Nothing was run. Write the call again, with all of its arguments in one JSON object.`;
  return { kind: 'invalid', message, shown: { en: message, zh: `调用的参数不是 JSON 对象：${zh}。没有运行任何操作。` } };
}

/** So some models call a tool that needs no arguments: `null`, `""` and `[]` are none. Of a tool that needs some, it says itself which. */
export function withNoArguments(block: ContentBlock): ContentBlock {
  if (!isToolUse(block)) return block;
  const { input } = block;
  const text = isObject(input) && Object.keys(input).length === 1 ? input[INVALID_JSON] : undefined;
  return typeof text === 'string' && /^\s*(?:null|None|undefined|""|\[\s*\])\s*$/.test(text) ? { ...block, input: {} } : block;
}

const kindOf = (text: string): string => {
  const value = parseJson(text);
  return Array.isArray(value) ? 'a list' : value === null ? 'null' : `a ${typeof value}`;
};

const SHOWN_CHARS = 40;

function whatIsAt(text: string, at: number): readonly [en: string, zh: string] {
  const lines = text.slice(0, at).split('\n');
  const column = (lines.at(-1) ?? '').length + 1;
  const before = JSON.stringify(text.slice(Math.max(0, at - SHOWN_CHARS), at).toWellFormed());
  const place = `line ${lines.length}, column ${column} (character ${at + 1} of ${text.length})`;
  const placeZh = `第 ${lines.length} 行第 ${column} 列（共 ${text.length} 个字符中的第 ${at + 1} 个）`;
  if (at >= text.length)
    return [
      `it ends at line ${lines.length}, column ${column}, before the object does, behind ${before}`,
      `在第 ${lines.length} 行第 ${column} 列结束，对象尚未完整`,
    ];
  const found = JSON.stringify([...text.slice(at, at + 2)][0]?.toWellFormed());
  return [
    at === 0 ? `${found} at ${place} begins none` : `${found} at ${place} cannot stand behind ${before}`,
    `${placeZh}不应出现 ${found}`,
  ];
}

/** One token of JSON. Of a text that is not closed, as much as could be one. */
const TEXT = String.raw`("(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*)("?)`;
const WORD = String.raw`-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null`;
const TOKEN = new RegExp(String.raw`\s*(?:([{}[\],:])|${TEXT}|(?:${WORD}))`, 'uy');

type Awaited = 'value' | 'first value' | 'first key' | 'key' | 'colon' | 'next';

/** Where a text stops being JSON: an offset, its length when it only ends too early. Undefined for JSON. */
function faultIn(text: string): number | undefined {
  const open: ('{' | '[')[] = [];
  let awaited: Awaited = 'value';
  for (let at = 0; ; at = TOKEN.lastIndex) {
    const start = at + (/^\s*/.exec(text.slice(at, at + 1_000))?.[0].length ?? 0);
    if (start >= text.length) return awaited === 'next' && open.length === 0 ? undefined : text.length;
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(text);
    if (match === null) return start;
    const [, sign, begun, closing] = match;
    if (begun !== undefined && closing === '') return TOKEN.lastIndex;
    const next = step(sign ?? (begun === undefined ? 'word' : 'text'), awaited, open);
    if (next === undefined) return start;
    awaited = next;
  }
}

/** What may follow a token; undefined where it cannot stand. */
function step(token: string, awaited: Awaited, open: ('{' | '[')[]): Awaited | undefined {
  const inObject = open.at(-1) === '{';
  const isClosing = token === '}' || token === ']';
  if (isClosing) {
    const mayClose = awaited === 'next' || awaited === (token === '}' ? 'first key' : 'first value');
    if (!mayClose || open.pop() !== (token === '}' ? '{' : '[')) return undefined;
    return 'next';
  }
  if (awaited === 'next') return token === ',' && open.length > 0 ? (inObject ? 'key' : 'value') : undefined;
  if (awaited === 'colon') return token === ':' ? 'value' : undefined;
  if (awaited === 'key' || awaited === 'first key') return token === 'text' ? 'colon' : undefined;
  if (token === '{' || token === '[') {
    open.push(token);
    return token === '{' ? 'first key' : 'first value';
  }
  return token === 'text' || token === 'word' ? 'next' : undefined;
}
