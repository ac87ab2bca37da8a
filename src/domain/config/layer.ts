import type { z } from 'zod';
import { endpointShape } from './endpoint-settings.ts';

/** What a project's file has run by itself: the exact text of it is agreed to. */
export type AgreedSection = 'hooks' | 'mcpServers';

/** One source of settings. Layers come in rising precedence; all of them override the preset and the built-in defaults. */
export type ConfigLayer =
  | {
      readonly kind: 'file';
      readonly path: string;
      /**
       * The user's own file; a project's that the user has agreed to, but for what belongs to the user; or a project's that nobody has agreed
       * to, of which nothing is taken.
       */
      readonly trust: 'user' | 'trusted' | 'untrusted';
      /** Sections of a trusted project's file that are not those that were agreed to, and of which nothing is taken. */
      readonly withheld?: readonly AgreedSection[];
      readonly text: string;
    }
  | { readonly kind: 'env'; readonly env: Readonly<Record<string, string | undefined>> }
  | {
      readonly kind: 'flags';
      readonly model?: string | undefined;
      readonly sandbox?: string | undefined;
      readonly contextWindow?: number | undefined;
      readonly maxSteps?: number | undefined;
    };

export type ConfigProblem = {
  /** A file with line and column, "env SANBOT_X" or "--flag". */
  readonly where: string;
  /** The dotted key; empty when the problem concerns the whole file. */
  readonly key: string;
  readonly expected: string;
  readonly found: string;
  /** The key that was most likely meant. */
  readonly nearest?: string;
};

/** Describes what a value should be, in our words: the library's messages name its own types. */
export function expectedText(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return typeNames[issue.expected] ?? issue.expected;
    case 'invalid_value':
      return `one of ${issue.values.map((value) => JSON.stringify(value)).join(', ')}`;
    case 'too_small':
      return issue.origin === 'string' ? 'some text' : `${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}`;
    case 'too_big':
      return `${issue.inclusive === false ? 'less than' : 'at most'} ${issue.maximum}`;
    case 'invalid_format':
      return issue.format === 'url' ? 'an address that starts with http:// or https://' : `text in the form ${issue.format}`;
    default:
      return issue.message;
  }
}

/** What a setting that is an object may contain. */
const allowedKeys: Readonly<Record<string, string>> = {
  'model.price': 'only input, cacheRead, cacheWrite, cacheWrite1h and output',
  'model.endpoints': `only ${Object.keys(endpointShape).join(', ')}; price only input, cacheRead, cacheWrite, cacheWrite1h and output`,
  'pruning.tools': 'only allow and deny',
  'permissions.allow': 'only tool, folder, and command, prefix, file or path',
  'permissions.ask': 'only tool, folder, and command, prefix, file or path',
  'permissions.deny': 'only tool, folder, and command, prefix, file or path',
};

export const allowedKeysOf = (key: string): string =>
  key.startsWith('mcpServers.')
    ? 'only command, args, env and cwd, or url and headers, and alwaysLoad, timeoutMs, disabled'
    : (allowedKeys[key] ?? 'only known keys');

const typeNames: Readonly<Record<string, string>> = {
  int: 'a whole number',
  number: 'a number',
  string: 'text in double quotes',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
};

export function shortJson(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = Array.isArray(value)
    ? `a list of ${value.length}`
    : typeof value === 'object' && value !== null
      ? 'an object'
      : JSON.stringify(value);
  return truncate(text);
}

export const truncate = (text: string): string => (text.length <= 60 ? text : `${text.slice(0, 57).toWellFormed()}…`);
