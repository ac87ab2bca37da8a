import { plainText, senseOf } from '../../domain/memory/memory-sense.ts';
import { isToolResult, type Message, resultText } from '../../domain/session/message.ts';

/** What tools printed, as pairs of neighbouring words: enough to tell whether a sentence only repeats it. */
export type Printed = { readonly texts: readonly string[]; readonly pairs: ReadonlySet<string> };

/** Of each result; a page of a book has some two thousand characters. */
const PRINTED_CHARS = 400_000;
const LINE_CHARS = 2_000;

export function printedIn(messages: readonly Message[]): Printed {
  const results = messages.flatMap((message) =>
    message.content.filter(isToolResult).map((block) => resultText(block).slice(0, PRINTED_CHARS)),
  );
  const pairs = new Set<string>();
  for (const result of results) {
    // What is a program's own notation says nothing in words.
    for (const line of result.split(/\n|(?<=[.。!?！？]) ?/))
      if (IN_WORDS.test(line)) for (const pair of pairsIn(line.slice(0, LINE_CHARS))) pairs.add(pair);
  }
  return { texts: results.map((result) => plainText(result)), pairs };
}

const IN_WORDS = /\p{L}{2}[\s,]+\p{L}{2}|\p{Script=Han}{4}/u;

/** Half of a sentence's neighbouring words: a paraphrase still has them, a sentence of one's own about the same thing does not. */
const REPEATED_SHARE = 0.5;

/** True when a sentence says what a tool printed, word for word or nearly so. */
export function repeats(sentence: string, { texts, pairs }: Printed): boolean {
  if (texts.length === 0) return false;
  const plain = plainText(sentence);
  if (plain !== '' && texts.some((text) => text.includes(plain))) return true;
  const own = pairsIn(sentence);
  return own.length >= 2 && own.filter((pair) => pairs.has(pair)).length / own.length >= REPEATED_SHARE;
}

function pairsIn(text: string): readonly string[] {
  const { terms } = senseOf(text);
  return terms.slice(1).map((term, at) => `${terms[at]} ${term}`);
}
