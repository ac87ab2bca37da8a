import { expandCommand } from '../../../domain/own-command.ts';
import type { SkillsPort } from '../../../terminal/chat/skills-port.ts';
import type { Current } from './current.ts';

export const createSkillsPort = ({ runtime: { skills, commands } }: Current): SkillsPort => ({
  commands: () => commands.commands.map(({ body, ...command }) => ({ ...command, expand: (typed) => expandCommand(body, typed) })),
  list: () => skills.skills,
  problems: () => skills.problems,
});
