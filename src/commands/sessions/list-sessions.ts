import { type HomeOptions, homeOf } from '../../runtime/home.ts';
import { NO_CAP, openStore } from '../../runtime/open-store.ts';
import { sessionsJson, sessionsTable } from '../../terminal/views/sessions-table.ts';
import type { CommandContext } from '../command.ts';

export type SessionsOptions = HomeOptions & { readonly json?: boolean };

/** The sessions, the newest first. Reads files only: no key, no model, no schema library. */
export async function showSessions(options: SessionsOptions, { environment, io }: CommandContext): Promise<number> {
  const store = openStore(environment, homeOf(environment, options), {
    maxSessionBytes: NO_CAP,
    warn: io.warn,
  });
  const rows = store.sessions.list();
  io.out(options.json ? sessionsJson(rows) : sessionsTable(rows, { now: environment.now(), columns: io.columns }));
  return 0;
}
