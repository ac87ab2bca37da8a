/**
 * What looks like a secret in a text: tokens known by their form, what URLs, HTTP and .netrc say, options of programs, values behind names
 * such as `password`, private keys. A text is searched as it is written and as it is read, since an escape or a colour may stand within a
 * token.
 *
 * Stretches of the text come out; `redact.ts` puts marks in their place. Linear: each character is looked at once for all words of all
 * tables, and every pattern is bounded.
 *
 * It goes by forms, so it can miss a secret of no known form, and take something harmless for one.
 */

import { lazily } from '../word-list.ts';
import { assignments, maySetSecret, VALUE_SIGNS } from './assignments.ts';
import { commandFinders } from './commands.ts';
import { credentialFinders } from './credentials.ts';
import { type Finder, isPlaceholder, joined, NONE, type Searched, type Secret } from './secret.ts';
import { type TokenKind, tokenKinds } from './token-kinds.ts';
import { isMadeOfWords } from './words.ts';

type Row = { readonly find: Finder; readonly isToken: boolean };

const table = lazily(() =>
  startTable<Row>([
    ...tokenKinds().map((kind) => ({ start: kind.prefix, row: { find: tokenFinder(kind), isToken: true } })),
    ...[...credentialFinders, ...commandFinders()].flatMap(([words, find]) =>
      words.map((start) => ({ start, row: { find, isToken: false } })),
    ),
  ]),
);

const tokenFinder =
  (kind: Parameters<typeof tokenAt>[2]): Finder =>
  (searched, at) =>
    tokenAt(searched, at, kind);

const MARK = 1;
const VALUE_SIGN = 2;

export type Signs = { readonly signs: Uint8Array; readonly marks: number[] };

export const isMark = ({ signs }: Signs, code: number): boolean => ((signs[code] ?? 0) & MARK) !== 0;

/** The same marks, and the signs behind which a value may begin. */
export function withValueSigns(marks: Uint8Array): Uint8Array {
  const signs = marks.map((mark) => (mark === 0 ? 0 : MARK));
  for (const sign of VALUE_SIGNS) signs[sign.charCodeAt(0)] = (signs[sign.charCodeAt(0)] ?? 0) | VALUE_SIGN;
  return signs;
}

/**
 * Secrets that a word, the beginning of a token or the name of a value shows, in order. Where the marks among `signs` stand is put into
 * `marks` on the way, so that nobody has to look at the text again.
 */
export function spokenSecrets(searched: Searched, { signs, marks }: Signs): readonly Secret[] {
  const secrets: Secret[] = [];
  const values: number[] = [];
  eachStart(searched, table(), {
    signs,
    sign: (said, at) => {
      if ((said & MARK) !== 0) marks.push(at);
      if ((said & VALUE_SIGN) !== 0 && maySetSecret(searched.codes, at)) values.push(at);
    },
    found: ({ find, isToken }, at) => {
      const found = find(searched, at);
      for (const secret of found) secrets.push(secret);
      return isToken ? found[0]?.end : undefined;
    },
  });
  const plain = joined(secrets);
  return joined([...plain, ...assignments(searched, values, plain)]);
}

export type StartTable<Row> = { readonly slots: Uint16Array; readonly lists: readonly (readonly Started<Row>[])[] };

/** A word of ASCII with two characters or more. */
export type Started<Row> = { readonly start: string; readonly row: Row };

/** Six bits of each of three characters. */
const SLOTS = 1 << 18;
const LAST_SLOT = SLOTS - 1;
const LETTERS = 128;

/** Of words that begin alike, the longer comes first. */
export function startTable<Row>(all: readonly Started<Row>[]): StartTable<Row> {
  const slots = new Uint16Array(SLOTS);
  const lists: Started<Row>[][] = [[]];
  for (const each of all.toSorted((a, b) => b.start.length - a.start.length)) {
    for (const slot of slotsOf(each.start)) {
      if (slots[slot] === 0) slots[slot] = lists.push([]) - 1;
      lists[slots[slot] ?? 0]?.push(each);
    }
  }
  return { slots, lists };
}

/** A word of two characters may go on with any. */
function slotsOf(start: string): ReadonlySet<number> {
  const [first, second, third] = [start.charCodeAt(0), start.charCodeAt(1), start.charCodeAt(2)];
  const thirds = start.length > 2 ? [third] : Array.from({ length: LETTERS }, (_, code) => code);
  return new Set(thirds.map((code) => slotOf(first, second, code)));
}

const slotOf = (first: number, second: number, third: number): number => ((first & 63) << 12) | ((second & 63) << 6) | (third & 63);

/** What is told of each place: `found` of a word of the table, `sign` of a character of which `signs` says something. */
export type Told<Row> = {
  readonly signs: Uint8Array;
  readonly sign: (said: number, at: number) => void;
  /** Returns where to go on; undefined when it was not what the word looks like. */
  readonly found: (row: Row, at: number) => number | undefined;
};

/** Tells of each word of the table, wherever it stands. Reads each character once. `codes` are the characters of the text, each cut to a byte. */
export function eachStart<Row>(
  { text, codes }: { readonly text: string; readonly codes: Uint8Array },
  { slots, lists }: StartTable<Row>,
  { signs, sign, found }: Told<Row>,
): void {
  let slot = 0;
  let next = 2;
  const size = codes.length;
  for (let at = 0; at < size; at++) {
    const code = codes[at] ?? 0;
    slot = ((slot << 6) | (code & 63)) & LAST_SLOT;
    const list = slots[slot] ?? 0;
    const said = signs[code] ?? 0;
    if ((list | said) === 0) continue;
    if (said !== 0) sign(said, at);
    if (list === 0 || at < next) continue;
    const end = firstFound(text, lists[list] ?? [], at - 2, found);
    if (end !== undefined) next = Math.max(next, end + 2);
  }
}

function firstFound<Row>(
  text: string,
  words: readonly Started<Row>[],
  at: number,
  found: (row: Row, at: number) => number | undefined,
): number | undefined {
  for (const { start, row } of words) {
    if (!text.startsWith(start, at)) continue;
    const end = found(row, at);
    if (end !== undefined) return end;
  }
  return undefined;
}

/** No part before a prefix is longer. */
const MOST_BEFORE = 60;

export function tokenAt(searched: Searched, at: number, kind: TokenKind): readonly Secret[] {
  const start = startOf(searched, at, kind);
  if (start === undefined) return NONE;
  kind.value.lastIndex = at;
  if (!kind.value.test(searched.text)) return NONE;
  const end = kind.value.lastIndex;
  const value = searched.text.slice(at + kind.prefix.length, end);
  return isPlaceholder(value) || (kind.isGenerated && isName(value)) ? NONE : [{ kind: kind.kind, start, end }];
}

/** Types of SSH keys are called `sk-ssh-ed25519-cert-v01`, functions of OpenSSL `sk_X509_POLICY_NODE_pop_free`. */
const isName = (value: string): boolean =>
  isMadeOfWords(value) || /^(?:ssh|ecdsa)-/.test(value) || /^[A-Z][A-Z\d]*(?:_(?:[A-Z][A-Z\d]*|[a-z]+\d?))+$/.test(value);

/** Where the token begins of which the prefix stands at `at`; undefined where the prefix is the end of a word or the middle of one. */
function startOf(searched: Searched, at: number, { before, isDistinct }: TokenKind): number | undefined {
  if (before === undefined) return isDistinct || canStart(searched, at) ? at : undefined;
  const found = before.exec(searched.text.slice(Math.max(0, at - MOST_BEFORE), at));
  return found !== null && canStart(searched, at - found[0].length) ? at - found[0].length : undefined;
}

const canStart = ({ text, follows }: Searched, at: number): boolean =>
  at === 0 || !isWordCode(text.charCodeAt(at - 1)) || follows(at) || endsEscape(text, at);

const isWordCode = (code: number): boolean => (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);

/** What is left of an escape or of a colour whose first character is lost ends in a letter too. */
const endsEscape = (text: string, at: number): boolean => ESCAPE_END.test(text.slice(Math.max(0, at - 16), at));

const ESCAPE_END = /(?:\\[a-z]|\\x[\da-f]{2}|\\u[\da-f]{4}|\\[0-3][0-7]{2}|[%=][\da-f]{2}|\[[\d;]{0,12}[mK])$/i;
