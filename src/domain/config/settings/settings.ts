/**
 * The settings, each described once: what it may be, what it is by default, and what it does.
 *
 * The rest follows from that description: how a file is checked, the type of all settings, what `sanbot config show KEY` and `/config KEY`
 * say, the tables in docs/settings.md and the example of all settings (both renewed by test/meta/settings.test.ts with --update).
 *
 * The sections of a model, of permissions and of hooks stand beside the types that they are made of. Nothing here says where a setting
 * may be set: that is ../config-settings.ts and ../project-settings.ts.
 */

import { z } from 'zod';
import { type Bilingual, expecting } from '../../language.ts';

const texts = z.registry<Bilingual>();

/** `does` is Markdown, for a cell of a table: the page of settings has its English, with links from docs/. */
export function setting<Schema extends z.ZodType>(schema: Schema, does: Bilingual): Schema {
  texts.add(schema, does);
  return schema;
}

export const textOfSetting = (schema: z.ZodType): Bilingual | undefined => texts.get(schema);

/** Paths of a person, absolute or in their home. Each setting has a schema of its own: what it does is known by that. */
export const homePaths = () =>
  z
    .array(z.string().regex(/^(?:~\/|\/)[^\0]{1,4000}$/, expecting({ en: 'paths that begin with / or ~/', zh: '以 / 或 ~/ 开头的路径' })))
    .default([]);
