/** Which words of the tables stand in a text, in one walk for all tables, at a fraction of what it takes to compile their patterns. */

import { memoizeRecent } from '../../domain/value/memoize.ts';
import type { WordTable, WordTables } from '../../domain/value/word-list.ts';

/** Of each table that has a word in the text: those words, as the table writes them. */
export type StandingWords = ReadonlyMap<string, readonly string[]>;

/** Words by what is looked up for them, one a line: `TABLE word`, and behind a tab the text that stands for it where that is another. */
type Lines = Record<string, string>;

/** An index of words as JSON can hold it: the program has it made (src/context/sentence/word-lines.ts). */
export type WordLines = {
  /** By the run of Latin letters and digits that they begin with, whole. */
  readonly byFirst: Lines;
  /** What any ending may follow, by its text. */
  readonly byStart: Lines;
  /** What may begin within a word, as all of Chinese does: by its first character. */
  readonly byCharacter: Lines;
};

export function wordLinesOf(tables: WordTables, language: keyof WordTable): WordLines {
  const index: WordLines = { byFirst: {}, byStart: {}, byCharacter: {} };
  for (const [table, words] of tables) for (const word of words[language]) addWord(index, table, word);
  return index;
}

function addWord(index: WordLines, table: string, word: string): void {
  const isOpen = word.endsWith('*');
  const body = bodyOf(word);
  const beginsAtEdge = isWordAt(body, 0) && (isOpen || isWordAt(body, body.length - 1));
  for (const text of spellings(body)) {
    const line = text === body ? `${table} ${word}` : `${table} ${word}\t${text}`;
    const end = text.search(NO_WORD);
    if (!beginsAtEdge) add(index.byCharacter, text.charAt(0), line);
    else if (isOpen && end === -1) add(index.byStart, text, line);
    else add(index.byFirst, end === -1 ? text : text.slice(0, end), line);
  }
}

const bodyOf = (word: string): string => (word.endsWith('*') ? word.slice(0, -1) : word);

function add(lines: Lines, key: string, line: string): void {
  lines[key] = Object.hasOwn(lines, key) ? `${lines[key]}\n${line}` : line;
}

const NO_WORD = /\W/;

/** With each apostrophe as it is typed: straight, typographic or, but for one that the word begins with, not at all. */
export function spellings(body: string): readonly string[] {
  const at = body.indexOf("'");
  if (at === -1) return [body];
  const apostrophes = at === 0 ? ["'", '’'] : ["'", '’', ''];
  return spellings(body.slice(at + 1)).flatMap((rest) => apostrophes.map((apostrophe) => body.slice(0, at) + apostrophe + rest));
}

export function wordIndex(lines: WordLines): (lower: string) => StandingWords {
  const lookups = lookupsIn(lines);
  return (lower) => walk(lower, lookups);
}

type Entry = { readonly table: string; readonly word: string; readonly text: string; readonly endsAtEdge: boolean };
type Lookup = (key: string) => readonly Entry[];

const lookupsIn = ({ byFirst, byStart, byCharacter }: WordLines) => {
  const [first, start] = [lookupIn(byFirst), lookupIn(byStart)];
  return {
    /** What begins with a word, or with its beginning. Of longer words the engine would keep the whole text. */
    word: memoizeRecent((word: string): readonly Entry[] => [...first(word), ...beginningsOf(word).flatMap(start)], KEPT_WORDS),
    characters: new Set(Object.keys(byCharacter).map((character) => character.charCodeAt(0))),
    character: lookupIn(byCharacter),
  };
};

const KEPT_WORDS = { minChars: 1, maxChars: 12, keptChars: 50_000 };

const beginningsOf = (word: string): readonly string[] =>
  Array.from({ length: Math.min(word.length, MAX_START) }, (_, i) => word.slice(0, i + 1));

/** Longer than any beginning of a word that a table has. */
const MAX_START = 24;

/** Lines are read when their key is first met: of thousands, a text has some tens. */
function lookupIn(lines: Lines): Lookup {
  const read = new Map<string, readonly Entry[]>();
  return (key) => {
    if (!Object.hasOwn(lines, key)) return NONE;
    const known = read.get(key) ?? lines[key]?.split('\n').map(entryOf) ?? NONE;
    read.set(key, known);
    return known;
  };
}

const NONE: readonly Entry[] = [];

function entryOf(line: string): Entry {
  const [named = '', spelled] = line.split('\t');
  const at = named.indexOf(' ');
  const word = named.slice(at + 1);
  const text = spelled ?? bodyOf(word);
  return { table: named.slice(0, at), word, text, endsAtEdge: !word.endsWith('*') && isWordAt(text, text.length - 1) };
}

function walk(lower: string, { word, characters, character }: ReturnType<typeof lookupsIn>): StandingWords {
  const standing = new Map<string, string[]>();
  const take = (entries: readonly Entry[], at: number): void => {
    for (const entry of entries) if (standsAt(lower, at, entry)) addOnce(standing, entry);
  };
  for (let at = 0, end = 0; at < lower.length; at++) {
    if (characters.has(lower.charCodeAt(at))) take(character(lower.charAt(at)), at);
    if (at < end || !isWordAt(lower, at)) continue;
    end = endOfWord(lower, at);
    take(word(lower.slice(at, end)), at);
  }
  return standing;
}

const standsAt = (lower: string, at: number, { text, endsAtEdge }: Entry): boolean =>
  lower.startsWith(text, at) && !(endsAtEdge && isWordAt(lower, at + text.length));

function addOnce(standing: Map<string, string[]>, { table, word }: Entry): void {
  const words = standing.get(table);
  if (words === undefined) standing.set(table, [word]);
  else if (!words.includes(word)) words.push(word);
}

function endOfWord(text: string, from: number): number {
  let end = from;
  while (isWordAt(text, end)) end++;
  return end;
}

/** What a pattern calls a word: Latin letters without accents, digits and the underscore. Text is in lower case. */
function isWordAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code === 95;
}

/** What must stand in a clause for a template to fit it at all, so that only those forms are compiled that may fit. */

/** True when nothing that the template needs is missing; it need not fit for that. */
export type Needs = (lower: string, standing: StandingWords) => boolean;

export const needsOf = (template: string): Needs => alternatives({ parts: template.match(PART) ?? [], at: 0 });

/** What a template is made of, longest first. */
const PART = new RegExp(
  [
    /[^()|\\[\]{}*+?.^$…]+(?![*+?{])/,
    // The beginning of a group that looks around or is not captured.
    /\(\?<?[:=!]/,
    /\{[A-Z_|]+\}|\[(?:\\.|[^\]\\])*\]|\\p\{[^}]*\}|\\./,
    /[*+?]\??|\{\d[\d,]*\}\??/,
    /./,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
);

type Place = { readonly parts: readonly string[]; at: number };

function alternatives(place: Place): Needs {
  const all: Needs[] = [sequence(place)];
  while (place.parts[place.at] === '|') {
    place.at++;
    all.push(sequence(place));
  }
  const [only = NOTHING] = all;
  if (all.length === 1 || all.includes(NOTHING)) return all.length === 1 ? only : NOTHING;
  return (lower, standing) => all.some((each) => each(lower, standing));
}

function sequence(place: Place): Needs {
  const all: Needs[] = [];
  let text = '';
  for (let part = place.parts[place.at]; part !== undefined && part !== '|' && part !== ')'; part = place.parts[place.at]) {
    place.at++;
    const inner = part.startsWith('(') ? group(part, place) : slot(part);
    const letters = inner === undefined ? lettersOf(part) : '';
    const often = howOften(place.parts[place.at]);
    if (often !== 'once') place.at++;
    if (often !== 'perhaps') text += letters;
    if (letters !== '' && often === 'once') continue;
    if (text.trim() !== '') all.push(standsIn(text.toLowerCase()));
    text = '';
    if (inner !== undefined && inner !== NOTHING && often !== 'perhaps') all.push(inner);
  }
  if (text.trim() !== '') all.push(standsIn(text.toLowerCase()));
  const [first = NOTHING] = all;
  return all.length < 2 ? first : (lower, standing) => all.every((each) => each(lower, standing));
}

function howOften(sign = ''): 'once' | 'perhaps' | 'more' {
  const first = sign.charAt(0);
  if (first === '*' || first === '?' || sign.startsWith('{0')) return 'perhaps';
  return first === '+' || (first === '{' && sign.charAt(1) <= '9') ? 'more' : 'once';
}

/** What is looked at from a place, and must not be there or stand before it, needs nothing. */
function group(opening: string, place: Place): Needs {
  const inner = alternatives(place);
  place.at++;
  return opening === '(' || opening === '(?:' || opening === '(?=' ? inner : NOTHING;
}

function slot(part: string): Needs | undefined {
  if (part.length < 3 || !part.startsWith('{')) return;
  const names = part.slice(1, -1).split('|');
  return (_, standing) => names.some((name) => standing.has(name));
}

/** The text that a part stands for, where it stands for just that. */
function lettersOf(part: string): string {
  if (part.startsWith('\\')) return /^\\[^\w]$/.test(part) ? part.slice(1) : '';
  return part.length > 1 && part.startsWith('[') ? '' : SIGNS.includes(part) ? '' : part;
}

const SIGNS = ['.', '^', '$', '…', '[', ']'];

const NOTHING: Needs = () => true;
const standsIn =
  (text: string): Needs =>
  (lower) =>
    lower.includes(text);
