import { withoutArguments } from '../../context/prompt/system-prompt.ts';
import { cutAt } from '../../context/text/sentences.ts';
import type { AgentFile } from '../../domain/agent/agent.ts';
import type { ToolSpec } from '../../domain/session/context.ts';

const TASK_TOOL = 'task';
const AGENT_ARGUMENT: ReadonlySet<string> = new Set(['agent']);
/** What all descriptions together may take; of those behind it stand the names. */
const MAX_CHARS = 4_000;
const MAX_DESCRIPTION_CHARS = 400;

/** The list of tools with the agents in the text of the helper tool; without any, nothing of them is in it. */
export const withAgents = (specs: readonly ToolSpec[], agents: readonly AgentFile[]): readonly ToolSpec[] =>
  specs.map((spec) => {
    if (spec.name !== TASK_TOOL) return spec;
    return agents.length === 0
      ? { ...spec, inputSchema: withoutArguments(spec.inputSchema, AGENT_ARGUMENT) }
      : { ...spec, description: `${spec.description}\n${agentsText(agents)}` };
  });

function agentsText(agents: readonly AgentFile[]): string {
  let room = MAX_CHARS;
  const lines = agents.map(({ name, description }) => `- ${name}: ${cutAt(description, MAX_DESCRIPTION_CHARS)}`);
  const shown = lines.filter((line) => {
    room -= line.length;
    return room >= 0;
  });
  const rest = agents.slice(shown.length).map(({ name }) => name);
  return [
    'Agents are helpers with instructions and tools of their own: name one as agent where its description fits, and the one that the user writes as @agent-NAME.',
    ...shown,
    ...(rest.length === 0 ? [] : [`Others: ${cutAt(rest.join(', '), MAX_DESCRIPTION_CHARS)}`]),
  ].join('\n');
}
