import { z } from 'zod';
import { noUsage, type Usage, usageSchema } from '../session/message.ts';

/**
 * The field types of events: their input is what SanBot writes, their output what it reads. A field that is missing or of another type gets
 * an empty value, so that no field makes a line unreadable.
 */
export const amount = z.number().catch(0);
export const text = z.string().catch('');
export const flag = (otherwise: boolean) => z.boolean().catch(otherwise);

/** One of the words that this version writes; words of other versions are read as they are. */
export const word = <const Word extends string>(words: readonly Word[]) =>
  z
    .enum(words)
    .transform((known): string => known)
    .catch(({ value }) => (typeof value === 'string' ? value : ''));

/** A list of such words; items that are not strings are left out. */
export const words = <const Word extends string>(known: readonly Word[]) =>
  z
    .array(z.enum(known))
    .readonly()
    .transform((all): readonly string[] => all)
    .catch(({ value }) => (Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []));

/** A list whose items are read one by one; an unreadable item becomes `nothing`. */
export const list = <Part extends z.ZodRawShape>(part: Part, nothing: z.output<z.ZodObject<Part>>) =>
  z.array(z.object(part).catch(nothing)).readonly().catch([]);

export const usage = usageSchema.catch(noUsage);

/** Left out where the provider compared nothing. */
export const prefixIfCompared = z
  .object({ changed: z.string(), missedTokens: z.number(), planned: z.boolean() })
  .readonly()
  .optional()
  .catch(undefined);

/** Always written; undefined when not known, and JSON then leaves it out. */
export const usageIfKnown: z.ZodType<Usage | undefined, Usage | undefined> = usageSchema.optional().catch(undefined);
export const amountIfKnown: z.ZodType<number | undefined, number | undefined> = z.number().optional().catch(undefined);
