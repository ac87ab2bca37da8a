import type { Bilingual } from '../language.ts';
import { type Fields, isObject, parseJson } from '../value/json.ts';
import type { ToolUseBlock } from './message.ts';

/** The tool through which those tools are called that do not stand in the list themselves. */
export const CALL_TOOL = 'call_tool';

/** What stands in a call's title beside what it does. Titles are kept in English; the screen puts the other language in the place of these. */
export const callMarks = {
  background: { en: '(background)', zh: '（后台）' },
  changed: { en: '(changed by a hook)', zh: '（已由钩子更改）' },
} as const satisfies Readonly<Record<string, Bilingual>>;

export const MCP_PREFIX = 'mcp__';

/** One of `call_tool` is a call of the tool it names. The stored block stays, since providers bind what follows to its bytes. */
export function calledTool(block: ToolUseBlock): ToolUseBlock {
  if (block.name !== CALL_TOOL || !isObject(block.input)) return block;
  const { name } = block.input;
  if (typeof name !== 'string' || !name.startsWith(MCP_PREFIX)) return block;
  return { ...block, name, input: argumentsOf(block.input) };
}

/** Some models write the object as a text. */
function argumentsOf({ arguments: given }: Fields): unknown {
  const read = typeof given === 'string' ? parseJson(given) : given;
  return isObject(read) ? read : (given ?? {});
}
