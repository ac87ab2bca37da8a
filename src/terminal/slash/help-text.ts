import { type Bilingual, localize } from '../../domain/language.ts';
import { safeLine } from '../text/safe-text.ts';
import { padEnd, textWidth, wrap } from '../text/text-width.ts';
import { type CommandUi, printLine, type SlashCommand } from './command.ts';

/** A row of the table, or a command of the user's own. */
export type CommandRow = Pick<SlashCommand, 'name'> & {
  /** That of SanBot's own is in both languages; a user's is as they wrote it. */
  readonly description: string | Bilingual;
  readonly argumentHint?: string | Bilingual | undefined;
  readonly example?: string | Bilingual | undefined;
};

/** `/help` lists the commands, `/help NAME` tells of one. */
export function runHelp(argument: string, commands: readonly CommandRow[], ui: CommandUi): void {
  const name = argument.replace(/^\//, '').toLowerCase();
  const command = commands.find((each) => each.name === name);
  if (argument === '') ui.screen.block(helpText(commands, ui.columns()));
  else if (command !== undefined) ui.screen.block(commandHelpText(command, ui.columns()));
  else
    printLine(ui, 'bad', {
      en: `There is no command /${safeLine(name)}. /help lists them.`,
      zh: `没有 /${safeLine(name)} 命令。/help 列出所有命令。`,
    });
}

const localized = (text: string | Bilingual): string => (typeof text === 'string' ? text : localize(text));
export const commandUsage = ({ name, argumentHint }: CommandRow): string =>
  `/${name}${argumentHint === undefined ? '' : ` ${localized(argumentHint)}`}`;
export const descriptionOf = ({ description }: CommandRow): string => localized(description);
export const exampleOf = ({ name, example }: CommandRow): string => localized(example ?? `/${name}`);

export const commandHelpText = (command: CommandRow, columns: number): string =>
  `${[
    `${commandUsage(command)}${localize({ en: ': ', zh: '：' })}${descriptionOf(command)}`,
    `${localize({ en: 'Example: ', zh: '示例：' })}${exampleOf(command)}`,
  ]
    .flatMap((line) => wrap(line, columns))
    .join('\n')}\n`;

/** What a command does stands beside it, or below it where there is no room. */
const MIN_DESCRIPTION_COLUMNS = 24;

const keys: Bilingual<readonly string[]> = {
  en: [
    'Enter sends. Alt-Enter, Shift-Enter, Ctrl-J or a backslash before Enter starts another line. A long paste is folded: Tab opens it.',
    'Up and Down go through earlier messages that begin as what is typed; Ctrl-R searches them. Ctrl-G opens your editor, Ctrl-_ undoes. Ctrl-O shows the newest output whole. Ctrl-B on an empty line puts the command that runs into the background.',
    'Ctrl-C or Esc stops a turn; what you type in the meantime waits, and Up takes it back. Ctrl-D exits, Ctrl-Z suspends.',
    '!COMMAND runs a command and shows the model what it printed. A text behind # and a blank is remembered.',
    'Tab completes commands and @files.',
  ],
  zh: [
    'Enter 发送。Alt-Enter、Shift-Enter、Ctrl-J 或在 Enter 前输入反斜杠可换行。粘贴的长文本会折叠，Tab 展开。',
    '上下键浏览以已输入内容开头的历史消息，Ctrl-R 搜索。Ctrl-G 打开编辑器，Ctrl-_ 撤销。Ctrl-O 显示最新输出的全文。空行上按 Ctrl-B 可将正在运行的命令转入后台。',
    'Ctrl-C 或 Esc 停止当前轮次；其间输入的内容会排队，按上键取回。Ctrl-D 退出，Ctrl-Z 挂起。',
    '!COMMAND 运行命令，并把输出给模型看。# 加空格之后的文字会被记住。',
    'Tab 补全命令和 @文件。',
  ],
};

function helpText(commands: readonly CommandRow[], columns: number): string {
  const rows = commands.map((command) => ({ usage: commandUsage(command), description: descriptionOf(command) }));
  const width = Math.max(...rows.map(({ usage }) => textWidth(usage)));
  const isSideBySide = columns - width - 4 >= MIN_DESCRIPTION_COLUMNS;
  const indent = ' '.repeat(isSideBySide ? width + 4 : 6);
  const lines = rows.flatMap(({ usage, description }) => {
    const [first = '', ...more] = wrap(description, columns - indent.length);
    const heading = isSideBySide ? [`  ${padEnd(usage, width)}  ${first}`] : [`  ${usage}`, indent + first];
    return [...heading, ...more.map((line) => indent + line)];
  });
  return `${[...lines, ...localize(keys).flatMap((line) => wrap(line, columns))].join('\n')}\n`;
}
