import { localize, sameInBoth } from '../../domain/language.ts';
import type { SessionToolRow } from '../chat/program-port.ts';
import { safeLine } from '../text/safe-text.ts';
import { table } from '../text/table.ts';
import { printLine, type SlashCommand } from './command.ts';

/** `/config` shows the settings in force, `/config KEY` those whose key begins so. */
export const slashConfig: SlashCommand = {
  name: 'config',
  argumentHint: { en: '[key]', zh: '[键]' },
  example: sameInBoth('/config compaction'),
  description: { en: 'the settings in force, and where each comes from', zh: '生效的设置，以及各自的来源' },
  choices: ({ settings }) => settings.keys().map((text) => ({ text, detail: '' })),
  run: (argument, { chat: { settings }, ui }) => {
    const rows = settings.table(argument, ui.columns() - 1);
    const key = safeLine(argument);
    if (rows === '')
      return printLine(ui, 'bad', {
        en: `No setting begins with ${key}. /config lists them.`,
        zh: `没有以 ${key} 开头的设置。/config 列出所有设置。`,
      });
    const files = {
      en: 'sanbot config path names the files to change; a change holds from the next start on.',
      zh: 'sanbot config path 显示要修改的文件；修改从下次启动起生效。',
    };
    ui.screen.block(`${rows}${localize(files)}\n`);
  },
};

export const slashTools: SlashCommand = {
  name: 'tools',
  description: { en: 'what the model can call', zh: '模型可以调用的工具' },
  run: (_, { chat: { settings }, ui: { screen, columns } }) => screen.block(callableToolsText(settings.tools(), columns() - 1)),
};

/** Names the command: it changes what a conversation is begun with. */
export const slashSetup: SlashCommand = {
  name: 'setup',
  description: { en: 'how to choose another model or key', zh: '如何改用另一个模型或密钥' },
  run: (_, { ui }) =>
    printLine(ui, 'plain', {
      en: 'Leave with /quit and run sanbot setup; then sanbot --continue goes on from here.',
      zh: '用 /quit 退出并运行 sanbot setup；之后 sanbot --continue 从这里继续。',
    }),
};

/** What the model can call. In English by the first sentence that the model is told; in Chinese by our own words, since that is not translated. */
function callableToolsText(tools: readonly SessionToolRow[], columns: number): string {
  const rows = tools.map(({ name, description }) => {
    const en = firstSentence(description);
    return [safeLine(name), safeLine(localize({ en, zh: inChinese.get(name) ?? en }))];
  });
  return table(
    [{ title: localize({ en: 'tool', zh: '工具' }) }, { title: localize({ en: 'what it does', zh: '作用' }), minWidth: 16 }],
    rows,
    columns,
  );
}

const firstSentence = (text: string): string => /^[\s\S]*?[.!?](?=\s|$)/.exec(text.trim())?.[0] ?? text.trim();

const inChinese: ReadonlyMap<string, string> = new Map([
  ['read_file', '读取文本文件（UTF-8）。'],
  ['write_file', '写入整个文件。'],
  ['edit_file', '替换文件中的文字。'],
  ['list_files', '列出文件夹下的文件，包括隐藏文件，不含被忽略的文件。'],
  ['search', '用正则表达式搜索文件。'],
  ['run_command', '在当前文件夹中用 shell 运行命令行，返回退出码和全部输出。'],
  ['read_output', '读取后台命令自上次以来的输出，并说明它是否仍在运行。'],
  ['stop_command', '结束后台命令及其启动的一切。'],
  ['fetch_url', '读取公共网页：HTML 转为 Markdown，JSON 和文本原样返回。'],
  ['todo', '记录三步或以上工作的任务清单。'],
  ['ask_user', '在答案决定下一步做法时，向用户提一个问题。'],
  ['task', '把工作交给有独立上下文的子代理，只返回其回答。'],
  ['recall', '查找此前说过和见过的内容，包括本对话和先前的会话。'],
  ['remember', '为之后的所有会话记住一句话。'],
  ['skill', '读取技能的说明或其文件。'],
  ['tool_search', '查找 MCP 服务器的工具。'],
  ['call_tool', '调用 MCP 服务器的工具。'],
]);
