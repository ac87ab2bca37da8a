import type { Bilingual } from '../language.ts';
import { type Fields, isObject, parseJson } from '../value/json.ts';
import { orUndefined } from '../value/or-undefined.ts';
import type { ToolUseBlock } from './message.ts';

/** The tool through which those tools are called that do not stand in the list themselves. */
export const CALL_TOOL = 'call_tool';

/** Takes a plan. It stands in no list, so that a change of the permission mode changes none. */
export const PLAN_TOOL = 'present_plan';

/** The path by which write_file hands a plan in where call_tool is not listed. No file bears it. */
const PLAN_PATH = 'sanbot:plan';

/** What a model is told of the way to it. */
export const planRoad = (tools: readonly { readonly name: string }[]): string =>
  tools.some(({ name }) => name === CALL_TOOL)
    ? `${CALL_TOOL} with the name ${PLAN_TOOL} and {"plan": "..."} as its arguments`
    : `write_file with the path ${PLAN_PATH} and the plan as its content (no file is written)`;

/** What stands in a call's title beside what it does. Titles are kept in English; the screen puts the other language in the place of these. */
export const callMarks = {
  background: { en: '(background)', zh: '（后台）' },
  changed: { en: '(changed by a hook)', zh: '（已由钩子更改）' },
} as const satisfies Readonly<Record<string, Bilingual>>;

export const MCP_PREFIX = 'mcp__';

/** One of `call_tool` is a call of the tool it names. The stored block stays, since providers bind what follows to its bytes. */
/**
 * A call as everybody but the provider sees it: one of `call_tool` is a call of the tool it names, with that tool's input, and a plan handed
 * in as a file one of `present_plan`. The stored block stays as the model wrote it, since providers bind what follows to its bytes.
 */
export function calledTool(block: ToolUseBlock): ToolUseBlock {
  if (!isObject(block.input)) return block;
  if (block.name === 'write_file' && block.input.path === PLAN_PATH)
    return { ...block, name: PLAN_TOOL, input: { plan: block.input.content } };
  // Some models write the whole call where its arguments belong.
  if (block.input.name === block.name && Object.keys(block.input).length === 2 && isObject(block.input.arguments))
    return { ...block, input: block.input.arguments };
  if (block.name !== CALL_TOOL) return block;
  const { name } = block.input;
  if (typeof name !== 'string' || !(name.startsWith(MCP_PREFIX) || name === PLAN_TOOL)) return block;
  return { ...block, name, input: argumentsOf(block.input) };
}

/** Some models write the object as a text. */
function argumentsOf({ arguments: given }: Fields): unknown {
  const read = typeof given === 'string' ? parseJson(given) : given;
  return isObject(read) ? read : (given ?? {});
}

type Call = { readonly id: unknown; readonly name: unknown; readonly input: unknown };

/** Without calls that repeat an earlier one: the same name and arguments under the same id, or where one of the two has none. */
export function withoutRepeatedCalls<Item>(items: readonly Item[], callOf: (item: Item) => Call | undefined): readonly Item[] {
  const known = new Map<string, Set<unknown>>();
  const kept = items.filter((item) => {
    const call = callOf(item);
    const key = call && orUndefined(() => JSON.stringify([call.name, call.input]));
    if (call === undefined || key === undefined) return true;
    const id = typeof call.id === 'string' ? call.id : '';
    const ids = known.get(key) ?? new Set();
    known.set(key, ids);
    const isKnown = ids.size > 0 && (id === '' || ids.has(id) || ids.has(''));
    ids.add(id);
    return !isKnown;
  });
  return kept.length === items.length ? items : kept;
}
