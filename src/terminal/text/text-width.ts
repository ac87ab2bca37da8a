import stringWidth from 'string-width';

/**
 * How many columns a text takes on a terminal: a Chinese, Japanese or Korean character and an emoji take two, combining marks
 * none. Meant for text that has gone through `safeText`: control characters count as nothing here.
 * string-width measures. Cutting and wrapping are ours: wrap-ansi moves a run of Chinese to the next line whole where it may
 * break anywhere, and changes the text (it composes letters and marks); what cuts with an ellipsis in its family wants Node 22.
 */
export function textWidth(text: string): number {
  if (ASCII.test(text)) return text.length;
  const simple = widthOfSimple(text);
  if (simple !== undefined) return simple;
  let width = 0;
  for (const { graphemeWidth } of graphemes(text)) width += graphemeWidth;
  return width;
}

/** Each of these characters takes one column, and none joins another: most of what is shown. */
const ASCII = /^[\x20-\x7e]*$/;

function widthOfSimple(text: string): number | undefined {
  let width = 0;
  for (let i = 0; i < text.length; i++) {
    const each = simpleWidth(text.charCodeAt(i));
    if (each === 0) return undefined;
    width += each;
  }
  return width;
}

/** The text itself when it fits, else its beginning and an ellipsis, at most `columns` wide. Reads no further than that. */
export function clip(text: string, columns: number): string {
  if (columns <= 0) return '';
  if (text.length <= columns && textWidth(text) <= columns) return text;
  if (ASCII.test(text.slice(0, columns + 1))) return `${text.slice(0, columns - 1).trimEnd()}…`;
  let width = 0;
  let readChars = 0;
  let prefixChars = 0;
  for (const { grapheme, graphemeWidth } of graphemes(text)) {
    width += graphemeWidth;
    if (width > columns) return `${text.slice(0, prefixChars).trimEnd()}…`;
    readChars += grapheme.length;
    if (width < columns) prefixChars = readChars;
  }
  return text;
}

export const padEnd = (text: string, columns: number): string =>
  ASCII.test(text) ? text.padEnd(columns) : text + ' '.repeat(Math.max(0, columns - textWidth(text)));
export const padStart = (text: string, columns: number): string => ' '.repeat(Math.max(0, columns - textWidth(text))) + text;

/**
 * Broken at blanks; Chinese anywhere but before a mark that closes and behind one that opens, a word longer than a line in itself. The name of
 * the program stays with the word that says what it is to do.
 */
export const wrap = (text: string, columns: number): readonly string[] =>
  text
    .replaceAll('\t', '  ')
    .split('\n')
    .flatMap((line) => wrapRanges(line.replaceAll('sanbot ', 'sanbot\u00a0'), columns).map(({ start, end }) => line.slice(start, end)));

export const wrapIndented = (text: string, columns: number): readonly string[] =>
  text.split('\n').flatMap((line) => {
    const indent = /^ */.exec(line)?.[0] ?? '';
    return wrap(line.slice(indent.length), Math.max(MIN_INDENTED_COLUMNS, columns - indent.length)).map((row) => (indent + row).trimEnd());
  });

const MIN_INDENTED_COLUMNS = 16;

/** From where to where each row of a line goes; the blanks between two rows are in none. */
export function wrapRanges(line: string, columns: number): readonly { readonly start: number; readonly end: number }[] {
  const width = Math.max(2, columns);
  if (textWidth(line) <= width) return [{ start: 0, end: line.length }];
  const rows: { readonly start: number; readonly end: number }[] = [];
  let start = 0;
  let end = 0;
  let filled = 0;
  for (const word of wordsOf(line, width)) {
    const isEmpty = end === start;
    if (word.isBlank && isEmpty && rows.length > 0) {
      // Blanks at the beginning of the line are its indent; at the beginning of a later row they are left out.
      start = end = word.end;
      filled = 0;
    } else if (word.isBlank) filled += word.width;
    else if (filled + word.width <= width) {
      end = word.end;
      filled += word.width;
    } else {
      if (!isEmpty) rows.push({ start, end });
      ({ start, end, width: filled } = word);
    }
  }
  return end > start || rows.length === 0 ? [...rows, { start, end }] : rows;
}

/** Where the last word of a line begins, which more text may make longer. */
export function lastWordStart(line: string, columns: number): number {
  let last = 0;
  for (const { start, end, isBlank } of wordsOf(line, Math.max(2, columns))) last = isBlank ? end : start;
  return last;
}

type Word = { readonly start: number; readonly end: number; readonly width: number; readonly isBlank: boolean };

/** Marks that no row begins with, and marks that no row ends with. */
const CLOSING = new Set('、。，．：；？！」』】）》〉〕］｝”’…—～・ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョ,.:;?!)]}%');
const OPENING = new Set('「『【（《〈〔［｛“‘([{');

/** Words, blanks, and single wide characters with the marks that belong to them; a word longer than a line in pieces as long as one. */
function* wordsOf(line: string, columns: number): Generator<Word> {
  // Of the word that has begun: nothing is made for a character, since a line may have very many.
  let start = 0;
  let end = 0;
  let width = 0;
  let isBlank = false;
  let last = '';
  let isLastWide = false;
  for (const { grapheme, graphemeWidth } of graphemes(line)) {
    // A letter of an Indian script with its vowel is two columns wide too, but part of a word.
    const isWide = graphemeWidth >= 2 && !SPACING_MARK.test(grapheme);
    const mayBreak = grapheme === ' ' || ((isWide || isLastWide) && !CLOSING.has(grapheme) && !OPENING.has(last));
    if (end > start && (mayBreak || isBlank || width + graphemeWidth > columns)) {
      yield { start, end, width, isBlank };
      start = end;
      width = 0;
    }
    end += grapheme.length;
    width += graphemeWidth;
    isBlank = grapheme === ' ';
    last = grapheme;
    isLastWide = isWide;
  }
  if (end > start) yield { start, end, width, isBlank };
}

const SPACING_MARK = /\p{Spacing_Mark}/u;

type Grapheme = { readonly grapheme: string; readonly graphemeWidth: number };

/** Each with its width, which is measured once for all that are equal: one measurement takes some microseconds. */
export function* graphemes(text: string): Generator<Grapheme> {
  const widths = new Map<string, number>();
  let from = 0;
  while (from < text.length) {
    // Most text needs no segmenter: 20,000 characters take it 30 ms on Node 20.
    const width = simpleWidth(text.charCodeAt(from));
    if (width > 0 && (from + 1 === text.length || simpleWidth(text.charCodeAt(from + 1)) > 0)) {
      yield { grapheme: text.charAt(from), graphemeWidth: width };
      from += 1;
      continue;
    }
    const end = endOfComplex(text, from);
    for (const stretch of stretches(text.slice(from, end))) {
      for (const { segment } of graphemeSegmenter().segment(stretch)) {
        const graphemeWidth = widths.get(segment) ?? stringWidth(segment);
        widths.set(segment, graphemeWidth);
        yield { grapheme: segment, graphemeWidth };
      }
    }
    from = end;
  }
}

/** Where two characters follow each other of which each is a grapheme of its own; the first of them ends what has to be segmented. */
function endOfComplex(text: string, from: number): number {
  let end = from + 1;
  while (end < text.length && (simpleWidth(text.charCodeAt(end - 1)) === 0 || simpleWidth(text.charCodeAt(end)) === 0)) end += 1;
  return end;
}

/** The columns of a character that stands for itself beside others of its kind; 0 of any other. */
function simpleWidth(code: number): number {
  if (code >= 0x20 && code <= 0x7e) return 1;
  if (code < 0x3001) return isSimpleSign(code) ? 1 : 0;
  const isWide =
    (code >= 0x4e00 && code <= 0x9fff) ||
    (code >= 0xac00 && code <= 0xd7a3) ||
    (code >= 0x3041 && code <= 0x3096) ||
    (code >= 0x30a1 && code <= 0x30fa) ||
    code <= 0x3002 ||
    (code >= 0xff01 && code <= 0xff5e);
  return isWide ? 2 : 0;
}

const isSimpleSign = (code: number): boolean =>
  (code >= 0xa1 && code <= 0x2ff && code !== 0xad) ||
  (code >= 0x2500 && code <= 0x257f) ||
  (code >= 0x2190 && code <= 0x2193) ||
  [0x2013, 0x2014, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2026, 0x2713, 0x2717].includes(code);

/** Node 20 takes time by the square of a text to find its graphemes: 100,000 Chinese characters in one piece take 16 s and more. */
const LONGEST_STRETCH = 1_000;

/** The text in pieces that end where a grapheme does, unless that is as long as a piece. */
function* stretches(text: string): Generator<string> {
  let from = 0;
  while (text.length - from > LONGEST_STRETCH) {
    const found = graphemeSegmenter().segment(text.slice(from, from + LONGEST_STRETCH));
    const last = found.containing(LONGEST_STRETCH - 1)?.index ?? 0;
    const end = last > 0 ? from + last : from + LONGEST_STRETCH;
    yield text.slice(from, end);
    from = end;
  }
  yield text.slice(from);
}

let shared: Intl.Segmenter | undefined;
export const graphemeSegmenter = (): Intl.Segmenter => {
  shared ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  return shared;
};

/** A command to copy stays on one row, below what leads to it where both have no room on one. */
export const besideOrBelow = (lead: string, command: string, columns: number): string =>
  textWidth(lead + command) <= columns ? lead + command : `${lead.trimEnd()}\n${command}`;
