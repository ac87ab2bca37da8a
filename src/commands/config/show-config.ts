import type { HomeOptions } from '../../runtime/home.ts';
import { readSettings, settingsFiles } from '../../runtime/settings.ts';
import type { CommandContext } from '../command.ts';
import { configJson, configTable } from './config-table.ts';

export type ConfigOptions = HomeOptions & { readonly what: 'show' | 'path' | 'validate'; readonly json?: boolean };

/** `config show | path | validate`. */
export async function showConfig(options: ConfigOptions, { environment, io }: CommandContext): Promise<number> {
  if (options.what === 'path') {
    const files = settingsFiles(environment, options);
    io.out(options.json ? `${JSON.stringify(files)}\n` : `user     ${files.user}\nproject  ${files.project}\n`);
    return 0;
  }
  const settings = readSettings(environment, options);
  for (const notice of settings.notices) io.warn(notice);
  if (options.what === 'show') io.out(options.json ? configJson(settings) : configTable(settings, { columns: io.columns }));
  else io.out(options.json ? `${JSON.stringify({ valid: true })}\n` : 'The configuration is valid.\n');
  return 0;
}
