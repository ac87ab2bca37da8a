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
