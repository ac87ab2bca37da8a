import { LineCounter, parseDocument } from 'yaml';
import { z } from 'zod';
import { type Bilingual, isBilingual } from '../language.ts';
import { orUndefined } from '../value/or-undefined.ts';
import type { OwnCommand } from './skill.ts';

const frontMatterSchema = z.looseObject({ name: z.string().trim().min(1).optional(), description: z.string().trim().min(1) });

/** A name can be typed as a command, and stands in a list with others. */
const NAME = /^[\p{L}\p{N}][\p{L}\p{N}_-]{0,63}$/u;

const BETWEEN_RULES = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/;

const MAX_CHARS = 16 * 1024;
const MAX_ALL_COST = 1_000_000;
const MAX_BRACKETS = 200;
const MAX_DASHES_IN_LINE = 100;

/** What is left for the front matter of all files that are looked for at once. */
export type FrontMatterBudget = { left: number };

/** Enough for some 1,700 files of 500 characters, or 12 of the longest: 5 ms for 1,000 characters made to be hard, 150 for 16,000. */
export const frontMatterBudget = (): FrontMatterBudget => ({ left: MAX_ALL_COST });

/** The parser's time grows with the length, and for long texts with its square. */
const costOf = ({ length }: string): number => length * (1 + length / 4_000);

/** YAML of others: the parser's time grows with the square of its length, and deep nesting may end the process, not only the parse. */
function parseYaml(source: string, budget: FrontMatterBudget): ReturnType<typeof parseDocument> | Bilingual {
  if (source.length > MAX_CHARS)
    return { en: `its front matter is longer than ${MAX_CHARS} characters`, zh: `front matter 超过 ${MAX_CHARS} 个字符` };
  const isDeep =
    (source.match(/[[{]/g)?.length ?? 0) > MAX_BRACKETS ||
    source.split('\n').some((line) => (line.match(/[-?:](?=\s)/g)?.length ?? 0) > MAX_DASHES_IN_LINE);
  if (isDeep) return { en: 'its front matter is nested too deeply', zh: 'front matter 嵌套过深' };
  budget.left -= costOf(source);
  if (budget.left < 0) return { en: 'the front matter of all files together is too long', zh: '所有文件的 front matter 合计过长' };
  const document = parseStrictly(source);
  if (!isBilingual(document)) return document;
  const quoted = source.replaceAll(COLON_IN_TEXT, (_, key: string, value: string) => `${key}: ${JSON.stringify(value)}`);
  const again = quoted === source ? document : parseStrictly(quoted);
  return isBilingual(again) ? document : again;
}

function parseStrictly(source: string): ReturnType<typeof parseDocument> | Bilingual {
  const lines = new LineCounter();
  // Pretty errors quote the line of each of thousands of errors: 400 ms for 16,000 quotes, 160 without.
  const document = parseDocument(source, { schema: 'core', merge: false, strict: true, prettyErrors: false, lineCounter: lines });
  const [problem] = document.errors;
  if (problem === undefined) return document;
  const { line, col } = lines.linePos(problem.pos[0]);
  const reason = `${bounded(problem.message)} at line ${line}, column ${col}`;
  return { en: `its front matter is not YAML: ${reason}`, zh: `front matter 不是 YAML：${reason}` };
}

/** Strictly a text with a colon and a blank in it needs quotes. People leave them out, and other programs do not mind. */
const COLON_IN_TEXT = /^([A-Za-z][\w-]*): +(?=[\p{L}\p{N}(])(.*: .*?)[ \t]*\r?$/gmu;

/** The fields of the front matter of a file that has to have one, and the text below it; a text says what is wrong. */
export function readFields(text: string, budget: FrontMatterBudget): { readonly fields: unknown; readonly body: string } | Bilingual {
  const [whole, source] = BETWEEN_RULES.exec(text) ?? [];
  if (whole === undefined || source === undefined) return NO_FRONT_MATTER;
  const document = parseYaml(source, budget);
  return isBilingual(document) ? document : { fields: toPlain(document), body: text.slice(whole.length).trim() };
}

const NO_FRONT_MATTER: Bilingual = {
  en: 'it does not begin with front matter between two lines of ---',
  zh: '开头没有两行 --- 之间的 front matter',
};

export const isOwnName = (name: string): boolean => NAME.test(name);

/** What stands between the two lines of `---` at the top of a SKILL.md; a text says what is wrong. `folderName` is its name where it has none. */
export function readFrontMatter(
  text: string,
  folderName: string,
  budget = frontMatterBudget(),
): Pick<OwnCommand, 'name' | 'description'> | Bilingual {
  const read = readFields(text, budget);
  if (isBilingual(read)) return read;
  const parsed = frontMatterSchema.safeParse(read.fields);
  if (!parsed.success)
    return parsed.error.issues[0]?.path[0] === 'name'
      ? { en: 'its name is not text: write it in quotes', zh: '它的名称不是文字：请写在引号中' }
      : { en: 'its front matter has no description: write when to use it', zh: 'front matter 中没有 description：请写明何时使用' };
  const name = parsed.data.name ?? folderName;
  if (!NAME.test(name))
    return {
      en: `its name ${JSON.stringify(name.slice(0, 80))} is not made of letters, digits, - and _ (64 at most)`,
      zh: `名称 ${JSON.stringify(name.slice(0, 80))} 不是由字母、数字、- 和 _ 组成（最多 64 个）`,
    };
  return { name, description: parsed.data.description.replace(/\s+/g, ' ').toWellFormed() };
}

/** A message of the parser quotes what it could not read, which may be the whole file. */
function bounded(message: string): string {
  const [line = ''] = message.split('\n', 1);
  return line.length > 120 ? `${line.slice(0, 120).toWellFormed()}…` : line;
}

const commandSchema = z.looseObject({
  description: z.string().trim().min(1).optional(),
  'argument-hint': z.string().trim().min(1).optional(),
});

/** A file with a command of the user's own: front matter, which it may lack, and the text. A text says what is wrong. */
export function readCommandFile(
  text: string,
  name: string,
  budget = frontMatterBudget(),
): Pick<OwnCommand, 'description' | 'argumentHint' | 'body'> | Bilingual {
  if (!NAME.test(name))
    return { en: 'its name is not made of letters, digits, - and _ (64 at most)', zh: '名称不是由字母、数字、- 和 _ 组成（最多 64 个）' };
  const [whole = '', source] = BETWEEN_RULES.exec(text) ?? [];
  const body = text.slice(whole.length).trim();
  if (body === '') return { en: 'it has no text: write what it is to say', zh: '其中没有文字：请写明它要说什么' };
  const document = parseYaml(source ?? '{}', budget);
  if (isBilingual(document)) return document;
  const parsed = commandSchema.safeParse(toPlain(document) ?? {});
  if (!parsed.success) {
    const key = parsed.error.issues[0]?.path.join('.') ?? '';
    if (key === '')
      return { en: 'its front matter is no list of fields: write description: …', zh: 'front matter 不是字段列表：请写 description: …' };
    return { en: `in its front matter ${key} is not text: write it in quotes`, zh: `front matter 中的 ${key} 不是文字：请写在引号中` };
  }
  const description = parsed.data.description ?? body.split('\n', 1)[0] ?? '';
  return { description: description.replace(/\s+/g, ' ').slice(0, 200).toWellFormed(), argumentHint: parsed.data['argument-hint'], body };
}

/** Aliases that multiply are refused, not followed. */
const toPlain = (document: ReturnType<typeof parseDocument>): unknown => orUndefined((): unknown => document.toJS({ maxAliasCount: 10 }));
