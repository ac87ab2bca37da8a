import { type Bilingual, localize } from '../../domain/language.ts';
import type { InstructionsPort, OwnCommandRow, SkillRow, SkillsPort } from '../chat/program-port.ts';
import { noText } from '../input/input-text.ts';
import type { Choice } from '../input/prompts.ts';
import { safeLine, safeText } from '../text/safe-text.ts';
import { wrap } from '../text/text-width.ts';
import type { CommandUi, LoopControl, SlashCommand } from './command.ts';

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
      .map((name) =>
        localize({
          en: `Your command ${name} is not used: /${name} is one of SanBot's. Rename its file.`,
          zh: `你的命令 ${name} 不会被使用：/${name} 是 SanBot 自己的命令。请给它的文件改名。`,
        }),
      ),
    ...names
      .filter((name) => own.includes(name))
      .map((name) =>
        localize({
          en: `/${name} is your command; ask for the skill ${name} in words.`,
          zh: `/${name} 是你的命令；要用技能 ${name}，请用文字说明。`,
        }),
      ),
  ];
}

/** Says for the user that a skill is to be used; the model reads it with its tool. */
export const useSkill = ({ name }: SkillRow, argument: string, { say }: Pick<LoopControl, 'say'>): Promise<void> =>
  say(`Use the skill ${name}.${argument === '' ? '' : ` ${argument}`}`);

const writeChoices = (): readonly Choice<boolean>[] => [
  { name: noText(), value: false },
  { name: localize({ en: 'Yes, write it', zh: '是，写入' }), value: true },
];

const initTexts = {
  en: {
    nobody: 'AGENTS.md was not written: there is no terminal to ask at.',
    question: 'Write this to AGENTS.md?',
    nothing: 'Nothing was written.',
    written: 'Wrote AGENTS.md. Say in it what cannot be seen in the code; the model reads it from your next message on.',
  },
  zh: {
    nobody: '没有写入 AGENTS.md：这里没有终端可以询问。',
    question: '把它写入 AGENTS.md 吗？',
    nothing: '没有写入任何内容。',
    written: '已写入 AGENTS.md。请在其中写明从代码里看不出来的内容；模型从你的下一条消息起会阅读它。',
  },
};

/** `/init` shows a first AGENTS.md, and writes it after a yes. */
async function runInit(instructions: InstructionsPort, { screen, questions }: CommandUi, { stoppable }: LoopControl): Promise<void> {
  const draft = instructions.draft();
  if (draft.kind === 'refused') return screen.line(draft.why, 'notice');
  screen.block(safeText(draft.text));
  if (questions === undefined) return screen.line(localize(initTexts).nobody, 'notice');
  await stoppable(async (signal) => {
    if (!(await questions.decide(localize(initTexts).question, writeChoices(), signal)))
      return screen.line(localize(initTexts).nothing, 'notice');
    instructions.write(draft);
    screen.line(localize(initTexts).written, 'good');
  });
}

export const slashInit: SlashCommand = {
  name: 'init',
  description: { en: 'write a first AGENTS.md for this project, after showing it', zh: '为本项目生成第一份 AGENTS.md，写入前先显示' },
  run: (_, { chat, ui, loop }) => runInit(chat.instructions, ui, loop),
};

type SkillsView = {
  readonly skills: readonly SkillRow[];
  readonly problems: readonly Bilingual[];
  /** Names that a command has. */
  readonly builtIn: readonly string[];
};

/** Each skill with what it is for and whose it is, then what is wrong with others. Ends with a newline. */
function skillsText({ skills, problems, builtIn }: SkillsView, columns: number): string {
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
