import { type Bilingual, localize, sameInBoth } from '../../domain/language.ts';
import type { SettingsPort } from '../chat/program-port.ts';
import { safeLine } from '../text/safe-text.ts';
import { callableToolsText } from '../views/tools-text.ts';
import type { CommandUi, SlashCommand } from './command.ts';

/** `/config` shows the settings in force, `/config KEY` those whose key begins so. */
function showSettings(argument: string, settings: SettingsPort, { screen, columns }: CommandUi): void {
  const rows = settings.table(argument, columns() - 1);
  if (rows === '') screen.line(localize(noneText(safeLine(argument))), 'bad');
  else screen.block(`${rows}${localize(filesText)}\n`);
}

const noneText = (key: string): Bilingual => ({
  en: `No setting begins with ${key}. /config lists them.`,
  zh: `没有以 ${key} 开头的设置。/config 列出所有设置。`,
});

const filesText = {
  en: 'sanbot config path names the files to change; a change holds from the next start on.',
  zh: 'sanbot config path 显示要修改的文件；修改从下次启动起生效。',
};

/** `/tools` lists what the model can call. */
function showTools(settings: SettingsPort, { screen, columns }: CommandUi): void {
  screen.block(callableToolsText(settings.tools(), columns() - 1));
}

/** `/setup` names the command: it changes what a conversation is begun with. */
const nameSetup = ({ screen }: CommandUi): void => screen.line(localize(setupText));

const setupText = {
  en: 'Leave with /quit and run sanbot setup; then sanbot --continue goes on from here.',
  zh: '用 /quit 退出并运行 sanbot setup；之后 sanbot --continue 从这里继续。',
};

export const slashConfig: SlashCommand = {
  name: 'config',
  argumentHint: { en: '[key]', zh: '[键]' },
  example: sameInBoth('/config compaction'),
  description: { en: 'the settings in force, and where each comes from', zh: '生效的设置，以及各自的来源' },
  choices: ({ settings }) => settings.keys().map((text) => ({ text, detail: '' })),
  run: (argument, { chat, ui }) => showSettings(argument, chat.settings, ui),
};

export const slashTools: SlashCommand = {
  name: 'tools',
  description: { en: 'what the model can call', zh: '模型可以调用的工具' },
  run: (_, { chat, ui }) => showTools(chat.settings, ui),
};

export const slashSetup: SlashCommand = {
  name: 'setup',
  description: { en: 'how to choose another model or key', zh: '如何改用另一个模型或密钥' },
  run: (_, { ui }) => nameSetup(ui),
};
