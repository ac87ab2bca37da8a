/**
 * The tools that a model can call: files, search, a command, a task list, memory and recall. What a model is told of them is pure
 * (`toolSpecs`), so that a session's header can list them; the tools themselves are made once for a session that is open.
 *
 * A model's input comes in as JSON of any shape. It is checked against the tool's schema and answered in words that let the model call
 * again. Out comes a plan, which says what would be read, changed or run, and changes nothing; the permission is the agent's, and running
 * comes after it.
 *
 * Planning never rejects, and running rejects only when it is aborted: whatever else goes wrong is a failed result. Results are whole, or
 * say in their first line what is left out. No tool that takes a path touches SanBot's home, this session's own results apart.
 */

import type { Tool } from '../agent/ports/tools.ts';
import type { ToolSpec } from '../domain/session/context.ts';
import { readOutputTool } from './command/jobs/read-output.ts';
import { stopCommandTool } from './command/jobs/stop-command.ts';
import { runCommandTool } from './command/run-command.ts';
import { editFileTool } from './files/edit-file.ts';
import { createKnownFiles } from './files/known-files.ts';
import { readFileTool } from './files/read-file.ts';
import { writeFileTool } from './files/write-file.ts';
import { inputSchemas } from './input-schemas.ts';
import { mcpDefinitions } from './mcp/mcp.ts';
import { listFilesTool } from './search/list-files.ts';
import { searchTool } from './search/search.ts';
import { askUserTool } from './session/ask-user.ts';
import { recallDefinition, recallTool } from './session/recall.ts';
import { rememberDefinition, rememberTool } from './session/remember.ts';
import { taskDefinition, taskTool } from './session/task.ts';
import { todoTool } from './session/todo.ts';
import { skillDefinition, skillTool } from './skill.ts';
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

/** What a model is told of the tools. It takes no session, so the header of a session can list them. */
export function toolSpecs({ describe, recall, remember, helpers = true, skills, mcp }: ToolSelection): readonly ToolSpec[] {
  const left = new Set([
    ...(helpers ? [] : [taskDefinition.name]),
    ...(recall ? [] : [recallDefinition.name]),
    ...(remember ? [] : [rememberDefinition.name]),
    ...(skills === true ? [] : [skillDefinition.name]),
    ...(mcp === undefined ? mcpDefinitions.map(({ name }) => name) : []),
  ]);
  const specs = Object.entries(inputSchemas())
    .filter(([name]) => !left.has(name))
    .map(([name, schema]) => ({ name, description: describe(name).trim(), inputSchema: { ...schema } }));
  return [...specs, ...(mcp ?? [])];
}

/** The tools of a session. They share what they know of the files that were read, so make them once for a session. */
export function createTools(context: ToolContext): readonly Tool[] {
  const knownFiles = createKnownFiles();
  return [
    readFileTool(context, knownFiles),
    writeFileTool(context, knownFiles),
    editFileTool(context, knownFiles),
    listFilesTool(context),
    searchTool(context),
    runCommandTool(context),
    readOutputTool(context),
    stopCommandTool(context),
    fetchUrlTool(context),
    todoTool(),
    askUserTool(context.askPerson),
    ...(context.helpers === undefined ? [] : [taskTool(context.helpers)]),
    ...(context.recall === undefined ? [] : [recallTool({ ...context, recall: context.recall })]),
    ...(context.remember === undefined ? [] : [rememberTool(context.remember)]),
    ...(context.skills === undefined ? [] : [skillTool(context.skills)]),
    ...(context.mcp?.tools(context.pageChars, () => context.sees?.() === true) ?? []),
  ];
}
