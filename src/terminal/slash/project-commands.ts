import { localize } from '../../domain/language.ts';
import type { SkillsPort } from '../chat/program-port.ts';
import { safeLine, safeText } from '../text/safe-text.ts';
import { wrap, wrapIndented } from '../text/text-width.ts';
import { agentsText } from '../views/agents-text.ts';
import { confirmChoice, printLine, type SlashCommand } from './command.ts';

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

export const slashInit: SlashCommand = {
  name: 'init',
  description: { en: 'write a first AGENTS.md for this project, after showing it', zh: '为本项目生成第一份 AGENTS.md，写入前先显示' },
  run: async (_, { chat: { instructions }, ui }) => {
    const { screen, questions, columns } = ui;
    const draft = instructions.draft();
    if (draft.kind === 'refused') return screen.line(draft.why, 'notice');
    screen.block(`${wrapIndented(safeText(draft.text).trimEnd(), columns()).join('\n')}\n`);
    if (questions === undefined)
      return printLine(ui, 'notice', {
        en: 'AGENTS.md was not written: there is no terminal to ask at.',
        zh: '没有写入 AGENTS.md：这里没有终端可以询问。',
      });
    const question = localize({ en: 'Write this to AGENTS.md?', zh: '把它写入 AGENTS.md 吗？' });
    if (!(await confirmChoice(ui, question, localize({ en: 'Yes, write it', zh: '是，写入' }))))
      return printLine(ui, 'notice', { en: 'Nothing was written.', zh: '没有写入任何内容。' });
    instructions.write(draft);
    printLine(ui, 'good', {
      en: 'Wrote AGENTS.md. Say in it what cannot be seen in the code; the model reads it from your next message on.',
      zh: '已写入 AGENTS.md。请在其中写明从代码里看不出来的内容；模型从你的下一条消息起会阅读它。',
    });
  },
};

/** `/agents` lists them; with a name and words, those go to the agent. */
export const slashAgents: SlashCommand = {
  name: 'agents',
  argumentHint: { en: '[name and task]', zh: '[名称及任务]' },
  example: { en: '/agents reviewer look at my changes', zh: '/agents reviewer 检查我的更改' },
  description: { en: 'helpers with instructions of their own; give one a task', zh: '有自己指令的子代理；可交给它任务' },
  choices: ({ skills }) => skills.agents().agents.map(({ name, description }) => ({ text: name, detail: description })),
  run: async (argument, { chat: { skills }, ui, loop }) => {
    const { agents, problems } = skills.agents();
    const [, name = '', words = ''] = /^(\S+)\s*([\s\S]*)$/.exec(argument) ?? [];
    const agent = agents.find((each) => each.name === name);
    if (agent !== undefined && words !== '') return await loop.say(`@agent-${agent.name} ${words}`);
    const shown = agent === undefined ? agents : [agent];
    if (name !== '' && agent === undefined)
      printLine(ui, 'bad', { en: `There is no agent ${safeLine(name)}.`, zh: `没有代理 ${safeLine(name)}。` });
    ui.screen.block(agentsText(shown, agent === undefined ? problems : [], ui.columns()));
  },
};

/** `builtIn` are the names that a command has, which /NAME then runs. Ends with a newline. */
export function skillsText(port: SkillsPort, builtIn: readonly string[], columns: number): string {
  const skills = port.list();
  const lines = skills.flatMap(({ name, description, source }) => {
    const isTaken = builtIn.includes(name.toLowerCase());
    return [
      `/${safeLine(name)}${localize(sources)[source]}${isTaken ? localize(taken) : ''}`,
      ...wrap(safeLine(description), Math.max(20, columns - 4)).map((line) => `    ${line}`),
    ];
  });
  const missing = skills.length === 0 ? [localize(none)] : [];
  return `${[...missing, ...lines, ...port.problems().map((problem) => safeLine(localize(problem)))].flatMap((line) => wrap(line, columns)).join('\n')}\n`;
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
