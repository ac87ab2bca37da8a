import type { BodyRef } from '../../domain/session/message.ts';
import { isObject, isString } from '../../domain/value/json.ts';

export const PURGED = '[purged]';

/** Returns where a text begins and ends in another, in every form in which a file may hold it. Matches never overlap. */
export type FindSecret = (text: string) => Iterable<readonly [start: number, end: number]>;

export type SecretPattern = Readonly<ReturnType<typeof createSecretPattern>>;

/**
 * Each character may appear as itself, as a JSON escape (also one that was escaped again), as an HTML reference, or percent-encoded. From
 * twelve characters on, half of the text counts too where something was cut: before the end of a line or an ellipsis, or after one.
 */
export const createSecretPattern = (text: string) => ({
  text,
  inText: patternOf(text, literal, TEXT_EDGES),
  /** For bytes read as Latin-1: finds everything that `inText` finds in the strings of a JSON text, and perhaps more. */
  inBytes: patternOf(text, latin1, BYTE_EDGES),
});

export const countMatches = (text: string, find: FindSecret): number => [...find(text)].length;

export function hasMatch(text: string, find: FindSecret): boolean {
  for (const _ of find(text)) return true;
  return false;
}

export function replaceMatches(text: string, find: FindSecret): string {
  const parts: string[] = [];
  let from = 0;
  for (const [start, end] of find(text)) {
    parts.push(text.slice(from, start), PURGED);
    from = end;
  }
  return from === 0 ? text : parts.join('') + text.slice(from);
}

type Edges = { readonly before: string; readonly after: string };

const TEXT_EDGES: Edges = { before: '(?<=^|[\\n…]|\\.\\.\\.)', after: '(?=$|[\\n…]|\\.\\.\\.)' };
// The end of a line and an ellipsis in UTF-8, or the edge of a JSON string.
const BYTE_EDGES: Edges = {
  before: '(?<=^|[\\n"]|\\\\n|\\xe2\\x80\\xa6|\\\\u2026|\\.\\.\\.)',
  after: '(?=$|[\\n"\\\\]|\\xe2\\x80\\xa6|\\.\\.\\.)',
};

const MIN_CHARS_FOR_HALVES = 12;
/** Halves of a longer text are not searched for, so that the pattern stays small. */
const MAX_CHARS_FOR_HALVES = 400;

function patternOf(text: string, self: (character: string) => string, edges: Edges): FindSecret {
  // A run of backslashes is one form: taken singly, each could be part of the next, in exponentially many ways.
  const formsIn = (part: string) => (part.match(/\\+|[\s\S]/gu) ?? []).map((character) => formsOf(character, self));
  const forms = formsIn(text);
  if (forms.length > MAX_CHARS_FOR_HALVES) return findInPieces((text.match(PIECE) ?? []).map((piece) => formsIn(piece).join('')));
  const exact = forms.join('');
  if (forms.length < MIN_CHARS_FOR_HALVES) return findAll(new RegExp(exact, 'g'));
  const half = Math.ceil(forms.length / 2);
  const rest = forms.slice(half, -1).reduceRight((suffix, form) => `(?:${form}${suffix})?`, '');
  const start = forms.slice(1, forms.length - half).reduce((prefix, form) => `(?:${prefix}${form})?`, '');
  const head = `${forms.slice(0, half).join('')}${rest}${edges.after}`;
  const tail = `${edges.before}${start}${forms.slice(forms.length - half).join('')}`;
  return findAll(new RegExp(`${exact}|${head}|${tail}`, 'g'));
}

const findAll = (pattern: RegExp): FindSecret =>
  function* (text) {
    for (const { index, 0: match } of text.matchAll(pattern)) yield [index, index + match.length];
  };

/** A long pattern overflows the engine's stack. No piece ends with what may begin another form: what follows tells which it is. */
const PIECE = /^(?:[\\&%]*[^\\&%]){1,64}|[\\&%]*[^\\&%]|[\\&%]+/gu;

function findInPieces([first = '', ...others]: readonly string[]): FindSecret {
  const start = new RegExp(first, 'g');
  const following = others.map((source) => new RegExp(source, 'y'));
  return function* (text) {
    for (let from = 0; ; ) {
      start.lastIndex = from;
      const index = start.exec(text)?.index;
      if (index === undefined) return;
      let end = start.lastIndex;
      const isWhole = following.every((pattern) => {
        pattern.lastIndex = end;
        const isNext = pattern.test(text);
        end = pattern.lastIndex;
        return isNext;
      });
      if (isWhole) yield [index, end];
      from = isWhole ? end : index + 1;
    }
  };
}

const literal = (character: string): string => character.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&').replaceAll('\n', '\\n');

const latin1 = (character: string): string =>
  [...Buffer.from(character, 'utf8')].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');

/** A backslash is doubled each time a JSON text is nested in another one. */
const BACKSLASHES = '\\\\{1,16}';
const SHORT_ESCAPES: Readonly<Record<string, string>> = { '"': '"', '/': '\\/', '\n': 'n', '\r': 'r', '\t': 't', '\b': 'b', '\f': 'f' };
const NAMED: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' };

function formsOf(characters: string, self: (character: string) => string): string {
  const count = characters.startsWith('\\') ? characters.length : 1;
  const character = count === 1 ? characters : '\\';
  const code = character.codePointAt(0) ?? 0;
  const units = [...character.split('')].map((unit) => `${BACKSLASHES}u${anyCase(unit.charCodeAt(0).toString(16).padStart(4, '0'))}`);
  const short = SHORT_ESCAPES[character];
  const named = NAMED[character];
  const references = [`#0{0,6}${code}`, `#[xX]0{0,6}${anyCase(code.toString(16))}`, ...(named === undefined ? [] : [named])];
  const percent = [...Buffer.from(character, 'utf8')].map((byte) => `%${anyCase(byte.toString(16).padStart(2, '0'))}`).join('');
  // The longer forms first: a plain & must not match where it begins a reference.
  const all = [
    units.join(''),
    ...(short === undefined ? [] : [`${BACKSLASHES}${short}`]),
    `(?:&|${BACKSLASHES}u0026)(?:amp;){0,3}(?:${references.join('|')});`,
    percent,
  ].join('|');
  return character === '\\' ? `(?:(?:${all}){${count}}|\\\\{${count},${16 * count}})` : `(?:${all}|${self(character)})`;
}

const anyCase = (hex: string): string => hex.replace(/[a-f]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);

export type NewHash = Pick<BodyRef, 'sha256' | 'bytes'> & { readonly lines?: number | undefined };
/** By the old hash, and by its first half, as in the file name of a body. */
export type Hashes = ReadonlyMap<string, NewHash>;

export type Redaction = {
  readonly pattern: SecretPattern;
  readonly hashes: Hashes;
  /** Hashes of contents of files that hold the secret: they go as a whole. */
  readonly gone?: ReadonlySet<string>;
};

export const withHalves = (hashes: Hashes): Hashes =>
  new Map(
    [...hashes].flatMap(([old, hash]) => [
      [old, hash],
      [old.slice(0, 32), { ...hash, sha256: hash.sha256.slice(0, 32) }],
    ]),
  );

const purgedText = (text: string, { pattern, hashes }: Redaction): string => replaceHashes(replaceMatches(text, pattern.inText), hashes);

export const replaceHashes = (text: string, hashes: Hashes): string =>
  hashes.size === 0 ? text : text.replace(/[0-9a-f]{32,64}/g, (hash) => hashes.get(hash)?.sha256 ?? hash);

/** Does the same in every string of a value, keys included. Sizes beside a hash become those of the new text. */
export function purgedValue(value: unknown, redaction: Redaction): unknown {
  if (isString(value)) return purgedText(value, redaction);
  if (Array.isArray(value)) return value.map((each) => purgedValue(each, redaction));
  if (!isObject(value)) return value;
  const isHashed = isString(value.sha256) || (isObject(value.ref) && isString(value.ref.sha256));
  const used = new Set<string>();
  const entries = Object.entries(value).map(([key, each]) => {
    // Hashes inside a hashed text stay as they are; otherwise its own hash would depend on theirs.
    const isOwnText = key === 'text' && isHashed && isString(each);
    const next = isOwnText ? replaceMatches(each, redaction.pattern.inText) : purgedValue(each, redaction);
    return [uniqueKey(purgedText(key, redaction), used), next] as const;
  });
  const newHash = isString(value.sha256) ? redaction.hashes.get(value.sha256) : undefined;
  return {
    ...Object.fromEntries(entries),
    ...(newHash !== undefined && 'bytes' in value && { bytes: newHash.bytes }),
    ...(newHash?.lines !== undefined && 'lines' in value && { lines: newHash.lines }),
  };
}

function uniqueKey(key: string, used: Set<string>): string {
  let candidate = key;
  for (let n = 2; used.has(candidate); n++) candidate = `${key}-${n}`;
  used.add(candidate);
  return candidate;
}

export function countInValue(value: unknown, inText: FindSecret): number {
  if (isString(value)) return countMatches(value, inText);
  if (Array.isArray(value)) return value.reduce((sum: number, each: unknown) => sum + countInValue(each, inText), 0);
  if (!isObject(value)) return 0;
  return Object.entries(value).reduce((sum, [key, each]) => sum + countMatches(key, inText) + countInValue(each, inText), 0);
}

/** True when a type, role or origin of our own records equals the text: such a secret cannot be purged. */
export const breaksStructure = (value: unknown, text: string): boolean =>
  (Array.isArray(value) || isObject(value)) &&
  Object.entries(value).some(([key, each]) => (['type', 'role', 'origin'].includes(key) && each === text) || breaksStructure(each, text));
