import type { ToolSpec } from '../../domain/session/context.ts';

/** The kind of the notice that a conversation has other tools than it began with. */
export const TOOLS_NOTICE = 'tools';

/** What the model is told when its list of tools becomes another one; undefined when both are the same. */
export function toolChanges(before: readonly ToolSpec[], now: readonly ToolSpec[]): string | undefined {
  if (JSON.stringify(before) === JSON.stringify(now)) return undefined;
  const added = now.filter(({ name }) => !before.some((tool) => tool.name === name));
  const gone = before.filter(({ name }) => !now.some((tool) => tool.name === name));
  const others = now.filter((tool) => before.some((old) => old.name === tool.name && argumentsOf(old) !== argumentsOf(tool)));
  const parts = [
    { what: 'New', tools: added },
    { what: 'No longer there', tools: gone },
    { what: 'With other arguments', tools: others },
  ].flatMap(({ what, tools }) => (tools.length === 0 ? [] : [`${what}: ${tools.map(({ name }) => name).join(', ')}.`]));
  return ['Your list of tools has been renewed, and holds from here on.', ...parts].join(' ');
}

const argumentsOf = ({ inputSchema }: ToolSpec): string => JSON.stringify(Object.keys(Object(inputSchema.properties)).sort());
