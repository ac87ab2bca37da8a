import { looksLikeOutput, sentencesOf } from './sentences.ts';

export const ownSentences = (text: string): readonly string[] =>
  sentencesOf(withoutDifference(text)).filter((sentence) => !looksLikeOutput(sentence));

/** A pasted difference is nobody's own words: its lines begin with a plus or a number or, from a screen, with a blank. */
function withoutDifference(text: string): string {
  let inDifference = false;
  const own = text.split('\n').map((line) => {
    inDifference = MARKED.test(line) || (inDifference && /^[ \t]+\S/.test(line));
    return inDifference ? '' : line;
  });
  return own.join('\n');
}

const MARKED = /^[ \t]{0,8}(?:\+|-[ \t]{0,4}\d{1,6}[ \t])/;
