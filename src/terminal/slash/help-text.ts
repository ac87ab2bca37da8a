import { safeLine } from '../text/safe-text.ts';
import { padEnd, wrap } from '../text/text-width.ts';
import type { CommandUi, SlashCommand } from './command.ts';

/** A row of the table, or a command of the user's own. */
export type CommandRow = Pick<SlashCommand, 'name' | 'description'> & {
  readonly argumentHint?: string | undefined;
  readonly example?: string | undefined;
};

/** `/help` lists the commands, `/help NAME` tells of one. */
export function runHelp(argument: string, commands: readonly CommandRow[], { screen, columns }: CommandUi): void {
  const name = argument.replace(/^\//, '').toLowerCase();
  const command = commands.find((each) => each.name === name);
  if (argument === '') screen.block(helpText(commands, columns()));
  else if (command !== undefined) screen.block(commandHelpText(command, columns()));
  else screen.line(`There is no command /${safeLine(name)}. /help lists them.`, 'bad');
}

const usageOf = ({ name, argumentHint }: CommandRow): string => `/${name}${argumentHint === undefined ? '' : ` ${argumentHint}`}`;

export const commandHelpText = (command: CommandRow, columns: number): string =>
  `${[`${usageOf(command)}: ${command.description}`, `Example: ${command.example ?? `/${command.name}`}`]
    .flatMap((line) => wrap(line, columns))
    .join('\n')}\n`;

/** What a command does stands beside it, or below it where there is no room. */
const MIN_DESCRIPTION_COLUMNS = 24;

function helpText(commands: readonly CommandRow[], columns: number): string {
  const rows = commands.map((command) => ({ usage: usageOf(command), description: command.description }));
  const width = Math.max(...rows.map(({ usage }) => usage.length));
  const keys = [
    'Enter sends. Alt-Enter, Shift-Enter, Ctrl-J or a backslash before Enter starts another line. A long paste is folded: Tab opens it.',
    'Up and Down go through earlier messages that begin as what is typed; Ctrl-R searches them. Ctrl-G opens your editor, Ctrl-_ undoes. Ctrl-O shows the newest output whole.',
    'Ctrl-C or Esc stops a turn; what you type in the meantime waits, and Up takes it back. Ctrl-D exits, Ctrl-Z suspends.',
    '!COMMAND runs a command and shows the model what it printed. A text behind # and a blank is remembered.',
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
