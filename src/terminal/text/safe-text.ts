/**
 * Text for a terminal: the filter that makes it safe, widths, wrapping, tables, colours, and how figures and errors are worded. The whole
 * room stands on this folder, and the folder on nothing of the room.
 *
 * Any text comes in, also from files, tools, models and file names. What comes out obeys nothing and hides nothing: each control
 * character is replaced by a visible sign. Widths are columns as a terminal draws them, so that Chinese and emoji keep a table straight.
 *
 * It is pure: no stream, no clock, no terminal. Whoever writes to one calls it first; nothing here can tell whether somebody did.
 */

import { localize } from '../../domain/language.ts';

/**
 * The one filter between any text and the screen. A terminal obeys control characters, so what a file, a tool, a model or a
 * file name contains is shown with each of them replaced by a visible sign: nothing is swallowed, nothing is obeyed, and
 * because every character is judged alone, a sequence that is split over two chunks is as harmless as a whole one.
 * Newlines and tabs stay; CR LF becomes a newline.
 */
export const safeText = (text: string): string => {
  const stream = createSafeStream();
  return stream.write(text) + stream.end();
};

export const safeLine = (text: string): string =>
  PLAIN_LINE.test(text) ? text : safeText(text).replaceAll('\n', '↵').replaceAll('\t', ' ');

/** What a program printed without its colours, which say nothing that is not in the words. */
export const withoutColours = (text: string): string => text.replace(/\u001b\[[\d;:]*m/g, '');

/** For what a person is asked to allow: also tabs, runs of blanks, letters that look like Latin ones and invisible characters are shown. */
export function exactText(text: string): string {
  return safeText(text)
    .replace(invisibleBlanks, (char) => escapeCode(char))
    .replace(strayJoiners, (char) => escapeCode(char))
    .replace(/\p{L}+/gu, (word) => (/[a-zA-Z]/.test(word) ? word.replace(likeLatin, escapeCode).replace(otherScripts, escapeCode) : word))
    .replaceAll('\t', '\\t')
    .replace(/ {9,}/g, spacesText)
    .replace(/ +$/gm, spacesText);
}

const spacesText = ({ length }: string): string =>
  localize({ en: `[${length} space${length === 1 ? '' : 's'}]`, zh: `[${length} 个空格]` });

const PLAIN_LINE = /^[\x20-\x7e]*$/;
const PLAIN = /^[\x20-\x7e\n\t]*$/;

export function createSafeStream() {
  let pending = '';
  let canJoin = false;
  const render = (text: string): string => {
    if (PLAIN.test(text)) {
      canJoin = text === '' ? canJoin : isJoinable(text.slice(-1));
      return text;
    }
    let output = '';
    for (const char of text.replaceAll('\r\n', '\n').toWellFormed()) {
      const keep = isJoiner(char) ? canJoin : !UNSAFE.test(char);
      output += keep ? char : toVisible(char);
      canJoin = keep && isJoinable(char);
    }
    return output;
  };
  return {
    /** The safe form of a chunk; half a character waits for the next one. */
    write: (chunk: string): string => {
      const text = pending + chunk;
      const last = text.charCodeAt(text.length - 1);
      const isIncomplete = last === CR || (last >= 0xd800 && last <= 0xdbff);
      pending = isIncomplete ? text.slice(-1) : '';
      return render(isIncomplete ? text.slice(0, -1) : text);
    },
    end: (): string => {
      const rest = pending;
      pending = '';
      return render(rest);
    },
  };
}

const CR = 0x0d;

/**
 * C0 without tab and newline, DEL, C1, line and paragraph separators, interlinear annotations, and what Unicode lets a terminal ignore (bidirectional
 * controls, invisible and tag characters) but for the selectors that say how an emoji looks.
 */
const UNSAFE = /(?!\t|\n|[\ufe00-\ufe0f])[\p{Cc}\p{Default_Ignorable_Code_Point}\u2028\u2029\ufff9-\ufffb]/u;

/** Joiners build emoji families and Persian or Indic words: kept after such a character, a sign anywhere else. */
const isJoiner = (char: string): boolean => char === '\u200c' || char === '\u200d';
const isJoinable = (char: string): boolean =>
  char > '\u00ff' && /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f|\p{L}|\p{M}/u.test(char);

function toVisible(char: string): string {
  const point = char.codePointAt(0) ?? 0;
  if (point < 0x20) return String.fromCodePoint(0x2400 + point);
  return point === 0x7f ? '␡' : escapeCode(char);
}

function escapeCode(char: string): string {
  const hex = (char.codePointAt(0) ?? 0).toString(16);
  if (hex.length <= 2) return `\\x${hex.padStart(2, '0')}`;
  return hex.length <= 4 ? `\\u${hex.padStart(4, '0')}` : `\\u{${hex}}`;
}

/** Blanks other than the space, and joiners and selectors that `safeText` lets pass. */
const invisibleBlanks = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u2800\u3000]|[\ufe00-\ufe0e]/gu;
const strayJoiners = /[\u200c\u200d](?!\p{Extended_Pictographic})/gu;
const otherScripts = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/gu;
const likeLatin = /[\u00ba\u0131\u0251\u0261\u1d00-\u1dbf\u2100-\u214f\u{1d400}-\u{1d7ff}Ａ-Ｚａ-ｚ]/gu;
