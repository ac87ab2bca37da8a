import type { Bilingual } from '../../domain/language.ts';
import { isDeeperThan, isObject } from '../../domain/value/json.ts';
import { redact, redactFields } from '../../domain/value/redact.ts';
import type { LeftOutTool, McpTool, ToolListing } from './types.ts';

/** A tool that is not what the user agreed to; without `before`, one that came later. */
export type ChangedTool = { readonly tool: McpTool; readonly before: McpTool | undefined };

/**
 * What a server says of its tools goes to the model, so it counts as long as it is what the user has agreed to: all of it the first time
 * that a server answers, then only what is still the same. The order of the keys in a schema means nothing.
 */
export function compareTools(
  known: readonly McpTool[] | undefined,
  listed: readonly McpTool[],
): { readonly usable: readonly McpTool[]; readonly changed: readonly ChangedTool[] } {
  if (known === undefined) return { usable: listed, changed: [] };
  const before = new Map(known.map((tool) => [tool.name, tool]));
  const isAgreed = (tool: McpTool): boolean => {
    const earlier = before.get(tool.name);
    return earlier !== undefined && canonical(earlier) === canonical(tool);
  };
  return {
    usable: listed.filter(isAgreed),
    changed: listed.filter((tool) => !isAgreed(tool)).map((tool) => ({ tool, before: before.get(tool.name) })),
  };
}

const canonical = ({ name, description, inputSchema }: McpTool): string => JSON.stringify([name, description, sortKeys(inputSchema)]);

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isObject(value)) return value;
  return Object.keys(value)
    .sort()
    .map((key) => [key, sortKeys(value[key])]);
}

const MAX_TOOLS = 2_000;
const MAX_DEFINITION_CHARS = 64_000;
const MAX_LIST_CHARS = 4_000_000;
const MAX_TOOL_NAME_CHARS = 200;
const MAX_LEVELS = 100;

const TOO_LONG: Bilingual = { en: 'what the server says of it is too long', zh: '服务器对它的说明过长' };
const TOO_MANY: Bilingual = { en: 'there are too many before it', zh: '在它之前的工具过多' };

/**
 * What is kept of a list without measure: an ordinary server has neither so many tools nor such long ones. Of two that have the same name
 * the first is the one that there is. Keys and passwords in what it says of them are masked, since it goes to the disk and to the model.
 */
export function boundTools(listed: readonly McpTool[]): ToolListing {
  let chars = 0;
  const names = new Set<string>();
  const tools: McpTool[] = [];
  const leftOut: LeftOutTool[] = [];
  const problemOf = (tool: McpTool): Bilingual | undefined => {
    if (names.has(tool.name)) return { en: 'another one has the same name', zh: '另一个工具同名' };
    names.add(tool.name);
    if (tool.name.length > MAX_TOOL_NAME_CHARS) return { en: 'its name is too long', zh: '它的名称过长' };
    if (isDeeperThan(tool.inputSchema, MAX_LEVELS)) return { en: 'its inputSchema is nested too deep', zh: '它的 inputSchema 嵌套过深' };
    const length = canonical(tool).length;
    if (length > MAX_DEFINITION_CHARS) return TOO_LONG;
    chars += length;
    return chars > MAX_LIST_CHARS ? TOO_MANY : undefined;
  };
  for (const [index, tool] of listed.entries()) {
    const why = index >= MAX_TOOLS ? TOO_MANY : problemOf(tool);
    if (why === undefined) tools.push(masked(tool));
    else leftOut.push({ name: tool.name, why });
  }
  return { tools, leftOut };
}

const masked = ({ name, description, inputSchema }: McpTool): McpTool => ({
  name,
  description: redact(description),
  inputSchema: redactFields(inputSchema),
});
