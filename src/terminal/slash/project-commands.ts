import type { InstructionsPort } from '../chat/instructions-port.ts';
import type { OwnCommandRow, SkillRow, SkillsPort } from '../chat/skills-port.ts';
import type { Choice } from '../input/prompts.ts';
import { safeText } from '../text/safe-text.ts';
import { skillsText } from '../views/skills-text.ts';
import type { CommandUi, LoopControl } from './command.ts';

/** `/skills` lists them. `builtIn` are the names that a command has, which /NAME then runs. */
export const runSkills = (skills: SkillsPort, builtIn: readonly string[], { screen, columns }: CommandUi): void =>
  screen.block(skillsText({ skills: skills.list(), problems: skills.problems(), builtIn }, columns()));

/** The skill that `/name` means where no command has that name. */
export const skillNamed = (skills: SkillsPort, name: string): SkillRow | undefined =>
  skills.list().find((skill) => skill.name.toLowerCase() === name);

/** The user's or the project's command that `/name` means where SanBot has none of that name. */
export const ownCommandNamed = (skills: SkillsPort, name: string): OwnCommandRow | undefined =>
  skills.commands().find((command) => command.name === name);

/** What cannot be reached by its name, since something else has it: SanBot's own come first, then the user's, the project's, and skills. */
export function nameClashes(skills: SkillsPort, builtIn: readonly string[]): readonly string[] {
  const own = skills.commands().map(({ name }) => name);
  const names = skills.list().map(({ name }) => name.toLowerCase());
  return [
    ...own
      .filter((name) => builtIn.includes(name))
      .map((name) => `Your command ${name} is not used: /${name} is one of SanBot's. Rename its file.`),
    ...names.filter((name) => own.includes(name)).map((name) => `/${name} is your command; ask for the skill ${name} in words.`),
  ];
}

/** Says for the user that a skill is to be used; the model reads it with its tool. */
export const useSkill = ({ name }: SkillRow, argument: string, { say }: Pick<LoopControl, 'say'>): Promise<void> =>
  say(`Use the skill ${name}.${argument === '' ? '' : ` ${argument}`}`);

const WRITE_CHOICES: readonly Choice<boolean>[] = [
  { name: 'No', value: false },
  { name: 'Yes, write it', value: true },
];

/** `/init` shows a first AGENTS.md, and writes it after a yes. */
export async function runInit(instructions: InstructionsPort, { screen, questions }: CommandUi, { stoppable }: LoopControl): Promise<void> {
  const draft = instructions.draft();
  if (draft.kind === 'refused') return screen.line(draft.why, 'notice');
  screen.block(safeText(draft.text));
  if (questions === undefined) return screen.line('AGENTS.md was not written: there is no terminal to ask at.', 'notice');
  await stoppable(async (signal) => {
    if (!(await questions.decide('Write this to AGENTS.md?', WRITE_CHOICES, signal))) return screen.line('Nothing was written.', 'notice');
    instructions.write(draft);
    screen.line('Wrote AGENTS.md. Say in it what cannot be seen in the code; the model reads it from your next message on.', 'good');
  });
}
