import type { Secret } from './secret.ts';

const PRIVATE_KEY_START = '-----BEGIN ';
/** A search that marks what it found colours the words of the first line. */
const COLOUR = String.raw`\x1b\[[\d;]{0,20}[mK]`;

/** The first line of a private key. */
export const PRIVATE_KEY = new RegExp(`-----BEGIN (?:[A-Z0-9 ]|${COLOUR}){0,60}PRIVATE(?:${COLOUR}){0,4} (?:${COLOUR}){0,4}KEY`);

/** Without an end, the rest of the text. */
export function privateKeys(text: string): readonly Secret[] {
  const secrets: Secret[] = [];
  let at = 0;
  for (let start = text.indexOf(PRIVATE_KEY_START); start !== -1; start = text.indexOf(PRIVATE_KEY_START, at)) {
    at = start + PRIVATE_KEY_START.length;
    if (PRIVATE_KEY.exec(text.slice(start, start + 200))?.index !== 0) continue;
    at = privateKeyEnd(text, start) ?? text.length;
    secrets.push({ start, end: at, kind: 'private key' });
  }
  return secrets;
}

/** Where a private key that has begun ends; undefined when it does not. */
export function privateKeyEnd(text: string, from: number): number | undefined {
  const end = text.indexOf('-----END ', from);
  const close = end === -1 ? -1 : text.indexOf('-----', end + 9);
  return close === -1 ? undefined : close + 5;
}
