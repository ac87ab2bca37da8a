/**
 * Patterns over lists of words, for what programs print and name: a word may stand inside another there, so a template says where one has
 * to begin and to end. Words are pieces of text and no patterns.
 */

/** The words of lists, each parted by commas or 、, as the source of a pattern for any of them. */
export const anyOf = (...lists: readonly string[]): string => `(?:${lists.flatMap(wordsOf).map(escaped).join('|')})`;

const wordsOf = (list: string): readonly string[] => list.trim().split(/\s*,\s+|、/);
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

/** Returns a test for a text that has one of several forms. */
export const isOneOf =
  (...forms: readonly RegExp[]): ((text: string) => boolean) =>
  (text) =>
    forms.some((form) => form.test(text));
