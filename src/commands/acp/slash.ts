import { localize } from '../../domain/language.ts';
import { replText } from '../../terminal/repl/session-text.ts';
import type { Screen } from '../../terminal/screen/screen.ts';
import { parseCommand, type SlashContext } from '../../terminal/slash/command.ts';
import { localized } from '../../terminal/slash/help-text.ts';
import { commandRows, runCommand } from '../../terminal/slash/slash-commands.ts';
import { createPaint } from '../../terminal/text/paint.ts';
import { safeLine } from '../../terminal/text/safe-text.ts';
import type { Chat } from '../chat/chat.ts';
import type { AvailableCommand } from './protocol.ts';
import { COLUMNS, fenced } from './tool-calls.ts';

/** An editor opens and leaves sessions itself, and nothing here stands beside a turn. */
const OF_TERMINAL: ReadonlySet<string> = new Set(['quit', 'exit', 'new', 'resume', 'fork', 'setup', 'background']);

/** The commands that an editor can offer: SanBot's, the user's own, and skills. */
export function availableCommands({ skills }: Pick<Chat, 'skills'>): AvailableCommand[] {
  const built = commandRows
    .filter(({ name }) => !OF_TERMINAL.has(name))
    .map(({ name, description, argumentHint }) => ({
      ...{ name, description: localized(description) },
      ...(argumentHint !== undefined && { input: { hint: localized(argumentHint) } }),
    }));
  const isTaken = new Set(commandRows.map(({ name }) => name));
  const own = [
    ...skills.commands().map(({ name, description, argumentHint }) => ({ name, description, hint: argumentHint ?? '' })),
    ...skills.list().map(({ name, description }) => ({ name: name.toLowerCase(), description, hint: '' })),
  ].filter(({ name }) => !isTaken.has(name) && isTaken.add(name));
  return [
    ...built,
    ...own.map(({ name, description, hint }) => ({
      ...{ name, description: safeLine(description) },
      ...(hint !== '' && { input: { hint: safeLine(hint) } }),
    })),
  ];
}

export type SlashLine = NonNullable<ReturnType<typeof parseCommand>>;

/** What a message with a slash in front is as a command here; undefined for one that is said to the model. */
export function commandIn(text: string): SlashLine | undefined {
  const command = parseCommand(text);
  return command !== undefined && OF_TERMINAL.has(command.name) ? undefined : command;
}

type Parts = Pick<SlashContext, 'chat' | 'retentionDays'> &
  Pick<SlashContext['ui'], 'now' | 'questions'> &
  Pick<SlashContext['loop'], 'say'> & { readonly signal: AbortSignal; readonly show: (markdown: string) => void };

/** Runs it as the terminal does; what it shows goes to the editor as a message. */
export async function runSlash(command: SlashLine, { chat, retentionDays, now, questions, say, signal, show }: Parts): Promise<void> {
  const block = (text: string): void => show(`${fenced(text)}\n\n`);
  const line = (text: string): void => show(`${text}\n\n`);
  const screen: Screen = {
    ...{ paint: createPaint(false), line, block, apart: block, reply: line },
    ...{ onEvent: () => undefined, settle: () => undefined, hold: () => () => undefined },
    waiting: () => ({ rows: [], isInGroup: false }),
  };
  await runCommand(command, {
    ...{ chat, retentionDays },
    ui: { screen, theme: undefined, questions, columns: () => COLUMNS, now },
    loop: {
      ...{ stoppable: (work) => work(signal), say, welcome: () => undefined, quit: () => undefined },
      edit: async () => ({ kind: 'failed', why: localize(NO_EDITOR) }),
      prefill: (text) => line(replText.typedEarlier(text)),
    },
  });
}

const NO_EDITOR = { en: 'A text cannot be edited here.', zh: '此处无法编辑文本。' };
