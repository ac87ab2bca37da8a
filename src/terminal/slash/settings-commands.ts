import { type Bilingual, localize } from '../../domain/language.ts';
import type { SettingsPort } from '../chat/settings-port.ts';
import { safeLine } from '../text/safe-text.ts';
import { callableToolsText } from '../views/tools-text.ts';
import type { CommandUi } from './command.ts';

/** `/config` shows the settings in force, `/config KEY` those whose key begins so. */
export function showSettings(argument: string, settings: SettingsPort, { screen, columns }: CommandUi): void {
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
export function showTools(settings: SettingsPort, { screen, columns }: CommandUi): void {
  screen.block(callableToolsText(settings.tools(), columns() - 1));
}

/** `/setup` names the command: it changes what a conversation is begun with. */
export const nameSetup = ({ screen }: CommandUi): void => screen.line(localize(setupText));

const setupText = {
  en: 'Leave with /quit and run sanbot setup; then sanbot --continue goes on from here.',
  zh: '用 /quit 退出并运行 sanbot setup；之后 sanbot --continue 从这里继续。',
};
