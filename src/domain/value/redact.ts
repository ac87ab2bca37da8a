/**
 * Replaces everything that looks like a secret by a marker that names its kind. Nothing of the value is left. Every pattern runs over a
 * stretch of characters at most once, so the time is linear in the text.
 */
export function redact(text: string): string {
  const redacted = text.includes('PRIVATE KEY') ? redactPrivateKeys(text) : text;
  return redactAssignments(redacted.replace(RUN, redactRun).replace(AUTHORIZATION, '$1$2[redacted credential]'));
}

/** An unbroken run of the characters that keys are made of, long enough to be one. */
const RUN = /[A-Za-z0-9_\-./+:@=%~]{12,}/g;

type SecretFormat = { readonly kind: string; readonly starts: readonly string[]; readonly value: RegExp };

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
    starts: 'npm_ hf_ pypi- dop_v1_ shpat_ SG. lin_api_ AGE-SECRET-KEY- dckr_pat_ vercel_ sntrys_ nvapi- gsk_ r8_ xai-'.split(' '),
    value:
      /(?:npm_|hf_|pypi-|dop_v1_|shpat_|SG\.|lin_api_|AGE-SECRET-KEY-|dckr_pat_|vercel_|sntrys_|nvapi-|gsk_|r8_|xai-)(?=[\w.-]{0,60}[0-9])[\w.-]{20,300}/y,
  },
];

/** True when something in the text has the form of a key, or a password stands in an address. */
export const holdsSecret = (text: string): boolean =>
  text.includes('PRIVATE KEY') || [...text.matchAll(RUN)].some(([run]) => redactRun(run) !== run);

function redactRun(run: string): string {
  let out = '';
  let copiedTo = 0;
  for (const { kind, at, end } of secretsIn(run)) {
    if (at < copiedTo) continue;
    out += `${run.slice(copiedTo, at)}[redacted ${kind}]`;
    copiedTo = end;
  }
  return redactUrlPassword(out + run.slice(copiedTo));
}

function secretsIn(run: string): readonly { readonly kind: string; readonly at: number; readonly end: number }[] {
  const secrets: { kind: string; at: number; end: number }[] = [];
  for (const { kind, starts, value } of SECRET_FORMATS) {
    for (const start of starts) {
      for (let at = run.indexOf(start); at !== -1; ) {
        value.lastIndex = at;
        const atBoundary = at === 0 || !/[A-Za-z0-9]/.test(run.charAt(at - 1));
        const end = atBoundary && value.test(run) ? value.lastIndex : at + start.length;
        if (end > at + start.length) secrets.push({ kind, at, end });
        at = run.indexOf(start, end);
      }
    }
  }
  return secrets.sort((a, b) => a.at - b.at || b.end - a.end);
}

/** Keeps all of `scheme://user:password@host` except the password. */
function redactUrlPassword(run: string): string {
  const scheme = run.indexOf('://');
  const at = run.indexOf('@', scheme + 3);
  if (scheme === -1 || at === -1) return run;
  const login = run.slice(scheme + 3, at);
  const colon = login.indexOf(':');
  if (colon === -1 || login.includes('/') || colon === login.length - 1) return run;
  return `${run.slice(0, scheme + 3 + colon + 1)}[redacted password]${run.slice(at)}`;
}

const AUTHORIZATION = /\b(Bearer|Basic|Token)(\s{1,4})(?=\S{0,100}\d)[A-Za-z0-9_\-./+=~]{16,4000}/g;

const SECRET_NAME =
  /(?:^|[_-])(?:password|passwd|passphrase|pwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|account[_-]?key|secret[_-]?key|encryption[_-]?key|credentials?)$/i;
const NAME_CHARS = 60;
const VALUE = /[ \t]{0,4}("[^"\n]{4,400}"|'[^'\n]{4,400}'|[^\s"',;&<>()[\]{}`]{6,400})/y;

/** Redacts the value after `=` or `:` when the name before it ends like that of a secret; keeps the name. */
function redactAssignments(text: string): string {
  let out = '';
  let copiedTo = 0;
  for (const { index } of text.matchAll(/[:=]/g)) {
    if (index < copiedTo || !SECRET_NAME.test(nameBefore(text, index))) continue;
    VALUE.lastIndex = index + 1;
    const value = VALUE.exec(text)?.[1];
    if (value === undefined || !isSecretValue(value, text.charAt(index))) continue;
    const end = VALUE.lastIndex;
    const quote = /^["']/.test(value) ? value.charAt(0) : '';
    out += `${text.slice(copiedTo, end - value.length)}${quote}[redacted value]${quote}`;
    copiedTo = end;
  }
  return out + text.slice(copiedTo);
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

function redactPrivateKeys(text: string): string {
  let out = '';
  let at = 0;
  for (let start = text.indexOf(PRIVATE_KEY_START); start !== -1; start = text.indexOf(PRIVATE_KEY_START, at)) {
    const header = text.slice(start, start + 60);
    if (!/^-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY/.test(header)) {
      out += text.slice(at, start + PRIVATE_KEY_START.length);
      at = start + PRIVATE_KEY_START.length;
      continue;
    }
    const end = text.indexOf('-----END ', start);
    const close = end === -1 ? -1 : text.indexOf('-----', end + 9);
    out += `${text.slice(at, start)}[redacted private key]`;
    at = close === -1 ? text.length : close + 5;
  }
  return out + text.slice(at);
}
