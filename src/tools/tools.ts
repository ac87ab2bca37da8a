import type { Tool } from '../agent/ports.ts';
import { editFileTool } from './edit-file.ts';
import { createKnownFiles } from './known-files.ts';
import { listFilesTool } from './list-files.ts';
import { readFileTool } from './read-file.ts';
import { recallTool } from './recall.ts';
import { rememberTool } from './remember.ts';
import { runCommandTool } from './run-command.ts';
import { searchTool } from './search.ts';
import { todoTool } from './todo.ts';
import type { ToolWorld } from './tool-world.ts';
import { writeFileTool } from './write-file.ts';

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
