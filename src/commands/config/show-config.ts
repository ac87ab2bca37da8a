/**
 * The settings, and whose are obeyed: `sanbot config` shows those in force and checks the files, `sanbot trust` says in which folders a
 * project's own files count.
 *
 * In comes what the settings files, the environment and the list of trusted folders say; out goes text for a person, or JSON.
 *
 * Nothing here runs or loads what a project asks for. Trusting a folder needs a yes, at the terminal or by --yes, after a list of what
 * that is; what a folder needs no consent for is decided in domain/config, not here.
 */

import { SanbotError } from '../../domain/errors.ts';
import { inspectText } from '../../domain/text.ts';
import type { HomeOptions } from '../../runtime/home.ts';
import { type Settings, settingsFiles } from '../../runtime/settings.ts';
import { answer } from '../answer.ts';
import type { CommandContext } from '../command.ts';
import { settingsOf } from '../open-home.ts';
import { configJson, configTable } from './config-table.ts';

export type ConfigOptions = HomeOptions & {
  readonly what: 'show' | 'path' | 'validate';
  readonly key?: string | undefined;
  readonly json?: boolean;
  readonly trust?: boolean;
};

export async function showConfig(options: ConfigOptions, context: CommandContext): Promise<void> {
  const { io } = context;
  if (options.what === 'path') {
    const files = settingsFiles(context.environment, options);
    const { user, project } = files;
    return answer(io, options, files, { en: `user     ${user}\nproject  ${project}`, zh: `用户  ${user}\n项目  ${project}` });
  }
  // To check a file is not to obey it.
  const settings = settingsOf(options.what === 'validate' ? { ...options, trust: true } : options, context);
  if (options.what === 'show') io.out(shownSettings(options, settings, io.columns));
  else answer(io, options, { valid: true }, { en: 'The configuration is valid.', zh: '配置有效。' });
}

function shownSettings({ key = '', json = false }: ConfigOptions, settings: Settings, columns: number): string {
  const shown = json ? configJson(settings, key) : configTable(settings, { columns, keyPrefix: key });
  if (shown !== '' && shown !== '[]\n') return shown;
  throw new SanbotError(
    'not_found',
    { en: `No setting begins with ${inspectText(key)}`, zh: `没有以 ${inspectText(key)} 开头的设置` },
    { en: 'sanbot config show lists them.', zh: 'sanbot config show 列出所有设置。' },
  );
}
