import { nearest, unquote } from '../../domain/text.ts';
import type { PendingCompaction } from '../repl/chat-port.ts';
import { formatSize } from '../text/format.ts';
import { safeLine } from '../text/safe-text.ts';
import { padEnd, wrap } from '../text/text-width.ts';
import { eventsText } from '../views/events-text.ts';
import { historyTable } from '../views/history-table.ts';
import { rememberResultText } from '../views/memory-text.ts';
import { recallHitsText } from '../views/recall-text.ts';
import { sessionChoice, sessionsTable } from '../views/sessions-table.ts';
import { contextText, memoryFilesText, modelText, sessionCostText } from '../views/views.ts';
import type { CommandContext } from './command.ts';
import { type ReviewDialog, reviewChoices, reviewCompaction } from './compaction-preview.ts';
import { runPin, runPins, runTodo, runUnpin } from './pin-commands.ts';
import { runRewind } from './rewind-command.ts';
import { runRollback, runUndo } from './rollback-command.ts';

type SlashCommand = {
  readonly name: string;
  /** What may follow the name. */
  readonly argumentHint?: string;
  readonly description: string;
  readonly run: (argument: string, context: CommandContext) => void | Promise<void>;
};

/** A line that begins so is a command; a path such as /etc/hosts is not. */
export function parseCommand(line: string): { readonly name: string; readonly argument: string } | undefined {
  const match = /^\/([a-z-]+)(?:\s+([\s\S]*))?$/i.exec(line.trim());
  return match?.[1] === undefined ? undefined : { name: match[1].toLowerCase(), argument: (match[2] ?? '').trim() };
}

/** Runs a command; what it shows goes to the screen and never into the conversation. */
export async function runCommand(
  { name, argument }: { readonly name: string; readonly argument: string },
  context: CommandContext,
): Promise<void> {
  const command = commands.find((each) => each.name === (name === 'exit' ? 'quit' : name));
  if (command === undefined) {
    const suggestion = nearest(name, commandNames);
    context.screen.line(
      `There is no command /${safeLine(name)}. ${suggestion === undefined ? '/help lists them.' : `Did you mean /${suggestion}?`}`,
      'bad',
    );
  } else if (argument !== '' && command.argumentHint === undefined) {
    context.screen.line(`/${name} takes nothing after it.`, 'bad');
  } else {
    await command.run(argument, context);
  }
}

const commands: readonly SlashCommand[] = [
  { name: 'help', description: 'this list', run: (_, { screen, columns }) => screen.block(helpText(columns())) },
  {
    name: 'compact',
    argumentHint: '[--preview] [what to keep]',
    description: 'summarise older messages now; with --preview, look at it first',
    run: runCompact,
  },
  {
    name: 'context',
    description: 'where the window goes, and what would be freed',
    run: async (_, { chat, screen, columns }) => screen.block(contextText(await chat.context(), columns())),
  },
  {
    name: 'history',
    description: 'snapshots, compactions and rollbacks of this session',
    run: (_, { chat, screen, columns, now, retentionDays }) =>
      screen.block(historyTable(chat.history(), { now: now(), retentionDays, columns: columns() })),
  },
  { name: 'rewind', argumentHint: '[number]', description: 'go back to before an earlier message, and edit it', run: runRewind },
  { name: 'rollback', argumentHint: '[id]', description: 'make a snapshot current again', run: runRollback },
  { name: 'undo', description: 'undo the last compaction, rollback or clear; again: undo that', run: runUndo },
  {
    name: 'memory',
    description: 'what is remembered, and where',
    run: (_, { chat, screen, columns }) => screen.block(memoryFilesText(chat.memory(), columns())),
  },
  { name: 'remember', argumentHint: '[what]', description: 'keep a statement beyond this session', run: runRemember },
  { name: 'recall', argumentHint: '[words]', description: 'find in all that was said and seen', run: runRecall },
  {
    name: 'sessions',
    description: 'all sessions',
    run: (_, { chat, screen, columns, now }) => screen.block(sessionsTable(chat.sessions(), { now: now(), columns: columns() })),
  },
  { name: 'resume', argumentHint: '[id]', description: 'continue another session', run: runResume },
  {
    name: 'new',
    description: 'start a new session',
    run: async (_, { chat, welcome }) => {
      await chat.newSession();
      welcome();
    },
  },
  { name: 'pin', argumentHint: '[number|last]', description: 'keep a message word for word through every compaction', run: runPin },
  { name: 'unpin', argumentHint: '[number|all]', description: 'no longer keep it', run: runUnpin },
  { name: 'pins', description: 'what is pinned, and what it costs', run: runPins },
  { name: 'todo', description: 'the task list that the model keeps', run: runTodo },
  { name: 'clear', description: 'empty the context (a snapshot is taken first)', run: (_, { chat }) => chat.clear() },
  {
    name: 'model',
    argumentHint: '[name]',
    description: 'show or change the model',
    run: (argument, { chat, screen, stoppable }) =>
      argument === '' ? screen.block(modelText(chat.model())) : stoppable((signal) => chat.changeModel(argument, signal)),
  },
  {
    name: 'cost',
    description: 'what this session has used',
    run: (_, { chat, screen, columns }) => screen.block(sessionCostText(chat.cost(), columns())),
  },
  {
    name: 'events',
    description: 'the newest lines of the audit log about this session',
    run: (_, { chat, screen, columns }) => {
      const records = chat.events();
      if (records.length === 0) screen.line('No events yet.');
      else screen.block(records.map((record) => eventsText(record, { columns: columns(), singleSession: true })).join(''));
    },
  },
  { name: 'rename', argumentHint: '[title]', description: 'give this session a title', run: runRename },
  {
    name: 'fork',
    description: 'go on in a copy of this session',
    run: async (_, { chat, welcome }) => {
      await chat.fork();
      welcome();
    },
  },
  {
    name: 'export',
    argumentHint: '[file]',
    description: 'write this session to a file: .md, .html, or .jsonl to import it',
    run: async (argument, { chat, screen }) => {
      const { file, bytes } = await chat.exportTo(argument === '' ? undefined : unquote(argument));
      screen.line(`Exported to ${safeLine(file)} (${formatSize(bytes)}).`);
    },
  },
  { name: 'quit', description: 'leave (as Ctrl-D does)', run: (_, { quit }) => quit() },
];

export const commandNames: readonly string[] = commands.map(({ name }) => name);

/** What a command does stands beside it, or below it where there is no room. */
const MIN_DESCRIPTION_COLUMNS = 24;

function helpText(columns: number): string {
  const rows = commands.map(({ name, argumentHint, description }) => ({
    usage: `/${name}${argumentHint === undefined ? '' : ` ${argumentHint}`}`,
    description,
  }));
  const width = Math.max(...rows.map(({ usage }) => usage.length));
  const keys = [
    'Enter sends; a backslash before Enter starts another line, and a paste is one message.',
    'Ctrl-C or Esc stops a turn; what you type meanwhile is sent afterwards, unless Ctrl-C drops it. Ctrl-D leaves.',
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

function runRemember(argument: string, { chat, screen }: CommandContext): void {
  if (argument === '') screen.line('Say what to remember: /remember TEXT', 'bad');
  else {
    const outcome = chat.remember(argument);
    screen.line(rememberResultText(outcome), outcome.outcome === 'refused' ? 'bad' : 'good');
  }
}

/** Without a terminal to decide at, a preview is shown and discarded. */
async function runCompact(argument: string, context: CommandContext): Promise<void> {
  const { chat, screen, questions, columns, stoppable, edit } = context;
  const [, preview, rest = ''] = /^(--preview(?!\S))?\s*([\s\S]*)$/.exec(argument) ?? [];
  const instructions = rest === '' ? undefined : rest;
  if (preview === undefined) return stoppable((signal) => chat.compact(instructions, signal));
  const previews: PendingCompaction[] = [];
  await stoppable(async (signal) => {
    const pending = await chat.previewCompaction(instructions, signal);
    if (pending !== undefined) previews.push(pending);
  });
  screen.settle();
  const ask: ReviewDialog['ask'] = async (question) =>
    questions === undefined ? 'discard' : questions.decide(question, reviewChoices, new AbortController().signal);
  for (const pending of previews) await reviewCompaction(pending, { show: screen.block, columns, ask, edit });
}

async function runRecall(argument: string, { chat, screen, stoppable }: CommandContext): Promise<void> {
  if (argument === '') {
    screen.line('Say what to look for: /recall WORDS', 'bad');
    return;
  }
  await stoppable(async (signal) => {
    const hits = await chat.recall(argument, signal);
    if (hits.length === 0) screen.line('Nothing was found.');
    else screen.block(`${recallHitsText(hits, { paint: screen.paint })}sanbot show REF prints one whole.\n`);
  });
}

async function runRename(argument: string, { chat, screen }: CommandContext): Promise<void> {
  if (argument === '') screen.line('Say what it is to be called: /rename TITLE', 'bad');
  else screen.line(`This session is now called ${safeLine(JSON.stringify(await chat.rename(unquote(argument))))}.`);
}

async function runResume(argument: string, { chat, screen, questions, now, welcome }: CommandContext): Promise<void> {
  const id = argument === '' ? await pickSession() : argument;
  if (id === undefined) return;
  await chat.resume(id);
  welcome();

  async function pickSession(): Promise<string | undefined> {
    const current = chat.session().sessionId;
    const others = chat.sessions().filter((row) => row.sessionId !== current && row.problem === undefined);
    if (others.length === 0) {
      screen.line('There is no other session.');
      return undefined;
    }
    if (questions === undefined) {
      screen.line('Give the id of a session: /resume ID. /sessions lists them.', 'bad');
      return undefined;
    }
    const choices = others.map((row) => ({ name: sessionChoice(row, now()), value: row.sessionId }));
    return questions.pick('Which session?', choices);
  }
}
