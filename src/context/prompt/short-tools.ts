import type { ToolSpec } from '../../domain/session/context.ts';
import { isObject } from '../../domain/value/json.ts';
import { cutAt } from '../text/sentences.ts';

const DESCRIPTION_CHARS = 160;

/** Which arguments there are. Limits, defaults and descriptions are told when a call is wrong. */
const STRUCTURE: ReadonlySet<string> = new Set(['type', 'enum', 'const', 'items', 'anyOf', 'oneOf', 'allOf', 'required', '$ref']);
/** Keywords whose keys are names of arguments or types, not schema keywords. */
const KEYED_BY_NAME: ReadonlySet<string> = new Set(['properties', '$defs', 'definitions']);

/** The tools in less than half the tokens, for small windows: first sentences, names, types, what is required. Same input, same bytes. */
export const shortTools = (tools: readonly ToolSpec[]): readonly ToolSpec[] =>
  tools.map(({ name, description, inputSchema }) => ({
    name,
    description: firstSentence(description),
    inputSchema: stripSchema(inputSchema),
  }));

/** The schema of an input without these arguments, none of which may be required. */
export function withoutArguments(schema: ToolSpec['inputSchema'], names: ReadonlySet<string>): ToolSpec['inputSchema'] {
  const { properties } = schema;
  if (!isObject(properties)) return schema;
  return { ...schema, properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !names.has(name))) };
}

function firstSentence(text: string): string {
  const line = (text.trim().split('\n', 1)[0] ?? '').trimEnd();
  const end = /[.!?](?=\s|$)|[。！？]/.exec(line);
  return cutAt(end === null ? line : line.slice(0, end.index + 1), DESCRIPTION_CHARS).trimEnd();
}

function stripSchema(schema: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(schema).flatMap(([key, value]): [string, unknown][] => {
      if (KEYED_BY_NAME.has(key) && isObject(value))
        return [[key, Object.fromEntries(Object.entries(value).map(([name, child]) => [name, stripValue(child)]))]];
      return STRUCTURE.has(key) ? [[key, stripValue(value)]] : [];
    }),
  );
}

function stripValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => stripValue(item));
  return isObject(value) ? stripSchema(value) : value;
}
