/**
 * The slash commands of the REPL: one table with their names, hints and descriptions, and one file of functions for each concept.
 *
 * A line that begins with a slash comes in. A command is handed the port that it works on (compaction, rollback, memory, pins, sessions,
 * model, turn) and the place where it shows the result. /help, completion and the check for arguments all read the same table.
 *
 * Nothing that a command shows goes into the conversation, except what `!command` printed. Going back asks first; where there is nobody to ask, it changes nothing and
 * names the command line that does it.
 */

import { nearest } from '../../domain/text.ts';
import { safeLine } from '../text/safe-text.ts';
import { padEnd, wrap } from '../text/text-width.ts';
import type { CommandUi, SlashContext } from './command.ts';
import { runCompact } from './compact-command.ts';
import { runJobs } from './jobs-command.ts';
import { runMcp } from './mcp-command.ts';
import { runMemory, runRecall, runRemember } from './memory-commands.ts';
import { runContext, runCost, runModel } from './model-commands.ts';
import { runPermissions } from './permission-commands.ts';
import { runPin, runPins, runTodo, runUnpin } from './pin-commands.ts';
import { runInit, runSkills, skillNamed, useSkill } from './project-commands.ts';
import { runRewind } from './rewind-command.ts';
import { runHistory, runRollback, runUndo } from './rollback-commands.ts';
import { runEvents, runExport, runFork, runNew, runRename, runResume, runSessions } from './session-commands.ts';
import { runShellCommand } from './shell-command.ts';

type SlashCommand = {
  readonly name: string;
  /** What may follow the name. */
  readonly argumentHint?: string;
  readonly description: string;
  readonly run: (argument: string, context: SlashContext) => void | Promise<void>;
};

/** A line that begins so is a command; a path such as /etc/hosts is not. A lone slash asks for the list, and "quit" is what it says. */
export function parseCommand(line: string): { readonly name: string; readonly argument: string } | undefined {
  if (line.trim() === '/') return { name: 'help', argument: '' };
  if (/^(?:quit|exit)$/i.test(line.trim())) return { name: 'quit', argument: '' };
  const shell = /^!([\s\S]*)$/.exec(line.trim())?.[1];
  if (shell !== undefined) return { name: SHELL, argument: shell.trim() };
  const remembered = /^#\s+(\S[\s\S]*)$/.exec(line.trim())?.[1];
  if (remembered !== undefined) return { name: 'remember', argument: remembered };
  const match = /^\/([\p{L}\p{N}_-]+)(?:\s+([\s\S]*))?$/u.exec(line.trim());
  return match?.[1] === undefined ? undefined : { name: match[1].toLowerCase(), argument: (match[2] ?? '').trim() };
}

/** The name of what a line that begins with it runs. */
const SHELL = '!';

/** Runs a command; what it shows goes to the screen and, except for what a shell's command printed, never into the conversation. */
export async function runCommand(
  { name, argument }: { readonly name: string; readonly argument: string },
  context: SlashContext,
): Promise<void> {
  if (name === SHELL) return runShellCommand(argument, context.chat.turn, { ui: context.ui, stoppable: context.loop.stoppable });
  const command = commands.find((each) => each.name === (name === 'exit' ? 'quit' : name));
  const skill = command === undefined ? skillNamed(context.chat.skills, name) : undefined;
  if (skill !== undefined) {
    await useSkill(skill, argument, context.chat, context.loop);
  } else if (command === undefined) {
    const suggestion = nearest(name, commandNames);
    context.ui.screen.line(
      `There is no command /${safeLine(name)}. ${suggestion === undefined ? '/help lists them.' : `Did you mean /${suggestion}?`}`,
      'bad',
    );
  } else if (/^(?:--help|-h)$/.test(argument)) {
    context.ui.screen.block(commandHelpText(command, context.ui.columns()));
  } else if (argument !== '' && command.argumentHint === undefined) {
    context.ui.screen.line(`/${name} takes no arguments.`, 'bad');
  } else {
    await command.run(argument, context);
  }
}

const commands: readonly SlashCommand[] = [
  {
    name: 'help',
    argumentHint: '[command]',
    description: 'this list, or what one command does',
    run: (argument, { ui }) => runHelp(argument, ui),
  },
  {
    name: 'compact',
    argumentHint: '[--preview] [what to keep]',
    description: 'summarise older messages now; with --preview, look at it first',
    run: (argument, { chat, ui, loop }) => runCompact(argument, chat.compaction, { ui, loop }),
  },
  { name: 'context', description: 'what fills the window, and what could be freed', run: (_, { chat, ui }) => runContext(chat.model, ui) },
  {
    name: 'history',
    description: 'snapshots, compactions and rollbacks of this session',
    run: (_, { chat, ui, retentionDays }) => runHistory(chat.rollback, ui, retentionDays),
  },
  {
    name: 'rewind',
    argumentHint: '[number]',
    description: 'go back to before an earlier message, and edit it',
    run: (argument, { chat, ui, loop: { prefill } }) => runRewind(argument, chat.rollback, { ui, prefill }),
  },
  {
    name: 'rollback',
    argumentHint: '[id]',
    description: 'make a snapshot current again',
    run: (argument, { chat, ui }) => runRollback(argument, chat.rollback, ui),
  },
  {
    name: 'undo',
    description: 'undo the last compaction, rollback or clear; again: undo that',
    run: (_, { chat, ui }) => runUndo(chat.rollback, ui),
  },
  { name: 'memory', description: 'what is remembered, and where', run: (_, { chat, ui }) => runMemory(chat.memory, ui) },
  {
    name: 'remember',
    argumentHint: '[what]',
    description: 'remember something beyond this session',
    run: (argument, { chat, ui }) => runRemember(argument, chat.memory, ui),
  },
  {
    name: 'recall',
    argumentHint: '[words]',
    description: 'search everything that was said and seen',
    run: (argument, { chat, ui, loop: { stoppable } }) => runRecall(argument, chat.memory, { ui, stoppable }),
  },
  { name: 'sessions', description: 'all sessions', run: (_, { chat, ui }) => runSessions(chat.sessions, ui) },
  {
    name: 'resume',
    argumentHint: '[id]',
    description: 'continue another session',
    run: (argument, { chat, ui, loop: { welcome } }) => runResume(argument, chat.sessions, { ui, welcome }),
  },
  { name: 'new', description: 'start a new session', run: (_, { chat, loop }) => runNew(chat.sessions, loop.welcome) },
  {
    name: 'pin',
    argumentHint: '[number|last]',
    description: 'keep a message word for word through every compaction',
    run: (argument, { chat, ui }) => runPin(argument, chat.pins, ui),
  },
  {
    name: 'unpin',
    argumentHint: '[number|all]',
    description: 'unpin a message',
    run: (argument, { chat, ui }) => runUnpin(argument, chat.pins, ui),
  },
  { name: 'pins', description: 'what is pinned, and what it costs', run: (_, { chat, ui }) => runPins(chat.pins, ui) },
  {
    name: 'jobs',
    argumentHint: '[stop|keep number]',
    description: 'commands in the background; stop one, or keep it when you leave',
    run: (argument, { chat, ui }) => runJobs(argument, chat.jobs, ui),
  },
  { name: 'todo', description: 'the task list that the model keeps', run: (_, { chat, ui }) => runTodo(chat.turn, ui) },
  { name: 'clear', description: 'empty the context (a snapshot is taken first)', run: (_, { chat }) => chat.compaction.clear() },
  {
    name: 'model',
    argumentHint: '[name]',
    description: 'show the model, or choose another one',
    run: (argument, { chat, ui, loop: { stoppable } }) => runModel(argument, chat.model, { ui, stoppable }),
  },
  {
    name: 'permissions',
    argumentHint: '[rule]',
    description: 'your rules for what may run; add or remove one',
    run: (argument, { chat, ui }) => runPermissions(argument, chat.permissions, ui),
  },
  {
    name: 'skills',
    description: 'skills that the model can read; /NAME uses one',
    run: (_, { chat, ui }) => runSkills(chat.skills, commandNames, ui),
  },
  {
    name: 'init',
    description: 'write a first AGENTS.md for this project, after showing it',
    run: (_, { chat, ui, loop }) => runInit(chat.instructions, ui, loop),
  },
  {
    name: 'mcp',
    argumentHint: '[approve server]',
    description: 'your MCP servers; agree to tools that changed',
    run: (argument, { chat, ui }) => runMcp(argument, chat.mcp, ui),
  },
  { name: 'cost', description: 'what this session has used', run: (_, { chat, ui }) => runCost(chat.model, ui) },
  {
    name: 'events',
    description: 'the newest lines of the audit log about this session',
    run: (_, { chat, ui }) => runEvents(chat.sessions, ui),
  },
  {
    name: 'rename',
    argumentHint: '[title]',
    description: 'give this session a title',
    run: (argument, { chat, ui }) => runRename(argument, chat.sessions, ui),
  },
  { name: 'fork', description: 'continue in a copy of this session', run: (_, { chat, loop }) => runFork(chat.sessions, loop.welcome) },
  {
    name: 'export',
    argumentHint: '[file]',
    description: 'write this session to a file: .md, .html, or .jsonl to import it',
    run: (argument, { chat, ui }) => runExport(argument, chat.sessions, ui),
  },
  { name: 'quit', description: 'exit (as Ctrl-D does)', run: (_, { loop }) => loop.quit() },
];

/** The table, for completion. */
export const commandRows: readonly Pick<SlashCommand, 'name' | 'argumentHint' | 'description'>[] = commands;
const commandNames: readonly string[] = commands.map(({ name }) => name);

function runHelp(argument: string, { screen, columns }: CommandUi): void {
  const name = argument.replace(/^\//, '').toLowerCase();
  const command = commands.find((each) => each.name === name);
  if (argument === '') screen.block(helpText(columns()));
  else if (command !== undefined) screen.block(commandHelpText(command, columns()));
  else screen.line(`There is no command /${safeLine(name)}. /help lists them.`, 'bad');
}

const usageOf = ({ name, argumentHint }: SlashCommand): string => `/${name}${argumentHint === undefined ? '' : ` ${argumentHint}`}`;

const commandHelpText = (command: SlashCommand, columns: number): string =>
  `${wrap(`${usageOf(command)}: ${command.description}`, columns).join('\n')}\n`;

/** What a command does stands beside it, or below it where there is no room. */
const MIN_DESCRIPTION_COLUMNS = 24;

function helpText(columns: number): string {
  const rows = commands.map((command) => ({ usage: usageOf(command), description: command.description }));
  const width = Math.max(...rows.map(({ usage }) => usage.length));
  const keys = [
    'Enter sends. Alt-Enter, Shift-Enter, Ctrl-J or a backslash before Enter starts another line. A long paste is folded: Tab opens it.',
    'Up and Down go through earlier messages that begin as what is typed; Ctrl-R searches them. Ctrl-G opens your editor, Ctrl-_ undoes. Ctrl-O shows the newest output whole.',
    'Ctrl-C or Esc stops a turn; what you type in the meantime waits, and Up takes it back. Ctrl-D exits, Ctrl-Z suspends.',
    '!COMMAND runs a command and shows the model what it printed. A text behind # and a blank is remembered.',
    'Tab completes commands and @files.',
  ];
  const isSideBySide = columns - width - 4 >= MIN_DESCRIPTION_COLUMNS;
  const indent = ' '.repeat(isSideBySide ? width + 4 : 6);
  const lines = rows.flatMap(({ usage, description }) => {
    const [first = '', ...more] = wrap(description, columns - indent.length);
    const heading = isSideBySide ? [`  ${padEnd(usage, width)}  ${first}`] : [`  ${usage}`, indent + first];
    return [...heading, ...more.map((line) => indent + line)];
  });
  return `${[...lines, ...keys.flatMap((line) => wrap(line, columns))].join('\n')}\n`;
}
