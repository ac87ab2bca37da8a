/**
 * The slash commands about the session that is open: its title, its copy, its events; the others to go to; and the ways back to an
 * earlier state of it, `/rollback`, `/undo`, `/history` and `/rewind`.
 *
 * What follows the name of a command comes in, with the port of sessions or of rollbacks and the place to show things. Each shows what
 * it would change before it asks; without a terminal to ask at, it changes nothing and names the command line that does it.
 *
 * It keeps nothing itself: sessions and snapshots are behind their ports, and what is shown of them is made in `views/`.
 */

import { localize } from '../../../domain/language.ts';
import { unquote } from '../../../domain/text.ts';
import type { SessionsPort } from '../../chat/sessions-port.ts';
import { formatSize } from '../../text/format.ts';
import { safeLine } from '../../text/safe-text.ts';
import { eventsText } from '../../views/events-text.ts';
import { sessionChoice, sessionsTable } from '../../views/sessions-table.ts';
import type { CommandUi, LoopControl } from '../command.ts';
import { sessionTexts } from './session-text.ts';

type Welcome = LoopControl['welcome'];

export function runSessions(sessions: SessionsPort, { screen, columns, now }: CommandUi): void {
  screen.block(sessionsTable(sessions.list(), { now: now(), columns: columns() }));
}

type ResumeCommand = { readonly ui: CommandUi; readonly welcome: Welcome };

export async function runResume(argument: string, sessions: SessionsPort, { ui, welcome }: ResumeCommand): Promise<void> {
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

export async function runNew(sessions: SessionsPort, welcome: Welcome): Promise<void> {
  await sessions.startNew();
  welcome();
}

export async function runFork(sessions: SessionsPort, welcome: Welcome): Promise<void> {
  await sessions.fork();
  welcome();
}

export async function runRename(argument: string, sessions: SessionsPort, { screen }: CommandUi): Promise<void> {
  if (argument === '') screen.line(localize(sessionTexts).addTitle, 'bad');
  else screen.line(localize(sessionTexts).renamed(safeLine(JSON.stringify(await sessions.rename(unquote(argument))))));
}

export async function runExport(argument: string, sessions: SessionsPort, { screen }: CommandUi): Promise<void> {
  const { file, bytes } = await sessions.exportTo(argument === '' ? undefined : unquote(argument));
  screen.line(localize(sessionTexts).exported(safeLine(file), formatSize(bytes)));
}

export function runEvents(sessions: SessionsPort, { screen, columns }: CommandUi): void {
  const records = sessions.events();
  if (records.length === 0) screen.line(localize(sessionTexts).noEvents);
  else screen.block(records.map((record) => eventsText(record, { columns: columns(), singleSession: true })).join(''));
}
