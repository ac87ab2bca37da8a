import { type Fields, isObject, isString } from '../value/json.ts';
import { redact } from '../value/redact.ts';
import { namesSecret } from '../value/secrets/assignments.ts';
import { type McpServerConfig, serverTarget } from './mcp-server.ts';

const HIDDEN = '…';

/** A value that only names variables of the environment is no secret. */
const VARIABLES = /^(?:[A-Za-z]{1,20} )?\$\{[A-Za-z_][A-Za-z0-9_]*\}$/;

/** The settings of a server as they are shown: variables, headers and what signs in by name alone, and no credential in its words or address. */
export function shownServer(config: unknown): unknown {
  if (!isObject(config)) return config;
  const { env, headers, oauth, args, url } = config;
  return {
    ...config,
    ...(isObject(env) && { env: hidden(env) }),
    ...(isObject(headers) && { headers: hidden(headers) }),
    ...(isObject(oauth) && { oauth: changed(oauth, (value, name) => (namesSecret(name) ? HIDDEN : value)) }),
    ...(Array.isArray(args) && { args: shownWords(args) }),
    ...(isString(url) && { url: shownAddress(url) }),
  };
}

const changed = (fields: Fields, change: (value: unknown, name: string) => unknown): Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, change(value, name)]));

const hidden = (fields: Fields): Fields => changed(fields, (value) => (isString(value) && VARIABLES.test(value) ? value : HIDDEN));

/** What an option takes whose name tells a secret is not shown. */
const shownWords = (words: readonly unknown[]): readonly unknown[] =>
  words.map((word, at) => {
    const before = words[at - 1];
    const isTold = isString(before) && before.startsWith('-') && namesSecret(before) && isString(word) && !VARIABLES.test(word);
    return isTold ? HIDDEN : isString(word) ? redact(word) : word;
  });

/** Without what stands before the host, which may be a token without a password. */
const shownAddress = (text: string): string => redact(text.replace(/^([a-z][a-z\d+.-]{0,20}:\/\/)[^/?#]*@/i, `$1${HIDDEN}@`));

export function shownTarget(config: McpServerConfig): string {
  const { url, args = [] } = config;
  if (url !== undefined) return shownAddress(url);
  return redact(serverTarget({ ...config, args: shownWords(args).map(String) }));
}
