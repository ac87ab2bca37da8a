/**
 * Sessions as a whole: `sanbot sessions` lists, shows, renames, deletes and searches them, `export` writes one to a file, `import` reads one
 * back or takes over what another agent recorded, and --fork copies one.
 *
 * In come ids, titles and files. Out go tables, JSON and files that did not exist before.
 *
 * A session is copied or imported whole or not at all, under its own id or a new one; stubs and paths in it then lead to the copies. Nothing
 * that a file says is used as a path. Reading takes no lock, so that a session in use can be looked at and exported.
 *
 * They refuse to overwrite a file, to change a session that is open elsewhere, and to delete one without confirmation.
 */

import type { HomeOptions } from '../../runtime/home.ts';
import { entryExists } from '../../store/files/disk.ts';
import { searchSessions } from '../../store/search/search-sessions.ts';
import { deleteSession, findLeftovers, renameSession, sizeOfSession } from '../../store/session/change-session.ts';
import { requireLogPath } from '../../store/session/peek-session.ts';
import { safeLine } from '../../terminal/text/safe-text.ts';
import { isAgreed, requireYes, say } from '../answer.ts';
import type { CommandContext } from '../command.ts';
import { openHome } from '../open-home.ts';
import {
  deletionPlanText,
  deletionResultText,
  sessionDetails,
  sessionHitsJson,
  sessionHitsText,
  sessionJson,
  sessionText,
} from './session-text.ts';

type SessionOptions = HomeOptions & {
  readonly session: string;
  readonly json?: boolean;
  readonly yes?: boolean;
  readonly everywhere?: boolean;
};

export async function showSession(options: SessionOptions, { environment, io }: CommandContext): Promise<void> {
  const opened = openHome(options, { environment, io });
  const details = sessionDetails(opened, opened.store.sessions.findId(options.session));
  io.out(options.json ? sessionJson(details) : sessionText(details, { now: environment.now() }));
}

export async function retitleSession(options: SessionOptions & { readonly title: string }, context: CommandContext): Promise<void> {
  const { disk, paths, store } = openHome(options, context);
  const sessionId = store.sessions.findId(options.session);
  const title = renameSession(disk, paths, { sessionId, title: options.title });
  const shown = safeLine(JSON.stringify(title));
  say(context.io, { en: `Session ${sessionId} is now called ${shown}.`, zh: `会话 ${sessionId} 现名为 ${shown}。` });
}

export async function removeSession(options: SessionOptions, context: CommandContext): Promise<void> {
  const { io } = context;
  const { disk, paths } = openHome(options, context);
  const { session: sessionId } = options;
  requireLogPath(paths, sessionId);
  requireYes(options, context.environment, {
    what: { en: 'Deleting a session', zh: '删除会话' },
    hint: { en: 'Add --yes to confirm.', zh: '加 --yes 确认。' },
  });
  const remains = findLeftovers(disk, paths, sessionId);
  const view = {
    sessionId,
    folder: paths.session(sessionId),
    bytes: sizeOfSession(paths, sessionId),
    isSynced: entryExists(paths.syncTargets) && !options.everywhere,
    ...remains,
  };
  if (!options.yes) {
    io.out(deletionPlanText(view));
    if (!(await isAgreed({ en: 'Delete it?', zh: '确认删除？' }, context))) return;
  }
  if (!options.everywhere || !entryExists(paths.syncTargets)) {
    deleteSession(disk, paths, sessionId);
    return io.out(deletionResultText(view));
  }
  const told = () => io.out(deletionResultText(view));
  await (await import('../sync/sync.ts')).deleteEverywhere({ ...options, told }, context);
}

export async function searchAllSessions(
  options: Omit<SessionOptions, 'session'> & { readonly text: string },
  { environment, io }: CommandContext,
): Promise<void> {
  const { paths } = openHome(options, { environment, io });
  const hits = [...searchSessions(paths, options.text)];
  io.out(options.json ? sessionHitsJson(hits) : sessionHitsText(hits, { text: options.text, columns: io.columns }));
}
