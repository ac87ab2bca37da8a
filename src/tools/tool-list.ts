import type { Tool } from '../agent/ports/tools.ts';
import type { ToolSpec } from '../domain/session/context.ts';
import { readOutputDefinition, readOutputTool } from './command/jobs/read-output.ts';
import { stopCommandDefinition, stopCommandTool } from './command/jobs/stop-command.ts';
import { runCommandDefinition, runCommandTool } from './command/run-command.ts';
import { editFileDefinition, editFileTool } from './files/edit-file.ts';
import type { KnownFiles } from './files/known-files.ts';
import { readFileDefinition, readFileTool } from './files/read-file.ts';
import { writeFileDefinition, writeFileTool } from './files/write-file.ts';
import { mcpDefinitions } from './mcp/mcp.ts';
import { listFilesDefinition, listFilesTool } from './search/list-files.ts';
import { searchDefinition, searchTool } from './search/search.ts';
import { askUserDefinition, askUserTool } from './session/ask-user.ts';
import { recallDefinition, recallTool } from './session/recall.ts';
import { rememberDefinition, rememberTool } from './session/remember.ts';
import { taskDefinition, taskTool } from './session/task.ts';
import { todoDefinition, todoTool } from './session/todo.ts';
import { skillDefinition, skillTool } from './skill.ts';
import type { ToolDefinition } from './tool.ts';
import type { ToolContext } from './tool-context.ts';
import { fetchUrlDefinition, fetchUrlTool } from './web/fetch-url.ts';

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
  readonly definitions: readonly Pick<ToolDefinition, 'name' | 'input'>[];
  /** Makes the tools of these definitions, in their order; none where the session has not got what they need. */
  readonly make: (context: ToolContext, knownFiles: KnownFiles) => readonly Tool[];
  /** Whether a model is told of them; it always is without this. */
  readonly isTold?: (selection: ToolSelection) => boolean;
};

/** All tools, in the order of the list that a model gets. */
export const toolList: readonly ToolEntry[] = [
  { definitions: [readFileDefinition], make: (context, knownFiles) => [readFileTool(context, knownFiles)] },
  { definitions: [writeFileDefinition], make: (context, knownFiles) => [writeFileTool(context, knownFiles)] },
  { definitions: [editFileDefinition], make: (context, knownFiles) => [editFileTool(context, knownFiles)] },
  { definitions: [listFilesDefinition], make: (context) => [listFilesTool(context)] },
  { definitions: [searchDefinition], make: (context) => [searchTool(context)] },
  { definitions: [runCommandDefinition], make: (context) => [runCommandTool(context)] },
  { definitions: [readOutputDefinition], make: (context) => [readOutputTool(context)] },
  { definitions: [stopCommandDefinition], make: (context) => [stopCommandTool(context)] },
  { definitions: [fetchUrlDefinition], make: (context) => [fetchUrlTool(context)] },
  { definitions: [todoDefinition], make: () => [todoTool()] },
  { definitions: [askUserDefinition], make: ({ askPerson }) => [askUserTool(askPerson)] },
  {
    definitions: [taskDefinition],
    make: ({ helpers }) => (helpers === undefined ? [] : [taskTool(helpers)]),
    isTold: ({ helpers = true }) => helpers,
  },
  {
    definitions: [recallDefinition],
    make: ({ recall, ...context }) => (recall === undefined ? [] : [recallTool({ ...context, recall })]),
    isTold: ({ recall }) => recall,
  },
  {
    definitions: [rememberDefinition],
    make: ({ remember }) => (remember === undefined ? [] : [rememberTool(remember)]),
    isTold: ({ remember }) => remember,
  },
  {
    definitions: [skillDefinition],
    make: ({ skills }) => (skills === undefined ? [] : [skillTool(skills)]),
    isTold: ({ skills = false }) => skills,
  },
  {
    definitions: mcpDefinitions,
    make: ({ mcp, pageChars, sees }) => mcp?.tools(pageChars, () => sees?.() === true) ?? [],
    isTold: ({ mcp }) => mcp !== undefined,
  },
];
