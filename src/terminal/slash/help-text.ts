import { type Bilingual, localize, sameInBoth } from '../../domain/language.ts';
import { safeLine } from '../text/safe-text.ts';
import { padEnd, textWidth, wrap } from '../text/text-width.ts';
import { type CommandUi, printLine, type SlashCommand } from './command.ts';

export type CommandRow = Pick<SlashCommand, 'name'> & {
  /** That of SanBot's own is in both languages; a user's is as they wrote it. */
  readonly description: string | Bilingual;
  readonly argumentHint?: string | Bilingual | undefined;
  readonly example?: string | Bilingual | undefined;
};

export function runHelp(argument: string, groups: readonly CommandGroup[], ui: CommandUi): void {
  const commands = groups.flatMap((group) => group.commands);
  const name = argument.replace(/^\//, '').toLowerCase();
  const command = commands.find((each) => each.name === name);
  if (argument === '') ui.screen.block(helpText(groups, ui.columns()));
  else if (command !== undefined) ui.screen.block(commandHelpText(command, ui.columns()));
  else
    printLine(ui, 'bad', {
      en: `There is no command /${safeLine(name)}. /help lists them.`,
      zh: `没有 /${safeLine(name)} 命令。/help 列出所有命令。`,
    });
}

export const localized = (text: string | Bilingual): string => (typeof text === 'string' ? text : localize(text));
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

const MIN_DESCRIPTION_COLUMNS = 24;

/** What each key does, also in docs/commands.md. */
export const keys: readonly { readonly key: Bilingual; readonly does: Bilingual }[] = [
  { key: sameInBoth('Enter'), does: { en: 'send', zh: '发送' } },
  {
    key: { en: 'Alt-Enter, Ctrl-J, \\ Enter', zh: 'Alt-Enter、Ctrl-J、\\ Enter' },
    does: { en: 'start another line (Shift-Enter where the terminal tells it apart)', zh: '换行（终端能区分时 Shift-Enter 也可以）' },
  },
  {
    key: { en: 'Up, Down', zh: '上、下方向键' },
    does: { en: 'earlier messages that begin like what you typed', zh: '以已输入内容开头的历史消息' },
  },
  { key: sameInBoth('Ctrl-R'), does: { en: 'search earlier messages', zh: '搜索历史消息' } },
  { key: sameInBoth('Tab'), does: { en: 'complete commands and @files, open a folded paste', zh: '补全命令和 @文件，展开折叠的粘贴内容' } },
  { key: sameInBoth('Ctrl-G'), does: { en: 'write in your editor', zh: '在你的编辑器中编写' } },
  { key: sameInBoth('Ctrl-V'), does: { en: 'attach the image in the clipboard', zh: '附加剪贴板中的图片' } },
  { key: sameInBoth('Ctrl-_'), does: { en: 'undo in the text', zh: '撤销输入' } },
  { key: sameInBoth('Ctrl-O'), does: { en: 'show the newest output whole', zh: '查看最新输出的全文' } },
  {
    key: sameInBoth('Ctrl-B'),
    does: { en: 'on an empty line: put the running command into the background', zh: '空行时：把正在运行的命令转到后台' },
  },
  { key: sameInBoth('Shift-Tab'), does: { en: 'change the permission mode', zh: '切换权限模式' } },
  {
    key: { en: 'Esc, Ctrl-C', zh: 'Esc、Ctrl-C' },
    does: {
      en: 'stop a turn; at the prompt Ctrl-C clears it, and Up brings it back',
      zh: '停止当前轮次；在提示符处 Ctrl-C 清空输入，按上键取回',
    },
  },
  { key: { en: 'Esc Esc', zh: 'Esc Esc' }, does: { en: 'go back to an earlier message', zh: '回到较早的消息' } },
  { key: { en: 'Ctrl-D, Ctrl-Z', zh: 'Ctrl-D、Ctrl-Z' }, does: { en: 'leave, suspend', zh: '退出、挂起' } },
  { key: sameInBoth('!COMMAND'), does: { en: 'run it, and show the model what it printed', zh: '运行命令，并把输出给模型看' } },
  { key: { en: '# TEXT', zh: '# 文字' }, does: { en: 'remember it', zh: '记住这句话' } },
];

export const keysText = (columns: number): string =>
  rowsText(
    keys.map(({ key, does }) => [localize(key), localize(does)]),
    columns,
  );

function rowsText(rows: readonly (readonly [string, string])[], columns: number): string {
  const width = Math.max(...rows.map(([term]) => textWidth(term)));
  const isSideBySide = columns - width - 4 >= MIN_DESCRIPTION_COLUMNS;
  const indent = ' '.repeat(isSideBySide ? width + 4 : 6);
  const lines = rows.flatMap(([term, description]) => {
    const [first = '', ...more] = wrap(description, columns - indent.length);
    const heading = isSideBySide ? [`  ${padEnd(term, width)}  ${first}`] : [`  ${term}`, indent + first];
    return [...heading, ...more.map((line) => indent + line)];
  });
  return `${lines.join('\n')}\n`;
}

export type CommandGroup = { readonly title: Bilingual; readonly commands: readonly CommandRow[] };

const helpText = (groups: readonly CommandGroup[], columns: number): string =>
  [
    ...groups
      .filter(({ commands }) => commands.length > 0)
      .map(
        ({ title, commands }) =>
          `${localize(title)}\n${rowsText(
            commands.map((each) => [commandUsage(each), descriptionOf(each)]),
            columns,
          )}`,
      ),
    `${localize({ en: 'Keys', zh: '按键' })}\n${keysText(columns)}`,
  ].join('\n');
