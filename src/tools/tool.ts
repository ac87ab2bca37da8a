import type { z } from 'zod';
import type { Tool, ToolOutcome, ToolPlan } from '../agent/ports/tools.ts';
import { AbortedError, errorReason } from '../domain/errors.ts';
import { type Bilingual, because, isBilingual, sameInBoth } from '../domain/language.ts';
import { errnoReason } from '../domain/value/errno.ts';
import { parseInput } from './input.ts';
import { visibleText } from './place/visible.ts';

/** What is known of a tool without any session: its name, and what it takes. */
export type ToolDefinition<S extends z.ZodObject = z.ZodObject> = { readonly name: string; readonly input: S };

/** A call that was looked at; a text says why it cannot be made, in words that follow the tool's name and a colon. */
type Planned = Promise<ToolPlan | Bilingual>;

/** A tool with how it is made for a session, of what its plans need. */
export const defineTool = <S extends z.ZodObject, Needs extends readonly unknown[]>(
  name: string,
  input: S,
  planCall: (input: z.output<S>, ...needs: Needs) => Planned,
) => ({ name, input, make: (...needs: Needs): Tool => createTool({ name, input }, (given) => planCall(given, ...needs)) });

/** A tool that keeps the promises of its port: planning never rejects, running rejects only with AbortedError. */
export function createTool<S extends z.ZodObject>({ name, input }: ToolDefinition<S>, planCall: (input: z.output<S>) => Planned): Tool {
  const refused = (why: Bilingual): ToolPlan => invalid(because(sameInBoth(name), why));
  return {
    name,
    plan: async (raw) => {
      try {
        const parsed = parseInput(input, raw);
        if (parsed.kind === 'wrong') return refused(parsed.message);
        const plan = await planCall(parsed.input);
        if (isBilingual(plan)) return refused(plan);
        return plan.kind === 'invalid'
          ? plan
          : { ...plan, run: (signal, onProgress) => runTool((stop) => plan.run(stop, onProgress), signal) };
      } catch (error) {
        return refused(toolFailure(error));
      }
    },
  };
}

/** A call that cannot be made, and why: the model reads the English words. */
export const invalid = (why: Bilingual): ToolPlan => ({ kind: 'invalid', message: why.en, shown: why });

/** A plan that changes no file and runs no program: it has no preview. */
export const readPlan = (title: string, run: ReadyPlan['run'], target: Partial<PlanTarget> = {}): ToolPlan => {
  const { path, given, aliases, place = 'none', caution, cwd } = target;
  return {
    kind: 'ready',
    access: 'read',
    path,
    place,
    title,
    preview: '',
    run,
    ...(given && { given }),
    ...(aliases && { aliases }),
    ...(caution && { caution }),
    ...(cwd && { cwd }),
  };
};

type ReadyPlan = Extract<ToolPlan, { kind: 'ready' }>;
type PlanTarget = Pick<ReadyPlan, 'path' | 'given' | 'aliases' | 'place' | 'caution' | 'cwd'>;

/** A failed outcome: what went wrong, of which the model reads the English words, and the short line for a person. */
export const failure = (what: Bilingual, note: Bilingual = FAILED): ToolOutcome => ({ ok: false, content: what.en, shown: what, note });

/** The same of what bears a name, such as a file. */
export const failureOf = (name: string, what: Bilingual, note?: Bilingual): ToolOutcome => failure(because(sameInBoth(name), what), note);

const FAILED: Bilingual = { en: 'failed', zh: '失败' };

/** Returns `1 line`, `2 lines`. */
export const quantity = (count: number, one: string, more = `${one}s`): string => `${count} ${count === 1 ? one : more}`;

/** The same in both languages; `zh` is the measure word and the noun. */
export const counted = (count: number, one: string, zh: string): Bilingual => ({ en: quantity(count, one), zh: `${count} ${zh}` });

/** Returns the outcome of `work`; a failure of the system becomes one that names the file or folder. */
export async function namingFailure(name: string, work: () => Promise<ToolOutcome>): Promise<ToolOutcome> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error && 'code' in error) return failure(toolFailure(error, name));
    throw error;
  }
}

/** Returns what went wrong, in one line that the model can act on. `what` names the file in question. */
export function toolFailure(error: unknown, what?: string): Bilingual {
  const text = errnoReason(error) ?? (error instanceof Error ? visibleText(errorReason(error), 500) : UNKNOWN);
  return what === undefined ? text : because(sameInBoth(what), text);
}

async function runTool(run: (signal: AbortSignal) => Promise<ToolOutcome>, signal: AbortSignal): Promise<ToolOutcome> {
  try {
    if (signal.aborted) throw new AbortedError('stopped');
    return await run(signal);
  } catch (error) {
    if (error instanceof AbortedError) throw error;
    return failure(toolFailure(error));
  }
}

const UNKNOWN: Bilingual = { en: 'unknown failure', zh: '未知的失败' };
