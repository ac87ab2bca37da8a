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
import { runEvents, runExport, runFork, runNew, runRename, runResume, runSessions } from './session/session-commands.ts';
import { nameSetup, showSettings, showTools } from './settings-commands.ts';
import { runShellCommand } from './shell-command.ts';

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
    example: '/help compact',
    description: 'this list, or what one command does',
    run: (argument, { chat, ui }) => runHelp(argument, [...commands, ...chat.skills.commands()], ui),
  },
  {
    name: 'compact',
    argumentHint: '[--preview] [what to keep]',
    example: '/compact keep the names of the endpoints',
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
    example: '/rewind 3',
    description: 'go back to before an earlier message, and edit it',
    run: (argument, { chat, ui, loop: { prefill } }) => runRewind(argument, chat.rollback, { ui, prefill }),
  },
  {
    name: 'rollback',
    argumentHint: '[id]',
    example: '/rollback 1122',
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
    example: '/remember the staging port is 8080',
    description: 'remember something beyond this session',
    run: (argument, { chat, ui }) => runRemember(argument, chat.memory, ui),
  },
  {
    name: 'recall',
    argumentHint: '[words]',
    example: '/recall retry delay',
    description: 'search everything that was said and seen',
    run: (argument, { chat, ui, loop: { stoppable } }) => runRecall(argument, chat.memory, { ui, stoppable }),
  },
  { name: 'sessions', description: 'all sessions', run: (_, { chat, ui }) => runSessions(chat.sessions, ui) },
  {
    name: 'resume',
    argumentHint: '[id]',
    example: '/resume 1122',
    description: 'continue another session',
    run: (argument, { chat, ui, loop: { welcome } }) => runResume(argument, chat.sessions, { ui, welcome }),
  },
  { name: 'new', description: 'start a new session', run: (_, { chat, loop }) => runNew(chat.sessions, loop.welcome) },
  {
    name: 'pin',
    argumentHint: '[number|last]',
    example: '/pin last',
    description: 'keep a message word for word through every compaction',
    run: (argument, { chat, ui }) => runPin(argument, chat.pins, ui),
  },
  {
    name: 'unpin',
    argumentHint: '[number|all]',
    example: '/unpin all',
    description: 'unpin a message',
    run: (argument, { chat, ui }) => runUnpin(argument, chat.pins, ui),
  },
  { name: 'pins', description: 'what is pinned, and what it costs', run: (_, { chat, ui }) => runPins(chat.pins, ui) },
  {
    name: 'jobs',
    argumentHint: '[stop|keep number]',
    example: '/jobs stop 1',
    description: 'commands in the background; stop one, or keep it when you leave',
    run: (argument, { chat, ui }) => runJobs(argument, chat.jobs, ui),
  },
  { name: 'todo', description: 'the task list that the model keeps', run: (_, { chat, ui }) => runTodo(chat.turn, ui) },
  { name: 'clear', description: 'empty the context (a snapshot is taken first)', run: (_, { chat }) => chat.compaction.clear() },
  {
    name: 'model',
    argumentHint: '[name]',
    example: '/model claude-sonnet-5-5',
    description: 'show the model, or choose another one',
    run: (argument, { chat, ui, loop: { stoppable } }) => runModel(argument, chat.model, { ui, stoppable }),
  },
  {
    name: 'permissions',
    argumentHint: '[rule]',
    example: '/permissions allow run_command npm test *',
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
    example: '/mcp approve files',
    description: 'your MCP servers; agree to tools that changed',
    run: (argument, { chat, ui }) => runMcp(argument, chat.mcp, ui),
  },
  {
    name: 'config',
    argumentHint: '[key]',
    example: '/config compaction',
    description: 'the settings in force, and where each comes from',
    run: (argument, { chat, ui }) => showSettings(argument, chat.settings, ui),
  },
  { name: 'tools', description: 'what the model can call', run: (_, { chat, ui }) => showTools(chat.settings, ui) },
  { name: 'setup', description: 'how to choose another model or key', run: (_, { ui }) => nameSetup(ui) },
  { name: 'cost', description: 'what this session has used', run: (_, { chat, ui }) => runCost(chat.model, ui) },
  {
    name: 'events',
    description: 'the newest lines of the audit log about this session',
    run: (_, { chat, ui }) => runEvents(chat.sessions, ui),
  },
  {
    name: 'rename',
    argumentHint: '[title]',
    example: '/rename Fix the cart',
    description: 'give this session a title',
    run: (argument, { chat, ui }) => runRename(argument, chat.sessions, ui),
  },
  { name: 'fork', description: 'continue in a copy of this session', run: (_, { chat, loop }) => runFork(chat.sessions, loop.welcome) },
  {
    name: 'export',
    argumentHint: '[file]',
    example: '/export session.html',
    description: 'write this session to a file: .md, .html, or .jsonl to import it',
    run: (argument, { chat, ui }) => runExport(argument, chat.sessions, ui),
  },
  { name: 'quit', description: 'exit (as Ctrl-D does)', run: (_, { loop }) => loop.quit() },
];

/** The table, for completion. */
export const commandRows: readonly CommandRow[] = commands;
export const commandNames: readonly string[] = commands.map(({ name }) => name);
