import type { Secret } from './secret.ts';

/** A search that marks what it found colours the words of the first line. */
const COLOUR = String.raw`\x1b\[[\d;]{0,20}[mK]`;

/** The first line of a private key, and that of a key file of PuTTY. */
export const PRIVATE_KEY = new RegExp(
  `-----BEGIN (?:[A-Z0-9 ]|${COLOUR}){0,60}PRIVATE(?:${COLOUR}){0,4} (?:${COLOUR}){0,4}KEY|PuTTY-User-Key-File-\\d`,
);
const EACH_KEY = new RegExp(PRIVATE_KEY, 'g');

/** Whether a text may hold one: the search for it costs more. */
export const mayHoldPrivateKey = (text: string): boolean => text.includes('PRIVATE') || text.includes('PuTTY-User-Key-File-');

/** Without an end, the rest of the text. */
export function privateKeys(text: string): readonly Secret[] {
  const secrets: Secret[] = [];
  let at = 0;
  for (const { index: start, 0: line } of text.matchAll(EACH_KEY)) {
    if (start < at) continue;
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
