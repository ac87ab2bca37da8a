import type { z } from 'zod';
import { type Bilingual, sameInBoth } from '../language.ts';
import { isString, pathToProto } from '../value/json.ts';
import { endpointShape } from './endpoint-settings.ts';

/** What a project's file has run by itself: the exact text of it is agreed to. */
export type AgreedSection = 'hooks' | 'mcpServers';

/** One source of settings. Layers come in rising precedence; all of them override the preset and the built-in defaults. */
export type ConfigLayer =
  | {
      readonly kind: 'file';
      readonly path: string;
      /** The user's own; a project's that the user agreed to, but for what is the user's; or one nobody agreed to: not used. */
      readonly trust: 'user' | 'trusted' | 'untrusted';
      /** Sections of a trusted project's file that are not those that were agreed to, and of which nothing is taken. */
      readonly withheld?: readonly AgreedSection[];
      readonly text: string;
    }
  | { readonly kind: 'env'; readonly env: Readonly<Record<string, string | undefined>> }
  | {
      readonly kind: 'flags';
      readonly model?: string | undefined;
      readonly effort?: string | undefined;
      readonly sandbox?: string | undefined;
      readonly contextWindow?: number | undefined;
      readonly maxSteps?: number | undefined;
    };

export type ConfigProblem = {
  /** A file with line and column, "env SANBOT_X" or "--flag". */
  readonly where: string;
  readonly key: string;
  readonly expected: Bilingual;
  readonly found: Bilingual;
  readonly nearest?: string;
};

/** Settings that earlier versions had, and why they are gone: a file that was copied from the example of such a version still has them. */
export const goneSettings: Readonly<Record<string, Bilingual>> = {
  'compaction.relief': { en: 'results always go to files first', zh: '总是先把结果移到文件' },
  'compaction.method': { en: 'SanBot has every summary made itself', zh: '摘要一律由 SanBot 自行安排生成' },
};

/** In place of __proto__. */
export const ANOTHER_NAME: Bilingual = { en: 'another name', zh: '别的名称' };

/** The same with where that is and what was found, for a list or an object of names from outside; undefined where there is no such name. */
export function protoProblem(value: unknown): Bilingual | undefined {
  const path = pathToProto(value);
  if (path === undefined) return undefined;
  const key = path.map((name) => name.slice(0, 60)).join('.');
  return { en: `${key}: expected ${ANOTHER_NAME.en}`, zh: `${key}：应为${ANOTHER_NAME.zh}` };
}

/** Describes what a value should be, in our words: the library's messages name its own types. */
export function expectedText(issue: z.core.$ZodIssue): Bilingual {
  switch (issue.code) {
    case 'invalid_type':
      return typeNames[issue.expected] ?? sameInBoth(issue.expected);
    case 'invalid_value':
      return oneOf(issue.values.map((value) => JSON.stringify(value)));
    case 'too_small':
      if (issue.origin === 'string') return { en: 'some text', zh: '文字' };
      return issue.inclusive === false
        ? { en: `more than ${issue.minimum}`, zh: `大于 ${issue.minimum}` }
        : { en: `at least ${issue.minimum}`, zh: `至少 ${issue.minimum}` };
    case 'too_big':
      return issue.inclusive === false
        ? { en: `less than ${issue.maximum}`, zh: `小于 ${issue.maximum}` }
        : { en: `at most ${issue.maximum}`, zh: `最多 ${issue.maximum}` };
    case 'invalid_format':
      return issue.format === 'url'
        ? { en: 'an address that starts with http:// or https://', zh: '以 http:// 或 https:// 开头的地址' }
        : { en: `text in the form ${issue.format}`, zh: `${issue.format} 形式的文字` };
    default:
      return { en: issue.message, zh: issue.code === 'custom' && isString(issue.params?.zh) ? issue.params.zh : issue.message };
  }
}

const oneOf = (values: readonly string[]): Bilingual => ({ en: `one of ${values.join(', ')}`, zh: `${values.join('、')} 之一` });

/** The names are written as in English but for what joins them. */
const only = (names: string): Bilingual => ({
  en: `only ${names}`,
  zh: `仅限 ${names.replaceAll(', and ', '、').replaceAll(', or ', '，或 ').replaceAll(' and ', ' 和 ').replaceAll(' or ', ' 或 ').replaceAll(', ', '、')}`,
});

/** What a setting that is an object may contain, by how its key begins. */
const allowedKeys: Readonly<Record<string, Bilingual>> = {
  'mcpServers.': only('command, args, env and cwd, or url and headers, and alwaysLoad, timeoutMs, disabled'),
  'permissions.': only('tool, folder, and command, prefix, file or path'),
  'pruning.tools': only('allow and deny'),
  'model.price': only('input, cacheRead, cacheWrite, cacheWrite1h and output'),
  'model.endpoints': {
    en: `only ${Object.keys(endpointShape).join(', ')}; price only input, cacheRead, cacheWrite, cacheWrite1h and output`,
    zh: `仅限 ${Object.keys(endpointShape).join('、')}；price 仅限 input、cacheRead、cacheWrite、cacheWrite1h 和 output`,
  },
};

export const allowedKeysOf = (key: string): Bilingual =>
  Object.entries(allowedKeys).find(([start]) => key.startsWith(start))?.[1] ?? { en: 'only known keys', zh: '仅限已知的键' };

const typeNames: Readonly<Record<string, Bilingual>> = {
  int: { en: 'a whole number', zh: '整数' },
  number: { en: 'a number', zh: '数字' },
  string: { en: 'text in double quotes', zh: '双引号中的文字' },
  boolean: { en: 'true or false', zh: 'true 或 false' },
  object: { en: 'an object', zh: '对象' },
  record: { en: 'an object', zh: '对象' },
  array: { en: 'a list', zh: '列表' },
};

export function shortJson(value: unknown): Bilingual {
  if (value === undefined) return { en: 'nothing', zh: '空' };
  if (Array.isArray(value)) return { en: `a list of ${value.length}`, zh: `${value.length} 项的列表` };
  return typeof value === 'object' && value !== null ? { en: 'an object', zh: '对象' } : sameInBoth(truncate(JSON.stringify(value)));
}

export const truncate = (text: string): string => (text.length <= 60 ? text : `${text.slice(0, 57).toWellFormed()}…`);
