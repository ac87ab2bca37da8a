import type { z } from 'zod';
import { type Fields, isObject, parseJson, valueAt } from '../domain/value/json.ts';
import { visibleLine } from './place/visible.ts';

type ParseResult<T> = { readonly kind: 'right'; readonly input: T } | { readonly kind: 'wrong'; readonly message: string };

/**
 * Validates what a model passes to a tool. Accepts the whole input as a JSON text, null for an optional argument, and a number, a boolean
 * or a list as a text. For everything else the message tells the model how to call again.
 */
export function parseInput<S extends z.ZodObject>(schema: S, raw: unknown): ParseResult<z.output<S>> {
  const args = asObject(raw);
  if (args === undefined) return { kind: 'wrong', message: `expected an object, got ${describeValue(raw)}. ${argumentList(schema)}` };
  const parsed = schema.safeParse(coerceArgs(schema, args));
  if (parsed.success) return { kind: 'right', input: parsed.data };
  return {
    kind: 'wrong',
    message: `${parsed.error.issues.map((issue) => describeIssue(issue, args)).join('; ')}. ${argumentList(schema)}`,
  };
}

function asObject(raw: unknown): Fields | undefined {
  const value = typeof raw === 'string' ? parseJson(raw) : raw;
  return isObject(value) ? value : undefined;
}

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

function describeIssue(issue: z.core.$ZodIssue, args: Fields): string {
  if (issue.code === 'unrecognized_keys') return `there is no argument ${issue.keys.map((key) => quoted(key)).join(', ')}`;
  const name = issue.path.map(String).join('.');
  const value = valueAt(args, issue.path);
  if (value === undefined) return `${quoted(name)} is missing`;
  if (issue.code === 'invalid_type') return `${quoted(name)} must be ${withArticle(issue.expected)}, got ${describeValue(value)}`;
  if (issue.code === 'too_small') {
    return issue.origin === 'string'
      ? `${quoted(name)} is empty`
      : `${quoted(name)} must be at least ${issue.minimum}${issue.origin === 'array' ? itemsLong(Number(issue.minimum)) : ''}, got ${describeValue(value)}`;
  }
  if (issue.code === 'too_big') {
    const unit = issue.origin === 'string' ? ' characters long' : issue.origin === 'array' ? itemsLong(Number(issue.maximum)) : '';
    return `${quoted(name)} must be at most ${issue.maximum}${unit}, got ${describeValue(value)}`;
  }
  return `${quoted(name)}: ${issue.message}`;
}

const quoted = (name: string): string => `"${visibleLine(name, 60)}"`;
const withArticle = (type: string): string => (type === 'int' ? 'a whole number' : `a ${type}`);

function argumentList(schema: z.ZodObject): string {
  const names = Object.entries(schema.shape).map(([name, field]) => (field.safeParse(undefined).success ? `${name} (optional)` : name));
  return `It takes ${names.join(', ')}`;
}

function describeValue(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'string') return value.length > 60 ? `a text of ${value.length} characters` : `the text ${quoted(value)}`;
  return typeof value === 'object' ? 'an object' : String(value);
}

const itemsLong = (count: number): string => ` item${count === 1 ? '' : 's'} long`;
