import type { Tool } from '../../agent/ports/tools.ts';
import type { AgentFile } from '../../domain/agent/agent.ts';
import { CALL_TOOL, MCP_PREFIX } from '../../domain/session/called-tool.ts';
import type { ToolSpec } from '../../domain/session/context.ts';
import type { HelperAgent, HelperWorktree } from '../../domain/session/record.ts';
import { matchesGlob } from '../../domain/value/glob.ts';
import { grantableTools, helperTools } from './helper-deps.ts';

/** What its file names of what the session has; all that a helper can have where it names none. */
export function agentTools(specs: readonly ToolSpec[], { tools }: AgentFile): readonly ToolSpec[] {
  if (tools === undefined) return helperTools(specs, grantableTools(specs.map(({ name }) => name)));
  const ofServers = specs.flatMap(({ name }) => (isOfServer(name) && isNamed(name, tools) ? [name] : []));
  return helperTools(specs, [...tools, ...ofServers, ...(tools.some(isOfServer) ? [CALL_TOOL, 'tool_search'] : [])], []);
}

export const agentRecord = ({ name, mode, tools }: AgentFile): HelperAgent => ({
  name,
  ...(mode !== undefined && { mode }),
  ...(tools !== undefined && { mcp: tools.filter(isOfServer) }),
});

/** The tool through which others are called, for those only that are named; `mcp__server` is all of a server. */
export function withCallable(tool: Tool, names: readonly string[] | undefined): Tool {
  const { find } = tool;
  if (find === undefined || names === undefined) return tool;
  return { ...tool, find: (name) => (isNamed(name, names) ? find(name) : undefined) };
}

const isNamed = (name: string, names: readonly string[]): boolean =>
  names.some((each) => matchesGlob(/^mcp__(?:(?!__).)+$/.test(each) ? `${each}__*` : each, name));

const isOfServer = (name: string): boolean => name.startsWith(MCP_PREFIX);

/** What stands below the front matter of its file, and where it works. */
export const ownPrompt = (agent: AgentFile | undefined, worktree: HelperWorktree | undefined): readonly string[] => [
  ...(agent === undefined ? [] : [agent.prompt]),
  ...(worktree === undefined ? [] : [`You work in ${worktree.cwd}, a git worktree on a branch of its own: paths are relative to it.`]),
];

export const smaller = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);
