import { themeNames } from '../../domain/config/settings/program.ts';
import { modeNamed } from '../../domain/hook/sdk-tools.ts';
import { type Bilingual, localize, sameInBoth } from '../../domain/language.ts';
import { modeTexts, type PermissionMode, permissionModes, type RuleKind, ruleKinds } from '../../domain/permission.ts';
import type { SessionToolRow } from '../chat/program-port.ts';
import { formatCount, pluralize } from '../text/format.ts';
import { safeLine } from '../text/safe-text.ts';
import { table } from '../text/table.ts';
import { changedText, serversText } from '../views/mcp-text.ts';
import { permissionsText } from '../views/permissions-text.ts';
import { confirmChoice, printLine, type SlashCommand, type SlashContext } from './command.ts';

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
      en: 'sanbot config path names the files to change; a change takes effect at the next start.',
      zh: 'sanbot config path 显示要修改的文件；修改从下次启动起生效。',
    };
    ui.screen.block(`${rows}${localize(files)}\n`);
  },
};

export const slashTheme: SlashCommand = {
  name: 'theme',
  argumentHint: { en: '[name]', zh: '[名称]' },
  example: sameInBoth('/theme light'),
  description: { en: 'the colours; choose others', zh: '查看或更改颜色' },
  choices: () => themeNames.map((text) => ({ text, detail: '' })),
  run: (argument, { ui }) => {
    const name = themeNames.find((each) => each === argument);
    if (argument !== '' && name === undefined)
      return printLine(ui, 'bad', {
        en: `There is no theme ${safeLine(argument)}: write ${themeNames.join(', ')}.`,
        zh: `没有主题 ${safeLine(argument)}：请输入 ${themeNames.join('、')}。`,
      });
    if (ui.theme === undefined) return printLine(ui, 'bad', { en: 'There are no colours here.', zh: '这里没有颜色。' });
    if (name !== undefined) ui.theme.choose(name);
    const current = ui.theme.name();
    const how =
      name === undefined
        ? { en: ` To change it: /theme NAME (${themeNames.join(', ')})`, zh: `更改：/theme 名称（${themeNames.join('、')}）` }
        : sameInBoth('');
    printLine(ui, 'plain', { en: `Theme: ${current}.${how.en}`, zh: `主题：${current}。${how.zh}` });
  },
};

export const slashAddDir: SlashCommand = {
  name: 'add-dir',
  argumentHint: { en: '[folder]', zh: '[文件夹]' },
  example: sameInBoth('/add-dir ../lib'),
  description: { en: 'another folder to read and write like this one', zh: '像当前文件夹一样读写的另一个文件夹' },
  takesFile: true,
  run: (argument, { chat: { permissions }, ui }) => {
    const path = argument.replace(/^"(.*)"$/s, '$1');
    if (path !== '') permissions.addFolder(path);
    const folders = permissions.folders().map(safeLine);
    if (folders.length === 0)
      return printLine(ui, 'plain', {
        en: 'No other folder is read and written like this one.',
        zh: '没有其他像当前文件夹一样读写的文件夹。',
      });
    printLine(ui, 'plain', {
      en: `Read and written like this folder: ${folders.join(', ')}`,
      zh: `像当前文件夹一样读写：${folders.join('、')}`,
    });
  },
};

export const slashTools: SlashCommand = {
  name: 'tools',
  description: { en: 'what the model can call', zh: '模型可以调用的工具' },
  run: (_, { chat: { settings }, ui: { screen, columns } }) => screen.block(callableToolsText(settings.tools(), columns() - 1)),
};

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

async function approveServer(name: string, { chat: { mcp }, ui, loop }: SlashContext): Promise<void> {
  const changed = await loop.stoppable((signal) => mcp.changed(name, signal));
  if (changed === undefined) return;
  if (changed.length === 0)
    return printLine(ui, 'plain', { en: `Nothing of ${name} waits for your yes.`, zh: `${name} 没有需要你同意的内容。` });
  ui.screen.block(changedText(name, changed, ui.columns()));
  if (ui.questions === undefined)
    return printLine(ui, 'bad', {
      en: `Nothing is changed: there is nobody to ask here. sanbot mcp approve ${name} --yes agrees to it.`,
      zh: `没有做任何更改：这里没有人可以询问。sanbot mcp approve ${name} --yes 表示同意。`,
    });
  const question = localize({ en: 'May its tools be used as they are now?', zh: '可以按现在的样子使用它的工具吗？' });
  if (!(await confirmChoice(ui, question, localize({ en: 'Yes, and until they change again', zh: '是，直到它们再次变化' }))))
    return printLine(ui, 'plain', { en: 'Nothing is changed.', zh: '没有做任何更改。' });
  mcp.approve(name);
  printLine(ui, 'plain', { en: `The tools of ${name} are used as they are now.`, zh: `${name} 的工具现在可以使用。` });
}

export const slashMcp: SlashCommand = {
  name: 'mcp',
  argumentHint: { en: '[approve server]', zh: '[approve 服务器]' },
  example: sameInBoth('/mcp approve files'),
  description: { en: 'your MCP servers; agree to tools that changed', zh: '你的 MCP 服务器；批准有变化的工具' },
  choices: ({ mcp }) =>
    mcp.servers().flatMap(({ name, changed }) => {
      const detail = { en: `${pluralize(changed, 'tool')} changed`, zh: `${formatCount(changed)} 个工具有变化` };
      return changed === 0 ? [] : [{ text: `approve ${name}`, detail: localize(detail) }];
    }),
  run: (argument, context) => {
    const { chat, ui } = context;
    if (argument === '') return ui.screen.block(serversText(chat.mcp.servers(), ui.columns(), '/mcp approve'));
    const [, server] = /^approve\s+(\S+)$/.exec(argument) ?? [];
    if (server !== undefined) return approveServer(safeLine(server), context);
    printLine(ui, 'bad', { en: 'Write /mcp, or /mcp approve SERVER.', zh: '请输入 /mcp，或 /mcp approve SERVER。' });
  },
};

const usage = {
  en: 'Write /permissions allow, ask or deny TOOL [PATTERN], allow --irreversible run_command COMMAND, /permissions remove NUMBER, /permissions readonly ask or run, or /permissions with a mode: ask, accept-edits, plan or read-only.',
  zh: '用法：/permissions allow、ask 或 deny TOOL [PATTERN]，allow --irreversible run_command COMMAND，/permissions remove NUMBER，/permissions readonly ask 或 run，或 /permissions 加模式：ask、accept-edits、plan 或 read-only。',
};

export const slashPermissions: SlashCommand = {
  name: 'permissions',
  argumentHint: { en: '[mode or rule]', zh: '[模式或规则]' },
  example: sameInBoth('/permissions allow run_command npm test *'),
  description: { en: 'mode and rules for what may run; change them', zh: '查看或更改权限模式和规则' },
  choices: ({ permissions, settings }) => [
    ...modeChoices.map(({ text, does }) => ({ text, detail: localize(does) })),
    ...permissions.view().rules.map(({ number, kind, rule }) => ({ text: `remove ${number}`, detail: `${kind} ${rule.tool}` })),
    ...readOnlyChoices.map(({ text, does }) => ({ text, detail: localize(does) })),
    ...(['allow', 'ask', 'deny'] as const).flatMap((kind) =>
      settings.tools().map(({ name }) => ({ text: `${kind} ${name}`, detail: localize(ruleTexts[kind](name)) })),
    ),
  ],
  run: (argument, { chat: { permissions }, ui }) => {
    const irreversible = IRREVERSIBLE.test(argument);
    const [, word = '', first = '', rest = ''] = /^(\S*)\s*(\S*)\s*([\s\S]*)$/.exec(argument.replace(IRREVERSIBLE, 'allow ')) ?? [];
    const kind = ruleKinds.find((each) => each === word);
    const value = (['ask', 'run'] as const).find((each) => each === first);
    const mode = first === '' ? modeNamed(word) : undefined;
    if (mode !== undefined) permissions.changeMode(mode);
    else if (kind !== undefined && first !== '') permissions.add(kind, { tool: first, pattern: rest.trim(), irreversible });
    else if (word === 'remove' && /^\d{1,6}$/.test(first) && rest === '') permissions.remove(Number(first));
    else if (word === 'readonly' && value !== undefined && rest === '') permissions.setReadOnlyCommands(value);
    else if (word !== '') return printLine(ui, 'bad', usage);
    ui.screen.block(permissionsText(permissions.view(), ui.columns()));
  },
};

const IRREVERSIBLE = /^allow\s+--irreversible\s+/;

/** Bypass is chosen at the start alone. */
const modeChoices: readonly { readonly text: PermissionMode; readonly does: Bilingual }[] = permissionModes
  .filter((mode) => mode !== 'bypass')
  .map((text) => ({ text, does: { en: `mode: ${modeTexts[text].en}`, zh: `模式：${modeTexts[text].zh}` } }));

const readOnlyChoices: readonly { readonly text: string; readonly does: Bilingual }[] = [
  { text: 'readonly ask', does: { en: 'ask before commands that only read', zh: '只读命令也询问' } },
  { text: 'readonly run', does: { en: 'run commands that are proven to only read', zh: '直接运行经证明只读的命令' } },
];

const ruleTexts: Readonly<Record<RuleKind, (tool: string) => Bilingual>> = {
  allow: (tool) => ({ en: `never ask about ${tool}`, zh: `不再询问 ${tool}` }),
  ask: (tool) => ({ en: `ask about ${tool} each time`, zh: `每次都询问 ${tool}` }),
  deny: (tool) => ({ en: `never run ${tool}`, zh: `从不运行 ${tool}` }),
};
