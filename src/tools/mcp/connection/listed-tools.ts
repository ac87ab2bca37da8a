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
