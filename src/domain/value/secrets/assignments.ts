import { isOneOf } from '../word-list.ts';
import type { Searched, Secret } from './secret.ts';
import { divided, isSecretValue } from './values.ts';

const namesOne = isOneOf(
  /(?:password|passwd|passphrase|apikey|secretkey|accesskey|authtoken)$/i,
  /(?:^|[_-])(?:pwd|secret|token|credentials?)$/i,
  /(?:^|[_-])(?:api|access|private|account|secret|encryption|signing|master|shared|auth)[_-]?key$/i,
  /(?:^|[_-])(?:consumer|sdk|subscription|webhook|hubspot|intercom|mailgun|rapidapi|messagebird|beamer|etsy|private-ai)[_-]?key$/i,
  /(?:^|[_-])secret[_-]key[_-]base$|[a-z]_pass$/i,
  /^(?:PGPASS|SSHPASS|[A-Z_]*_PASS|REDISCLI_AUTH|_auth|CF_Key|X-Amz-Signature|X-Goog-Signature)$/,
);
/** What goes on in a list or reports on a call opens nothing. */
const NAMES_PLACE = /(?:page|next|continuation|progress|sync|cancellation)[_-]?token$/i;
const isSecretName = (name: string): boolean => namesOne(name) && !NAMES_PLACE.test(name);
const NAME_CHARS = 60;
const MIN_VALUE_CHARS = 6;
const VALUE = /[ \t]{0,4}("[^"\n]{4,400}"|'[^'\n]{4,400}'|[^\s"',;&<>()[\]{}`\0]{6,400})/y;

/** What stands behind this is the name of a secret at AWS, and not its value. */
const ARN = /\barn:[\w-]{2,20}:secretsmanager:[^\s:]{0,60}:[^\s:]{0,60}:secret$/;
const MAX_ARN_CHARS = 200;

/** The signs behind which a value may begin. */
export const VALUE_SIGNS = ':=';

/** What names are made of, and what may stand before a sign. */
const NAME = 1;
const BETWEEN = 2;
const classes = new Uint8Array(256);
for (let code = 0; code < 128; code++) if (/[\w-]/.test(String.fromCharCode(code))) classes[code] = NAME;
for (const blank of ' \t"\'') classes[blank.charCodeAt(0)] = BETWEEN;

/** The last three letters of the names, five bits of each: few other names end so. */
const tails = new Uint8Array(1 << 15);
for (const tail of ['ord', 'swd', 'pwd', 'ase', 'key', 'ken', 'ret', 'als', 'ass', 'uth', 'ure']) tails[tailOf(Buffer.from(tail), 3)] = 1;

function tailOf(codes: Uint8Array, end: number): number {
  return (((codes[end - 3] ?? 0) & 31) << 10) | (((codes[end - 2] ?? 0) & 31) << 5) | ((codes[end - 1] ?? 0) & 31);
}

const classOf = (codes: Uint8Array, at: number): number => classes[codes[at] ?? 0] ?? 0;

/** True for a sign before which a name ends as those of secrets do. */
export const maySetSecret = (codes: Buffer, sign: number): boolean => tails[tailOf(codes, nameEnd(codes, sign))] !== 0;

/**
 * The values behind signs that may set a secret, where the name before it is that of one; the name stays. `known` are secrets that are none of
 * these.
 */
export function assignments(searched: Searched, signs: readonly number[], known: readonly Secret[]): readonly Secret[] {
  const { text, codes } = searched;
  const secrets: Secret[] = [];
  let next = 0;
  let after = 0;
  for (const index of signs) {
    const end = nameEnd(codes, index);
    for (; (known[next]?.end ?? text.length) <= index; next++) after = known[next]?.end ?? after;
    const following = known[next]?.start ?? text.length;
    const name = index < after || following <= index ? '' : nameBefore(searched, end);
    if (!isSecretName(name) || (name === 'secret' && ARN.test(text.slice(Math.max(0, end - MAX_ARN_CHARS), end)))) continue;
    const value = valueAfter(text, { name, end, index }, following);
    if (value === undefined) continue;
    secrets.push({ ...value, kind: 'value' });
    after = value.end;
  }
  return secrets;
}

type Named = { readonly name: string; readonly end: number; readonly index: number };

/** The value behind a sign, which ends before `following`. */
function valueAfter(text: string, named: Named, following: number): Pick<Secret, 'start' | 'end'> | undefined {
  const { index } = named;
  VALUE.lastIndex = text.charAt(index + 1) === '>' ? index + 2 : index + 1;
  const found = VALUE.exec(text)?.[1];
  if (found === undefined) return undefined;
  const start = VALUE.lastIndex - found.length;
  const quote = /^["']/.test(found) ? 1 : 0;
  const value = quote === 1 ? found : found.slice(0, Math.max(0, following - start));
  const end = start + value.length;
  if (end > following || value.length < MIN_VALUE_CHARS) return undefined;
  const bare = value.slice(quote, value.length - quote);
  const around = `${text.slice(named.end, start)} ${text.slice(end, end + 1)}`;
  return isSecretValue({ name: named.name, bare, isQuoted: quote === 1, around }) ? { start: start + quote, end: end - quote } : undefined;
}

/** Where the word ends that stands before `at`: blanks and a closing quote may be in between. */
function nameEnd(codes: Uint8Array, at: number): number {
  let end = at;
  while (end > 0 && at - end < 6 && classOf(codes, end - 1) === BETWEEN) end -= 1;
  return end;
}

function nameBefore({ text, codes }: Searched, end: number): string {
  let start = end;
  while (start > 0 && end - start < NAME_CHARS && classOf(codes, start - 1) === NAME) start -= 1;
  return divided(text.slice(start, end));
}

/** True for the name of a variable, a field or an option that holds a secret. */
export const namesSecret = (name: string): boolean => isSecretName(divided(name));
