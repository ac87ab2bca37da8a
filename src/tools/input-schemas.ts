import { z } from 'zod';
import { toolList } from './tool-list.ts';

type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * What each tool takes, as JSON Schema, by its name and in the order of the list that a model gets: the same bytes each time, for the prompt
 * cache. The bundle holds what it returns (build/computed-parts.mjs).
 */
export const inputSchemas = (): Readonly<Record<string, JsonSchema>> =>
  Object.fromEntries(toolList.flatMap(({ definitions }) => definitions.map(({ name, input }) => [name, jsonSchemaOf(input)])));

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
