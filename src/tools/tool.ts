import type { z } from 'zod';
import type { Tool, ToolOutcome, ToolPlan } from '../agent/ports/tools.ts';
import { AbortedError, errorReason } from '../domain/errors.ts';
import { type Bilingual, because, isBilingual, joinTexts, sameInBoth } from '../domain/language.ts';
import { errnoReason } from '../domain/value/errno.ts';
import { type Fields, isObject, parseJson, valueAt } from '../domain/value/json.ts';
import { visibleLine, visibleText } from './place/visible.ts';

/** What is known of a tool without any session: its name, and what it takes. */
export type ToolDefinition<S extends z.ZodObject = z.ZodObject> = { readonly name: string; readonly input: S };

/** A call that was looked at; a text says why it cannot be made, in words that follow the tool's name and a colon. */
type Planned = Promise<ToolPlan | Bilingual>;

/** A tool with how it is made for a session, of what its plans need. */
export const defineTool = <S extends z.ZodObject, Needs extends readonly unknown[]>(
  name: string,
  input: S,
  planCall: (input: z.output<S>, ...needs: Needs) => Planned,
) => ({ name, input, make: (...needs: Needs): Tool => createTool({ name, input }, (given) => planCall(given, ...needs)) });

/** A tool that keeps the promises of its port: planning never rejects, running rejects only with AbortedError. */
export function createTool<S extends z.ZodObject>({ name, input }: ToolDefinition<S>, planCall: (input: z.output<S>) => Planned): Tool {
  const refused = (why: Bilingual): ToolPlan => invalid(because(sameInBoth(name), why));
  return {
    name,
    plan: async (raw) => {
      try {
        const parsed = parseInput(input, raw);
        if (parsed.kind === 'wrong') return refused(parsed.message);
        const plan = await planCall(parsed.input);
        if (isBilingual(plan)) return refused(plan);
        return plan.kind === 'invalid'
          ? plan
          : { ...plan, run: (signal, onProgress) => runTool((stop) => plan.run(stop, onProgress), signal) };
      } catch (error) {
        return refused(toolFailure(error));
      }
    },
  };
}

/** A call that cannot be made, and why: the model reads the English words. */
export const invalid = (why: Bilingual): ToolPlan => ({ kind: 'invalid', message: why.en, shown: why });

/** A plan that changes no file and runs no program: it has no preview. */
export const readPlan = (title: string, run: ReadyPlan['run'], target: Partial<PlanTarget> = {}): ToolPlan => {
  const { path, given, aliases, place = 'none', caution, cwd } = target;
  return {
    kind: 'ready',
    access: 'read',
    path,
    place,
    title,
    preview: '',
    run,
    ...(given && { given }),
    ...(aliases && { aliases }),
    ...(caution && { caution }),
    ...(cwd && { cwd }),
  };
};

type ReadyPlan = Extract<ToolPlan, { kind: 'ready' }>;
type PlanTarget = Pick<ReadyPlan, 'path' | 'given' | 'aliases' | 'place' | 'caution' | 'cwd'>;

/** A failed outcome: what went wrong, of which the model reads the English words, and the short line for a person. */
export const failure = (what: Bilingual, note: Bilingual = FAILED): ToolOutcome => ({ ok: false, content: what.en, shown: what, note });

/** The same of what bears a name, such as a file. */
export const failureOf = (name: string, what: Bilingual, note?: Bilingual): ToolOutcome => failure(because(sameInBoth(name), what), note);

const FAILED: Bilingual = { en: 'failed', zh: '失败' };

/** Returns `1 line`, `2 lines`. */
export const quantity = (count: number, one: string, more = `${one}s`): string => `${count} ${count === 1 ? one : more}`;

/** The same in both languages; `zh` is the measure word and the noun. */
export const counted = (count: number, one: string, zh: string): Bilingual => ({ en: quantity(count, one), zh: `${count} ${zh}` });

/** Returns the outcome of `work`; a failure of the system becomes one that names the file or folder. */
export async function namingFailure(name: string, work: () => Promise<ToolOutcome>): Promise<ToolOutcome> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error && 'code' in error) return failure(toolFailure(error, name));
    throw error;
  }
}

/** Returns what went wrong, in one line that the model can act on. `what` names the file in question. */
export function toolFailure(error: unknown, what?: string): Bilingual {
  const text = errnoReason(error) ?? (error instanceof Error ? visibleText(errorReason(error), 500) : UNKNOWN);
  return what === undefined ? text : because(sameInBoth(what), text);
}

async function runTool(run: (signal: AbortSignal) => Promise<ToolOutcome>, signal: AbortSignal): Promise<ToolOutcome> {
  try {
    if (signal.aborted) throw new AbortedError('stopped');
    return await run(signal);
  } catch (error) {
    if (error instanceof AbortedError) throw error;
    return failure(toolFailure(error));
  }
}

const UNKNOWN: Bilingual = { en: 'unknown failure', zh: '未知的失败' };

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
