import { type Bilingual, localize } from '../../domain/language.ts';
import type { SkillRow } from '../chat/program-port.ts';
import { safeLine } from '../text/safe-text.ts';
import { wrap } from '../text/text-width.ts';

export type SkillsView = {
  readonly skills: readonly SkillRow[];
  readonly problems: readonly Bilingual[];
  /** Names that a command has. */
  readonly builtIn: readonly string[];
};

/** Each skill with what it is for and whose it is, then what is wrong with others. Ends with a newline. */
export function skillsText({ skills, problems, builtIn }: SkillsView, columns: number): string {
  const lines = skills.flatMap(({ name, description, source }) => {
    const isTaken = builtIn.includes(name.toLowerCase());
    return [
      `/${safeLine(name)}${localize(sources)[source]}${isTaken ? localize(taken) : ''}`,
      ...wrap(safeLine(description), Math.max(20, columns - 4)).map((line) => `    ${line}`),
    ];
  });
  const missing = skills.length === 0 ? [localize(none)] : [];
  return `${[...missing, ...lines, ...problems.map((problem) => safeLine(localize(problem)))].flatMap((line) => wrap(line, columns)).join('\n')}\n`;
}

const sources = { en: { user: ' (yours)', project: " (the project's)" }, zh: { user: '（你的）', project: '（本项目的）' } };
const taken = {
  en: ': the command of this name is run instead; ask for the skill in words',
  zh: '：同名的命令会被运行；要用此技能，请用文字说明',
};
const none = {
  en: 'There are no skills. One is a folder with a SKILL.md in ~/.sanbot/skills, or in .sanbot/skills of a project that you trust.',
  zh: '没有技能。技能是含有 SKILL.md 的文件夹，位于 ~/.sanbot/skills，或你信任的项目的 .sanbot/skills 中。',
};
