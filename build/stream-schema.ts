import { z } from 'zod';
import { auditedEventSchema, stopReasons } from '../src/domain/event/event-schema.ts';
import { streamInputSchema } from '../src/domain/event/stream-input.ts';
import { STREAM_SCHEMA } from '../src/terminal/screen/json-output.ts';

/** What SanBot writes, of a schema that also says how older lines are read: without what it puts in the place of anything else. */
function written(schema: z.core.$ZodType): z.ZodType {
  const { def } = schema._zod;
  if (is<z.core.$ZodCatchDef>(def, 'catch') || is<z.core.$ZodReadonlyDef>(def, 'readonly')) return written(def.innerType);
  if (is<z.core.$ZodPipeDef>(def, 'pipe')) return written(def.in);
  if (is<z.core.$ZodOptionalDef>(def, 'optional')) return written(def.innerType).optional();
  if (is<z.core.$ZodArrayDef>(def, 'array')) return z.array(written(def.element));
  if (is<z.core.$ZodObjectDef>(def, 'object')) return z.object(mapped(def.shape));
  if (!(schema instanceof z.ZodType)) throw new Error(`A schema of type ${def.type} is not known here`);
  return schema;
}

const is = <Def extends z.core.$ZodTypeDef>(def: z.core.$ZodTypeDef, type: Def['type']): def is Def => def.type === type;

const mapped = (shape: z.core.$ZodShape): Record<string, z.ZodType> =>
  Object.fromEntries(Object.entries(shape).map(([key, field]) => [key, written(field)]));

const count = z.number();
const usage = z.object({ inputTokens: count, cacheReadTokens: count, cacheWriteTokens: count, outputTokens: count });

/** Events that are only streamed; a type that is missing here fails where lines of real runs are checked. */
const streamedOnly: Readonly<Record<string, z.ZodRawShape>> = {
  text: { text: z.string() },
  thinking: { text: z.string() },
  tool_output: {
    toolUseId: z.string(),
    lines: z.array(z.string()),
    omitted: count,
    from: z.enum(['start', 'end']),
    first: count.optional(),
  },
  files_changed: { toolUseId: z.string().optional(), note: z.string() },
  tool_progress: { tool: z.string(), text: z.string() },
  sandbox: { active: z.boolean(), why: z.string().optional() },
  compaction_step: { step: z.enum(['snapshot', 'archive', 'memory', 'summary', 'commit']), part: count, parts: count },
};

const diff = z.object({ path: z.string(), added: count, removed: count, text: z.string() });

const more: Readonly<Record<string, z.ZodRawShape>> = {
  tool_ended: { diff: diff.optional(), todo: z.array(z.object({ text: z.string(), status: z.string() })).optional() },
  session_started: { sessionId: z.string(), schema: z.literal(STREAM_SCHEMA) },
  reply: { text: z.string() },
};

const result = z.object({
  type: z.literal('result'),
  schema: z.literal(STREAM_SCHEMA),
  sessionId: z.string(),
  result: z.string(),
  stopReason: z.enum(stopReasons),
  steps: count,
  usage,
  costUsd: count.nullable(),
  compactions: count,
  offloads: count,
  edits: z.array(diff),
  model: z.string().optional(),
  structured: z.unknown().optional(),
  denied: z.array(z.object({ tool: z.string(), title: z.string(), allow: z.string().optional() })),
  error: z.object({ code: z.string(), message: z.string(), hint: z.string(), exitCode: count }).optional(),
});

function eventLines(): readonly z.ZodType[] {
  const audited = auditedEventSchema.options.map((option) => {
    const fields = mapped(option.shape);
    const type = String(option.shape.type.value);
    return z.object({ ...fields, ...more[type] });
  });
  const others = Object.entries(streamedOnly).map(([type, shape]) => z.object({ type: z.literal(type), ...shape }));
  return [...audited, ...others];
}

/** The lines of `stream-json`, both ways, as JSON Schema. Fields may be added, so none is forbidden in what is written. */
export function streamJsonSchema(): Readonly<Record<string, unknown>> {
  const define = (schema: z.ZodType): unknown => {
    const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input' });
    return rest;
  };
  return {
    title: `stream-json of SanBot, version ${STREAM_SCHEMA}`,
    description: 'JSON Schema, draft 2020-12.',
    oneOf: [{ $ref: '#/$defs/input' }, { $ref: '#/$defs/output' }],
    $defs: { input: define(streamInputSchema), output: define(z.union([result, ...eventLines()])) },
  };
}
