import type { HomeOptions } from '../../runtime/home.ts';
import { sessionsJson, sessionsTable } from '../../terminal/views/sessions-table.ts';
import type { CommandContext } from '../command.ts';
import { openHome } from '../open-home.ts';

/** The sessions, the newest first. Reads files only: no key, no model, no schema library. */
export async function showSessions(options: HomeOptions & { readonly json?: boolean }, { environment, io }: CommandContext): Promise<void> {
  const rows = openHome(options, { environment, io }).store.sessions.list();
  io.out(options.json ? sessionsJson(rows) : sessionsTable(rows, { now: environment.now(), columns: io.columns }));
}
