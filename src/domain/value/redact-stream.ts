import { LONGEST_PATTERN_CHARS, redact } from './redact.ts';
import { isEncodedLine } from './secrets/encoded.ts';
import { EACH_KEY, KEY_START_CHARS, privateKeyEnd, startsKey } from './secrets/private-keys.ts';

export type StreamRedactor = {
  readonly push: (piece: string) => string;
  readonly end: () => string;
};

/** A longer line is passed on in parts, cut where no key can go on. */
const MAX_LINE_CHARS = 256 * 1024;

/**
 * Says together what `redact` says of the whole text, however it is cut: a line is held back to its end. What reaches beyond holds back its
 * lines too: a private key, the word before a credential, a login of .netrc, a line that a backslash wraps.
 */
export function createStreamRedactor(): StreamRedactor {
  let held = '';
  let isInKey = false;
  const take = (text: string, isLast: boolean): string => {
    held += text;
    let out = '';
    for (;;) {
      if (isInKey) {
        const close = privateKeyEnd(held, 0);
        if (close === undefined) {
          // The end of a key may itself come in two pieces.
          held = held.slice(-KEY_END_CHARS);
          return out;
        }
        held = held.slice(close);
        isInKey = false;
      }
      const { key, isOpen } = firstKey(held, isLast);
      const before = key === undefined ? held : held.slice(0, key.index);
      const end = isLast || (key !== undefined && !isOpen) ? before.length : safeEnd(before);
      out += redact(held.slice(0, end));
      held = held.slice(end);
      if (key === undefined || isOpen) return out;
      out += '[redacted private key]';
      isInKey = true;
      held = held.slice(key[0].length);
    }
  };
  return { push: (piece) => take(piece, false), end: () => take('', true) };
}

const KEY_END_CHARS = 80;

/** The first line of the first key of a text; open while what follows it, which tells whether it is one, has not come yet. */
function firstKey(text: string, isLast: boolean): { readonly key: RegExpExecArray | undefined; readonly isOpen: boolean } {
  for (const key of text.matchAll(EACH_KEY)) {
    const end = key.index + key[0].length;
    if (startsKey(text, end)) return { key, isOpen: false };
    if (!isLast && text.length - end < KEY_START_CHARS) return { key, isOpen: true };
  }
  return { key: undefined, isOpen: false };
}

/** How much of a text nothing that follows can change. */
function safeEnd(text: string): number {
  const line = text.lastIndexOf('\n') + 1;
  if (text.length - line > MAX_LINE_CHARS) {
    const last = text.length - LONGEST_PATTERN_CHARS;
    const blank = Math.max(...[' ', '\t', ';', ','].map((sign) => text.lastIndexOf(sign, last)));
    return blank > line ? blank : last;
  }
  let end = line;
  for (let from = encodedStart(text, end); from < end && text.length - from < LONGEST_PATTERN_CHARS; from = encodedStart(text, end))
    end = from;
  for (let lines = 0; lines < MAX_HELD_LINES; lines++) {
    const before = text.slice(Math.max(0, end - LOGIN_CHARS), end);
    const word = SCHEME_END.exec(before) ?? LOGIN_END.exec(before) ?? WRAP_END.exec(before);
    if (word === null) break;
    const start = end - word[0].length;
    end = start === 0 ? 0 : text.lastIndexOf('\n', start - 1) + 1;
  }
  return end;
}

/** Where the line before a line begins if it is base64 or hexadecimal digits, which the next line may go on with; else where that begins. */
function encodedStart(text: string, lineStart: number): number {
  const start = lineStart === 0 ? 0 : text.lastIndexOf('\n', lineStart - 2) + 1;
  return isEncodedLine(text.slice(start, lineStart).trimEnd()) ? start : lineStart;
}

/** A login of .netrc has no more, nor has anything else that is held back. */
const MAX_HELD_LINES = 8;
const LOGIN_CHARS = 300;
const SCHEME_END = /(?:Bearer|bearer|BEARER|Basic|Token)\s{0,4}$/;
/** A token may go on in the next line. */
const WRAP_END = /\\\r?\n$/;
const LOGIN_END = /(?:(?:machine|login|account)[ \t]+\S{1,255}|default)\s{1,20}$/;
