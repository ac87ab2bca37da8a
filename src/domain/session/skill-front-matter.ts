import { parseDocument } from 'yaml';
import { z } from 'zod';
import type { OwnCommand } from '../own-command.ts';

const frontMatterSchema = z.looseObject({ name: z.string().trim().min(1).optional(), description: z.string().trim().min(1) });

/** A name can be typed as a command, and stands in a list with others. */
const NAME = /^[\p{L}\p{N}][\p{L}\p{N}_-]{0,63}$/u;

export type FrontMatter = { readonly name: string; readonly description: string };

const BETWEEN_RULES = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/;

/** What stands between the two lines of `---` at the top of a SKILL.md; a string says what is wrong. `folderName` is its name where it has none. */
export function readFrontMatter(text: string, folderName: string): FrontMatter | string {
  const [, source] = BETWEEN_RULES.exec(text) ?? [];
  if (source === undefined) return 'it does not begin with front matter between two lines of ---';
  const document = parseDocument(source, { schema: 'core', merge: false, strict: true });
  const [problem] = document.errors;
  if (problem !== undefined) return `its front matter is no YAML: ${problem.message.split('\n', 1)[0]}`;
  const parsed = frontMatterSchema.safeParse(toPlain(document));
  if (!parsed.success) return parsed.error.issues[0]?.path[0] === 'name' ? 'its name is no text' : 'its front matter has no description';
  const name = parsed.data.name ?? folderName;
  if (!NAME.test(name)) return `its name ${JSON.stringify(name.slice(0, 80))} is not made of letters, digits, - and _ (64 at most)`;
  return { name, description: parsed.data.description.replace(/\s+/g, ' ').toWellFormed() };
}

const commandSchema = z.looseObject({
  description: z.string().trim().min(1).optional(),
  'argument-hint': z.string().trim().min(1).optional(),
});

/** A file with a command of the user's own: front matter, which it may lack, and the text. A string says what is wrong. */
export function readCommandFile(text: string, name: string): Pick<OwnCommand, 'description' | 'argumentHint' | 'body'> | string {
  if (!NAME.test(name)) return 'its name is not made of letters, digits, - and _ (64 at most)';
  const [whole = '', source] = BETWEEN_RULES.exec(text) ?? [];
  const body = text.slice(whole.length).trim();
  if (body === '') return 'there is no text in it';
  const document = parseDocument(source ?? '{}', { schema: 'core', merge: false, strict: true });
  const [problem] = document.errors;
  if (problem !== undefined) return `its front matter is no YAML: ${problem.message.split('\n', 1)[0]}`;
  const parsed = commandSchema.safeParse(toPlain(document) ?? {});
  if (!parsed.success) return `in its front matter ${parsed.error.issues[0]?.path.join('.') ?? 'something'} is no text`;
  const description = parsed.data.description ?? body.split('\n', 1)[0] ?? '';
  return { description: description.replace(/\s+/g, ' ').slice(0, 200).toWellFormed(), argumentHint: parsed.data['argument-hint'], body };
}

/** Aliases that multiply are refused, not followed. */
function toPlain(document: ReturnType<typeof parseDocument>): unknown {
  try {
    return document.toJS({ maxAliasCount: 10 });
  } catch {
    return undefined;
  }
}
