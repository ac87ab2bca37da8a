import type { Bilingual } from '../domain/language.ts';
import { quantity } from './tool.ts';

export type PageRange = {
  /** First line, counted from 1. */
  readonly offset?: number | undefined;
  /** The most lines. */
  readonly limit?: number | undefined;
  /** First character, counted from 0 in UTF-16 units; replaces `offset`. */
  readonly charOffset?: number | undefined;
};

/** The most room that the first line of a page of an offloaded body needs. */
export const BODY_HEAD_CHARS = 300;

/** Returns how many characters of a text fit on a page below its first lines. */
export const pageRoom = ({ pageChars }: { readonly pageChars: number }, headChars: number): number => Math.max(100, pageChars - headChars);

/** A piece of a text. Lines count from 1 and end only at a line feed; characters count from 0. */
export type Page = {
  readonly kind: 'page';
  readonly text: string;
  readonly firstLine: number;
  readonly lastLine: number;
  readonly firstChar: number;
  /** The position after the last character. */
  readonly endChar: number;
  /** Where to go on: at the next line or, when a line was cut, at the next character. Undefined at the end. */
  readonly next: { readonly offset: number } | { readonly charOffset: number } | undefined;
};
export type PastEnd = { readonly kind: 'past_end'; readonly lines: number; readonly chars: number };

export const pastEndText = ({ lines, chars }: PastEnd, it: Bilingual = { en: 'it', zh: '它' }): Bilingual => ({
  en: `that is past the end; ${it.en} has ${quantity(lines, 'line')}, ${quantity(chars, 'character')}`,
  zh: `超出了末尾；${it.zh}有 ${lines} 行、${chars} 个字符`,
});
export const PAST_END: Bilingual = { en: 'past the end', zh: '超出末尾' };

export const ONE_OFFSET: Bilingual = { en: 'give offset or char_offset, not both', zh: '请给出 offset 或 char_offset，不能两者都给' };

/** The arguments that go on after a page. */
export const continuation = (next: NonNullable<Page['next']>): string =>
  'offset' in next ? `offset=${next.offset}` : `char_offset=${next.charOffset}`;

/**
 * Returns the requested lines (or characters), at most `maxChars` characters of them, but always at least one, so that reading on comes to
 * an end. Consists of whole lines where one fits; a longer line is cut, never inside a character. The pages reached through `next`, joined,
 * are the text.
 */
export function pageOf(text: string, range: PageRange, maxChars: number): Page | PastEnd {
  const start = range.charOffset === undefined ? startOfLine(text, range.offset ?? 1) : startOfChar(text, range.charOffset);
  const atStart = start === 0 && (range.charOffset ?? 0) === 0 && (range.offset ?? 1) === 1;
  if (start === undefined || (start >= text.length && !atStart)) return { kind: 'past_end', lines: countLines(text), chars: text.length };
  const rangeEnd = range.limit === undefined ? text.length : endOfLines(text, start, range.limit);
  const end = rangeEnd - start <= maxChars ? rangeEnd : cutBefore(text, start, maxChars);
  const pageText = text.slice(start, end);
  const firstLine = range.charOffset === undefined ? (range.offset ?? 1) : 1 + newlines(text.slice(0, start));
  const lastLine = Math.max(firstLine, firstLine + countLines(pageText) - 1);
  const lineEnded = pageText.endsWith('\n');
  const next = end >= text.length ? undefined : lineEnded ? { offset: lastLine + 1 } : { charOffset: end };
  return { kind: 'page', text: pageText, firstLine, lastLine, firstChar: start, endChar: end, next };
}

/** A line feed at the very end starts no further line. */
export function countLines(text: string): number {
  return text === '' ? 0 : newlines(text) + (text.endsWith('\n') ? 0 : 1);
}

function newlines(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

function startOfLine(text: string, line: number): number | undefined {
  let start = 0;
  for (let at = 1; at < line; at++) {
    start = text.indexOf('\n', start) + 1;
    if (start === 0) return undefined;
  }
  return start;
}

/** A position inside a surrogate pair moves to the start of the pair. */
const startOfChar = (text: string, at: number): number => (splitsPair(text, at) ? at - 1 : at);

function endOfLines(text: string, start: number, lines: number): number {
  let end = start;
  for (let i = 0; i < lines; i++) {
    end = text.indexOf('\n', end) + 1;
    if (end === 0) return text.length;
  }
  return end;
}

/** Cuts after the last whole line that fits; when not even one fits, inside the line. */
function cutBefore(text: string, start: number, maxChars: number): number {
  const line = text.lastIndexOf('\n', start + maxChars - 1) + 1;
  if (line > start) return line;
  const at = start + Math.max(1, maxChars);
  if (!splitsPair(text, at)) return at;
  return at - 1 > start ? at - 1 : at + 1;
}

function splitsPair(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length) return false;
  const before = text.charCodeAt(at - 1);
  const after = text.charCodeAt(at);
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}
