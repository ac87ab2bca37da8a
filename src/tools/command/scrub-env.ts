import type { EnvironmentRules } from '../../domain/config/command-environment.ts';
import { redact } from '../../domain/value/redact.ts';
import { anyOf, lazyTest } from '../../domain/value/word-list.ts';

export const NO_RULES: EnvironmentRules = { pass: [], withhold: [] };

/**
 * Returns the environment for a command, a hook or a server: no credentials, whether the name or the value shows them, and nothing that
 * makes a shell, a loader or a tool run or load something by itself. Everything else stays: PATH, HOME, the locale and what a build needs.
 * SanBot's own variables never pass, whatever the rules say. `withheld` has the names of those that were left out, sorted.
 */
export function scrubEnv(env: Readonly<Record<string, string | undefined>>, rules: EnvironmentRules) {
  const passed: Record<string, string> = {};
  const withheld: string[] = [];
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined) continue;
    if (isPassed(name, value, rules)) passed[name] = value;
    else withheld.push(name);
  }
  return { env: passed, withheld: withheld.sort() };
}

function isPassed(name: string, value: string, rules: EnvironmentRules): boolean {
  if (isWithheldByName(name, rules)) return false;
  if (rules.pass.some((rule) => matches(rule, name))) return true;
  return !isSecretName(name) && !isSteering(name) && !isSecretValue(name, value);
}

/** SanBot's own variables, and those that the rules name. */
export const isWithheldByName = (name: string, { withhold }: EnvironmentRules): boolean =>
  OWN.test(name) || withhold.some((rule) => matches(rule, name));

const matches = (rule: string, name: string): boolean => (rule.endsWith('*') ? name.startsWith(rule.slice(0, -1)) : name === rule);

const OWN = /^(?:ANTHROPIC|SANBOT)_/i;

const SECRETS = `TOKEN, TOKENS, SECRET, SECRETS, PASSWORD, PASSWORDS, PASSWD, PASS, PW, PASSPHRASE, CREDENTIAL, CREDENTIALS, CREDS,
  APIKEY, APIKEYS, KEY, KEYS, SK, PAT, JWT, AUTH, COOKIE, COOKIES, DSN, WEBHOOK, WEBHOOKS, PRIVATE, SIGNING`;
const CONNECTION = 'CONN(?:ECTION)?_?STR(?:ING)?';
const KEPT_AS = 'ID, FILE, BASE, PATH, JSON, SOCK, URL, URI, B64, BASE64, CONFIG';
const ENDS = 'API_KEY, APIKEY, TOKEN, SECRET, PASSWORD, PGPASSFILE, _PWD';
const isSecretName = lazyTest(() => `(?:^|_)(?:${anyOf(SECRETS)}|${CONNECTION})(?:_${anyOf(KEPT_AS)})?$|${anyOf(ENDS)}$|^AWS_`, 'i');

/** Sockets of agents and buses, which act for the user; and what makes shells, loaders, interpreters and builds run or load something. */
const STEERING = `SSH_AUTH_SOCK, SSH_AGENT_PID, SUDO_ASKPASS, GPG_AGENT_INFO, ENV, ZDOTDIR, SHELLOPTS, BASHOPTS, PS4,
  PROMPT_COMMAND, POSIXLY_CORRECT, CDPATH, GLOBIGNORE, EXECIGNORE, GCONV_PATH, NODE_OPTIONS, NODE_PATH,
  NODE_REPL_EXTERNAL_MODULE, PYTHONSTARTUP, PYTHONPATH, PYTHONHOME, PYTHONINSPECT, PYTHONBREAKPOINT, PERL5OPT, PERL5LIB,
  PERL5DB, RUBYOPT, RUBYLIB, JAVA_TOOL_OPTIONS, _JAVA_OPTIONS, JDK_JAVA_OPTIONS, DOTNET_STARTUP_HOOKS, NPM_CONFIG_NODE_OPTIONS,
  NPM_CONFIG_SCRIPT_SHELL, GTK_MODULES, MAKEFLAGS, GNUMAKEFLAGS, MFLAGS, MAKEFILES, RUSTC_WRAPPER, RUSTC_WORKSPACE_WRAPPER, RIPGREP_CONFIG_PATH, LESSOPEN, LESSCLOSE`;
const STEERING_BEGINS = 'SSH_ASKPASS, DBUS_, GIT_, BASH_, __BASH_FUNC, LD_, DYLD_, CORECLR_PROFIL, CORECLR_ENABLE_PROFIL, LUA_INIT';
const isSteering = lazyTest(() => `^(?:${anyOf(STEERING)}|${anyOf(STEERING_BEGINS)}.*)$`, 'i');

/** All that is masked in a text (credentials in an address, known tokens, passwords by name), and long random strings, which are nothing else. */
function isSecretValue(name: string, value: string): boolean {
  if (redact(value) !== value || /:\/\/[^/\s:@]{16,}@/.test(value)) return true;
  return !isFingerprint(name) && isRandom(value);
}

/** Names of things that look random and are public: the hash of a commit, the id of a run. */
const FINGERPRINTS = 'COMMIT, REVISION, REV, REF, HASH, DIGEST, VERSION, CHECKSUM, UUID, INVOCATION_ID, SESSION_ID, JOURNAL_STREAM';
const isFingerprint = lazyTest(() => String.raw`(?:SHA\d*|${anyOf(FINGERPRINTS)})$`, 'i');

const MIN_RANDOM_CHARS = 24;
const MIN_PLAIN_CHARS = 32;

/**
 * One unbroken word in which letters, capitals and digits follow each other as they do in a generated key: of neighbours in random base62
 * 62 % are of different kinds, in random base36 40 %, in words that are joined together a quarter at most. A path, a list, a version or a
 * sentence has separators.
 */
function isRandom(value: string): boolean {
  if (value.length < MIN_RANDOM_CHARS || value.length > 4_096 || !/^[A-Za-z0-9+/=_-]+$/.test(value) || value.startsWith('/')) return false;
  if (/^[0-9a-f]+$/i.test(value)) return value.length >= MIN_PLAIN_CHARS && new Set(value).size >= 8;
  const kinds = new Set([...value].map(kindOf));
  if (!kinds.has('digit')) return false;
  if (kinds.has('lower') && kinds.has('upper')) return changesOf(value) >= 0.4;
  return value.length >= MIN_PLAIN_CHARS && /^[A-Za-z0-9]+$/.test(value) && changesOf(value) >= 0.3;
}

const kindOf = (char: string): 'lower' | 'upper' | 'digit' | 'sign' =>
  /[a-z]/.test(char) ? 'lower' : /[A-Z]/.test(char) ? 'upper' : /\d/.test(char) ? 'digit' : 'sign';

/** How many of the neighbours are of different kinds, from 0 to 1. */
function changesOf(value: string): number {
  const kinds = [...value].map(kindOf);
  return kinds.filter((kind, index) => index > 0 && kind !== kinds[index - 1]).length / (kinds.length - 1);
}
