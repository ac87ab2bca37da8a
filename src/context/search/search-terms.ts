/**
 * How texts are found by their words, as pure functions: terms and stems, the words of a query, what a question says of its answer and its
 * time, the order of what was found, and the piece that is shown.
 *
 * A query comes in and groups of terms go out to the index; the parts of texts that it names come back in, and go out ranked, spread and
 * merged. The same scanner serves the index, the query and the marks, so that a text is found as it is written.
 *
 * Scanning is linear and total for any text. Nothing here reads a file or needs a model; where texts and terms are kept is for the store.
 */

import { stemOf } from './stem.ts';

/** Receives words in lower case; identifiers, paths and addresses whole and by their parts; scripts without spaces as pairs of characters. */
export type OnTerm = (term: string, start: number, end: number) => void;

/** Returns the terms of each text without those of earlier texts, each once, separated by spaces. Linear in the length; never throws. */
export function indexTerms(...texts: readonly string[]): readonly string[] {
  const seen = new Set<string>(['']);
  return texts.map((text) => {
    const terms: string[] = [];
    scanTerms(text, (word) => {
      const term = stemOf(word);
      const sizeBefore = seen.size;
      if (seen.add(term).size > sizeBefore) terms.push(term);
    });
    return terms.join(' ');
  });
}

/** Emits the terms of the word, compound or run of paired characters at `at`; returns where it ends and whether it was paired. */
export function scanRun(text: string, at: number, onTerm: OnTerm): { readonly end: number; readonly pairs: boolean } {
  const pairs = pairedSize(text, at) > 0;
  const isWord = classAt(text, at) >= WORD;
  return { end: isWord ? scanCompound(text, at, onTerm) : pairs ? scanPairs(text, at, onTerm) : at + 1, pairs };
}

export function scanTerms(text: string, onTerm: OnTerm): void {
  for (let at = 0; at < text.length; ) {
    const kind = classAt(text, at);
    if (kind >= WORD) at = scanCompound(text, at, onTerm);
    else if (kind === PAIRED || isPairedHigh(text, at, kind)) at = scanPairs(text, at, onTerm);
    else at++;
  }
}

const MAX_WORD = 64;
const MAX_COMPOUND = 120;
const MAX_JOINERS = 3;

// Classes of UTF-16 units. From WORD on they are parts of words; the lower bits say what processing the word needs besides being cut out.
const SEPARATOR = 0;
const JOINER = 1;
const PAIRED = 2;
/** The high surrogate of a character that is written without spaces. */
const PAIRED_HIGH = 3;
const WORD = 8;
const CAPITAL = 1;
const UNDERSCORE = 2;
const NON_ASCII = 4;

/** Reading past the end is slow in the engine, so it is avoided. */
const classAt = (text: string, at: number): number => (at < text.length ? (classes[text.charCodeAt(at)] ?? SEPARATOR) : SEPARATOR);

const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;
const isPairedHigh = (text: string, at: number, kind: number): boolean => kind === PAIRED_HIGH && isLow(text.charCodeAt(at + 1));

/** Returns the length of the character at `at` when its script is indexed in pairs; else 0. */
function pairedSize(text: string, at: number): number {
  const kind = classAt(text, at);
  return kind === PAIRED ? 1 : isPairedHigh(text, at, kind) ? 2 : 0;
}

/** Emits each two neighbours, then the last character alone, so that a one-character query, taken as a prefix, finds it anywhere. */
function scanPairs(text: string, start: number, onTerm: OnTerm): number {
  for (let at = start; ; ) {
    const size = pairedSize(text, at);
    if (size === 0) return at;
    const to = at + size + pairedSize(text, at + size);
    const plain = isPlainHan(text.charCodeAt(at)) && isPlainHan(text.charCodeAt(to - 1));
    onTerm(normalize(text.slice(at, to), plain ? 0 : NON_ASCII), at, to);
    at += size;
  }
}

/** `src/store/logReader.ts`: emits each word with its parts, `logReader.ts`, and the whole. Returns where it ends. */
function scanCompound(text: string, start: number, onTerm: OnTerm): number {
  let segment = start;
  let segmentBits = 0;
  let allBits = 0;
  let [segmentJoined, joined] = [false, false];
  for (let word = start; ; ) {
    let end = word;
    let classBits = 0;
    for (let kind = classAt(text, end); kind >= WORD; kind = classAt(text, end)) {
      classBits |= kind;
      end++;
    }
    scanWord(text, { start: word, end, classBits }, onTerm);
    segmentBits |= classBits;
    allBits |= classBits;
    const next = afterJoiners(text, end);
    const minor = next === end + 1 && (text.charCodeAt(end) === DOT || text.charCodeAt(end) === HYPHEN);
    if (next !== end && minor) segmentJoined = true;
    else {
      if (segmentJoined && (joined || next !== end)) emitWhole(text, { start: segment, end, classBits: segmentBits }, onTerm);
      if (next === end) {
        if (joined || segmentJoined) emitWhole(text, { start, end, classBits: allBits }, onTerm);
        return end;
      }
      joined = true;
      segmentJoined = false;
      segment = next;
      segmentBits = 0;
    }
    word = next;
  }
}

const DOT = 0x2e;
const HYPHEN = 0x2d;

function afterJoiners(text: string, end: number): number {
  let next = end;
  while (next - end < MAX_JOINERS && classAt(text, next) === JOINER) next++;
  return classAt(text, next) >= WORD ? next : end;
}

/** `classBits` is the union of the classes in it. */
type WordSpan = { readonly start: number; readonly end: number; readonly classBits: number };

function emitWhole(text: string, { start, end, classBits }: WordSpan, onTerm: OnTerm): void {
  if (end - start > MAX_COMPOUND) return;
  const term = normalize(text.slice(start, end), classBits);
  onTerm(term.includes('\\') ? term.replaceAll('\\', '/') : term, start, end);
}

const CAMEL_OR_SNAKE = /[a-z0-9][A-Z]|[A-Z][A-Z][a-z]|[^_]_+[^_]/;

function scanWord(text: string, { start, end, classBits }: WordSpan, onTerm: OnTerm): void {
  const word = text.slice(start, Math.min(end, start + MAX_WORD));
  onTerm(normalize(word, classBits), start, end);
  if ((classBits & (CAPITAL | UNDERSCORE)) === 0 || end - start > MAX_WORD || !CAMEL_OR_SNAKE.test(word)) return;
  for (let from = start; from < end; ) {
    const to = segmentEnd(text, from, end);
    if (to > from) onTerm(normalize(text.slice(from, to), classBits), from, to);
    from = Math.max(to, from + 1);
  }
}

/** Returns where the part of a word that starts at `from` ends: `HTTP`, `Header`, `count2`; `from` itself at an underscore. */
function segmentEnd(text: string, from: number, end: number): number {
  let to = from;
  while (to < end && classAt(text, to) === (WORD | CAPITAL)) to++;
  // The last capital before a small letter starts the next part.
  if (to < end && to > from && isSmall(text.charCodeAt(to))) to--;
  if (to > from) return to;
  if (classAt(text, to) === (WORD | CAPITAL)) to++;
  while (to < end && (classAt(text, to) & (CAPITAL | UNDERSCORE)) === 0) to++;
  return to;
}

const isSmall = (unit: number): boolean => unit >= 0x61 && unit <= 0x7a;

/** Returns one spelling for all widths, forms and cases of a character, without the blanks that normalisation may produce. */
function normalize(text: string, classBits: number): string {
  const lower = (classBits & (CAPITAL | NON_ASCII)) === 0 ? text : text.toLowerCase();
  if ((classBits & NON_ASCII) === 0) return lower;
  // Lower case again: normalisation may produce capitals.
  return lower.normalize('NFKC').toLowerCase().replace(UNINDEXED, '');
}

/** These Han characters have one form and no case. */
const isPlainHan = (unit: number): boolean => unit >= 0x4e00 && unit <= 0x9fff;

const UNINDEXED = /[\s\p{Cc}\p{Cs}]+/gu;

/** Han, kana, Hangul, and the scripts of South-East Asia: written without spaces, or with endings that spaces do not separate. */
const PAIRED_RANGES = `0e00-0eff 1000-109f 1780-17ff 2e80-2fdf 3005-3007 3041-30ff 3105-318f 31a0-31bf 31f0-31ff 3400-4dbf 4e00-9fff ac00-d7af
f900-faff ff66-ffdc`;
const JOINERS = '-./\\';

const classes: Uint8Array = classTable();

function classTable(): Uint8Array {
  const table = new Uint8Array(0x10000);
  for (let unit = 0; unit < 0x10000; unit++) {
    if (/[\p{L}\p{N}\p{M}_]/u.test(String.fromCharCode(unit))) table[unit] = WORD | (unit > 0x7f ? NON_ASCII : 0);
  }
  for (let unit = 0x41; unit <= 0x5a; unit++) table[unit] = WORD | CAPITAL;
  table[0x5f] = WORD | UNDERSCORE;
  for (const joiner of JOINERS) table[joiner.charCodeAt(0)] = JOINER;
  for (const range of PAIRED_RANGES.split(/\s/)) {
    const [from = 0, to = 0] = range.split('-').map((unit) => Number.parseInt(unit, 16));
    for (let unit = from; unit <= to; unit++) if ((table[unit] ?? 0) >= WORD) table[unit] = PAIRED;
  }
  // Planes 2 and 3 hold nothing but Han.
  for (let unit = 0xd840; unit <= 0xd8bf; unit++) table[unit] = PAIRED_HIGH;
  return table;
}
