import { type HomeOptions, homeOf } from '../runtime/home.ts';
import { NO_CAP, openStore, storeEnvironmentOf } from '../runtime/open-store.ts';
import { type Flags, readSettings, type Settings } from '../runtime/settings.ts';
import { pathsOf } from '../store/files/paths.ts';
import type { CommandContext } from './command.ts';

export type ToldContext = { readonly environment: CommandContext['environment']; readonly io: Pick<CommandContext['io'], 'warn'> };

export type OpenHome = ReturnType<typeof openHome>;

/** A home with what is kept in it, for a command that needs no settings: they may be damaged. */
export function openHome(options: HomeOptions, { environment, io: { warn } }: ToldContext) {
  const home = homeOf(environment, options);
  const disk = { ...storeEnvironmentOf(environment, home), warn };
  return { home, paths: pathsOf(home), disk, store: openStore(environment, home, { maxSessionBytes: NO_CAP, warn }) };
}

export function settingsOf(flags: Flags, { environment, io }: ToldContext): Settings {
  const settings = readSettings(environment, flags);
  for (const notice of settings.notices) io.warn(notice);
  return settings;
}
