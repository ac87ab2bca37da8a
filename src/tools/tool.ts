import { z } from 'zod';
import type { Tool, ToolOutcome, ToolPlan } from '../agent/ports/tools.ts';
import { AbortedError } from '../domain/errors.ts';
import type { ToolSpec } from '../domain/session/context.ts';
import { parseInput } from './input.ts';
import { visibleLine } from './place/visible.ts';

/** What is known of a tool without any session: its name, and what it takes. */
export type ToolDefinition<S extends z.ZodObject = z.ZodObject> = { readonly name: string; readonly input: S };

/** What a model is told of a tool: the same bytes each time, for the prompt cache. */
export const specOf = ({ name, input }: ToolDefinition, description: string): ToolSpec => ({
  name,
  description: description.trim(),
  inputSchema: jsonSchemaOf(input),
});

/** A tool that keeps the promises of its port: planning never rejects, running rejects only with AbortedError. */
export function createTool<S extends z.ZodObject>(
  { name, input: schema }: ToolDefinition<S>,
  planCall: (input: z.output<S>) => Promise<ToolPlan>,
): Tool {
  return {
    name,
    plan: async (raw) => {
      try {
        const parsed = parseInput(schema, raw);
        if (parsed.kind === 'wrong') return invalid(`${name}: ${parsed.message}`);
        const plan = await planCall(parsed.input);
        return plan.kind === 'invalid'
          ? plan
          : { ...plan, run: (signal, onProgress) => runTool((stop) => plan.run(stop, onProgress), signal) };
      } catch (error) {
        return invalid(`${name}: ${failureText(error)}`);
      }
    },
  };
}

export const invalid = (message: string): ToolPlan => ({ kind: 'invalid', message });

/** A plan that changes no file and runs no program: it has no preview. */
export const readPlan = (title: string, run: ReadyPlan['run'], target: Partial<PlanTarget> = {}): ToolPlan => {
  const { path, given, place = 'none', caution, cwd } = target;
  return {
    kind: 'ready',
    access: 'read',
    path,
    place,
    title,
    preview: '',
    run,
    ...(given && { given }),
    ...(caution && { caution }),
    ...(cwd && { cwd }),
  };
};

type ReadyPlan = Extract<ToolPlan, { kind: 'ready' }>;
type PlanTarget = Pick<ReadyPlan, 'path' | 'given' | 'place' | 'caution' | 'cwd'>;

/** A failed outcome: what the model reads, and the short line for a person. */
export const failure = (content: string, note = 'failed'): ToolOutcome => ({ ok: false, content, note });

/** Returns `1 line`, `2 lines`. */
export const quantity = (count: number, one: string, more = `${one}s`): string => `${count} ${count === 1 ? one : more}`;

/** Returns the outcome of `work`; a failure of the system becomes one that names the file or folder. */
export async function namingFailure(name: string, work: () => Promise<ToolOutcome>): Promise<ToolOutcome> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error && 'code' in error) return failure(failureText(error, name));
    throw error;
  }
}

/** Returns what went wrong, in one line that the model can act on. `what` names the file in question. */
export function failureText(error: unknown, what?: string): string {
  const code = codeOf(error);
  const knownText = code === undefined ? undefined : ERROR_TEXTS[code];
  const text = knownText ?? (error instanceof Error ? visibleLine(error.message, 500) : 'unknown failure');
  return what === undefined ? text : `${what}: ${text}`;
}

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

async function runTool(run: (signal: AbortSignal) => Promise<ToolOutcome>, signal: AbortSignal): Promise<ToolOutcome> {
  try {
    if (signal.aborted) throw new AbortedError('stopped');
    return await run(signal);
  } catch (error) {
    if (error instanceof AbortedError) throw error;
    return failure(failureText(error));
  }
}

/** What a call that is wrong is told anyway, and what would be in every request until then. */
const UNTOLD = ['minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems', 'default', 'additionalProperties'] as const;

function jsonSchemaOf(schema: z.ZodObject): Record<string, unknown> {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, {
    io: 'input',
    override: ({ jsonSchema }) => {
      for (const key of UNTOLD) delete jsonSchema[key];
    },
  });
  return json;
}

const ERROR_TEXTS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder',
  EACCES: 'permission denied',
  EPERM: 'not permitted',
  EISDIR: 'is a folder',
  ENOTDIR: 'a part of the path is a file, not a folder',
  ELOOP: 'its symbolic links go round in a circle',
  ENAMETOOLONG: 'the name is too long',
  EMFILE: 'too many open files',
  ENOSPC: 'no space left on the disk',
  EDQUOT: 'the disk quota is used up',
  E2BIG: 'it is too long for the system',
  EFBIG: 'the file would be too large',
  EROFS: 'the file system is read-only',
  EBUSY: 'it is in use',
  EAGAIN: 'it has nothing to read now',
  EIO: 'the disk reports a read or write error',
};
