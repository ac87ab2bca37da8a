import type { Dirent } from 'node:fs';
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { z } from 'zod';
import type { ToolOutcome } from '../agent/ports/tools.ts';
import type { Bilingual } from '../domain/language.ts';
import { type Skill, searchSkills } from '../domain/session/skill.ts';
import { nearest } from '../domain/text.ts';
import { decodeLoosely, isValidText, NO_TEXT } from '../domain/value/text-bytes.ts';
import { createRuledPaths } from './place/ruled-paths.ts';
import { visibleLine } from './place/visible.ts';
import { counted, defineTool, failure, namingFailure, readPlan } from './tool.ts';
import type { ToolContext } from './tool-context.ts';

const inputSchema = z.strictObject({
  name: z.string().min(1).max(100).optional().describe('The skill to read.'),
  file: z.string().min(1).max(1_000).optional().describe('One of its files.'),
  query: z.string().min(1).max(500).optional().describe('Words that find skills.'),
});

const MAX_BYTES = 256 * 1024;
const MAX_FILES = 50;
const MAX_DEPTH = 3;
const MAX_FOUND = 20;

type SkillPlace = Pick<ToolContext, 'pathRules' | 'cwd'>;
type SkillContext = SkillPlace & NonNullable<ToolContext['skills']>;

/** Skills stand in the user's settings or in a folder that the user trusts, so reading one never asks. */
export const skillTool = defineTool(
  'skill',
  inputSchema,
  async ({ name, file, query }, { skills, noteUse, pathRules, cwd }: SkillContext) => {
    if (name === undefined) {
      if (query === undefined) return { en: 'give the name of a skill, or a query', zh: '请给出技能名称或查询' };
      return readPlan(`skill search ${visibleLine(query, 200)}`, async () => foundSkills(searchSkills(skills, query)));
    }
    const skill = skills.find((each) => each.name === name) ?? skills.find((each) => each.name.toLowerCase() === name.toLowerCase());
    if (skill === undefined) return unknownSkill(name, skills);
    const title = `skill ${skill.name}${file === undefined ? '' : ` ${visibleLine(file, 200)}`}`;
    const read = (): Promise<ToolOutcome> =>
      file === undefined ? readSkill(skill) : readSkillFile(skill, file, { cwd, ...(pathRules && { pathRules }) });
    return readPlan(title, () => {
      noteUse(skill.name);
      return namingFailure(file ?? skill.name, read);
    });
  },
);

function unknownSkill(name: string, skills: readonly Skill[]): Bilingual {
  const names = skills.map((skill) => skill.name);
  const suggestion = nearest(name, names);
  const shown = JSON.stringify(visibleLine(name, 100));
  return {
    en: `there is no skill ${shown}. ${suggestion === undefined ? 'Use a query to find one.' : `Did you mean ${suggestion}?`}`,
    zh: `没有技能 ${shown}。${suggestion === undefined ? '请用查询来找。' : `是否指 ${suggestion}？`}`,
  };
}

function foundSkills(found: readonly Skill[]): ToolOutcome {
  if (found.length === 0) return { ok: true, content: 'No skill matches.', note: { en: 'none', zh: '没有' } };
  const lines = found.slice(0, MAX_FOUND).map(({ name, description }) => `- ${name}: ${visibleLine(description, 300)}`);
  return { ok: true, content: lines.join('\n'), note: counted(found.length, 'skill', '个技能') };
}

async function readSkill({ folder }: Skill): Promise<ToolOutcome> {
  const text = await readText(join(folder, 'SKILL.md'));
  if (typeof text !== 'string') return text;
  const body = text.replace(/^---[ \t]*\r?\n[\s\S]*?\r?\n---[ \t]*(?:\r?\n|$)/, '').trim();
  const files = (await filesIn(folder)).filter((path) => path !== 'SKILL.md');
  const more = files.length > MAX_FILES ? `, and ${files.length - MAX_FILES} more` : '';
  const list = files.length === 0 ? '' : `\n\nIts files, to be read with file: ${files.slice(0, MAX_FILES).join(', ')}${more}`;
  return { ok: true, content: `${body}\n\nThe skill's folder: ${folder}${list}`, note: counted(text.split('\n').length, 'line', '行') };
}

/** Only what lies in the skill's folder, links resolved. */
async function readSkillFile({ folder }: Skill, file: string, { pathRules, cwd }: SkillPlace): Promise<ToolOutcome> {
  const root = await realpath(folder);
  const path = relative(root, await realpath(join(root, file)));
  if (path === '..' || path.startsWith(`..${sep}`) || path.startsWith(sep))
    return failure(
      { en: `${file} is not in the folder of the skill`, zh: `${file} 不在该技能的文件夹中` },
      { en: 'outside the skill', zh: '不在技能中' },
    );
  const ruled = createRuledPaths(pathRules?.(), { tool: 'read_file', cwd: await realpath(cwd), nameOf: (each) => each });
  if (ruled.isRuled(join(root, path)))
    return failure(
      {
        en: `a rule of the user forbids to read ${file}, or says to ask: read it by its path`,
        zh: `用户的规则禁止读取 ${file}，或要求询问：请按路径读取`,
      },
      { en: 'held back by a rule', zh: '被规则阻止' },
    );
  const text = await readText(join(root, path));
  return typeof text === 'string' ? { ok: true, content: text, note: counted(text.split('\n').length, 'line', '行') } : text;
}

async function readText(path: string): Promise<string | ToolOutcome> {
  const stats = await stat(path);
  if (!stats.isFile()) return failure({ en: 'it is no file', zh: '不是文件' }, { en: 'no file', zh: '不是文件' });
  if (stats.size > MAX_BYTES)
    return failure(
      { en: `it has ${stats.size} bytes; at most ${MAX_BYTES} are read`, zh: `它有 ${stats.size} 字节；最多读取 ${MAX_BYTES} 字节` },
      { en: 'too large', zh: '太大' },
    );
  const bytes = await readFile(path);
  const text = decodeLoosely(bytes);
  if (text.includes('\0')) return failure({ en: 'it is no text', zh: '不是文本' }, { en: 'no text', zh: '不是文本' });
  return isValidText(bytes) ? text : `${text}\n\n(${NO_TEXT.en}: what is not valid is replaced)`;
}

async function filesIn(folder: string, depth = 1, prefix = ''): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((): readonly Dirent[] => []);
  const names = [...entries].filter(({ name }) => !name.startsWith('.')).sort((a, b) => (a.name < b.name ? -1 : 1));
  const lists = await Promise.all(
    names.slice(0, 200).map(async (entry) => {
      const path = `${prefix}${entry.name}`;
      if (!entry.isDirectory()) return [visibleLine(path, 200)];
      return depth < MAX_DEPTH ? filesIn(join(folder, entry.name), depth + 1, `${path}/`) : [];
    }),
  );
  return lists.flat();
}
