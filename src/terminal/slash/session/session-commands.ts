import { unquote } from '../../../domain/text.ts';
import type { SessionsPort } from '../../chat/sessions-port.ts';
import { formatSize } from '../../text/format.ts';
import { safeLine } from '../../text/safe-text.ts';
import { eventsText } from '../../views/events-text.ts';
import { sessionChoice, sessionsTable } from '../../views/sessions-table.ts';
import type { CommandUi, LoopControl } from '../command.ts';

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

async function pickSession(sessions: SessionsPort, { screen, questions, now }: CommandUi): Promise<string | undefined> {
  const { sessionId, cwd } = sessions.current();
  const others = sessions.list().filter((row) => row.sessionId !== sessionId && row.problem === undefined);
  if (others.length === 0) {
    screen.line('There is no other session.');
    return undefined;
  }
  if (questions === undefined) {
    screen.line('Give the id of a session: /resume ID. /sessions lists them.', 'bad');
    return undefined;
  }
  const choices = others.map((row) => ({ name: sessionChoice(row, { now: now(), folder: cwd }), value: row.sessionId }));
  return questions.pick('Which session?', choices);
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
  if (argument === '') screen.line('Add the new title: /rename TITLE', 'bad');
  else screen.line(`This session is now called ${safeLine(JSON.stringify(await sessions.rename(unquote(argument))))}.`);
}

export async function runExport(argument: string, sessions: SessionsPort, { screen }: CommandUi): Promise<void> {
  const { file, bytes } = await sessions.exportTo(argument === '' ? undefined : unquote(argument));
  screen.line(`Exported to ${safeLine(file)} (${formatSize(bytes)}).`);
}

export function runEvents(sessions: SessionsPort, { screen, columns }: CommandUi): void {
  const records = sessions.events();
  if (records.length === 0) screen.line('No events yet.');
  else screen.block(records.map((record) => eventsText(record, { columns: columns(), singleSession: true })).join(''));
}
