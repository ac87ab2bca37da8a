import type { SkillsPort } from '../../../terminal/chat/skills-port.ts';
import type { Current } from './current.ts';

export const createSkillsPort = ({ runtime: { skills } }: Current): SkillsPort => ({
  list: () => skills.skills,
  problems: () => skills.problems,
});
