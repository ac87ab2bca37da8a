import type { z } from 'zod';
import { visibleLine } from './place/visible.ts';

type Parsed<T> = { readonly kind: 'right'; readonly input: T } | { readonly kind: 'wrong'; readonly message: string };

/**
 * The door for what a model passes to a tool. Forgiven: the whole input as a JSON text; null for an argument that may be
 * left out; a number or a boolean as a text. All else is told in words that let the model call again.
 */
export function parseInput<S extends z.ZodObject>(schema: S, raw: unknown): Parsed<z.output<S>> {
  const given = asObject(raw);
  if (given === undefined) return { kind: 'wrong', message: `expected an object, got ${kindOf(raw)}. ${takes(schema)}` };
  const parsed = schema.safeParse(forgive(schema, given));
  if (parsed.success) return { kind: 'right', input: parsed.data };
  return { kind: 'wrong', message: `${parsed.error.issues.map((issue) => tell(issue, given)).join('; ')}. ${takes(schema)}` };
}

type Given = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Given => typeof value === 'object' && value !== null && !Array.isArray(value);

function asObject(raw: unknown): Given | undefined {
  if (isObject(raw)) return raw;
  if (typeof raw !== 'string') return undefined;
  try {
    const parsed: unknown = JSON.parse(raw);
    return isObject(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function forgive(schema: z.ZodObject, given: Given): Given {
  const pairs = Object.entries(given).flatMap(([name, value]): [string, unknown][] => {
    const wanted = Object.hasOwn(schema.shape, name) ? schema.shape[name] : undefined;
    if (wanted === undefined) return [[name, value]];
    if (value === null && wanted.safeParse(undefined).success) return [];
    if (typeof value !== 'string' || wanted.safeParse(value).success) return [[name, value]];
    const plain = /^-?\d{1,15}$/.test(value) ? Number(value) : value === 'true' ? true : value === 'false' ? false : value;
    return [[name, plain]];
  });
  return Object.fromEntries(pairs);
}

function tell(issue: z.core.$ZodIssue, given: Given): string {
  if (issue.code === 'unrecognized_keys') return `there is no argument ${issue.keys.map((key) => quoted(key)).join(', ')}`;
  const name = issue.path.map(String).join('.');
  const value = valueAt(given, issue.path);
  if (value === undefined) return `${quoted(name)} is missing`;
  if (issue.code === 'invalid_type') return `${quoted(name)} must be ${withArticle(issue.expected)}, got ${kindOf(value)}`;
  if (issue.code === 'too_small') {
    return issue.origin === 'string'
      ? `${quoted(name)} is empty`
      : `${quoted(name)} must be at least ${issue.minimum}, got ${kindOf(value)}`;
  }
  if (issue.code === 'too_big') {
    const most =
      issue.origin === 'string'
        ? `${issue.maximum} characters long`
        : issue.origin === 'array'
          ? `${issue.maximum} items long`
          : String(issue.maximum);
    return `${quoted(name)} must be at most ${most}, got ${kindOf(value)}`;
  }
  return `${quoted(name)}: ${issue.message}`;
}

/** What stands at a path inside the input; undefined where there is nothing. */
function valueAt(given: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? Object.getOwnPropertyDescriptor(value, key)?.value : undefined),
    given,
  );
}

const quoted = (name: string): string => `"${visibleLine(name, 60)}"`;
const withArticle = (type: string): string => (type === 'int' ? 'a whole number' : `a ${type}`);

function takes(schema: z.ZodObject): string {
  const names = Object.entries(schema.shape).map(([name, wanted]) => (wanted.safeParse(undefined).success ? `${name} (optional)` : name));
  return `It takes ${names.join(', ')}`;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'string') return value.length > 60 ? `a text of ${value.length} characters` : `the text ${quoted(value)}`;
  return typeof value === 'object' ? 'an object' : String(value);
}
