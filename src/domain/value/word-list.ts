/**
 * Patterns over lists of words. In what programs print (`anyOf`) a word may stand inside another; in what people say (`sourceOf`) words are
 * whole, a template names a table where any of its words may stand, `*` at the end of a word stands for any ending, and an apostrophe may
 * be typographic or missing.
 */

/** The words of lists, each parted by commas or 、, as the source of a pattern for any of them. */
export const anyOf = (...lists: readonly string[]): string => `(?:${lists.flatMap(piecesOf).map(escaped).join('|')})`;

const piecesOf = (list: string): readonly string[] => list.trim().split(/\s*,\s+|、/);
const escaped = (word: string): string => word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** Returns a function that makes a value when it is first asked for, and keeps it. */
export function lazily<Value extends object>(make: () => Value): () => Value {
  let value: Value | undefined;
  return () => {
    value ??= make();
    return value;
  };
}

/** Returns a test for a pattern that is compiled when the first text is held against it. */
export function lazyTest(source: () => string, flags = ''): (text: string) => boolean {
  const pattern = lazily(() => new RegExp(source(), flags));
  return (text) => pattern().test(text);
}

export const isOneOf =
  (...forms: readonly RegExp[]): ((text: string) => boolean) =>
  (text) =>
    forms.some((form) => form.test(text));

export type WordTable = { readonly en: readonly string[]; readonly zh: readonly string[] };
export type WordTables = ReadonlyMap<string, WordTable>;

/** Reads `NAME: english words | 中文词`, one table a line; an indented line goes on with the one before. Words are parted by a comma and a space. */
export function readTables(text: string): WordTables {
  const lines = text
    .trim()
    .replace(/\n\s+/g, ' ')
    .split('\n')
    .filter((line) => line !== '');
  return new Map(
    lines.map((line) => {
      const at = line.indexOf(':');
      const [en = '', zh = ''] = line.slice(at + 1).split('|');
      return [line.slice(0, at).trim(), { en: wordsIn(en), zh: wordsIn(zh) }];
    }),
  );
}

const wordsIn = (list: string): readonly string[] => (list.trim() === '' ? [] : list.trim().split(', '));

/** `{NAME}` stands for a word of that table, `{ONE|TWO}` for one of either, `…` for up to 60 characters. Throws for an unknown name. */
export const sourceOf = (template: string, tables: WordTables, language: keyof WordTable): string =>
  sourceWith(template, (name) => wordsOf(name, tables, language));

/** The same with the words that a function gives for the name of a table. */
export const sourceWith = (template: string, wordsOfTable: (name: string) => readonly string[]): string =>
  template
    .replace(/(?<!\\p)\{([A-Z_]+(?:\|[A-Z_]+)*)\}/g, (_, names: string) => anyWord(names.split('|').flatMap(wordsOfTable)))
    .replaceAll('…', '.{0,60}');

function wordsOf(name: string, tables: WordTables, language: keyof WordTable): readonly string[] {
  const table = tables.get(name);
  if (table === undefined) throw new Error(`No table of words is called ${name}.`);
  return table[language];
}

/** Longer words first, so that "no longer" is not read as "no". English words begin and end at the edge of a word. */
export function anyWord(words: readonly string[]): string {
  const longestFirst = [...words].sort((a, b) => b.length - a.length);
  const whole = longestFirst.filter((word) => /^\w.*\w$|^\w$/.test(word)).map(wordSource);
  const other = longestFirst.filter((word) => !/^\w.*\w$|^\w$/.test(word)).map(wordSource);
  const sources = [...(whole.length === 0 ? [] : [`\\b(?:${whole.join('|')})\\b`]), ...other];
  return sources.length === 0 ? '(?:(?!))' : `(?:${sources.join('|')})`;
}

function wordSource(word: string): string {
  const isOpen = word.endsWith('*');
  const body = (isOpen ? word.slice(0, -1) : word)
    .replace(/[.+?^$()[\]{}|\\/]/g, '\\$&')
    .replace(/(?<=.)'/g, "['’]?")
    .replace(/^'/, "['’]");
  return isOpen ? `${/^\w/.test(word) ? '\\b' : ''}${body}\\w*` : `${body}${/^\W.*\w$/.test(word) ? '\\b' : ''}`;
}

/** Compiles a template when first needed, for text in lower case: a pattern that minds case takes a fraction of the time. */
export const lazyPattern = (template: string, tables: WordTables, language: keyof WordTable): (() => RegExp) =>
  lazily(() => new RegExp(inLowerCase(sourceOf(template, tables, language)), template.includes('\\p{') ? 'u' : ''));

export const inLowerCase = (source: string): string =>
  source.replace(/\\p\{[^}]*\}|\(\?<[a-z]+>|\\.|[A-Z]/g, (found) => (found.length > 1 ? found : found.toLowerCase()));
