import type { SettingsPort } from '../chat/settings-port.ts';
import { safeLine } from '../text/safe-text.ts';
import { table } from '../text/table.ts';
import type { CommandUi } from './command.ts';

/** `/config` shows the settings in force, `/config KEY` those whose key begins so. */
export function showSettings(argument: string, settings: SettingsPort, { screen, columns }: CommandUi): void {
  const rows = settings.table(argument, columns() - 1);
  if (rows === '') screen.line(`No setting begins with ${safeLine(argument)}. /config lists them.`, 'bad');
  else screen.block(`${rows}sanbot config path names the files to change; a change holds from the next start on.\n`);
}

/** `/tools` lists what the model can call. */
export function showTools(settings: SettingsPort, { screen, columns }: CommandUi): void {
  const rows = settings.tools().map(({ name, description }) => [safeLine(name), safeLine(firstSentence(description))]);
  screen.block(table([{ title: 'tool' }, { title: 'what it does', minWidth: 16 }], rows, columns() - 1));
}

const firstSentence = (text: string): string => /^[\s\S]*?[.!?](?=\s|$)/.exec(text.trim())?.[0] ?? text.trim();

/** `/setup` names the command: it changes what a conversation is begun with. */
export const nameSetup = ({ screen }: CommandUi): void =>
  screen.line('Leave with /quit and run sanbot setup; then sanbot --continue goes on from here.');
