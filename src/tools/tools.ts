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
import type { ToolWorld } from './tool-world.ts';

/** The tools of a session. They share what they know of the files that were read, so make them once for a session. */
export function createTools(world: ToolWorld): readonly Tool[] {
  const known = createKnownFiles();
  return [
    readFileTool(world, known),
    writeFileTool(world, known),
    editFileTool(world, known),
    listFilesTool(world),
    searchTool(world),
    runCommandTool(world),
    todoTool(world),
    ...(world.recall === undefined ? [] : [recallTool({ ...world, recall: world.recall })]),
    ...(world.remember === undefined ? [] : [rememberTool({ ...world, remember: world.remember })]),
  ];
}
