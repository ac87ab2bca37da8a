import { sameInBoth } from '../../../domain/language.ts';
import { ownSessions } from '../../../domain/session/session-list-entry.ts';
import { unquote } from '../../../domain/text.ts';
import type { SessionsPort } from '../../chat/history-port.ts';
import { formatSize, timeAgo } from '../../text/format.ts';
import { safeLine } from '../../text/safe-text.ts';
import { eventsText } from '../../views/history-table.ts';
import { sessionChoice, sessionsTable } from '../../views/sessions-table.ts';
import { type CommandUi, printLine, type SlashCommand, selectOne } from '../command.ts';

function pickSession(sessions: SessionsPort, ui: CommandUi): Promise<string | undefined> {
  const view = { now: ui.now(), folder: sessions.current().cwd, columns: ui.columns() - 3 };
  return selectOne(ui, {
    choices: otherSessions(sessions).map((row) => ({ name: sessionChoice(row, view), value: row.sessionId })),
    none: { en: 'There is no other session.', zh: '没有其他会话。' },
    unasked: { en: 'Give the id of a session: /resume ID. /sessions lists them.', zh: '请给出会话的 id：/resume ID。/sessions 列出会话。' },
    which: { en: 'Which session?', zh: '选择哪个会话？' },
  });
}

const otherSessions = (sessions: SessionsPort) =>
  ownSessions(sessions.list().filter(({ sessionId, problem }) => problem === undefined && sessionId !== sessions.current().sessionId));

export const slashSessions: SlashCommand = {
  name: 'sessions',
  description: { en: 'all sessions', zh: '所有会话' },
  run: (_, { chat: { sessions }, ui: { screen, columns, now } }) =>
    screen.block(sessionsTable(sessions.list(), { now: now(), columns: columns(), resume: '/resume ID' })),
};

export const slashResume: SlashCommand = {
  name: 'resume',
  argumentHint: sameInBoth('[id]'),
  example: sameInBoth('/resume 1122'),
  description: { en: 'continue another session', zh: '继续另一个会话' },
  choices: ({ sessions }, now) =>
    otherSessions(sessions).map(({ sessionId, updatedAt, title }) => ({ text: sessionId, detail: `${timeAgo(updatedAt, now)}  ${title}` })),
  run: async (argument, { chat: { sessions }, ui, loop }) => {
    const id = argument === '' ? await pickSession(sessions, ui) : argument;
    if (id === undefined) return;
    await sessions.resume(id);
    loop.welcome();
  },
};

export const slashNew: SlashCommand = {
  name: 'new',
  description: { en: 'start a new session', zh: '新建会话' },
  run: async (_, { chat: { sessions }, loop }) => {
    await sessions.startNew();
    loop.welcome();
  },
};

export const slashFork: SlashCommand = {
  name: 'fork',
  description: { en: 'continue in a copy of this session', zh: '分叉：在本会话的副本中继续' },
  run: async (_, { chat: { sessions }, loop }) => {
    await sessions.fork();
    loop.welcome();
  },
};

export const slashEvents: SlashCommand = {
  name: 'events',
  description: { en: 'the newest lines of the audit log about this session', zh: '审计日志中关于本会话的最新记录' },
  run: (_, { chat: { sessions }, ui }) => {
    const records = sessions.events();
    if (records.length === 0) printLine(ui, 'plain', { en: 'No events yet.', zh: '还没有事件。' });
    else ui.screen.block(records.map((record) => eventsText(record, { columns: ui.columns(), singleSession: true })).join(''));
  },
};

export const slashRename: SlashCommand = {
  name: 'rename',
  argumentHint: { en: '[title]', zh: '[标题]' },
  example: { en: '/rename Fix the cart', zh: '/rename 修复购物车' },
  description: { en: 'give this session a title', zh: '为本会话设置标题' },
  run: async (argument, { chat: { sessions }, ui }) => {
    if (argument === '') return printLine(ui, 'bad', { en: 'Add the new title: /rename TITLE', zh: '请加上新标题：/rename TITLE' });
    const title = safeLine(JSON.stringify(await sessions.rename(unquote(argument))));
    printLine(ui, 'plain', { en: `This session is now called ${title}.`, zh: `本会话现在名为 ${title}。` });
  },
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
  run: async (argument, { chat: { sessions }, ui }) => {
    const { file, bytes } = await sessions.exportTo(argument === '' ? undefined : unquote(argument));
    const [name, size] = [safeLine(file), formatSize(bytes)];
    printLine(ui, 'plain', { en: `Exported to ${name} (${size}).`, zh: `已导出到 ${name}（${size}）。` });
  },
};
