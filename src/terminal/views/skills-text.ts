import type { SkillRow } from '../chat/skills-port.ts';
import { safeLine } from '../text/safe-text.ts';
import { wrap } from '../text/text-width.ts';

export type SkillsView = {
  readonly skills: readonly SkillRow[];
  readonly problems: readonly string[];
  /** Names that a command has. */
  readonly builtIn: readonly string[];
};

/** Each skill with what it is for and whose it is, then what is wrong with others. Ends with a newline. */
export function skillsText({ skills, problems, builtIn }: SkillsView, columns: number): string {
  const lines = skills.flatMap(({ name, description, source }) => {
    const isTaken = builtIn.includes(name.toLowerCase());
    return [
      `/${safeLine(name)} (${source === 'user' ? 'yours' : "the project's"})${isTaken ? TAKEN : ''}`,
      ...wrap(safeLine(description), Math.max(20, columns - 4)).map((line) => `    ${line}`),
    ];
  });
  const none = skills.length === 0 ? NONE : [];
  return `${[...none, ...lines, ...problems.map(safeLine)].flatMap((line) => wrap(line, columns)).join('\n')}\n`;
}

const TAKEN = ': the command of this name is run instead; ask for the skill in words';
const NONE = [
  'There are no skills. One is a folder with a SKILL.md in ~/.sanbot/skills, or in .sanbot/skills of a project that you trust.',
];
