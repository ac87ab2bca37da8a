import { z } from 'zod';
import { type Bilingual, because, expecting, sameInBoth } from '../language.ts';
import { isObject, isString, mapStrings } from '../value/json.ts';
import { parseConfigText, plainValue } from './config-text.ts';
import { expectedText, protoProblem } from './layer.ts';

const texts = z.record(z.string(), z.string());

/** What of a sign-in the server does not say by itself. */
const oauthFields = {
  /** For a server that knows its programs beforehand, in place of one that takes them as they come. */
  clientId: z.string().min(1).optional(),
  clientSecret: z.string().min(1).optional(),
  scope: z.string().min(1).optional(),
  /** Of this machine, where the browser comes back to; any free one when left out. */
  callbackPort: z.int().min(1).max(65_535).optional(),
};

/** What it leads to with its variables is looked at when they are known. */
const isAddress = (url: string): boolean =>
  url.includes('${') ? /^(?:https?:\/\/|\$\{)/i.test(url) : /^https?:/i.test(url) && URL.canParse(url);

const ADDRESS = 'an address that starts with http:// or https://';

const address = z.string().superRefine((url, context) => {
  if (!isAddress(url)) context.addIssue({ code: 'invalid_format', format: 'url', message: ADDRESS });
});

const isChoice = (value: unknown): boolean => typeof value === 'boolean' || (Array.isArray(value) && value.every(isString));

const CHOICE: Bilingual = { en: 'true, false or a list of names of tools', zh: 'true、false 或工具名称的列表' };

const fields = {
  /** Follows from `command` or `url`; files of other programs have it. */
  type: z.enum(['stdio', 'http', 'streamable-http']).optional(),
  command: z.string().min(1).optional(),
  args: z.array(z.string()).optional(),
  env: texts.optional(),
  cwd: z.string().min(1).optional(),
  url: address.optional(),
  headers: texts.optional(),
  oauth: z.strictObject(oauthFields).optional(),
  /** Its tools stand in the list from a session's start: all of them, or those named. */
  alwaysLoad: z.custom<boolean | readonly string[]>(isChoice, expecting(CHOICE)).optional(),
  timeoutMs: z.int().positive().max(3_600_000).optional(),
  disabled: z.boolean().optional(),
};

type OneWay = { readonly command?: string | undefined; readonly url?: string | undefined; readonly type?: string | undefined };

const hasOneWay = ({ command, url, type }: OneWay): boolean =>
  (command === undefined) !== (url === undefined) && (type === undefined || (type === 'stdio') === (command !== undefined));

const ONE_WAY: Bilingual = {
  en: 'either command (a program to start) or url (where it is reached over HTTP)',
  zh: ' command（要启动的程序）或 url（通过 HTTP 访问的地址）之一',
};

/** An MCP server: a program that is started, or an address. `${NAME}` and `${NAME:-default}` stand for variables of the environment. */
export const mcpServerSchema = z.strictObject(fields).refine(hasOneWay, expecting(ONE_WAY));

export type McpServerConfig = Readonly<z.infer<typeof mcpServerSchema>>;

const NAME = /^[A-Za-z0-9](?:_?[A-Za-z0-9-])*$/;
const MAX_NAME_CHARS = 30;

/** It stands in the names of tools, mcp__server__tool, so two underscores in a row would be ambiguous. */
export const isServerName = (name: string): boolean => name.length <= MAX_NAME_CHARS && NAME.test(name);

export const SERVER_NAME_RULE = {
  en: `a name of at most ${MAX_NAME_CHARS} letters, digits, hyphens and single underscores`,
  zh: `最多 ${MAX_NAME_CHARS} 个字母、数字、连字符和单个下划线组成的名称`,
};

/** The nearest name that may be used; undefined when nothing of it can. */
function serverNameFrom(text: string): string | undefined {
  const name = text
    .replace(/[^A-Za-z0-9-]+/g, '_')
    .replace(/^[_-]+/, '')
    .slice(0, MAX_NAME_CHARS)
    .replace(/_$/, '');
  return isServerName(name) ? name : undefined;
}

export type McpFile = {
  readonly servers: readonly { readonly name: string; readonly config: McpServerConfig }[];
  readonly problems: readonly Bilingual[];
};

/** A server in a file that other programs read too: fields that are not ours are left out. */
export const foreignServerSchema = z.object({ ...fields, oauth: z.object(oauthFields).optional() }).refine(hasOneWay, expecting(ONE_WAY));

/** Reads a `.mcp.json`, which other programs read too: what they added is ignored, and what is wrong with one server leaves the others. Total. */
export function readMcpFile(text: string): McpFile {
  const parsed = parseConfigText(text);
  if (parsed.kind === 'bad') {
    const { place, expected, found } = parsed;
    const en = `line ${place.line}: expected ${expected.en}, found ${found.en}`;
    return { servers: [], problems: [{ en, zh: `第 ${place.line} 行：应为${expected.zh}，实际为${found.zh}` }] };
  }
  const root = plainValue(parsed.root);
  const section = isObject(root) ? root.mcpServers : undefined;
  if (!isObject(section)) return { servers: [], problems: [{ en: 'expected an object mcpServers', zh: '应为对象 mcpServers' }] };
  const servers = new Map<string, McpServerConfig>();
  const problems: Bilingual[] = [];
  for (const [given, value] of Object.entries(section)) {
    const name = serverNameFrom(given);
    const config = foreignServerSchema.safeParse(value);
    const problem = protoProblem(value) ?? (config.success ? undefined : problemOf(config.error, value));
    const shown = JSON.stringify(given.slice(0, 60));
    if (name === undefined)
      problems.push({
        en: `${shown} is not the name of a server: expected ${SERVER_NAME_RULE.en}`,
        zh: `${shown} 不是服务器名称：应为${SERVER_NAME_RULE.zh}`,
      });
    else if (problem !== undefined) problems.push(because({ en: `${shown} is not used`, zh: `未使用 ${shown}` }, problem));
    else if (servers.has(name))
      problems.push({
        en: `${shown} is not used: there is another server that is called ${name} here`,
        zh: `未使用 ${shown}：此处已有另一个名为 ${name} 的服务器`,
      });
    else if (config.success) servers.set(name, config.data);
  }
  return { servers: [...servers].map(([name, config]) => ({ name, config })), problems };
}

function problemOf(error: z.ZodError, value: unknown): Bilingual {
  if (isObject(value) && value.type === 'sse')
    return {
      en: 'servers of the type "sse" are not supported; most also offer "http"',
      zh: '不支持 "sse" 类型的服务器；多数服务器也提供 "http"',
    };
  const [issue] = error.issues;
  const key = issue?.path.map(String).join('.') ?? '';
  const expected = issue === undefined ? sameInBoth('') : expectedText(issue);
  const answer = { en: `expected ${expected.en}`, zh: `应为${expected.zh}` };
  return key === '' ? answer : because(sameInBoth(key), answer);
}

/** What it runs, or where it is: as it is written, variables and all. */
export const serverTarget = ({ command, args = [], url }: McpServerConfig): string => url ?? [command, ...args].join(' ');

/** The same with all that it gets, for whoever is asked to agree to it. */
export function serverRequest(config: McpServerConfig): string {
  const { cwd, env = {}, headers = {} } = config;
  const variables = variablesIn(config);
  const given = [
    ...Object.entries(env).map(([name, value]) => `${name}=${value}`),
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  return [
    serverTarget(config),
    ...(cwd === undefined ? [] : [`in ${cwd}`]),
    ...(given.length === 0 ? [] : [`with ${given.join(', ')}`]),
    ...(variables.length === 0 ? [] : [`(gets your ${variables.join(', ')})`]),
  ].join(' ');
}

const VARIABLE = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

function variablesIn(config: McpServerConfig): readonly string[] {
  const names = new Set<string>();
  mapStrings(config, (text) => {
    for (const [, name = ''] of text.matchAll(VARIABLE)) names.add(name);
    return text;
  });
  return [...names];
}

export type Expanded =
  | { readonly kind: 'ok'; readonly config: McpServerConfig }
  | { readonly kind: 'missing'; readonly names: readonly string[] };

/** Puts variables in the place of `${NAME}`; `variable` says undefined for one that is not there or that it must not have. */
export function expandServer(config: McpServerConfig, variable: (name: string) => string | undefined): Expanded {
  const missing = new Set<string>();
  const expand = (text: string): string =>
    text.replace(VARIABLE, (whole, name: string, fallback: string | undefined) => {
      const value = variable(name) ?? fallback;
      if (value === undefined) missing.add(name);
      return value ?? whole;
    });
  const expanded = mapStrings(config, expand);
  return missing.size === 0 ? { kind: 'ok', config: expanded } : { kind: 'missing', names: [...missing] };
}

/** A server that is to be used, and whose word that is. */
export type ServerSetting = {
  readonly name: string;
  readonly config: McpServerConfig;
  readonly source: 'user' | 'project';
  readonly file: string;
  /** The user has not seen which variables it asks for: those that hold credentials are not put in the place of `${NAME}`. */
  readonly withoutKeys?: boolean;
  /** A program that speaks for the user named it, for this process alone: nothing of it is written anywhere. */
  readonly isPassing?: boolean;
};
