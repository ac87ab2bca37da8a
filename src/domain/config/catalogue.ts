import { z } from 'zod';
import { type Bilingual, because, sameInBoth } from '../language.ts';
import { inspectText } from '../text.ts';
import { priceSchema } from './endpoint-settings.ts';
import { expectedText, protoProblem } from './layer.ts';

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
type Parsed<Value> = { readonly kind: 'ok'; readonly value: Value } | { readonly kind: 'bad'; readonly problem: Bilingual };

export const parseCatalogue = (value: unknown): Parsed<Catalogue> => parseWith(catalogueSchema, value);
export const parseKept = (value: unknown): Parsed<KeptCatalogue> => parseWith(keptSchema, value);

function parseWith<Value>(schema: z.ZodType<Value>, value: unknown): Parsed<Value> {
  if (value === undefined) return { kind: 'bad', problem: { en: 'no JSON', zh: '不是 JSON' } };
  const proto = protoProblem(value);
  if (proto !== undefined) return { kind: 'bad', problem: proto };
  const parsed = schema.safeParse(value);
  if (parsed.success) return { kind: 'ok', value: parsed.data };
  const [issue] = parsed.error.issues;
  return { kind: 'bad', problem: issue === undefined ? sameInBoth('') : problemOf(issue) };
}

/** Where it is, in our words. */
function problemOf(issue: z.core.$ZodIssue): Bilingual {
  const where = issue.path.map(String).join('.');
  const what = whatIsWrong(issue);
  return where === '' ? what : because(sameInBoth(where), what);
}

function whatIsWrong(issue: z.core.$ZodIssue): Bilingual {
  if (issue.code === 'unrecognized_keys') {
    const keys = issue.keys.map((key) => inspectText(key));
    return { en: `there is no key ${keys.join(', ')}`, zh: `没有键 ${keys.join('、')}` };
  }
  const isName = issue.code === 'invalid_format' && issue.format === 'regex';
  const { en, zh } = isName ? { en: 'a name without blanks', zh: '不含空格的名称' } : expectedText(issue);
  return { en: `expected ${en}`, zh: `应为${zh}` };
}
