import type { Secret } from './secret.ts';
import { isMadeOfWords } from './words.ts';

/** A search that marks what it found colours the words of the first line. */
const COLOUR = String.raw`\x1b\[[\d;]{0,20}[mK]`;

/** The first line of a private key, and that of a key file of PuTTY. */
const PRIVATE_KEY = new RegExp(
  `-----BEGIN (?:[A-Z0-9 ]|${COLOUR}){0,60}PRIVATE(?:${COLOUR}){0,4} (?:${COLOUR}){0,4}KEY|PuTTY-User-Key-File-\\d`,
);
export const EACH_KEY = new RegExp(PRIVATE_KEY, 'g');

/** Whether a text of these characters, each cut to a byte, may hold one: the search for it costs more. */
export const mayHoldPrivateKey = (codes: Buffer): boolean => codes.includes('PRIVATE') || codes.includes('PuTTY-User-Key-File-');

/** What stands between the first line and the key: line ends, signs of a text in code, lines such as `Proc-Type: 4,ENCRYPTED`. */
const BETWEEN = [
  /[\s"'+,;>#*|.\u200b-\u200f-]/.source,
  /\\(?![nrt])/.source,
  /\\[nrt]/.source,
  COLOUR,
  /[A-Za-z][\w-]{2,24}: [^\n\\]{1,200}(?:\n|\\n)/.source,
].join('|');
const BODY = new RegExp(`(?: BLOCK)?(?:${BETWEEN}){0,200}([A-Za-z0-9+/=]{10,64})`, 'y');

/** How much behind a first line says whether a key follows, or code that names the line. */
export const KEY_START_CHARS = 1024;

/** True where a key follows the first line that ends at `at`. */
export function startsKey(text: string, at: number): boolean {
  if (text.charAt(at - 2) === '-') return true;
  BODY.lastIndex = at;
  const body = BODY.exec(text)?.[1];
  return body !== undefined && !isMadeOfWords(body);
}

/** Without an end, the rest of the text. */
export function privateKeys(text: string): readonly Secret[] {
  const secrets: Secret[] = [];
  let at = 0;
  for (const { index: start, 0: line } of text.matchAll(EACH_KEY)) {
    if (start < at || !startsKey(text, start + line.length)) continue;
    at = privateKeyEnd(text, start + line.length) ?? text.length;
    secrets.push({ start, end: at, kind: 'private key' });
  }
  return secrets;
}

/** What the last line of a key file of PuTTY begins with; a checksum follows. */
const MAC = 'Private-MAC: ';

/** Where a private key that has begun ends; undefined when it does not. */
export function privateKeyEnd(text: string, from: number): number | undefined {
  const end = text.indexOf('-----END ', from);
  const close = end === -1 ? -1 : text.indexOf('-----', end + 9);
  const mac = text.indexOf(MAC, from);
  const hex = mac === -1 || (close !== -1 && close < mac) ? null : /[0-9a-f]{20,128}(?=[^0-9a-f])/.exec(text.slice(mac, mac + 200));
  if (hex !== null) return mac + hex.index + hex[0].length;
  return close === -1 ? undefined : close + 5;
}
