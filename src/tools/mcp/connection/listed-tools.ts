import type { Bilingual } from '../../../domain/language.ts';
import { type Fields, isObject, isString } from '../../../domain/value/json.ts';
import type { LeftOutTool, McpTool } from '../types.ts';

/** What a server lists: each entry stands for itself. `outputs`: what tools promise of their results, by their names. */
export type ListedTools = {
  readonly tools: readonly McpTool[];
  readonly leftOut: readonly LeftOutTool[];
  readonly outputs: ReadonlyMap<string, Fields>;
};

export function readListed(entries: readonly unknown[]): ListedTools {
  const tools: McpTool[] = [];
  const leftOut: LeftOutTool[] = [];
  const outputs = new Map<string, Fields>();
  for (const [index, entry] of entries.entries()) {
    const fields = isObject(entry) ? entry : {};
    const { name, description, outputSchema } = fields;
    const inputSchema = isObject(fields.inputSchema) ? withoutNulls(fields.inputSchema) : undefined;
    const problem = isObject(entry) ? problemIn(name, inputSchema) : { en: 'it is not an object', zh: '它不是对象' };
    if (problem !== undefined) leftOut.push({ name: isString(name) && name !== '' ? name : `#${index + 1}`, why: problem });
    else if (isString(name) && inputSchema !== undefined) {
      tools.push({ name, description: isString(description) ? description : '', inputSchema: { ...inputSchema, type: 'object' } });
      if (isObject(outputSchema) && !outputs.has(name)) outputs.set(name, outputSchema);
    }
  }
  return { tools, leftOut, outputs };
}

/** What a server has nothing to say for, some write as null. */
const withoutNulls = (schema: Fields): Fields =>
  ['type', 'properties', 'required'].some((key) => schema[key] === null)
    ? Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== null))
    : schema;

/** A schema that names no type takes objects too, and nothing else is ever sent. */
function problemIn(name: unknown, schema: Fields | undefined): Bilingual | undefined {
  if (!isString(name) || name === '') return { en: 'it has no name', zh: '它没有名称' };
  if (schema === undefined) return { en: 'it has no inputSchema', zh: '它没有 inputSchema' };
  const { type = 'object', properties = {}, required = [] } = schema;
  if (type !== 'object' && !(Array.isArray(type) && type.includes('object')))
    return { en: 'its inputSchema takes no object', zh: '它的 inputSchema 不接受对象' };
  if (!isObject(properties) || !Object.values(properties).every((each) => isObject(each) || typeof each === 'boolean'))
    return { en: 'the properties of its inputSchema are no schemas', zh: '它的 inputSchema 的 properties 不是 schema' };
  return Array.isArray(required) && required.every(isString)
    ? undefined
    : { en: 'the required of its inputSchema is no list of names', zh: '它的 inputSchema 的 required 不是名称列表' };
}

/** What lies deeper is not looked at. */
const MAX_DEPTH = 20;
/** Each item of a long list is held against a list of the schema; what comes later in that one is not looked at, nor a longer one of values. */
const MAX_LISTED = 100;

/**
 * Says why a result is not what the tool's schema promises; undefined when it is. Looks at types, at what is required and at lists of
 * values, since these take no longer than the result is long: what else a schema can ask for, an expression above all, a server could
 * make take for ever.
 */
export function outputProblem(schema: unknown, value: unknown, path = ''): string | undefined {
  return problemAt(schema, value, { path, depth: 0 });
}

type Place = { readonly path: string; readonly depth: number };

function problemAt(schema: unknown, value: unknown, place: Place): string | undefined {
  if (!isObject(schema) || place.depth > MAX_DEPTH) return undefined;
  const { type, enum: values } = schema;
  const types = (Array.isArray(type) ? type.slice(0, MAX_LISTED) : [type]).filter((name) => typeof name === 'string');
  const name = place.path === '' ? 'it' : place.path;
  if (types.length > 0 && !types.some((wanted) => isOfType(wanted, value))) return `${name} must be ${types.join(' or ')}`;
  if (Array.isArray(values) && isOutside(value, values)) return `${name} must be one of the values that are listed`;
  if (Array.isArray(value)) return firstProblem(value, (item, at) => problemAt(schema.items, item, within(place, String(at))));
  return isObject(value) ? fieldProblem(schema, value, place) : undefined;
}

const isPlain = (value: unknown): boolean => typeof value !== 'object' || value === null;

const isOutside = (value: unknown, values: readonly unknown[]): boolean =>
  isPlain(value) && values.length <= MAX_LISTED && values.every(isPlain) && !values.includes(value);

function fieldProblem({ properties, required }: Fields, value: Fields, place: Place): string | undefined {
  const missing = Array.isArray(required)
    ? required.slice(0, MAX_LISTED).find((name) => typeof name === 'string' && !Object.hasOwn(value, name))
    : undefined;
  if (missing !== undefined) return `${within(place, String(missing)).path} is missing`;
  if (!isObject(properties)) return undefined;
  return firstProblem(Object.entries(value), ([name, field]) =>
    Object.hasOwn(properties, name) ? problemAt(properties[name], field, within(place, name)) : undefined,
  );
}

function firstProblem<T>(items: readonly T[], problemOf: (item: T, at: number) => string | undefined): string | undefined {
  for (const [at, item] of items.entries()) {
    const problem = problemOf(item, at);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

const within = ({ path, depth }: Place, name: string): Place => ({ path: path === '' ? name : `${path}.${name}`, depth: depth + 1 });

function isOfType(type: string, value: unknown): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isObject(value);
  if (type === 'integer') return Number.isInteger(value);
  // A type that JSON does not have promises nothing.
  return ['string', 'number', 'boolean'].includes(type) ? typeof value === type : true;
}
