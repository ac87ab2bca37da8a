import { isOneOf } from '../word-list.ts';
import { isPlaceholder, type Searched, type Secret } from './secret.ts';

const isSecretName = isOneOf(
  /(?:password|passwd|passphrase|apikey|secretkey|accesskey|authtoken)$/i,
  /(?:^|[_-])(?:pwd|secret|token|credentials?)$/i,
  /(?:^|[_-])(?:api|access|private|account|secret|encryption|signing|master|shared|auth)[_-]?key$/i,
  /^(?:PGPASS|SSHPASS|[A-Z_]*_PASS|REDISCLI_AUTH|_auth|CF_Key|X-Amz-Signature|X-Goog-Signature)$/,
);
const NAME_CHARS = 60;
const MIN_VALUE_CHARS = 6;
const VALUE = /[ \t]{0,4}("[^"\n]{4,400}"|'[^'\n]{4,400}'|[^\s"',;&<>()[\]{}`\0]{6,400})/y;

/** The signs with which a value begins, what names are made of and their last letters in both cases, and what may stand before a sign. */
const SIGN = 1;
const NAME = 2;
const LAST_LETTER = 3;
const BETWEEN = 4;
const classes = new Uint8Array(256);
for (let code = 0; code < 128; code++) if (/[\w-]/.test(String.fromCharCode(code))) classes[code] = NAME;
for (const sign of ':=') classes[sign.charCodeAt(0)] = SIGN;
for (const letter of 'dentyshDENTYSH') classes[letter.charCodeAt(0)] = LAST_LETTER;
for (const blank of ' \t"\'') classes[blank.charCodeAt(0)] = BETWEEN;
const classOf = (codes: Uint8Array, at: number): number => classes[codes[at] ?? 0] ?? 0;

/** The values after `=` or `:` when the name before it ends like that of a secret; the name stays. `known` are secrets that are none of these. */
export function assignments(searched: Searched, known: readonly Secret[]): readonly Secret[] {
  const { text, codes } = searched;
  const secrets: Secret[] = [];
  let next = 0;
  let after = 0;
  for (let index = 0; index < codes.length; index++) {
    if (classOf(codes, index) !== SIGN) continue;
    const end = nameEnd(codes, index);
    if (classOf(codes, end - 1) !== LAST_LETTER) continue;
    for (; (known[next]?.end ?? text.length) <= index; next++) after = known[next]?.end ?? after;
    const following = known[next]?.start ?? text.length;
    const name = index < after || following <= index ? '' : nameBefore(searched, end);
    if (!isSecretName(name)) continue;
    const value = valueAfter(text, { name, end, index }, following);
    if (value === undefined) continue;
    secrets.push({ ...value, kind: 'value' });
    after = value.end;
  }
  return secrets;
}

/** The name that ends at `end`, and the sign behind it. */
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
  if (isPlaceholder(bare) || isNoValue(bare) || isNameOf(bare, named.name)) return undefined;
  const isSecret = quote === 1 ? !/\s/.test(bare) : isBareSecret(bare, text.slice(named.end, end + 1).replace(bare, ' '));
  return isSecret ? { start: start + quote, end: end - quote } : undefined;
}

/** What says that there is none, the name of a type, a number, and the version of a package that is called after a secret. */
const isNoValue = isOneOf(
  /^(?:none|null|nil|undefined|true|false|unset|typeof|function|string)$/i,
  /^(?:\w{0,20}Array|0x[\da-fA-F]{1,8})$/,
  /^[\^~]?\d{1,4}\.\d{1,4}\.\d[\w.-]{0,20}$/,
);

/** `REFRESH_TOKEN = 'refresh_token'`. */
const isNameOf = (value: string, name: string): boolean =>
  value.length <= name.length && divided(name).toLowerCase().endsWith(divided(value).toLowerCase());

/**
 * Without quotes it must not look like code: `TOKEN=abc123`, not `token: string`, `secret = loadSecret` or `key = keys[0]`. `around` is the
 * sign, a blank for the value, and what follows.
 */
function isBareSecret(value: string, around: string): boolean {
  if (/^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$/.test(value) || /[([]$/.test(around)) return false;
  if (/\d/.test(value)) return !/^\d+$/.test(value);
  if (!around.includes('=') || (/^[ \t]/.test(around) && /^[A-Za-z_]+$/.test(value))) return false;
  return !/^[a-z]+[A-Z]|^[A-Z_]+$|\./.test(value);
}

/** Where the word ends that stands before `at`: blanks and a closing quote may be in between. */
function nameEnd(codes: Uint8Array, at: number): number {
  let end = at;
  while (end > 0 && at - end < 6 && classOf(codes, end - 1) === BETWEEN) end -= 1;
  return end;
}

/** Returns the word that ends at `end`, its parts divided by underscores. */
function nameBefore({ text, codes }: Searched, end: number): string {
  let start = end;
  for (let kind = LAST_LETTER; (kind === NAME || kind === LAST_LETTER) && end - start < NAME_CHARS; kind = classOf(codes, start - 1))
    start -= 1;
  return divided(text.slice(start, end));
}

const divided = (name: string): string => name.replace(/([a-z])([A-Z])/g, '$1_$2');

/** True for the name of a variable, a field or an option that holds a secret. */
export const namesSecret = (name: string): boolean => isSecretName(divided(name));
