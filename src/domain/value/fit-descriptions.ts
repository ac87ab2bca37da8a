/** The most that a description may say: longer ones are cut at the end of a sentence. */
const MAX_CHARS = 1_024;

/** The others are shortened to no less than this before those that come last. */
const LEAST_CHARS = 80;

/**
 * Descriptions for a list: all as they are where together they weigh no more than `most`, else all but the short ones equally short, each
 * at the end of a sentence. Those at the places `last` stay whole as long as that is enough, the first of them the longest.
 */
export function fitDescriptions(
  texts: readonly string[],
  most: number,
  weigh: (text: string) => number,
  last: readonly number[] = [],
): readonly string[] {
  const whole = new Set(last);
  const cutTo = (chars: number) => texts.map((text, at) => cutAtSentence(text, whole.has(at) ? MAX_CHARS : chars));
  const fits = (chars: number): boolean => cutTo(chars).reduce((sum, text) => sum + weigh(text), 0) <= most;
  if (fits(MAX_CHARS)) return cutTo(MAX_CHARS);
  for (const at of last.toReversed()) if (!fits(LEAST_CHARS)) whole.delete(at);
  let [low, high] = [0, MAX_CHARS];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle;
  }
  return cutTo(low);
}

const SENTENCE_END = /[.!?](?=\s+[^\s\p{Ll}])|[。！？]/gu;

/** Whole sentences from the beginning of a text, at most so many characters; where not even the first fits, its first words and a mark. */
export function cutAtSentence(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const end = [...text.slice(0, maxChars + 2).matchAll(SENTENCE_END)].map(({ index }) => index + 1).findLast((at) => at <= maxChars);
  if (end !== undefined) return text.slice(0, end);
  const words = /^[\s\S]*(?=\s)/.exec(text.slice(0, maxChars))?.[0].trimEnd() ?? '';
  const han = /^[\s\S]*\p{Lo}/u.exec(text.slice(0, Math.max(0, maxChars - 1)))?.[0] ?? '';
  const word = words.length > han.length ? words : han;
  return word === '' ? '' : `${word}…`;
}
