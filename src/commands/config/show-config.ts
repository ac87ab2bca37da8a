import type { Screen } from '../../runtime/screen.ts';
import { readSettings, settingsFiles } from '../../runtime/settings.ts';
import type { World } from '../../runtime/world.ts';
import type { ConfigOptions } from '../actions.ts';
import { configJson, configTable } from './config-table.ts';

/** `config show | path | validate`. */
export async function showConfig(world: World, options: ConfigOptions, screen: Screen): Promise<number> {
  if (options.what === 'path') {
    const files = settingsFiles(world, options);
    screen.out(options.json ? `${JSON.stringify(files)}\n` : `user     ${files.user}\nproject  ${files.project}\n`);
    return 0;
  }
  const settings = readSettings(world, options);
  for (const notice of settings.notices) screen.err(`sanbot: ${notice}\n`);
  if (options.what === 'show') screen.out(options.json ? configJson(settings) : configTable(settings, { columns: screen.columns }));
  else screen.out(options.json ? `${JSON.stringify({ valid: true })}\n` : 'The configuration is valid.\n');
  return 0;
}
