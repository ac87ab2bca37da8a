import { SanbotError } from '../../domain/errors.ts';
import { type CommandSpec, type Given, homeOption, jsonOption } from '../command.ts';

const list = (name: string, summary: string): CommandSpec => ({
  name,
  summary,
  options: [jsonOption, homeOption],
  examples: name === 'sessions' ? [['sanbot sessions', 'when each was used, where, and what about']] : [],
  run: async (given, actions) => (await actions()).sessions({ home: given.text('home'), json: given.flag('json') }),
});

const session: readonly [string, string] = ['<id>', 'the session'];

/** What stands behind a command's name, as one text. */
function operand(given: Given, from: number, what: string): string {
  const text = given.operands.slice(from).join(' ');
  if (text.trim() === '') throw new SanbotError('usage', `${what} is missing`);
  return text;
}

export const sessionsCommand = list('sessions', 'all sessions, newest first');

export const sessionCommands: readonly CommandSpec[] = [
  list('sessions list', 'all sessions, newest first'),
  {
    name: 'sessions show',
    summary: 'what a session holds: messages, results, snapshots',
    operands: [session],
    options: [jsonOption, homeOption],
    examples: [],
    run: async (given, actions) =>
      (await actions()).showSession({ home: given.text('home'), session: operand(given, 0, 'The session'), json: given.flag('json') }),
  },
  {
    name: 'sessions rename',
    summary: 'give a session a title',
    operands: [session, ['<title...>', 'its new title']],
    options: [homeOption],
    examples: [['sanbot sessions rename ID The great refactoring', 'as sanbot sessions shows it from now on']],
    run: async (given, actions) =>
      (await actions()).renameSession({
        home: given.text('home'),
        session: given.operands[0] ?? '',
        title: operand(given, 1, 'The title'),
      }),
  },
  {
    name: 'sessions delete',
    summary: "remove a session's folder; its snapshots, archives and memories stay",
    operands: [session],
    options: [{ flags: '--yes', description: 'do not ask' }, homeOption],
    examples: [],
    run: async (given, actions) =>
      (await actions()).deleteSession({ home: given.text('home'), session: operand(given, 0, 'The session'), yes: given.flag('yes') }),
  },
  {
    name: 'sessions search',
    summary: 'find a text in what was said and returned, in all sessions',
    operands: [['<text...>', 'what to look for, whatever its case']],
    options: [jsonOption, homeOption],
    examples: [['sanbot sessions search connection refused', 'where that was said']],
    run: async (given, actions) =>
      (await actions()).searchSessions({ home: given.text('home'), text: operand(given, 0, 'The text'), json: given.flag('json') }),
  },
];
