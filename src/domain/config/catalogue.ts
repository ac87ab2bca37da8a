import { z } from 'zod';
import { priceSchema } from './endpoint-settings.ts';

const name = z.string().regex(/^[\x21-\x7e]{1,200}$/);
const tokens = z.int().positive();

const modelSchema = z.strictObject({
  name,
  windowTokens: tokens.exactOptional(),
  maxOutputTokens: tokens.exactOptional(),
  images: z.boolean().exactOptional(),
  tools: z.boolean().exactOptional(),
  reasons: z.boolean().exactOptional(),
  price: priceSchema.exactOptional(),
  step: z.strictObject({ aboveInputTokens: tokens, price: priceSchema }).exactOptional(),
});

const catalogueSchema = z.strictObject({
  providers: z
    .array(
      z.strictObject({
        provider: name,
        host: name,
        cacheMinutes: z.number().positive().exactOptional(),
        models: z.array(modelSchema).max(5_000),
      }),
    )
    .min(1)
    .max(500),
});

/** Windows, limits and prices that a person has given, in dollars for a million tokens. A price holds at its host. */
export type Catalogue = z.infer<typeof catalogueSchema>;

const keptSchema = z.strictObject({ from: z.string(), at: z.iso.datetime(), catalogue: catalogueSchema });

/** As it is kept, with where it came from and when. */
export type KeptCatalogue = z.infer<typeof keptSchema>;

/** What is wrong first, and where in it. */
type Parsed<Value> = { readonly kind: 'ok'; readonly value: Value } | { readonly kind: 'bad'; readonly problem: string };

export const parseCatalogue = (value: unknown): Parsed<Catalogue> => parseWith(catalogueSchema, value);
export const parseKept = (value: unknown): Parsed<KeptCatalogue> => parseWith(keptSchema, value);

function parseWith<Value>(schema: z.ZodType<Value>, value: unknown): Parsed<Value> {
  if (value === undefined) return { kind: 'bad', problem: 'no JSON' };
  const parsed = schema.safeParse(value);
  if (parsed.success) return { kind: 'ok', value: parsed.data };
  const [issue] = parsed.error.issues;
  return { kind: 'bad', problem: [issue?.path.join('.') ?? '', issue?.message ?? ''].filter((part) => part !== '').join(': ') };
}
