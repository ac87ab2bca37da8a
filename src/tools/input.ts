import type { z } from 'zod';
import { type Bilingual, joinTexts } from '../domain/language.ts';
import { type Fields, isObject, parseJson, valueAt } from '../domain/value/json.ts';
import { visibleLine } from './place/visible.ts';

type ParseResult<T> = { readonly kind: 'right'; readonly input: T } | { readonly kind: 'wrong'; readonly message: Bilingual };

/**
 * Validates what a model passes to a tool. Accepts the whole input as a JSON text, null for an optional argument, and a number, a boolean
 * or a list as a text. For everything else the English message tells the model how to call again, and the Chinese one a person what is wrong.
 */
export function parseInput<S extends z.ZodObject>(schema: S, raw: unknown): ParseResult<z.output<S>> {
  const args = typeof raw === 'string' ? parseJson(raw) : raw;
  if (!isObject(args)) {
    const found = describeValue(raw);
    return wrong(schema, { en: `expected an object, got ${found.en}`, zh: `参数应为对象，实际为${found.zh}` });
  }
  const parsed = schema.safeParse(coerceArgs(schema, args));
  if (parsed.success) return { kind: 'right', input: parsed.data };
  const issues = parsed.error.issues.map((issue) => describeIssue(issue, args));
  return wrong(schema, joinTexts(issues, { en: '; ', zh: '；' }));
}

const wrong = (schema: z.ZodObject, { en, zh }: Bilingual) => ({
  kind: 'wrong' as const,
  message: { en: `${en}. ${argumentList(schema)}`, zh },
});

function coerceArgs(schema: z.ZodObject, args: Fields): Fields {
  const pairs = Object.entries(args).flatMap(([name, value]): [string, unknown][] => {
    const field = Object.hasOwn(schema.shape, name) ? schema.shape[name] : undefined;
    if (field === undefined) return [[name, value]];
    if (value === null && field.safeParse(undefined).success) return [];
    if (typeof value !== 'string' || field.safeParse(value).success) return [[name, value]];
    const converted = /^-?\d{1,15}$/.test(value) ? Number(value) : value === 'true' ? true : value === 'false' ? false : value;
    return [[name, /^\s*[[{]/.test(value) ? (parseJson(value) ?? value) : converted]];
  });
  return Object.fromEntries(pairs);
}

function describeIssue(issue: z.core.$ZodIssue, args: Fields): Bilingual {
  if (issue.code === 'unrecognized_keys') {
    const keys = issue.keys.map((key) => quoted(key));
    return { en: `there is no argument ${keys.join(', ')}`, zh: `没有参数 ${keys.join('、')}` };
  }
  const name = quoted(issue.path.map(String).join('.'));
  const value = valueAt(args, issue.path);
  if (value === undefined) return { en: `${name} is missing`, zh: `缺少 ${name}` };
  const found = describeValue(value);
  const but = (must: Bilingual): Bilingual => ({
    en: `${name} must be ${must.en}, got ${found.en}`,
    zh: `${name} 应${must.zh}，实际为${found.zh}`,
  });
  switch (issue.code) {
    case 'invalid_type':
      return but({ en: withArticle(issue.expected), zh: `为${typeNames[issue.expected] ?? ` ${issue.expected}`}` });
    case 'invalid_value':
      return { en: `${name}: ${issue.message}`, zh: but({ en: '', zh: `为 ${issue.values.map(String).join('、')} 之一` }).zh };
    case 'too_small':
      return issue.origin === 'string'
        ? { en: `${name} is empty`, zh: `${name} 为空` }
        : but(bound(LEAST, Number(issue.minimum), issue.origin));
    case 'too_big':
      return but(bound(MOST, Number(issue.maximum), issue.origin));
    default:
      return { en: `${name}: ${issue.message}`, zh: `${name} 不符合要求` };
  }
}

const LEAST: Bilingual = { en: 'at least', zh: '至少' };
const MOST: Bilingual = { en: 'at most', zh: '最多' };

function bound(side: Bilingual, limit: number, origin: string): Bilingual {
  if (origin === 'string') return { en: `${side.en} ${limit} characters long`, zh: `${side.zh}有 ${limit} 个字符` };
  if (origin === 'array') return { en: `${side.en} ${limit} item${limit === 1 ? '' : 's'} long`, zh: `${side.zh}有 ${limit} 项` };
  return { en: `${side.en} ${limit}`, zh: `${side.zh}为 ${limit}` };
}

const quoted = (name: string): string => `"${visibleLine(name, 60)}"`;
const withArticle = (type: string): string => (type === 'int' ? 'a whole number' : `a ${type}`);

const typeNames: Readonly<Record<string, string>> = {
  string: '文字',
  number: '数字',
  int: '整数',
  boolean: ' true 或 false',
  array: '列表',
  object: '对象',
};

function argumentList(schema: z.ZodObject): string {
  const names = Object.entries(schema.shape).map(([name, field]) => (field.safeParse(undefined).success ? `${name} (optional)` : name));
  return `It takes ${names.join(', ')}`;
}

/** The Chinese one follows a Han character at once, so it has its blank in front where it needs one. */
function describeValue(value: unknown): Bilingual {
  if (value === null) return { en: 'null', zh: ' null' };
  if (Array.isArray(value)) return { en: 'a list', zh: '列表' };
  if (typeof value === 'string')
    return value.length > 60
      ? { en: `a text of ${value.length} characters`, zh: ` ${value.length} 个字符的文字` }
      : { en: `the text ${quoted(value)}`, zh: `文字 ${quoted(value)}` };
  return typeof value === 'object' ? { en: 'an object', zh: '对象' } : { en: String(value), zh: ` ${String(value)}` };
}
