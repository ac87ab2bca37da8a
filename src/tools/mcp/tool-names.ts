import { MCP_PREFIX } from '../../domain/session/called-tool.ts';
import { cutAtSentence } from '../../domain/value/fit-descriptions.ts';
import type { Fields } from '../../domain/value/json.ts';
import { sha256Hex } from '../files/text-file.ts';
import { visible, visibleLine } from '../place/visible.ts';
import type { McpTool } from './types.ts';

/** What providers take as the name of a tool. */
const MAX_NAME_CHARS = 64;

export type NamedTool = { readonly name: string; readonly server: string; readonly tool: McpTool };

/** The beginning of the names of one server's tools. */
export const serverPrefix = (server: string): string => `${MCP_PREFIX}${server}__`;

/** With an underscore for each character that no name may have. */
export const underscoredName = (server: string, tool: string): string => `${serverPrefix(server)}${tool.replace(/[^A-Za-z0-9_-]/g, '_')}`;

/**
 * Names tools `mcp__server__tool`. Characters that no name may have become underscores; a name that is too long, or that two tools would
 * then share, ends in a hash of the tool's own. The same tool always gets the same name, whatever others there are in which order; only
 * one whose own name is a name already has it plainly. No two of `tools` have the same name.
 */
export function nameTools(server: string, tools: readonly McpTool[]): readonly NamedTool[] {
  const plain = tools.map((tool) => ({ tool, name: underscoredName(server, tool.name) }));
  const counts = new Map<string, number>();
  for (const { name } of plain) counts.set(name, (counts.get(name) ?? 0) + 1);
  return plain.map(({ tool, name }) => {
    const isOwn = name === `${serverPrefix(server)}${tool.name}`;
    const isFree = name.length <= MAX_NAME_CHARS && (isOwn || counts.get(name) === 1);
    return { name: isFree ? name : hashed(name, tool.name), server, tool };
  });
}

const hashed = (name: string, own: string): string => `${name.slice(0, MAX_NAME_CHARS - 9)}_${sha256Hex(own).slice(0, 8)}`;

const MAX_DESCRIPTION_CHARS = 1_024;

/** Somebody else's text on one line: nothing invisible is in it, and it cannot pass for a line of ours. */
export const inertLine = (text: string, maxChars = MAX_DESCRIPTION_CHARS): string =>
  visibleLine(
    text
      .slice(0, maxChars * 4)
      .replace(/\s+/g, ' ')
      .trim(),
    maxChars,
  );

/** The same of a longer one in whole sentences. */
export const inertDescription = (text: string): string => cutAtSentence(inertLine(text, MAX_DESCRIPTION_CHARS + 1), MAX_DESCRIPTION_CHARS);

export const describeTool = ({ name, tool }: NamedTool): string => `${name}: ${inertDescription(tool.description) || '(no description)'}`;

/** What a tool takes, as JSON; the beginning of it where it is longer. */
export function schemaText(schema: Fields, maxChars: number): string {
  const text = visible(JSON.stringify(schema));
  if (text.length <= maxChars) return text;
  return `${text.slice(0, maxChars).toWellFormed()}… [${text.length} characters in all; tool_search with its name shows more]`;
}
