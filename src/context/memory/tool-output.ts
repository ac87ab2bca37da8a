import { plainText, senseOf } from '../../domain/memory/memory-sense.ts';
import { isToolResult, type Message, resultText, textOf } from '../../domain/session/message.ts';

/** What tools printed, and what an imported file says: whole texts, and pairs of neighbouring words that show whether a sentence only repeats them. */
export type ToolOutput = { readonly texts: readonly string[]; readonly pairs: ReadonlySet<string> };

/** Characters read of each result; a page of a book has about two thousand. */
const MAX_RESULT_CHARS = 400_000;
const LINE_CHARS = 2_000;

export function toolOutputOf(messages: readonly Message[]): ToolOutput {
  const isForeign = messages.some(isImported);
  const results = messages.flatMap((message) => [
    ...message.content.filter(isToolResult).map((block) => resultText(block).slice(0, MAX_RESULT_CHARS)),
    ...(isImported(message) || (isForeign && isOurs(message)) ? [textOf(message.content).slice(0, MAX_RESULT_CHARS)] : []),
  ]);
  const pairs = new Set<string>();
  for (const result of results) {
    // Lines without words, in a program's own notation, are skipped.
    for (const line of result.split(/\n|(?<=[.。!?！？]) ?/))
      if (PROSE.test(line)) for (const pair of wordPairs(line.slice(0, LINE_CHARS))) pairs.add(pair);
  }
  return { texts: results.map((result) => plainText(result)), pairs };
}

export const isImported = ({ imported }: Message): boolean => imported === true;

/** Notices, pins among them, repeat what was said; here that may have been a stranger. */
const isOurs = ({ origin }: Message): boolean => origin === 'notice' || origin === 'summary';

const PROSE = /\p{L}{2}[\s,]+\p{L}{2}|\p{Script=Han}{4}/u;

/** Share of a sentence's word pairs: a paraphrase still has half of them, an independent sentence about the same thing does not. */
const MIN_REPEATED_SHARE = 0.5;

/** True when a sentence repeats what a tool printed, word for word or nearly so. */
export function repeatsOutput(sentence: string, { texts, pairs }: ToolOutput): boolean {
  if (texts.length === 0) return false;
  const plain = plainText(sentence);
  if (plain !== '' && texts.some((text) => text.includes(plain))) return true;
  const sentencePairs = wordPairs(sentence);
  return sentencePairs.length >= 2 && sentencePairs.filter((pair) => pairs.has(pair)).length / sentencePairs.length >= MIN_REPEATED_SHARE;
}

function wordPairs(text: string): readonly string[] {
  const { terms } = senseOf(text);
  return terms.slice(1).map((term, at) => `${terms[at]} ${term}`);
}
