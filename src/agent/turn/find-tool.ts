import type { ContentBlock } from '../../domain/session/message.ts';
import { isToolUse } from '../../domain/session/message.ts';
import type { Tool } from '../ports/tools.ts';

/** The tool of this very name, in the list or called through one that is. */
export const findTool = (name: string, tools: readonly Tool[]): Tool | undefined =>
  tools.find((tool) => tool.name === name) ?? tools.map(({ find }) => find?.(name)).find((found) => found !== undefined);

/**
 * Some models and servers dress up the names of tools: with the namespace that a template puts them in, in another case, with a mark of
 * their format behind them. Returns a call of the tool that is meant, where only one fits; else the same block.
 */
export function withPlainName(block: ContentBlock, tools: readonly Tool[]): ContentBlock {
  if (!isToolUse(block) || typeof block.name !== 'string' || findTool(block.name, tools) !== undefined) return block;
  const names = plainNames(block.name);
  const exact = names.find((name) => findTool(name, tools) !== undefined);
  if (exact !== undefined) return { ...block, name: exact };
  const folded = new Set(names.map(fold));
  const [only, ...others] = tools.filter(({ name }) => folded.has(fold(name)));
  return only === undefined || others.length > 0 ? block : { ...block, name: only.name };
}

const MAX_NAME_CHARS = 300;
const NAMESPACE = /^(?:functions?|tools?|default_api|multi_tool_use|namespace|api)(?:[.:/]+|_+)/i;

/** What is left of a name without its dressing, the most of it first. */
function plainNames(name: string): readonly string[] {
  const whole = name.slice(0, MAX_NAME_CHARS);
  const [bare = ''] = [/\bto=([\w.-]+)/.exec(whole)?.[1] ?? whole.split('<|')[0]];
  // Some have the number of the call behind it.
  const trimmed = bare.replace(/:\d+$/, '').replace(/^\W+|[^\w-]+$/g, '');
  return [trimmed, trimmed.replace(NAMESPACE, ''), trimmed.split(/[.:/=]/).at(-1) ?? ''].filter((each) => each !== '');
}

const fold = (name: string): string => name.toLowerCase().replace(/[\s_-]/g, '');
