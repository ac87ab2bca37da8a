import { z } from 'zod';
import { noUsage, type Usage, usageSchema } from '../session/message.ts';

/**
 * The fields that events are made of. Their input type is what SanBot writes, their output type what it reads out of the audit log.
 * Reading forgives: a field that is missing, because the line is older, or that is of another kind counts as nothing, so that no field
 * makes a line unreadable.
 */
export const amount = z.number().catch(0);
export const text = z.string().catch('');
export const flag = (otherwise: boolean) => z.boolean().catch(otherwise);

/** One of the words that this version writes; another version's are read as they stand. */
export const word = <const Word extends string>(words: readonly Word[]) =>
  z
    .enum(words)
    .transform((known): string => known)
    .catch(({ value }) => (typeof value === 'string' ? value : ''));

/** Several such words; what is none is left out. */
export const words = <const Word extends string>(known: readonly Word[]) =>
  z
    .array(z.enum(known))
    .readonly()
    .transform((all): readonly string[] => all)
    .catch(({ value }) => (Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []));

/** Parts of which each is read for itself. */
export const list = <Part extends z.ZodRawShape>(part: Part, nothing: z.output<z.ZodObject<Part>>) =>
  z.array(z.object(part).catch(nothing)).readonly().catch([]);

export const usage = usageSchema.catch(noUsage);

/** Written in any case, as undefined when it is not known; JSON leaves it out then. */
export const usageIfKnown: z.ZodType<Usage | undefined, Usage | undefined> = usageSchema.optional().catch(undefined);
export const amountIfKnown: z.ZodType<number | undefined, number | undefined> = z.number().optional().catch(undefined);
