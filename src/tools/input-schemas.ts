import { z } from 'zod';
import { readOutputDefinition } from './command/jobs/read-output.ts';
import { stopCommandDefinition } from './command/jobs/stop-command.ts';
import { runCommandDefinition } from './command/run-command.ts';
import { editFileDefinition } from './files/edit-file.ts';
import { readFileDefinition } from './files/read-file.ts';
import { writeFileDefinition } from './files/write-file.ts';
import { mcpDefinitions } from './mcp/mcp.ts';
import { listFilesDefinition } from './search/list-files.ts';
import { searchDefinition } from './search/search.ts';
import { askUserDefinition } from './session/ask-user.ts';
import { recallDefinition } from './session/recall.ts';
import { rememberDefinition } from './session/remember.ts';
import { taskDefinition } from './session/task.ts';
import { todoDefinition } from './session/todo.ts';
import { skillDefinition } from './skill.ts';
import { fetchUrlDefinition } from './web/fetch-url.ts';

type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * What each tool takes, as JSON Schema, by its name and in the order of the list that a model gets: the same bytes each time, for the prompt
 * cache. The bundle holds what it returns (build/computed-parts.mjs).
 */
export const inputSchemas = (): Readonly<Record<string, JsonSchema>> =>
  Object.fromEntries(
    [
      readFileDefinition,
      writeFileDefinition,
      editFileDefinition,
      listFilesDefinition,
      searchDefinition,
      runCommandDefinition,
      readOutputDefinition,
      stopCommandDefinition,
      fetchUrlDefinition,
      todoDefinition,
      askUserDefinition,
      taskDefinition,
      recallDefinition,
      rememberDefinition,
      skillDefinition,
      ...mcpDefinitions,
    ].map(({ name, input }) => [name, jsonSchemaOf(input())]),
  );

/** What a call that is wrong is told anyway, and what would be in every request until then. */
const UNTOLD = ['minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems', 'default', 'additionalProperties'] as const;

function jsonSchemaOf(schema: z.ZodObject): JsonSchema {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, {
    io: 'input',
    override: ({ jsonSchema }) => {
      for (const key of UNTOLD) delete jsonSchema[key];
    },
  });
  return json;
}
