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
import { createKnownFiles } from './files/known-files.ts';
import { inputSchemas } from './input-schemas.ts';
import type { ToolContext } from './tool-context.ts';
import { type ToolSelection, toolList } from './tool-list.ts';

/** What a model is told of the tools. It takes no session, so the header of a session can list them. */
export function toolSpecs(selection: ToolSelection): readonly ToolSpec[] {
  const schemas = inputSchemas();
  const specs = toolList
    .filter(({ isTold }) => isTold(selection))
    .flatMap(({ definitions }) => definitions)
    .map(({ name }) => ({ name, description: selection.describe(name).trim(), inputSchema: { ...schemas[name] } }));
  return [...specs, ...(selection.mcp ?? [])];
}

/** The tools of a session. They share what they know of the files that were read, so make them once for a session. */
export function createTools(context: ToolContext): readonly Tool[] {
  const knownFiles = createKnownFiles();
  return toolList.flatMap(({ make }) => make(context, knownFiles));
}
