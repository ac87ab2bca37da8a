import type { Tool } from '../agent/ports/tools.ts';
import { AbortedError, SanbotError } from '../domain/errors.ts';
import { sameInBoth } from '../domain/language.ts';
import { toolNames } from '../domain/permission.ts';
import { toolSpecSchema } from '../domain/session/context.ts';
import type { OwnTool } from '../runtime/runtime.ts';
import { visible, visibleLine } from '../tools/place/visible.ts';
import { failure, toolFailure } from '../tools/tool.ts';
import type { AgentTool } from './agent-types.ts';

const MAX_TITLE_CHARS = 160;

/** Throws `usage` for a tool that no model could be told of, or that bears the name of another. */
export function ownTools(tools: readonly AgentTool[]): readonly OwnTool[] {
  const names = tools.map(({ name }) => name);
  return tools.map((tool, at) => {
    const { name, description, inputSchema } = tool;
    const isTaken = toolNames.includes(name) || names.indexOf(name) !== at;
    const spec = toolSpecSchema.safeParse({ name, description, inputSchema });
    if (!spec.success || isTaken)
      throw new SanbotError(
        'usage',
        isTaken
          ? { en: `There is another tool with the name ${JSON.stringify(name)}`, zh: `已有名为 ${JSON.stringify(name)} 的工具` }
          : {
              en: `${JSON.stringify(name)} is not a tool: a name, a description or a schema is wrong`,
              zh: `${JSON.stringify(name)} 不是有效的工具：名称、说明或模式有误`,
            },
      );
    return { spec: spec.data, tool: toolOf(tool) };
  });
}

const toolOf = ({ name, access = 'run', run }: AgentTool): Tool => ({
  name,
  plan: async (input) => ({
    kind: 'ready',
    access,
    path: undefined,
    place: 'none',
    title: visibleLine(`${name} ${JSON.stringify(input)}`, MAX_TITLE_CHARS),
    preview: visible(JSON.stringify(input, null, 2) ?? ''),
    isElsewhere: true,
    run: async (signal) => {
      try {
        const content = await run(input, { signal });
        return { ok: true, content, note: sameInBoth('') };
      } catch (error) {
        if (signal.aborted) throw new AbortedError();
        return failure(toolFailure(error));
      }
    },
  }),
});
