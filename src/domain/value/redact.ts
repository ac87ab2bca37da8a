import { type Fields, mapStrings } from './json.ts';
import { anyOf, isOneOf } from './word-list.ts';

/** A stretch of a text that is a secret, and what it is called. */
type Secret = { readonly start: number; readonly end: number; readonly kind: string };

/**
 * Replaces everything that looks like a secret by a marker that names its kind. Nothing of the value is left, and no hash of
 * it either, by which a password could be found by trying. Every pattern runs over a stretch of characters at most once, so the time is
 * linear in the text.
 */
export const redact = (text: string): string => redactPart(text, 0, text.length);

/** The same of all texts in the fields, their names apart. */
export const redactFields = (fields: Fields): Fields => mapStrings(fields, redact);

/** How far from a part of a text a secret may begin or end that reaches into it. */
export const OVERLAP_CHARS = 64 * 1024;

/** Says of a part of a text what `redact` says of it within the whole: a secret that the part cuts in two is not in it by half. */
export function redactPart(text: string, from: number, to: number): string {
  const first = Math.max(0, from - OVERLAP_CHARS);
  const around = text.slice(first, to + OVERLAP_CHARS);
  const [start, end] = [from - first, to - first];
  let out = '';
  let copiedTo = start;
  for (const secret of secretsIn(around)) {
    if (secret.end <= copiedTo || secret.start >= end) continue;
    out += `${around.slice(copiedTo, Math.max(copiedTo, secret.start))}[redacted ${secret.kind}]`;
    copiedTo = Math.min(end, secret.end);
  }
  return out + around.slice(copiedTo, end);
}

/** No pattern but a private key is longer. */
export const LONGEST_PATTERN_CHARS = 8 * 1024;

/** Where a text can be cut, at `end` or before, without leaving half of a secret. */
export function cutOutsideSecrets(text: string, end: number): number {
  if (end >= text.length) return end;
  const first = Math.max(0, end - OVERLAP_CHARS);
  const around = text.slice(first, end + LONGEST_PATTERN_CHARS);
  // The sign behind a value or a password is what shows that it is one.
  const divided = secretsIn(around).find((secret) => secret.start < end - first && secret.end >= end - first);
  return divided === undefined ? end : first + divided.start;
}

/** All secrets of a text, in order; none overlaps another. Where a private key stands, nothing else is looked for. */
function secretsIn(text: string): readonly Secret[] {
  const keys = text.includes('PRIVATE KEY') ? privateKeys(text) : [];
  const gaps = [...keys, undefined].map((key, at) => ({ from: keys[at - 1]?.end ?? 0, to: key?.start ?? text.length }));
  return gaps.flatMap(({ from, to }, at) => [
    ...secretsBetweenKeys(text.slice(from, to)).map((secret) => shifted(secret, from)),
    ...keys.slice(at, at + 1),
  ]);
}

function secretsBetweenKeys(text: string): readonly Secret[] {
  const plain = joined([...formatted(text), ...passwords(text), ...credentials(text)]);
  return joined([...plain, ...assignments(text, plain)]);
}

const shifted = ({ start, end, kind }: Secret, by: number): Secret => ({ start: start + by, end: end + by, kind });

/** In order; of those that overlap, one that reaches over both, called as the first. */
function joined(secrets: readonly Secret[]): readonly Secret[] {
  const out: Secret[] = [];
  for (const secret of secrets.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = out.at(-1);
    if (last === undefined || secret.start >= last.end) out.push(secret);
    else if (secret.end > last.end) out[out.length - 1] = { ...last, end: secret.end };
  }
  return out;
}

type SecretFormat = { readonly kind: string; readonly starts: readonly string[]; readonly value: RegExp };

const TOKEN_STARTS =
  'npm_, hf_, pypi-, dop_v1_, shpat_, SG., lin_api_, AGE-SECRET-KEY-, dckr_pat_, vercel_, sntrys_, nvapi-, gsk_, r8_, xai-';

/** `value` is tried at each place where one of `starts` occurs; its repetitions are bounded, which bounds the time too. */
const SECRET_FORMATS: readonly SecretFormat[] = [
  { kind: 'Anthropic key', starts: ['sk-ant-'], value: /sk-ant-[\w-]{10,300}/y },
  { kind: 'key', starts: ['sk-', 'sk_', 'rk_', 'pk_live'], value: /(?:sk|rk|pk)[-_](?=[\w-]{0,80}\d)[\w-]{16,300}/y },
  { kind: 'GitHub token', starts: ['gh', 'github_pat_'], value: /(?:gh[pousr]_\w{20,255}|github_pat_\w{20,255})/y },
  { kind: 'GitLab token', starts: ['glpat-', 'gldt-', 'glrt-'], value: /gl(?:pat|dt|rt)-[\w.-]{16,100}/y },
  { kind: 'AWS key', starts: ['AKIA', 'ASIA'], value: /A[KS]IA[A-Z0-9]{16}(?![A-Za-z0-9])/y },
  { kind: 'Google key', starts: ['AIza', 'ya29.', 'GOCSPX-'], value: /(?:AIza[\w-]{30,60}|ya29\.[\w-]{20,500}|GOCSPX-[\w-]{20,60})/y },
  {
    kind: 'Slack token',
    starts: ['xox', 'xapp-', 'hooks.slack.com/'],
    value: /(?:xox[a-z]-[\w-]{10,300}|xapp-[\w-]{10,300}|hooks\.slack\.com\/services\/[\w/]{20,100})/y,
  },
  { kind: 'JWT', starts: ['eyJ'], value: /eyJ[\w-]{8,2000}\.[\w-]{8,4000}(?:\.[\w-]{0,1000})?/y },
  {
    kind: 'token',
    starts: TOKEN_STARTS.split(', '),
    value: new RegExp(`${anyOf(TOKEN_STARTS)}(?=[\\w.-]{0,60}[0-9])[\\w.-]{20,300}`, 'y'),
  },
];

function formatted(text: string): readonly Secret[] {
  const secrets: Secret[] = [];
  for (const { kind, starts, value } of SECRET_FORMATS) {
    for (const start of starts) {
      for (let at = text.indexOf(start); at !== -1; ) {
        value.lastIndex = at;
        const atBoundary = at === 0 || !/[A-Za-z0-9]/.test(text.charAt(at - 1));
        const end = atBoundary && value.test(text) ? value.lastIndex : at + start.length;
        if (end > at + start.length) secrets.push({ kind, start: at, end });
        at = text.indexOf(start, end);
      }
    }
  }
  return secrets;
}

/** The passwords of `scheme://user:password@host`. */
const URL_LOGIN = /:\/\/[\w\-.+=%~]{0,400}:(?=[\w\-.+:=%~]{1,2000}@)/g;

const passwords = (text: string): readonly Secret[] =>
  [...text.matchAll(URL_LOGIN)].map(({ 0: login, index }) => {
    const start = index + login.length;
    return { start, end: text.indexOf('@', start), kind: 'password' };
  });

const AUTHORIZATION = /\b(Bearer|Basic|Token)(\s{1,4})(?=\S{0,100}\d)[A-Za-z0-9_\-./+=~]{16,4000}/g;

const credentials = (text: string): readonly Secret[] =>
  [...text.matchAll(AUTHORIZATION)].map(({ 0: whole, 1: scheme = '', 2: blanks = '', index }) => ({
    start: index + scheme.length + blanks.length,
    end: index + whole.length,
    kind: 'credential',
  }));

const isSecretName = isOneOf(
  /(?:^|[_-])(?:password|passwd|passphrase|pwd|secret|token|credentials?)$/i,
  /(?:^|[_-])(?:api|access|private|account|secret|encryption)[_-]?key$/i,
);
const NAME_CHARS = 60;
const MIN_VALUE_CHARS = 6;
const VALUE = /[ \t]{0,4}("[^"\n]{4,400}"|'[^'\n]{4,400}'|[^\s"',;&<>()[\]{}`]{6,400})/y;

/** The values after `=` or `:` when the name before it ends like that of a secret; the name stays. `known` are secrets that are none of these. */
function assignments(text: string, known: readonly Secret[]): readonly Secret[] {
  const secrets: Secret[] = [];
  let next = 0;
  let after = 0;
  for (const { index } of text.matchAll(/[:=]/g)) {
    for (; (known[next]?.end ?? text.length) <= index; next++) after = known[next]?.end ?? after;
    const following = known[next]?.start ?? text.length;
    if (index < after || following <= index || !isSecretName(nameBefore(text, index))) continue;
    VALUE.lastIndex = index + 1;
    const found = VALUE.exec(text)?.[1];
    if (found === undefined) continue;
    const start = VALUE.lastIndex - found.length;
    const quote = /^["']/.test(found) ? 1 : 0;
    const value = quote === 1 ? found : found.slice(0, Math.max(0, following - start));
    const end = start + value.length;
    if (end > following || value.length < MIN_VALUE_CHARS || !isSecretValue(value, text.charAt(index))) continue;
    secrets.push({ start: start + quote, end: end - quote, kind: 'value' });
    after = end;
  }
  return secrets;
}

/** Returns the word that ends before `at`, ignoring blanks and a closing quote in between. */
function nameBefore(text: string, at: number): string {
  let end = at;
  while (end > 0 && at - end < 6 && ' \t"\''.includes(text.charAt(end - 1))) end -= 1;
  let start = end;
  while (start > 0 && end - start < NAME_CHARS && /[\w-]/.test(text.charAt(start - 1))) start -= 1;
  return text.slice(start, end).replace(/([a-z])([A-Z])/g, '$1_$2');
}

const PLACEHOLDER = /^(?:[x*.•_-]+|<.*>|\[.*|your[-_ ].*|process\.env.*|env\..*|os\.environ.*)$/i;

/**
 * True when a value may be a secret. Without quotes it must not look like code: `TOKEN=abc123`, not `token: string` or `secret =
 * loadSecret`.
 */
function isSecretValue(value: string, sign: string): boolean {
  const isQuoted = /^["']/.test(value);
  const bare = isQuoted ? value.slice(1, -1) : value;
  if (bare.includes('[redacted') || bare.includes('$') || bare.includes('…') || PLACEHOLDER.test(bare)) return false;
  if (isQuoted) return !/\s/.test(bare);
  return /\d/.test(bare) ? !/^\d+$/.test(bare) : sign === '=' && !/^[a-z]+[A-Z]|^[A-Z_]+$|\./.test(bare);
}

const PRIVATE_KEY_START = '-----BEGIN ';

/** Without an end, the rest of the text. */
function privateKeys(text: string): readonly Secret[] {
  const secrets: Secret[] = [];
  let at = 0;
  for (let start = text.indexOf(PRIVATE_KEY_START); start !== -1; start = text.indexOf(PRIVATE_KEY_START, at)) {
    at = start + PRIVATE_KEY_START.length;
    if (!/^-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY/.test(text.slice(start, start + 60))) continue;
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
