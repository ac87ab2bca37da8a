import { nearest, unquote } from '../../domain/text.ts';
import type { ShownCompaction } from '../repl/chat-port.ts';
import { size } from '../text/figures.ts';
import { safeLine } from '../text/safe-text.ts';
import { padEnd, wrap } from '../text/text-width.ts';
import { eventsText } from '../views/events-text.ts';
import { historyTable } from '../views/history-table.ts';
import { rememberedText } from '../views/memory-text.ts';
import { hitsText } from '../views/recall-text.ts';
import { sessionChoice, sessionsTable } from '../views/sessions-table.ts';
import { contextText, costText, memoryText, modelText } from '../views/views.ts';
import type { CommandWorld } from './command.ts';
import { type Review, reviewChoices, reviewCompaction } from './compaction-preview.ts';
import { pin, pins, todo, unpin } from './keep-commands.ts';
import { rewind } from './rewind-command.ts';
import { rollBack, undo } from './rollback-command.ts';

type Command = {
  readonly name: string;
  /** What may follow the name. */
  readonly takes?: string;
  readonly does: string;
  readonly run: (argument: string, world: CommandWorld) => void | Promise<void>;
};

/** A line that begins so is a command; a path such as /etc/hosts is not. */
export function parseCommand(line: string): { readonly name: string; readonly argument: string } | undefined {
  const match = /^\/([a-z-]+)(?:\s+([\s\S]*))?$/i.exec(line.trim());
  return match?.[1] === undefined ? undefined : { name: match[1].toLowerCase(), argument: (match[2] ?? '').trim() };
}

/** Runs a command; what it shows goes to the screen and never into the conversation. */
export async function runCommand(
  { name, argument }: { readonly name: string; readonly argument: string },
  world: CommandWorld,
): Promise<void> {
  const command = commands.find((each) => each.name === (name === 'exit' ? 'quit' : name));
  if (command === undefined) {
    const meant = nearest(name, commandNames);
    world.screen.line(
      `There is no command /${safeLine(name)}. ${meant === undefined ? '/help lists them.' : `Did you mean /${meant}?`}`,
      'bad',
    );
  } else if (argument !== '' && command.takes === undefined) {
    world.screen.line(`/${name} takes nothing after it.`, 'bad');
  } else {
    await command.run(argument, world);
  }
}

const commands: readonly Command[] = [
  { name: 'help', does: 'this list', run: (_, { screen, columns }) => screen.block(helpText(columns())) },
  {
    name: 'compact',
    takes: '[--preview] [what to keep]',
    does: 'summarise older messages now; with --preview, look at it first',
    run: compactNow,
  },
  {
    name: 'context',
    does: 'where the window goes, and what would be freed',
    run: async (_, { chat, screen, columns }) => screen.block(contextText(await chat.context(), columns())),
  },
  {
    name: 'history',
    does: 'snapshots, compactions and rollbacks of this session',
    run: (_, { chat, screen, columns, now, retentionDays }) =>
      screen.block(historyTable(chat.history(), { now: now(), retentionDays, columns: columns() })),
  },
  { name: 'rewind', takes: '[number]', does: 'go back to before an earlier message, and edit it', run: rewind },
  { name: 'rollback', takes: '[id]', does: 'make a snapshot current again', run: rollBack },
  { name: 'undo', does: 'undo the last compaction, rollback or clear; again: undo that', run: undo },
  {
    name: 'memory',
    does: 'what is remembered, and where',
    run: (_, { chat, screen, columns }) => screen.block(memoryText(chat.memory(), columns())),
  },
  { name: 'remember', takes: '[what]', does: 'keep a statement beyond this session', run: rememberThis },
  { name: 'recall', takes: '[words]', does: 'find in all that was said and seen', run: recall },
  {
    name: 'sessions',
    does: 'all sessions',
    run: (_, { chat, screen, columns, now }) => screen.block(sessionsTable(chat.sessions(), { now: now(), columns: columns() })),
  },
  { name: 'resume', takes: '[id]', does: 'continue another session', run: resume },
  {
    name: 'new',
    does: 'start a new session',
    run: async (_, { chat, welcome }) => {
      await chat.newSession();
      welcome();
    },
  },
  { name: 'pin', takes: '[number|last]', does: 'keep a message word for word through every compaction', run: pin },
  { name: 'unpin', takes: '[number|all]', does: 'no longer keep it', run: unpin },
  { name: 'pins', does: 'what is pinned, and what it costs', run: pins },
  { name: 'todo', does: 'the task list that the model keeps', run: todo },
  { name: 'clear', does: 'empty the context (a snapshot is taken first)', run: (_, { chat }) => chat.clear() },
  {
    name: 'model',
    takes: '[name]',
    does: 'show or change the model',
    run: (argument, { chat, screen, stoppable }) =>
      argument === '' ? screen.block(modelText(chat.model())) : stoppable((signal) => chat.changeModel(argument, signal)),
  },
  {
    name: 'cost',
    does: 'what this session has used',
    run: (_, { chat, screen, columns }) => screen.block(costText(chat.cost(), columns())),
  },
  {
    name: 'events',
    does: 'the newest lines of the audit log about this session',
    run: (_, { chat, screen, columns }) => {
      const records = chat.events();
      if (records.length === 0) screen.line('No events yet.');
      else screen.block(records.map((record) => eventsText(record, { columns: columns(), ofOneSession: true })).join(''));
    },
  },
  { name: 'rename', takes: '[title]', does: 'give this session a title', run: rename },
  {
    name: 'fork',
    does: 'go on in a copy of this session',
    run: async (_, { chat, welcome }) => {
      await chat.fork();
      welcome();
    },
  },
  {
    name: 'export',
    takes: '[file]',
    does: 'write this session to a file: .md, .html, or .jsonl to import it',
    run: async (argument, { chat, screen }) => {
      const { file, bytes } = await chat.exportTo(argument === '' ? undefined : unquote(argument));
      screen.line(`Exported to ${safeLine(file)} (${size(bytes)}).`);
    },
  },
  { name: 'quit', does: 'leave (as Ctrl-D does)', run: (_, { quit }) => quit() },
];

export const commandNames: readonly string[] = commands.map(({ name }) => name);

/** What a command does stands beside it, or below it where there is no room. */
const LEAST_BESIDE = 24;

function helpText(columns: number): string {
  const rows = commands.map(({ name, takes, does }) => ({ usage: `/${name}${takes === undefined ? '' : ` ${takes}`}`, does }));
  const width = Math.max(...rows.map(({ usage }) => usage.length));
  const keys = [
    'Enter sends; a backslash before Enter starts another line, and a paste is one message.',
    'Ctrl-C or Esc stops a turn; what you type meanwhile is sent afterwards, unless Ctrl-C drops it. Ctrl-D leaves.',
    'Tab completes commands and @files.',
  ];
  const beside = columns - width - 4 >= LEAST_BESIDE;
  const indent = ' '.repeat(beside ? width + 4 : 6);
  const lines = rows.flatMap(({ usage, does }) => {
    const [first = '', ...more] = wrap(does, columns - indent.length);
    const head = beside ? [`  ${padEnd(usage, width)}  ${first}`] : [`  ${usage}`, indent + first];
    return [...head, ...more.map((line) => indent + line)];
  });
  return `${[...lines, ...keys.flatMap((line) => wrap(line, columns))].join('\n')}\n`;
}

function rememberThis(argument: string, { chat, screen }: CommandWorld): void {
  if (argument === '') screen.line('Say what to remember: /remember TEXT', 'bad');
  else {
    const answer = chat.remember(argument);
    screen.line(rememberedText(answer), answer.outcome === 'refused' ? 'bad' : 'good');
  }
}

/** Without a terminal to decide at, a preview is shown and discarded. */
async function compactNow(argument: string, world: CommandWorld): Promise<void> {
  const { chat, screen, questions, columns, stoppable, edit } = world;
  const [, preview, wish = ''] = /^(--preview(?!\S))?\s*([\s\S]*)$/.exec(argument) ?? [];
  const instructions = wish === '' ? undefined : wish;
  if (preview === undefined) return stoppable((signal) => chat.compact(instructions, signal));
  const ready: ShownCompaction[] = [];
  await stoppable(async (signal) => {
    const shown = await chat.previewCompaction(instructions, signal);
    if (shown !== undefined) ready.push(shown);
  });
  screen.rest();
  const ask: Review['ask'] = async (question) =>
    questions === undefined ? 'discard' : questions.decide(question, reviewChoices, new AbortController().signal);
  for (const shown of ready) await reviewCompaction(shown, { show: screen.block, columns, ask, edit });
}

async function recall(argument: string, { chat, screen, stoppable }: CommandWorld): Promise<void> {
  if (argument === '') {
    screen.line('Say what to look for: /recall WORDS', 'bad');
    return;
  }
  await stoppable(async (signal) => {
    const hits = await chat.recall(argument, signal);
    if (hits.length === 0) screen.line('Nothing was found.');
    else screen.block(`${hitsText(hits, { paint: screen.paint })}sanbot show REF prints one whole.\n`);
  });
}

async function rename(argument: string, { chat, screen }: CommandWorld): Promise<void> {
  if (argument === '') screen.line('Say what it is to be called: /rename TITLE', 'bad');
  else screen.line(`This session is now called ${safeLine(JSON.stringify(await chat.rename(unquote(argument))))}.`);
}

async function resume(argument: string, { chat, screen, questions, now, welcome }: CommandWorld): Promise<void> {
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
