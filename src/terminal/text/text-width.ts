/**
 * How many columns a text takes on a terminal: a Chinese, Japanese or Korean character and an emoji take two, combining marks
 * none. Meant for text that has gone through `safeText`: control characters count as nothing here.
 */
export function textWidth(text: string): number {
  if (plainAscii.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes().segment(text)) width += graphemeWidth(segment);
  return width;
}

/** The text itself when it fits, else its beginning and an ellipsis, at most `columns` wide. */
export function clip(text: string, columns: number): string {
  if (columns <= 0) return '';
  if (textWidth(text) <= columns) return text;
  let prefix = '';
  let width = 1;
  for (const { segment } of graphemes().segment(text)) {
    width += graphemeWidth(segment);
    if (width > columns) break;
    prefix += segment;
  }
  return `${prefix.trimEnd()}…`;
}

/** Blanks added up to `columns`: behind the text, or before it for numbers. */
export const padEnd = (text: string, columns: number): string => text + ' '.repeat(Math.max(0, columns - textWidth(text)));
export const padStart = (text: string, columns: number): string => ' '.repeat(Math.max(0, columns - textWidth(text))) + text;

/** Lines of at most `columns`, broken at blanks where there are any; Chinese breaks anywhere, and so does a word longer than a line. */
export function wrap(text: string, columns: number): readonly string[] {
  return text
    .replaceAll('\t', '  ')
    .split('\n')
    .flatMap((line) => wrapLine(line, Math.max(2, columns)));
}

function wrapLine(line: string, columns: number): readonly string[] {
  if (textWidth(line) <= columns) return [line];
  const lines: string[] = [];
  let current = '';
  let width = 0;
  for (const word of wordsOf(line, columns)) {
    const wordWidth = textWidth(word);
    const blank = word.trim() === '';
    if (width > 0 && width + wordWidth > columns) {
      lines.push(current.trimEnd());
      current = blank ? '' : word;
      width = blank ? 0 : wordWidth;
    } else {
      current += word;
      width += wordWidth;
    }
  }
  return [...lines, current];
}

/** Words, blanks, and single wide characters; a word longer than a line in pieces as long as one. */
function* wordsOf(line: string, columns: number): Generator<string> {
  let word = '';
  let width = 0;
  for (const { segment } of graphemes().segment(line)) {
    const segmentWidth = graphemeWidth(segment);
    const isBreakable = segment === ' ' || segmentWidth === 2;
    if (word !== '' && (isBreakable || width + segmentWidth > columns)) {
      yield word;
      word = '';
      width = 0;
    }
    if (isBreakable) {
      yield segment;
    } else {
      word += segment;
      width += segmentWidth;
    }
  }
  if (word !== '') yield word;
}

const plainAscii = /^[\u0020-\u007e]*$/;

/** Built at the first text that needs it: the start of the program does not pay for it. */
let segmenter: Intl.Segmenter | undefined;
const graphemes = (): Intl.Segmenter => {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  return segmenter;
};

function graphemeWidth(grapheme: string): 0 | 1 | 2 {
  const point = grapheme.codePointAt(0) ?? 0;
  if (/^[\p{Cc}\p{Cf}\p{M}\u115f\u1160]+$/u.test(grapheme)) return 0;
  if (grapheme.includes('\ufe0f') || /^\p{RI}{2}$/u.test(grapheme)) return 2;
  return /^\p{Emoji_Presentation}/u.test(grapheme) || isWide(point) ? 2 : 1;
}

/** East Asian Width W and F as of Unicode 16, neighbouring blocks joined. */
const wideRanges: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x231a, 0x231b],
  [0x2329, 0x232a],
  [0x2e80, 0x303e],
  [0x3041, 0x3247],
  [0x3250, 0x4dbf],
  [0x4e00, 0xa4cf],
  [0xa960, 0xa97c],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6f],
  [0xff01, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x18d08],
  [0x1aff0, 0x1b2fb],
  [0x1d300, 0x1d376],
  [0x1f200, 0x1f265],
  [0x20000, 0x3fffd],
];

const isWide = (point: number): boolean => wideRanges.some(([from, to]) => point >= from && point <= to);
