/**
 * The slash commands of the REPL: each described once, beside what it does, in the file of its concept; here is the list of them.
 *
 * A line that begins with a slash comes in. A command is handed the port that it works on (compaction, rollback, memory, pins, sessions,
 * model, turn) and the place where it shows the result. /help, completion and the check for arguments all read that description.
 *
 * Nothing that a command shows goes into the conversation, except what `!command` printed. Going back asks first; where there is nobody to ask, it changes nothing and
 * names the command line that does it.
 */

import { AbortedError } from '../../domain/errors.ts';
import { type Bilingual, localize, sameInBoth } from '../../domain/language.ts';
import { useSkill } from '../../domain/session/skill.ts';
import { nearest } from '../../domain/text.ts';
import type { ChatPort } from '../chat/chat-port.ts';
import { pluralize } from '../text/format.ts';
import { safeLine, safeText } from '../text/safe-text.ts';
import { type ArgumentChoice, printLine, SHELL, type SlashCommand, type SlashContext } from './command.ts';
import { slashClear, slashCompact } from './compaction/compaction-preview.ts';
import { type CommandRow, commandHelpText, descriptionOf, runHelp } from './help-text.ts';
import { slashBackground, slashJobs } from './jobs-command.ts';
import { slashForget, slashMemory, slashRecall, slashRemember } from './memory-commands.ts';
import { slashContext, slashCost, slashEffort, slashModel } from './model-commands.ts';
import { slashPin, slashPins, slashPlan, slashTodo, slashUnpin } from './pin-commands.ts';
import { skillsText, slashAgents, slashInit } from './project-commands.ts';
import { slashChanges, slashDiff } from './session/changes-commands.ts';
import { slashHistory, slashRewind, slashRollback, slashUndo } from './session/rollback-commands.ts';
import { slashEvents, slashExport, slashFork, slashNew, slashRename, slashResume, slashSessions } from './session/session.ts';
import { slashAddDir, slashConfig, slashMcp, slashPermissions, slashSetup, slashTheme, slashTools } from './settings-commands.ts';

export async function runCommand({ name, argument }: TypedCommand, context: SlashContext): Promise<void> {
  if (name === SHELL) return runShellCommand(argument, context);
  const command = commands.find((each) => each.name === (name === 'exit' ? 'quit' : name));
  if (command === undefined) return runOwn({ name, argument }, context);
  const { ui } = context;
  if (/^(?:--help|-h)$/.test(argument)) ui.screen.block(commandHelpText(command, ui.columns()));
  else if (argument !== '' && command.argumentHint === undefined)
    printLine(ui, 'bad', { en: `/${name} takes no arguments.`, zh: `/${name} 不带参数。` });
  else await command.run(argument, context);
}

type TypedCommand = { readonly name: string; readonly argument: string };

async function runOwn({ name, argument }: TypedCommand, { chat: { skills }, ui, loop }: SlashContext): Promise<void> {
  const own = skills.commands().find((each) => each.name === name);
  if (own !== undefined) return loop.say(own.expand(argument));
  const skill = skills.list().find((each) => each.name.toLowerCase() === name);
  if (skill !== undefined) return loop.say(useSkill(skill.name, argument));
  const broken = skills.broken(name);
  if (broken !== undefined) return printLine(ui, 'bad', broken);
  const suggestion = nearest(name, commandNames);
  printLine(ui, 'bad', {
    en: `There is no command /${safeLine(name)}. ${suggestion === undefined ? '/help lists them.' : `Did you mean /${suggestion}?`}`,
    zh: `没有 /${safeLine(name)} 命令。${suggestion === undefined ? '/help 列出所有命令。' : `是否想输入 /${suggestion}？`}`,
  });
}

const slashHelp: SlashCommand = {
  name: 'help',
  argumentHint: { en: '[command]', zh: '[命令]' },
  example: sameInBoth('/help compact'),
  description: { en: 'this list, or what one command does', zh: '此列表，或某个命令的说明' },
  choices: () => commands.map((each) => ({ text: each.name, detail: descriptionOf(each) })),
  run: (argument, { chat, ui }) => runHelp(argument, [...groups, { title: OWN, commands: chat.skills.commands() }], ui),
};

const OWN: Bilingual = { en: 'Your own', zh: '你的命令' };

const slashSkills: SlashCommand = {
  name: 'skills',
  description: { en: 'skills that the model can read; /NAME uses one', zh: '模型可以阅读的技能；/NAME 使用其中一个' },
  run: (_, { chat, ui: { screen, columns } }) => screen.block(skillsText(chat.skills, commandNames, columns())),
};

const slashQuit: SlashCommand = {
  name: 'quit',
  description: { en: 'exit (as Ctrl-D does)', zh: '退出（同 Ctrl-D）' },
  run: (_, { loop }) => loop.quit(),
};

const groups: readonly { readonly title: Bilingual; readonly commands: readonly SlashCommand[] }[] = [
  {
    title: { en: 'Conversation', zh: '对话' },
    commands: [slashHelp, slashNew, slashResume, slashSessions, slashRename, slashFork, slashExport, slashQuit],
  },
  {
    title: { en: 'Going back', zh: '回退' },
    commands: [slashRewind, slashUndo, slashChanges, slashDiff, slashHistory, slashRollback],
  },
  {
    title: { en: 'Context and model', zh: '上下文与模型' },
    commands: [slashContext, slashCompact, slashClear, slashPin, slashUnpin, slashPins, slashModel, slashEffort, slashCost],
  },
  { title: { en: 'Memory', zh: '记忆' }, commands: [slashMemory, slashRemember, slashForget, slashRecall] },
  {
    title: { en: 'Tools and settings', zh: '工具与设置' },
    commands: [
      ...[slashPermissions, slashAddDir, slashBackground, slashJobs, slashTodo, slashPlan, slashAgents, slashTools, slashSkills],
      ...[slashMcp, slashInit, slashConfig, slashTheme, slashSetup, slashEvents],
    ],
  },
];

const commands = groups.flatMap((group) => group.commands);

/** What can stand behind the name of a command; none where that cannot be listed: the command itself says why. */
export async function argumentChoices(name: string, chat: ChatPort, now: Date): Promise<readonly ArgumentChoice[]> {
  try {
    return (await commands.find((each) => each.name === name)?.choices?.(chat, now)) ?? [];
  } catch {
    return [];
  }
}

export const takesFile = (name: string): boolean => commands.some((each) => each.name === name && each.takesFile === true);

export const commandRows: readonly CommandRow[] = commands;
export const commandNames: readonly string[] = commands.map(({ name }) => name);

export async function runShellCommand(command: string, { chat, ui, loop }: SlashContext): Promise<void> {
  if (command === '')
    return printLine(ui, 'bad', {
      en: 'Add a command: !COMMAND runs it and shows the model what it printed.',
      zh: '请加上命令：!COMMAND 运行它，并把输出给模型看。',
    });
  await loop.stoppable(async (signal) => {
    const result = await chat.turn.run(command, signal).catch(undefinedWhenStopped);
    if (result === undefined) return printLine(ui, 'notice', { en: 'Stopped. The model is not told.', zh: '已停止。模型不会得知此事。' });
    const { ok, output, note, changed } = result;
    if (output.trim() !== '') ui.screen.block(`${shownPart(safeText(output).trimEnd().split('\n')).join('\n')}\n`);
    const mark = ok ? '✓' : '✗';
    printLine(ui, ok ? 'quiet' : 'bad', {
      en: `${mark} ${safeLine(note.en)}. The model sees this with your next message.`,
      zh: `${mark} ${safeLine(note.zh)}。模型会随你的下一条消息看到它。`,
    });
    if (changed !== undefined) printLine(ui, 'quiet', { en: `  ${safeLine(changed.en)}`, zh: `  ${safeLine(changed.zh)}` });
  });
}

function undefinedWhenStopped(error: unknown): undefined {
  if (!(error instanceof AbortedError)) throw error;
}

const MAX_FIRST_LINES = 100;
const MAX_LAST_LINES = 300;

function shownPart(lines: readonly string[]): readonly string[] {
  const left = lines.length - MAX_FIRST_LINES - MAX_LAST_LINES;
  if (left <= 0) return lines;
  return [
    ...lines.slice(0, MAX_FIRST_LINES),
    localize({ en: `… ${pluralize(left, 'line')} not shown …`, zh: `… ${left} 行未显示 …` }),
    ...lines.slice(-MAX_LAST_LINES),
  ];
}
