import { isOneOf } from '../word-list.ts';
import { isPlaceholder, type Searched, type Secret } from './secret.ts';
import { isMadeOfWords } from './words.ts';

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
for (const tail of ['ord', 'swd', 'pwd', 'ase', 'key', 'ken', 'ret', 'als', 'ass', 'uth', 'ure', 'lue'])
  tails[tailOf(Buffer.from(tail), 3)] = 1;

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
  const name = text.slice(start, end);
  const named = /^value$/i.test(name) ? NAMED_BEFORE.exec(text.slice(Math.max(0, start - MAX_NAMED_CHARS), start))?.[1] : undefined;
  return divided(named ?? name);
}

/** In lists of settings the name stands in a field of its own, right before that of the value. */
const NAMED_BEFORE = /\b(?:key|name)["']?\s{0,4}[:=]\s{0,4}["']?([\w.-]{1,60})["']?,?\s{1,40}["']?$/i;
const MAX_NAMED_CHARS = 140;

/** True for the name of a variable, a field or an option that holds a secret. */
export const namesSecret = (name: string): boolean => isSecretName(divided(name));

/** A value that was assigned: the name that it has, whether it stands in quotes, and if not, the sign before it and what follows it. */
export type Value = { readonly name: string; readonly bare: string; readonly isQuoted: boolean; readonly around: string };

/** Whether what is assigned to `password` or `token` is a secret. A password may be a word with a digit; a key is not made of words. */
export function isSecretValue({ name, bare, isQuoted, around }: Value): boolean {
  if (isPlaceholder(bare) || isNoValue(bare) || isCode(bare) || isPath(bare) || standsForPassword(bare) || isNameOf(bare, name))
    return false;
  if (!isQuoted && !isBareSecret(bare, around)) return false;
  if (!isQuoted && isEnvironment(name, around)) return !isNameOfField(bare);
  return isPasswordName(name) ? isPassword(bare) : isKey(bare) && !isAlgorithm(bare);
}

const isPasswordName = isOneOf(/(?:pass|passwd|password|passphrase|pwd|PGPASS|SSHPASS|REDISCLI_AUTH)$/i);

/** `DB_TOKEN=abc`, as a shell and an .env file have it: what follows is no name of a variable. */
const isEnvironment = (name: string, around: string): boolean => /^[A-Z][A-Z\d_]*$/.test(name) && /^=\S* /.test(around);

const LEAST_KEY_CHARS = 6;
/** Without a digit only what is long can be told from a name. */
const LEAST_LETTERS = 10;

export function isKey(bare: string): boolean {
  if (bare.length < LEAST_KEY_CHARS || /\s/.test(bare) || isMadeOfWords(bare)) return false;
  return /\d/.test(bare) || (bare.length >= LEAST_LETTERS && /[A-Z]/.test(bare) && /[a-z]/.test(bare));
}

/** A word of any language is the text of a field: `"password": "Wachtwoord"`. */
function isPassword(bare: string): boolean {
  if (/\s/.test(bare) || isNameOfField(bare)) return false;
  if (/\d/.test(bare)) return true;
  return !/^[\p{L}\p{M}\p{N}_:./\\-]*[\p{P}\p{S}]?$/u.test(bare) || (bare.length >= LEAST_LETTERS && isKey(bare));
}

const DESCRIBES = /pass|pwd|secret|token|key|field|input|user|auth|cred|login|param|value|salt/i;

/** `new_password_1`, `#password-field2`: words of which one says what it is called. */
const isNameOfField = (bare: string): boolean => /[_.#/-]/.test(bare) && DESCRIBES.test(bare) && isMadeOfWords(bare);

/** What says that there is none, the name of a type, a number, and the version of a package that is called after a secret. */
const isNoValue = isOneOf(
  /^(?:none|null|nil|undefined|true|false|unset|typeof|function|string)$/i,
  /^(?:\w{0,20}Array|0x[\da-fA-F]{1,8})$/,
  /^[=~^<>!]{0,2}[vT]?\d{1,6}(?:\.\d{1,6}){1,3}(?:[+-][\w.]{0,20})?$/,
  /^\d*\.\d+[a-z]{0,4}$|^(?:\\x[\da-f]{2})+$|\.{3}$/i,
);

const ALGORITHMS: ReadonlySet<string> = new Set(
  [
    'rsa dsa ecdsa aes sha hmac pkcs camellia aria ffdhe ml-kem mlkem ml-dsa mldsa slh-dsa slhdsa',
    'oauth1 oauth2 mt19937 mt19937_64 ed25519 ed448 x25519 x448',
    'hs256 hs384 hs512 rs256 rs384 rs512 es256 es384 es512 ps256 ps384 ps512 p-256 p-384 p-521 p256 p384 p521',
  ].flatMap((line) => line.split(' ')),
);
const SIZE = /[-_]?\d{1,5}(?:[-_](?:gcm|cbc|ctr|ecb|xts|wrap|\d{1,4}))?$/;
const CURVE = /^(?:[a-z]{1,12}_){0,3}(?:brainpoolp|c2[pt]nb|sec[pt]|prime)\d{3}[rtkvw]\d$/;

/** `RSA-2048`, `PKCS-12`, `mt19937`, `ALICE_cf_secp112r1`. */
function isAlgorithm(value: string): boolean {
  if (value.length > 60 || !/\d/.test(value)) return false;
  const said = value.toLowerCase();
  return ALGORITHMS.has(said) || ALGORITHMS.has(said.replace(SIZE, '')) || CURVE.test(said);
}

/** Part of an expression, a format, a call or a reference, an element of a template. */
const isCode = isOneOf(
  /\.\w+\($|^\+\w+[.(]|\{[\w\s.-]*\}|^[a-z]:\w+$|%[sdv](?![\da-f])|::|=>|&&|\|\|/,
  /^\s*[+.]\s*[A-Za-z_][\w.]*\s*[+.]\s*$/,
  /^[A-Za-z_]\w*(?:(?:\.|->|::)[A-Za-z_]\w*)+[;,]?$/,
  /^[A-Za-z_]\w*\[-?\w+\](?:\.[A-Za-z]\w*)+$|^[^\w]*$/,
);

/** A file, an address without a login. The parts of a path are short, other than what was generated and has a slash in it. */
const isFile = isOneOf(/^(?:~|\.{1,2}|[A-Za-z]:)?[/\\](?:[\w.@:-]{0,16}[/\\])*[\w.@:-]{0,16}$/, /^[a-z][a-z\d+.-]{1,11}:\/\/|^arn:/i);

const isPath = (value: string): boolean => isFile(value) || (value.includes('/') && isMadeOfWords(value));

const STANDS: ReadonlySet<string> = new Set(
  [
    'pass passwd password passphrase passwort pwd pw pword secret token key user username guest test admin root postgres mysql foo bar baz',
    'example changeme change_me change-me redacted removed hidden masked',
  ].flatMap((line) => line.split(' ')),
);
const BEFORE_IT = /^(?:my|your|the|some|new|old|user|test|db|example|dummy|fake|super|top)[_-]?/;

/** What documentation and tests call a password that is none. */
export function standsForPassword(value: string): boolean {
  if (value.length > 40) return false;
  const said = value.toLowerCase();
  return STANDS.has(said) || STANDS.has(said.replace(BEFORE_IT, '')) || /^(?:x+|\*+|\.+)$/.test(said);
}

/** `REFRESH_TOKEN = 'refresh_token'`. */
const isNameOf = (value: string, name: string): boolean =>
  value.length <= name.length && divided(name).toLowerCase().endsWith(divided(value).toLowerCase());

/** Without quotes it must not look like code (`token: string`, `key = keys[0]`). `around`: the sign, a blank, what follows. */
function isBareSecret(value: string, around: string): boolean {
  if (/^[*&@:]+[A-Za-z_]\w*:?$/.test(value) || /[([]$/.test(around)) return false;
  const isName = /^[A-Za-z_]\w*$/.test(value);
  const isSpaced = /^[ \t]|=[ \t]/.test(around.slice(0, -2));
  // A name in quotes before a value without them is code: JSON has no such value.
  const isInCode = isSpaced || /^["']/.test(around);
  if (isName && ((isInCode && DESCRIBES.test(value)) || (/[,)]$/.test(around) && (DESCRIBES.test(value) || isMadeOfWords(value)))))
    return false;
  if (/-$/.test(value) && around.endsWith('>')) return false;
  if (/\d/.test(value)) return !/^[\d_]+$/.test(value);
  if (!around.includes('=') || isSpaced || /[,)]$/.test(around)) return false;
  return !/^[a-z]+[A-Z]|^[A-Z_]+$|\./.test(value);
}

/** `accessToken` as `access_Token`. */
export const divided = (name: string): string => name.replace(/([a-z])([A-Z])/g, '$1_$2');
