/**
 * Which words of the tables stand in a text, found in one walk over its words, for all tables at once: what the patterns that `sourceOf`
 * makes of single tables would find, at a fraction of what it takes to compile them.
 */
import type { WordTable, WordTables } from '../../domain/value/word-pattern.ts';

/** Of each table that has a word in the text: those words, as the table writes them. */
export type StandingWords = ReadonlyMap<string, readonly string[]>;

type Entry = { readonly table: string; readonly word: string; readonly text: string; readonly endsAtEdge: boolean };
type Entries = Map<string, Entry[]>;

type Index = {
  /** By the run of Latin letters and digits that they begin with, whole. */
  readonly byFirst: Entries;
  /** What any ending may follow, by its text. */
  readonly byStart: Entries;
  /** What may begin within a word, as all of Chinese does: by its first character. */
  readonly byCharacter: Entries;
};

/** Returns a function for texts in lower case, of tables in lower case. They are looked through when the first text comes. */
export function wordIndex(tables: () => WordTables, language: keyof WordTable): (lower: string) => StandingWords {
  let index: Index | undefined;
  return (lower) => {
    index ??= indexOf(tables(), language);
    return walk(lower, index);
  };
}

function indexOf(tables: WordTables, language: keyof WordTable): Index {
  const index: Index = { byFirst: new Map(), byStart: new Map(), byCharacter: new Map() };
  for (const [table, words] of tables) for (const word of words[language]) addWord(index, table, word);
  return index;
}

function addWord(index: Index, table: string, word: string): void {
  const isOpen = word.endsWith('*');
  const body = isOpen ? word.slice(0, -1) : word;
  const endsAtEdge = !isOpen && isWordAt(body, body.length - 1);
  const beginsAtEdge = isWordAt(body, 0) && (isOpen || endsAtEdge);
  if (!body.includes("'")) addText(index, { table, word, text: body, endsAtEdge }, beginsAtEdge, isOpen);
  else for (const text of spellings(body)) addText(index, { table, word, text, endsAtEdge }, beginsAtEdge, isOpen);
}

function addText(index: Index, entry: Entry, beginsAtEdge: boolean, isOpen: boolean): void {
  const { text } = entry;
  const end = text.search(NO_WORD);
  if (!beginsAtEdge) add(index.byCharacter, text.charAt(0), entry);
  else if (isOpen && end === -1) add(index.byStart, text, entry);
  else add(index.byFirst, end === -1 ? text : text.slice(0, end), entry);
}

const NO_WORD = /\W/;

/** With each apostrophe as it is typed: straight, typographic or, but for one that the word begins with, not at all. */
export function spellings(body: string): readonly string[] {
  const at = body.indexOf("'");
  if (at === -1) return [body];
  const apostrophes = at === 0 ? ["'", '’'] : ["'", '’', ''];
  return spellings(body.slice(at + 1)).flatMap((rest) => apostrophes.map((apostrophe) => body.slice(0, at) + apostrophe + rest));
}

function add(entries: Entries, key: string, entry: Entry): void {
  const known = entries.get(key);
  if (known === undefined) entries.set(key, [entry]);
  else known.push(entry);
}

function walk(lower: string, { byFirst, byStart, byCharacter }: Index): StandingWords {
  const standing = new Map<string, string[]>();
  const take = (entries: readonly Entry[] | undefined, at: number): void => {
    for (const entry of entries ?? []) if (standsAt(lower, at, entry)) addOnce(standing, entry);
  };
  for (let at = 0, end = 0; at < lower.length; at++) {
    take(byCharacter.get(lower.charAt(at)), at);
    if (at < end || !isWordAt(lower, at)) continue;
    end = endOfWord(lower, at);
    take(byFirst.get(lower.slice(at, end)), at);
    for (let length = 1; length <= Math.min(end - at, MAX_START); length++) take(byStart.get(lower.slice(at, at + length)), at);
  }
  return standing;
}

/** Longer than any beginning of a word that a table has. */
const MAX_START = 24;

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
