/**
 * The slash commands about the session that is open: its title, its copy, its events; the others to go to; and the ways back to an
 * earlier state of it, `/rollback`, `/undo`, `/history` and `/rewind`.
 *
 * What follows the name of a command comes in, with the port of sessions or of rollbacks and the place to show things. Each shows what
 * it would change before it asks; without a terminal to ask at, it changes nothing and names the command line that does it.
 *
 * It keeps nothing itself: sessions and snapshots are behind their ports, and what is shown of them is made in `views/`.
 */

import { localize, sameInBoth } from '../../../domain/language.ts';
import { unquote } from '../../../domain/text.ts';
import type { SessionsPort } from '../../chat/history-port.ts';
import { formatSize, timeAgo } from '../../text/format.ts';
import { safeLine } from '../../text/safe-text.ts';
import { eventsText } from '../../views/events-text.ts';
import { sessionChoice, sessionsTable } from '../../views/sessions-table.ts';
import type { CommandUi, LoopControl, SlashCommand } from '../command.ts';
import { sessionTexts } from './session-text.ts';

type Welcome = LoopControl['welcome'];

function runSessions(sessions: SessionsPort, { screen, columns, now }: CommandUi): void {
  screen.block(sessionsTable(sessions.list(), { now: now(), columns: columns() }));
}

type ResumeCommand = { readonly ui: CommandUi; readonly welcome: Welcome };

async function runResume(argument: string, sessions: SessionsPort, { ui, welcome }: ResumeCommand): Promise<void> {
  const id = argument === '' ? await pickSession(sessions, ui) : argument;
  if (id === undefined) return;
  await sessions.resume(id);
  welcome();
}

async function pickSession(sessions: SessionsPort, { screen, questions, now, columns }: CommandUi): Promise<string | undefined> {
  const { sessionId, cwd } = sessions.current();
  const others = sessions.list().filter((row) => row.sessionId !== sessionId && row.problem === undefined);
  if (others.length === 0) {
    screen.line(localize(sessionTexts).noOther);
    return undefined;
  }
  if (questions === undefined) {
    screen.line(localize(sessionTexts).giveId, 'bad');
    return undefined;
  }
  const choices = others.map((row) => ({
    name: sessionChoice(row, { now: now(), folder: cwd, columns: columns() - 3 }),
    value: row.sessionId,
  }));
  return questions.find(localize(sessionTexts).which, choices);
}

async function runNew(sessions: SessionsPort, welcome: Welcome): Promise<void> {
  await sessions.startNew();
  welcome();
}

async function runFork(sessions: SessionsPort, welcome: Welcome): Promise<void> {
  await sessions.fork();
  welcome();
}

async function runRename(argument: string, sessions: SessionsPort, { screen }: CommandUi): Promise<void> {
  if (argument === '') screen.line(localize(sessionTexts).addTitle, 'bad');
  else screen.line(localize(sessionTexts).renamed(safeLine(JSON.stringify(await sessions.rename(unquote(argument))))));
}

async function runExport(argument: string, sessions: SessionsPort, { screen }: CommandUi): Promise<void> {
  const { file, bytes } = await sessions.exportTo(argument === '' ? undefined : unquote(argument));
  screen.line(localize(sessionTexts).exported(safeLine(file), formatSize(bytes)));
}

function runEvents(sessions: SessionsPort, { screen, columns }: CommandUi): void {
  const records = sessions.events();
  if (records.length === 0) screen.line(localize(sessionTexts).noEvents);
  else screen.block(records.map((record) => eventsText(record, { columns: columns(), singleSession: true })).join(''));
}

export const slashSessions: SlashCommand = {
  name: 'sessions',
  description: { en: 'all sessions', zh: '所有会话' },
  run: (_, { chat, ui }) => runSessions(chat.sessions, ui),
};

export const slashResume: SlashCommand = {
  name: 'resume',
  argumentHint: sameInBoth('[id]'),
  example: sameInBoth('/resume 1122'),
  description: { en: 'continue another session', zh: '继续另一个会话' },
  choices: ({ sessions }, now) =>
    sessions
      .list()
      .filter(({ sessionId, problem }) => problem === undefined && sessionId !== sessions.current().sessionId)
      .map(({ sessionId, updatedAt, title }) => ({ text: sessionId, detail: `${timeAgo(updatedAt, now)}  ${title}` })),
  run: (argument, { chat, ui, loop: { welcome } }) => runResume(argument, chat.sessions, { ui, welcome }),
};

export const slashNew: SlashCommand = {
  name: 'new',
  description: { en: 'start a new session', zh: '新建会话' },
  run: (_, { chat, loop }) => runNew(chat.sessions, loop.welcome),
};

export const slashEvents: SlashCommand = {
  name: 'events',
  description: { en: 'the newest lines of the audit log about this session', zh: '审计日志中关于本会话的最新记录' },
  run: (_, { chat, ui }) => runEvents(chat.sessions, ui),
};

export const slashRename: SlashCommand = {
  name: 'rename',
  argumentHint: { en: '[title]', zh: '[标题]' },
  example: { en: '/rename Fix the cart', zh: '/rename 修复购物车' },
  description: { en: 'give this session a title', zh: '为本会话设置标题' },
  run: (argument, { chat, ui }) => runRename(argument, chat.sessions, ui),
};

export const slashFork: SlashCommand = {
  name: 'fork',
  description: { en: 'continue in a copy of this session', zh: '分叉：在本会话的副本中继续' },
  run: (_, { chat, loop }) => runFork(chat.sessions, loop.welcome),
};

export const slashExport: SlashCommand = {
  name: 'export',
  argumentHint: { en: '[file]', zh: '[文件]' },
  example: sameInBoth('/export session.html'),
  description: {
    en: 'write this session to a file: .md, .html, or .jsonl to import it',
    zh: '把本会话写入文件：.md、.html，或可再导入的 .jsonl',
  },
  takesFile: true,
  run: (argument, { chat, ui }) => runExport(argument, chat.sessions, ui),
};
