import type { Tool } from '../agent/ports.ts';
import { runCommandTool } from './command/run-command.ts';
import { editFileTool } from './files/edit-file.ts';
import { createKnownFiles } from './files/known-files.ts';
import { readFileTool } from './files/read-file.ts';
import { writeFileTool } from './files/write-file.ts';
import { recallTool } from './recall.ts';
import { rememberTool } from './remember.ts';
import { listFilesTool } from './search/list-files.ts';
import { searchTool } from './search/search.ts';
import { todoTool } from './todo.ts';
import type { ToolContext } from './tool-context.ts';

/** The tools of a session. They share what they know about the files that were read, so create them once per session. */
export function createTools(context: ToolContext): readonly Tool[] {
  const knownFiles = createKnownFiles();
  return [
    readFileTool(context, knownFiles),
    writeFileTool(context, knownFiles),
    editFileTool(context, knownFiles),
    listFilesTool(context),
    searchTool(context),
    runCommandTool(context),
    todoTool(context),
    ...(context.recall === undefined ? [] : [recallTool({ ...context, recall: context.recall })]),
    ...(context.remember === undefined ? [] : [rememberTool({ ...context, remember: context.remember })]),
  ];
}
