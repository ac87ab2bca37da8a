import type { ChatPort } from '../chat/chat-port.ts';
import type { SkillRow, SkillsPort } from '../chat/skills-port.ts';
import { skillsText } from '../views/skills-text.ts';
import type { CommandUi, LoopControl } from './command.ts';

/** `/skills` lists them. `builtIn` are the names that a command has, which /NAME then runs. */
export const runSkills = (skills: SkillsPort, builtIn: readonly string[], { screen, columns }: CommandUi): void =>
  screen.block(skillsText({ skills: skills.list(), problems: skills.problems(), builtIn }, columns()));

/** The skill that `/name` means where no command has that name. */
export const skillNamed = (skills: SkillsPort, name: string): SkillRow | undefined =>
  skills.list().find((skill) => skill.name.toLowerCase() === name);

/** Says for the user that a skill is to be used; the model reads it with its tool. */
export const useSkill = ({ name }: SkillRow, argument: string, { turn }: ChatPort, { stoppable }: LoopControl): Promise<void> =>
  stoppable((signal) => turn.say(`Use the skill ${name}.${argument === '' ? '' : ` ${argument}`}`, signal));
