/**
 * The slash commands of the REPL: one table with their names, hints and descriptions, and one file of functions for each concept.
 *
 * A line that begins with a slash comes in. A command is handed the port that it works on (compaction, rollback, memory, pins, sessions,
 * model, turn) and the place where it shows the result. /help, completion and the check for arguments all read the same table.
 *
 * Nothing that a command shows goes into the conversation, except what `!command` printed. Going back asks first; where there is nobody to ask, it changes nothing and
 * names the command line that does it.
 */

import { localize } from '../../domain/language.ts';
import { nearest } from '../../domain/text.ts';
import { safeLine } from '../text/safe-text.ts';
import { SHELL, type SlashCommand, type SlashContext } from './command.ts';
import { runCompact } from './compaction/compact-command.ts';
import { type CommandRow, commandHelpText, runHelp } from './help-text.ts';
import { runJobs } from './jobs-command.ts';
import { runMcp } from './mcp-command.ts';
import { runMemory, runRecall, runRemember } from './memory-commands.ts';
import { runContext, runCost, runModel } from './model-commands.ts';
import { runPermissions } from './permission-commands.ts';
import { runPin, runPins, runTodo, runUnpin } from './pin-commands.ts';
import { ownCommandNamed, runInit, runSkills, skillNamed, useSkill } from './project-commands.ts';
import { runRewind } from './session/rewind-command.ts';
import { runHistory, runRollback, runUndo } from './session/rollback-commands.ts';
import { runEvents, runExport, runFork, runNew, runRename, runResume, runSessions } from './session/session.ts';
import { nameSetup, showSettings, showTools } from './settings-commands.ts';
import { runShellCommand } from './shell-command.ts';
import { commandTexts } from './slash-text.ts';

/** Runs a command; what it shows goes to the screen and, except for what a shell's command printed, never into the conversation. */
export async function runCommand(
  { name, argument }: { readonly name: string; readonly argument: string },
  context: SlashContext,
): Promise<void> {
  if (name === SHELL) return runShellCommand(argument, context.chat.turn, { ui: context.ui, stoppable: context.loop.stoppable });
  const command = commands.find((each) => each.name === (name === 'exit' ? 'quit' : name));
  const own = command === undefined ? ownCommandNamed(context.chat.skills, name) : undefined;
  const skill = command === undefined && own === undefined ? skillNamed(context.chat.skills, name) : undefined;
  if (own !== undefined) {
    await context.loop.say(own.expand(argument));
  } else if (skill !== undefined) {
    await useSkill(skill, argument, context.loop);
  } else if (command === undefined) {
    const suggestion = nearest(name, commandNames);
    context.ui.screen.line(
      localize({
        en: `There is no command /${safeLine(name)}. ${suggestion === undefined ? '/help lists them.' : `Did you mean /${suggestion}?`}`,
        zh: `没有 /${safeLine(name)} 命令。${suggestion === undefined ? '/help 列出所有命令。' : `是否想输入 /${suggestion}？`}`,
      }),
      'bad',
    );
  } else if (/^(?:--help|-h)$/.test(argument)) {
    context.ui.screen.block(commandHelpText(command, context.ui.columns()));
  } else if (argument !== '' && command.argumentHint === undefined) {
    context.ui.screen.line(localize({ en: `/${name} takes no arguments.`, zh: `/${name} 不带参数。` }), 'bad');
  } else {
    await command.run(argument, context);
  }
}

const commands: readonly SlashCommand[] = [
  {
    name: 'help',
    ...commandTexts.help,
    run: (argument, { chat, ui }) => runHelp(argument, [...commands, ...chat.skills.commands()], ui),
  },
  {
    name: 'compact',
    ...commandTexts.compact,
    run: (argument, { chat, ui, loop }) => runCompact(argument, chat.compaction, { ui, loop }),
  },
  {
    name: 'context',
    ...commandTexts.context,
    run: (_, { chat, ui }) => runContext(chat.model, ui),
  },
  {
    name: 'history',
    ...commandTexts.history,
    run: (_, { chat, ui, retentionDays }) => runHistory(chat.rollback, ui, retentionDays),
  },
  {
    name: 'rewind',
    ...commandTexts.rewind,
    run: (argument, { chat, ui, loop: { prefill } }) => runRewind(argument, chat.rollback, { ui, prefill }),
  },
  {
    name: 'rollback',
    ...commandTexts.rollback,
    run: (argument, { chat, ui }) => runRollback(argument, chat.rollback, ui),
  },
  {
    name: 'undo',
    ...commandTexts.undo,
    run: (_, { chat, ui }) => runUndo(chat.rollback, ui),
  },
  {
    name: 'memory',
    ...commandTexts.memory,
    run: (_, { chat, ui }) => runMemory(chat.memory, ui),
  },
  {
    name: 'remember',
    ...commandTexts.remember,
    run: (argument, { chat, ui }) => runRemember(argument, chat.memory, ui),
  },
  {
    name: 'recall',
    ...commandTexts.recall,
    run: (argument, { chat, ui, loop: { stoppable } }) => runRecall(argument, chat.memory, { ui, stoppable }),
  },
  { name: 'sessions', ...commandTexts.sessions, run: (_, { chat, ui }) => runSessions(chat.sessions, ui) },
  {
    name: 'resume',
    ...commandTexts.resume,
    run: (argument, { chat, ui, loop: { welcome } }) => runResume(argument, chat.sessions, { ui, welcome }),
  },
  {
    name: 'new',
    ...commandTexts.new,
    run: (_, { chat, loop }) => runNew(chat.sessions, loop.welcome),
  },
  {
    name: 'pin',
    ...commandTexts.pin,
    run: (argument, { chat, ui }) => runPin(argument, chat.pins, ui),
  },
  {
    name: 'unpin',
    ...commandTexts.unpin,
    run: (argument, { chat, ui }) => runUnpin(argument, chat.pins, ui),
  },
  {
    name: 'pins',
    ...commandTexts.pins,
    run: (_, { chat, ui }) => runPins(chat.pins, ui),
  },
  {
    name: 'jobs',
    ...commandTexts.jobs,
    run: (argument, { chat, ui }) => runJobs(argument, chat.jobs, ui),
  },
  {
    name: 'todo',
    ...commandTexts.todo,
    run: (_, { chat, ui }) => runTodo(chat.turn, ui),
  },
  {
    name: 'clear',
    ...commandTexts.clear,
    run: (_, { chat }) => chat.compaction.clear(),
  },
  {
    name: 'model',
    ...commandTexts.model,
    run: (argument, { chat, ui, loop: { stoppable } }) => runModel(argument, chat.model, { ui, stoppable }),
  },
  {
    name: 'permissions',
    ...commandTexts.permissions,
    run: (argument, { chat, ui }) => runPermissions(argument, chat.permissions, ui),
  },
  {
    name: 'skills',
    ...commandTexts.skills,
    run: (_, { chat, ui }) => runSkills(chat.skills, commandNames, ui),
  },
  {
    name: 'init',
    ...commandTexts.init,
    run: (_, { chat, ui, loop }) => runInit(chat.instructions, ui, loop),
  },
  {
    name: 'mcp',
    ...commandTexts.mcp,
    run: (argument, { chat, ui }) => runMcp(argument, chat.mcp, ui),
  },
  {
    name: 'config',
    ...commandTexts.config,
    run: (argument, { chat, ui }) => showSettings(argument, chat.settings, ui),
  },
  {
    name: 'tools',
    ...commandTexts.tools,
    run: (_, { chat, ui }) => showTools(chat.settings, ui),
  },
  {
    name: 'setup',
    ...commandTexts.setup,
    run: (_, { ui }) => nameSetup(ui),
  },
  {
    name: 'cost',
    ...commandTexts.cost,
    run: (_, { chat, ui }) => runCost(chat.model, ui),
  },
  {
    name: 'events',
    ...commandTexts.events,
    run: (_, { chat, ui }) => runEvents(chat.sessions, ui),
  },
  {
    name: 'rename',
    ...commandTexts.rename,
    run: (argument, { chat, ui }) => runRename(argument, chat.sessions, ui),
  },
  {
    name: 'fork',
    ...commandTexts.fork,
    run: (_, { chat, loop }) => runFork(chat.sessions, loop.welcome),
  },
  {
    name: 'export',
    ...commandTexts.export,
    run: (argument, { chat, ui }) => runExport(argument, chat.sessions, ui),
  },
  { name: 'quit', ...commandTexts.quit, run: (_, { loop }) => loop.quit() },
];

/** The table, for completion. */
export const commandRows: readonly CommandRow[] = commands;
export const commandNames: readonly string[] = commands.map(({ name }) => name);
