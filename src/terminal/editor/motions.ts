import { isFold } from './folds.ts';

/** Where the grapheme before `cursor` begins; reads no further back than a grapheme can reach. */
export function graphemeStart(text: string, cursor: number): number {
  const from = Math.max(0, cursor - LONGEST_GRAPHEME);
  let start = from;
  for (const { index } of graphemeSegmenter().segment(text.slice(from, cursor))) start = from + index;
  return start;
}

/** Where the grapheme behind `cursor` ends. */
export function graphemeEnd(text: string, cursor: number): number {
  const [first] = graphemeSegmenter().segment(text.slice(cursor, cursor + LONGEST_GRAPHEME));
  return cursor + (first?.segment.length ?? 0);
}

/** Where the word before `cursor` begins: letters and figures in any script, or one folded text. */
export function wordStart(text: string, cursor: number): number {
  const from = Math.max(0, cursor - LONGEST_WORD);
  const words = [...wordSegmenter().segment(text.slice(from, cursor))].filter(isWord);
  return from + (words.at(-1)?.index ?? 0);
}

export function wordEnd(text: string, cursor: number): number {
  for (const word of wordSegmenter().segment(text.slice(cursor, cursor + LONGEST_WORD)))
    if (isWord(word)) return cursor + word.index + word.segment.length;
  return Math.min(text.length, cursor + LONGEST_WORD);
}

/** Where the run of anything but blanks before `cursor` begins. */
export const blankSeparatedStart = (text: string, cursor: number): number => {
  let start = cursor;
  while (start > 0 && /\s/.test(text.charAt(start - 1))) start -= 1;
  while (start > 0 && !/\s/.test(text.charAt(start - 1))) start -= 1;
  return start;
};

export const lineStart = (text: string, cursor: number): number => text.lastIndexOf('\n', cursor - 1) + 1;

export function lineEnd(text: string, cursor: number): number {
  const end = text.indexOf('\n', cursor);
  return end < 0 ? text.length : end;
}

const LONGEST_GRAPHEME = 64;
const LONGEST_WORD = 400;

const isWord = ({ segment, isWordLike }: Intl.SegmentData): boolean => isWordLike === true || isFold(segment);

let graphemesOnce: Intl.Segmenter | undefined;
const graphemeSegmenter = (): Intl.Segmenter => {
  graphemesOnce ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  return graphemesOnce;
};

let wordsOnce: Intl.Segmenter | undefined;
const wordSegmenter = (): Intl.Segmenter => {
  wordsOnce ??= new Intl.Segmenter(undefined, { granularity: 'word' });
  return wordsOnce;
};
