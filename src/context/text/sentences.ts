/**
 * The ground of the room: sentences, passages, quotations and secrets in text of any kind and origin, in English, Chinese and a mix of both.
 *
 * Text comes in, and sentences, judgements and safe text come out. `redact` leaves nothing of what looks like a secret, and `quoteText`
 * leaves nothing that could open or close a frame of ours.
 *
 * Every function is total for hostile input and takes time linear in its length: no pattern repeats inside a repetition, and text is cut
 * between characters. What a text means for a session is for others to say; this folder imports nothing of the room.
 */

import { redact } from '../../domain/value/redact.ts';

/** Longer lines are cut before they are examined: nobody writes such a sentence, but tools print such lines. */
const MAX_LINE_CHARS = 4_000;

/** Somebody's own sentences, each on one line, without fenced code, quoted lines and list markers. English, Chinese or both. */
export function sentencesOf(text: string): readonly string[] {
  return joinWrapped(ownLines(text), stripListMark).flatMap(splitSentences);
}

/** Returns the same sentences, those that begin an item of a numbered list with its number. */
export function numberedSentencesOf(text: string): readonly string[] {
  return joinWrapped(ownLines(text), (line) => (/^\d/.test(line) ? line : stripListMark(line))).flatMap(splitSentences);
}

/** Returns the lines outside fenced code and quotes. A fence that is never closed runs to the end. */
export function ownLines(text: string): readonly string[] {
  const lines: string[] = [];
  let fence: string | undefined;
  for (const raw of text.split('\n')) {
    const line = raw.slice(0, MAX_LINE_CHARS).trim();
    const mark = line.startsWith('```') ? '```' : line.startsWith('~~~') ? '~~~' : undefined;
    if (fence !== undefined) {
      if (mark === fence) fence = undefined;
    } else if (mark !== undefined) {
      fence = mark;
    } else if (!line.startsWith('>')) {
      lines.push(line);
    }
  }
  return lines;
}

/** Returns the text on one line of at most `maxChars` UTF-16 units; a longer one is cut between characters and ends in an ellipsis. */
export function oneLine(text: string, maxChars: number): string {
  const line = cutAt(text, maxChars * 4)
    .replace(/\s+/g, ' ')
    .trim();
  const isComplete = text.length <= maxChars * 4;
  if (isComplete && line.length <= maxChars) return line;
  return `${cutAt(line, maxChars - 1).trimEnd()}…`;
}

/** Returns the first `chars` UTF-16 units, one less where the cut would split a character in two. */
export function cutAt(text: string, chars: number): string {
  if (text.length <= chars) return text;
  const at = text.charCodeAt(chars - 1);
  return text.slice(0, at >= 0xd800 && at <= 0xdbff ? chars - 1 : chars);
}

export function isChinese(text: string): boolean {
  let han = 0;
  let words = 0;
  let inWord = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const letter = (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);
    if (letter && !inWord) words += 1;
    inWord = letter;
    if (code >= 0x4e00 && code <= 0x9fff) han += 1;
  }
  return han > words;
}

export const isShortAnswer = (text: string): boolean => text.trim().length <= (isChinese(text) ? 50 : 150);

/** True for output of a program that somebody pasted (logs, records, tables); false for what a person writes. */
export function looksLikeOutput(line: string): boolean {
  if (line.length < 40) return false;
  if (/^(?:[{<|]|\[\{|\d{4}-\d\d-\d\d[T ]|\[?\w{3}\s{1,3}\d{1,2} \d\d:\d\d)/.test(line)) return true;
  const prose = line.replace(/https?:\/\/\S+/g, '').replace(/`[^`]*`/g, '');
  const letters = prose.replace(/[^A-Za-z\u4e00-\u9fff ,]/g, '').length;
  return prose.length > 40 && letters < prose.length * 0.75;
}

export const isImport = (line: string): boolean => IMPORT.some((pattern) => pattern.test(line.trim().slice(0, 300)));

const IMPORT = [
  /^(?:import\b|from \S+ import\b|#include|use [\w:]+::|package |require\()/,
  /^(?:[\w.]+ )?"[\w./@-]+"$|\brequire\(["'][^"']+["']\);?$/,
  /^export .{1,200} from ["'][^"']+["'];?$/,
];

const LIST_MARK = /^(?:[-*]\s+|[•·]\s*|\d{1,3}[.)]\s+|\d{1,3}、\s*|[(（]\d{1,3}[)）]\s*|#{1,6}\s+|\[[ xX]\]\s+)/;

export const isListItem = (line: string): boolean => LIST_MARK.test(line);

/** The mark that begins an item of a list, a number or a dash; undefined for other lines. */
export const listMarkOf = (line: string): string | undefined => LIST_MARK.exec(line)?.[0];

export function stripListMark(line: string): string {
  const once = line.replace(LIST_MARK, '');
  return once.replace(LIST_MARK, '').trim();
}

/** Joins lines wrapped in the middle of a sentence: one of 60 characters or more without an end mark, and a next one in lower case. */
export function joinWrapped(lines: readonly string[], strip: (line: string) => string): readonly string[] {
  const joinedLines: string[] = [];
  let isOpen = false;
  for (const line of lines) {
    if (isOpen && /^[a-z(]/.test(line)) {
      joinedLines[joinedLines.length - 1] = `${joinedLines[joinedLines.length - 1]} ${line}`;
    } else {
      joinedLines.push(isListItem(line) ? strip(line) : line);
    }
    isOpen = line.length >= 60 && /[\w,)'"`]$/.test(line) && (joinedLines.at(-1)?.length ?? 0) < MAX_LINE_CHARS;
  }
  return joinedLines.filter((line) => line !== '');
}

const WIDE_SENTENCE_ENDS = '。！？；';
const SENTENCE_ENDS = '.!?';
const CLOSERS = '"\'`)]}”’」』）】》';
const ABBREVIATIONS = new Set(['e.g', 'i.e', 'etc', 'vs', 'cf', 'approx', 'mr', 'mrs', 'dr', 'st', 'no', 'fig', 'resp']);

const MARK = /[`。！？；.!?]/g;

function nextMark(line: string, from: number): number {
  MARK.lastIndex = from;
  return MARK.test(line) ? MARK.lastIndex - 1 : -1;
}

export function splitSentences(line: string): readonly string[] {
  const parts: string[] = [];
  let start = 0;
  for (let i = nextMark(line, 0); i !== -1; i = nextMark(line, i + 1)) {
    const mark = line.charAt(i);
    if (mark === '`') {
      const close = line.indexOf('`', i + 1);
      if (close !== -1 && close - i <= MAX_CODE_CHARS) i = close;
      continue;
    }
    const wide = WIDE_SENTENCE_ENDS.includes(mark);
    let end = i + 1;
    while (end < line.length && (CLOSERS.includes(line.charAt(end)) || SENTENCE_ENDS.includes(line.charAt(end)))) end += 1;
    if (!wide && end < line.length && line.charAt(end) !== ' ') {
      i = end - 1;
      continue;
    }
    if (mark === '.' && (isAbbreviation(line, i) || /^ ?\d{1,3}$/.test(line.slice(start, i)))) continue;
    if (isOperator(line, i, end)) {
      i = end - 1;
      continue;
    }
    parts.push(line.slice(start, end).trim());
    start = end;
    i = end - 1;
  }
  parts.push(line.slice(start).trim());
  return parts.filter((part) => part !== '');
}

/** Longer stretches between two backticks are not code in a line. */
const MAX_CODE_CHARS = 200;

/** `a ?? b` and `a ? b : c` in the middle of a line: blanks on both sides, and more of the line behind. */
const isOperator = (line: string, at: number, end: number): boolean =>
  line.charAt(at) === '?' && line.charAt(at - 1) === ' ' && end - at <= 2 && end < line.length && line.charAt(end) === ' ';

function isAbbreviation(line: string, dot: number): boolean {
  const space = line.lastIndexOf(' ', dot);
  const word = line.slice(Math.max(space + 1, dot - 8), dot).replace(/^[("'[]/, '');
  return ABBREVIATIONS.has(word.toLowerCase());
}

/** Joins two pieces of text as their script does: behind a Chinese mark no blank. */
export const joinText = (before: string, after: string): string =>
  before === ''
    ? after
    : /[\u3000-\u303f\uff00-\uffef\u4e00-\u9fff”’]$/.test(before) && /^[\u3000-\u303f\uff00-\uffef\u4e00-\u9fff“‘]/.test(after)
      ? `${before}${after}`
      : `${before} ${after}`;

/** The beginning of a text, at most so long, that ends with a whole word; and its end, which begins with one. */
export const wordsFrom = (text: string, chars: number): string =>
  text.length <= chars ? text : cutAt(text, chars).replace(/\s\S{1,60}$/, '');
export const wordsTo = (text: string, chars: number): string =>
  text.length <= chars
    ? text
    : text
        .slice(-chars)
        .toWellFormed()
        .replace(/^\S{1,60}\s/, '');

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

/** Escapes tags that mark tools, roles and our own frames, redacts secrets, and replaces lone surrogates. */
export function quoteText(text: string): string {
  return redact(text.toWellFormed()).replace(FRAME, '&lt;');
}

/** Does the same on one line of at most `maxChars`, with mentions of files in backticks so that nothing expands them again. */
export function quoteLine(text: string, maxChars: number): string {
  // Redacted before it is cut: half a key is not recognised as one.
  return quietMentions(quoteText(oneLine(redact(text.slice(0, maxChars * 8)), maxChars)));
}

const FRAMES = `system system-reminder tool_result tool_results tool_use tool_call tool_calls function_calls function_results function_call invoke
parameter summary conversation earlier_summary instructions user assistant human ledger message`;
const FRAME = new RegExp(`<(?=\\/?[a-z]{0,10}:?(?:${FRAMES.split(/\s/).join('|')})[\\s>/])`, 'gi');

const MENTION = /(^|[\s(（，。：])@([\w./~-]{1,300})/g;

export const quietMentions = (text: string): string =>
  text.replace(MENTION, (match, before: string, path: string) => (/[./]/.test(path) ? `${before}\`@${path}\`` : match));
/** Makes text safe as data inside a frame of ours: no tag in it opens or closes anything, and no secret is left in it. */
export const neutralize = (text: string): string => quoteText(text).replace(/<(?=[/!a-z])/gi, '&lt;');
