import { isSecretValue, namesSecret, standsForPassword } from './assignments.ts';
import { type Finder, groupAt, isPlaceholder, NONE, type Secret } from './secret.ts';
import { isMadeOfWords } from './words.ts';

/** What URLs, HTTP and .netrc say with a secret in it: the words that show it, and what finds it. */
export const credentialFinders: readonly (readonly [words: readonly string[], find: Finder])[] = [
  [['://'], ({ text }, at) => urlLoginAt(text, at)],
  [['Bearer', 'bearer', 'BEARER', 'Basic', 'Token'], ({ text }, at) => schemeAt(text, at)],
  [['authorization', 'Authorization', 'AUTHORIZATION'], ({ text }, at) => authorizationAt(text, at)],
  [['ookie', 'OOKIE'], ({ text }, at) => cookiesAt(text, at + 'ookie'.length)],
  [['TRUE\t', 'FALSE\t'], ({ text }, at) => secretAt(JAR, text, at, 'cookie').filter(isGenerated(text))],
  [['?sig=', '&sig=', ';sig='], ({ text }, at) => secretAt(SIGNATURE, text, at, 'signature')],
  [['machine ', 'machine\t', 'default '], ({ text }, at) => loginAt(text, at)],
  [['password ', 'password\t'], ({ text }, at) => passwordLineAt(text, at)],
  [[':5432:'], ({ text }, at) => secretAt(PGPASS, text, at, 'password').filter(isGenerated(text))],
  [['"auth"'], ({ text }, at) => secretAt(DOCKER_AUTH, text, at, 'password').filter(isLogin(text))],
  [['"kty"'], ({ text }, at) => keyPartsAround(text, at)],
  [['assword>', 'asswd>', 'assphrase>', 'ecret>', 'oken>', 'iKey>', 'sKey>', 'eKey>'], ({ text }, at) => elementAt(text, at)],
];

function secretAt(pattern: RegExp, text: string, at: number, kind: string): readonly Secret[] {
  const value = groupAt(pattern, text, at);
  return value === undefined ? NONE : [{ ...value, kind }];
}

/** Not made of words, as a name, a package or a text is. */
const isGenerated =
  (text: string) =>
  ({ start, end }: Secret): boolean => {
    const value = text.slice(start, end);
    return !isPlaceholder(value) && !isMadeOfWords(value);
  };

/** The password of `scheme://user:password@host`. */
const URL_LOGIN = /:\/\/[\w\-.+=%~]{0,400}:([\w\-.+:=%~!*&,;^]{1,2000})(?=@)/y;

const urlLoginAt = (text: string, at: number): readonly Secret[] =>
  secretAt(URL_LOGIN, text, at, 'password').filter(({ start, end }) => {
    const value = text.slice(start, end);
    return value.length >= LEAST_PASSWORD && !isPlaceholder(value) && !standsForPassword(value) && !/^%[sdv]$/.test(value);
  });

const LEAST_PASSWORD = 4;

const SCHEME_VALUE = /[A-Za-z]{5,6}\s{1,4}(?=\S{0,100}\d)([A-Za-z0-9_\-./+=~]{16,4000})/y;

const schemeAt = (text: string, at: number): readonly Secret[] =>
  /\w/.test(text.charAt(at - 1)) ? NONE : secretAt(SCHEME_VALUE, text, at, 'credential').filter(isGenerated(text));

/** With a scheme or without one. */
const AUTHORIZATION = /["']?[ \t]{0,3}[:=][ \t]{0,3}["']?(?:[A-Za-z][\w-]{1,20} {1,3})?([^\s"'`,;<>()[\]{}\\$]{6,4000})/y;

function authorizationAt(text: string, at: number): readonly Secret[] {
  const value = /\w/.test(text.charAt(at - 1)) ? undefined : groupAt(AUTHORIZATION, text, at + 'authorization'.length);
  if (value === undefined || !isGenerated(text)({ ...value, kind: '' })) return NONE;
  const said = text.slice(value.start, value.end);
  const isSecret =
    /\d|^(?=.{12}).*[a-z][A-Z].*[a-z][A-Z]|[\w/+]=$/.test(said) && !/^[\w.]*=$|^[=~<>!]{1,2}[\d.]+$|^\w+(?:(?:\.|::)\w+)+$/.test(said);
  return isSecret ? [{ ...value, kind: 'credential' }] : NONE;
}

const COOKIES = /["']?[ \t]{0,2}[:=][ \t]{0,2}["']?(?=[\w.!#$%&*+^|~-]{1,100}=)/y;
const COOKIE = /([\w.!#$%&*+^|~-]{1,100})="?([^\s;,"'\\<>(){}$]{1,4000})"?(?:;[ \t]{0,2})?/y;
const ATTRIBUTE = /^(?:path|domain|expires|max-age|samesite|version|priority)$/i;
const LONG_COOKIE = 20;
const SHORT_COOKIE = 8;

/** The values of `Cookie` and `Set-Cookie`, in headers and in what sets or prints them. */
function cookiesAt(text: string, at: number): readonly Secret[] {
  COOKIES.lastIndex = at;
  if (!COOKIES.test(text)) return NONE;
  const secrets: Secret[] = [];
  COOKIE.lastIndex = COOKIES.lastIndex;
  for (let pair = COOKIE.exec(text); pair !== null; pair = COOKIE.exec(text)) {
    const [whole, name = '', value = ''] = pair;
    const start = pair.index + whole.indexOf(value, name.length + 1);
    const isSecret = value.length >= LONG_COOKIE || (value.length >= SHORT_COOKIE && /\d/.test(value));
    if (isSecret && !ATTRIBUTE.test(name) && !isPlaceholder(value) && !isMadeOfWords(value))
      secrets.push({ start, end: start + value.length, kind: 'cookie' });
  }
  return secrets;
}

/** The last field of a line of a cookie jar, as curl and browsers write it. */
const JAR = /(?:TRUE|FALSE)\t\d{1,12}\t[^\t\n]{1,200}\t(\S{8,4000})/y;

/** Of an address that is signed, which whoever has it can use. */
const SIGNATURE = /.sig=([\w%+/=~-]{20,400})/y;

const MACHINE = /(?:machine[ \t]+\S{1,255}\s{1,20}|default\s{1,20}(?=login[ \t]))/y;
const LOGIN = /(?:login|account)[ \t]+\S{1,255}\s{1,20}/y;
const PASSWORD = /password[ \t]+(?![:=])(\S{1,400})/y;

/** The password of a login in .netrc, on one line or on several. */
function loginAt(text: string, at: number): readonly Secret[] {
  MACHINE.lastIndex = at;
  if (/\w/.test(text.charAt(at - 1)) || !MACHINE.test(text)) return NONE;
  const first = MACHINE.lastIndex;
  let next = first;
  for (let count = 0; count < 3; count++) {
    LOGIN.lastIndex = next;
    if (LOGIN.test(text)) next = LOGIN.lastIndex;
  }
  return secretAt(PASSWORD, text, next, 'password').filter(({ start, end }) => {
    const value = text.slice(start, end).replace(/^["']|["']$/g, '');
    return value.length >= LEAST_PASSWORD && !standsForLogin(value) && (next > first || /\d/.test(value));
  });
}

/** What a manual has in place of a password. */
const standsForLogin = (value: string): boolean => /^[[{<]/.test(value) || value.toLowerCase() === 'password';

const PASSWORD_LINE = /password[ \t]{1,20}(?![:=])(?=[^\s{}]{0,200}\d)([^\s{}]{6,200})(?=[ \t]*$)/my;

/** A line of such a file by itself, as a search finds it. */
const passwordLineAt = (text: string, at: number): readonly Secret[] =>
  /(?:^|[\n:]|\d-)[ \t]{0,20}$/.test(text.slice(Math.max(0, at - 22), at)) ? secretAt(PASSWORD_LINE, text, at, 'password') : NONE;

/** The last field of a line of .pgpass. */
const PGPASS = /:5432:[^\s:]{1,80}:[^\s:]{1,80}:([^\s:'"]{6,200})(?=\s|["']|$)/y;

/** `user:password`, as Docker's configuration keeps it. */
const DOCKER_AUTH = /"auth"\s{0,4}:\s{0,4}"([A-Za-z\d+/]{12,4000}={0,2})(?=")/y;

const isLogin =
  (text: string) =>
  ({ start, end }: Secret): boolean =>
    /^[\x21-\x7e]{1,200}:[\x20-\x7e]{4,}$/.test(Buffer.from(text.slice(start, end), 'base64').toString('latin1'));

const KEY_CHARS = 5_000;
/** Of a JSON Web Key, what only its owner may have. */
const KEY_PART = /"(?:d|p|q|dp|dq|qi|k)"\s{0,4}:\s{0,4}"([\w-]{16,2000})(?=")/y;

/** The members of the object around its type. */
function keyPartsAround(text: string, at: number): readonly Secret[] {
  const begin = text.lastIndexOf('{', at);
  const end = text.indexOf('}', at);
  if (begin < at - KEY_CHARS || begin < 0) return NONE;
  const last = end < 0 ? at + KEY_CHARS : Math.min(end, at + KEY_CHARS);
  const secrets: Secret[] = [];
  for (let quote = text.indexOf('"', begin); quote >= 0 && quote < last; quote = text.indexOf('"', quote + 1))
    secrets.push(...secretAt(KEY_PART, text, quote, 'private key'));
  return secrets;
}

const ELEMENT = /[A-Za-z]{4,10}>([^<>\s]{6,400})(?=<\/)/y;

/** `<password>…</password>`, and any element that is called after a secret. */
function elementAt(text: string, at: number): readonly Secret[] {
  const name = /<(?:\w{1,20}:)?([\w.-]{0,40})$/.exec(text.slice(Math.max(0, at - 64), at))?.[1];
  const end = /[A-Za-z]{4,10}(?=>)/y;
  end.lastIndex = at;
  const whole = name === undefined ? '' : `${name}${end.exec(text)?.[0] ?? ''}`;
  return namesSecret(whole)
    ? secretAt(ELEMENT, text, at, 'value').filter(({ start, end: stop }) =>
        isSecretValue({ name: whole, bare: text.slice(start, stop), isQuoted: true, around: '' }),
      )
    : NONE;
}
