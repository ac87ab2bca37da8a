import type { Tool } from '../agent/ports/tools.ts';
import { PLAN_TOOL } from '../domain/session/called-tool.ts';
import type { ToolSpec } from '../domain/session/context.ts';
import { readOutputTool, stopCommandTool } from './command/jobs/job-tools.ts';
import { runCommandTool } from './command/run-command.ts';
import { editFileTool } from './files/edit-file.ts';
import type { KnownFiles } from './files/known-files.ts';
import { readFileTool } from './files/read-file.ts';
import { writeFileTool } from './files/write-file.ts';
import { mcpDefinitions } from './mcp/mcp.ts';
import { listFilesTool } from './search/list-files.ts';
import { searchTool } from './search/search.ts';
import { askUserTool, presentPlanTool } from './session/ask-user.ts';
import { recallTool } from './session/recall.ts';
import { rememberTool } from './session/remember.ts';
import { taskTool } from './session/task.ts';
import { todoTool } from './session/todo.ts';
import { skillTool } from './skill.ts';
import type { ToolDefinition } from './tool.ts';
import type { ToolContext } from './tool-context.ts';
import { fetchUrlTool } from './web/fetch-url.ts';

export type ToolSelection = {
  /** The description of a tool, by its name. */
  readonly describe: (name: string) => string;
  /** False where nothing can be looked up, or nothing is remembered: then there is no such tool. */
  readonly recall: boolean;
  readonly remember: boolean;
  /** False where no helper can be asked. */
  readonly helpers?: boolean;
  /** Whether there are skills to read. */
  readonly skills?: boolean;
  /** Tools of MCP servers that stand in the list themselves; undefined where there is no server. */
  readonly mcp?: readonly ToolSpec[] | undefined;
};

type ToolEntry = {
  readonly definitions: readonly ToolDefinition[];
  /** Makes the tools of these definitions, in their order; none where the session has not got what they need. */
  readonly make: (context: ToolContext, knownFiles: KnownFiles) => readonly Tool[];
  /** Whether a model is told of them. */
  readonly isTold: (selection: ToolSelection) => boolean;
};

type Maker<Needs> = ToolDefinition & { readonly make: (needs: Needs, knownFiles: KnownFiles) => Tool };

type Use<Needs> = { readonly needs: (context: ToolContext) => Needs | undefined; readonly isTold?: ToolEntry['isTold'] };

const entry = <Needs>(tool: Maker<Needs>, { needs: needsOf, isTold = () => true }: Use<Needs>): ToolEntry => ({
  definitions: [tool],
  make: (context, knownFiles) => {
    const needs = needsOf(context);
    return needs === undefined ? [] : [tool.make(needs, knownFiles)];
  },
  isTold,
});
const always = (tool: Maker<ToolContext>): ToolEntry => entry(tool, { needs: (context) => context });

/** A plan has a way through it (domain/session/called-tool.ts), and no place in the list. */
const writeFileEntry: ToolEntry = {
  ...always(writeFileTool),
  make: ({ plans, ...context }, knownFiles) => {
    const write = writeFileTool.make(context, knownFiles);
    return [plans === undefined ? write : { ...write, find: (name) => (name === PLAN_TOOL ? presentPlanTool.make(plans) : undefined) }];
  },
};

/** All tools, in the order of the list that a model gets. */
export const toolList: readonly ToolEntry[] = [
  ...[always(readFileTool), writeFileEntry, ...[editFileTool, listFilesTool, searchTool].map(always)],
  ...[runCommandTool, readOutputTool, stopCommandTool, fetchUrlTool, todoTool, askUserTool].map(always),
  entry(taskTool, { needs: ({ helpers }) => helpers, isTold: ({ helpers = true }) => helpers }),
  entry(recallTool, { needs: ({ recall, ...context }) => recall && { ...context, recall }, isTold: ({ recall }) => recall }),
  entry(rememberTool, { needs: ({ remember }) => remember, isTold: ({ remember }) => remember }),
  entry(skillTool, { needs: ({ skills, ...context }) => skills && { ...context, ...skills }, isTold: ({ skills = false }) => skills }),
  {
    definitions: mcpDefinitions,
    make: ({ mcp, pageChars, sees }) => mcp?.tools(pageChars, () => sees?.() === true) ?? [],
    isTold: ({ mcp }) => mcp !== undefined,
  },
];
