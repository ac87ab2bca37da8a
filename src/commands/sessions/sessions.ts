import { applyRecord } from '../../context/history/apply-record.ts';
import { SanbotError } from '../../domain/errors.ts';
import type { SessionContext } from '../../domain/session/context.ts';
import { homeOf } from '../../runtime/home.ts';
import { NO_CAP, openStore, storeWorldOf } from '../../runtime/open-store.ts';
import type { Screen } from '../../runtime/screen.ts';
import type { World } from '../../runtime/world.ts';
import type { Disk } from '../../store/files/disk.ts';
import { pathsOf, type StorePaths } from '../../store/files/paths.ts';
import { searchSessions } from '../../store/search/search-sessions.ts';
import { deleteSession, findLeftovers, renameSession, sizeOfSession } from '../../store/session/change-session.ts';
import { allRecords, peekSession, requireLogPath } from '../../store/session/peek-session.ts';
import { confirmOnTerminal } from '../../terminal/input/confirm.ts';
import { deletedText, hitsJson, hitsText, sessionJson, sessionText, willDeleteText } from '../../terminal/views/session-text.ts';
import type { DeleteSessionOptions, RenameSessionOptions, SearchSessionsOptions, ShowSessionOptions } from '../actions.ts';

type Place = { readonly disk: Disk; readonly paths: StorePaths };

function placeOf(world: World, options: { readonly home: string | undefined }, screen: Screen): Place {
  const home = homeOf(world, options);
  return { disk: { ...storeWorldOf(world, home), warn: (line) => screen.err(`sanbot: ${line}\n`) }, paths: pathsOf(home) };
}

/** What one session holds, counted over its whole log. Takes no lock: a session in use can be looked at. */
export async function showSession(world: World, options: ShowSessionOptions, screen: Screen): Promise<number> {
  const { disk, paths } = placeOf(world, options, screen);
  const { session: sessionId } = options;
  const { header, records, warnings } = peekSession(paths, sessionId);
  for (const warning of warnings) screen.err(`sanbot: ${warning}\n`);
  const start: SessionContext = header.context;
  const context = records.reduce(applyRecord, start);
  const store = openStore(world, disk.home, { maxSessionBytes: NO_CAP, tell: disk.warn });
  const listed = store.sessions.list().find((line) => line.sessionId === sessionId);
  const { snapshots, snapshotBytes, archives, memories } = findLeftovers(disk, paths, sessionId);
  const view = {
    sessionId,
    title: listed?.title ?? '',
    createdAt: header.at,
    updatedAt: listed?.updatedAt ?? header.at,
    open: listed?.open ?? false,
    cwd: header.cwd,
    group: header.group,
    model: listed?.model ?? header.model,
    ...(header.parent === undefined ? {} : { parent: header.parent }),
    ...tally(paths, sessionId),
    contextMessages: context.messages.length,
    bytes: sizeOfSession(paths, sessionId),
    snapshots,
    snapshotBytes,
    archives: archives.length,
    memories,
  };
  screen.out(options.json ? sessionJson(view) : sessionText(view, { now: world.now() }));
  return 0;
}

function tally(paths: StorePaths, sessionId: string) {
  const counts = { messages: 0, fromUser: 0, toolCalls: 0, offloaded: 0, compactions: 0, rollbacks: 0 };
  const files = new Map<string, { path: string; changes: number; kept: boolean }>();
  for (const record of allRecords(paths, sessionId)) {
    if (record.type === 'file') {
      const { path, before } = record;
      const known = files.get(path) ?? { path, changes: 0, kept: true };
      files.set(path, { path, changes: known.changes + 1, kept: known.kept && before?.kept !== false });
    }
    const messages = record.type === 'message' ? [record.message] : record.type === 'header' ? record.context.messages : [];
    for (const message of messages) {
      counts.messages += 1;
      if (message.origin === 'user') counts.fromUser += 1;
      counts.toolCalls += message.content.filter((block) => block.type === 'tool_use').length;
      counts.offloaded += message.stubs?.length ?? 0;
    }
    if (record.type === 'offload') counts.offloaded += record.stubs.length;
    if (record.type === 'checkpoint' && record.reason === 'compaction') counts.compactions += 1;
    if (record.type === 'checkpoint' && record.reason === 'rollback') counts.rollbacks += 1;
  }
  return { ...counts, files: [...files.values()] };
}

export async function renameTo(world: World, options: RenameSessionOptions, screen: Screen): Promise<number> {
  const { disk, paths } = placeOf(world, options, screen);
  const title = renameSession(disk, paths, { sessionId: options.session, title: options.title });
  screen.out(`Session ${options.session} is now called ${JSON.stringify(title)}.\n`);
  return 0;
}

/** Says what goes and what stays, and does it when told to: --yes, or a yes at the terminal. */
export async function deleteOne(world: World, options: DeleteSessionOptions, screen: Screen): Promise<number> {
  const { disk, paths } = placeOf(world, options, screen);
  const { session: sessionId, yes } = options;
  requireLogPath(paths, sessionId);
  const interactive = world.stdin.isTTY === true && world.stdout.isTTY === true;
  if (!yes && !interactive)
    throw new SanbotError('refused', 'Deleting a session needs a yes, and there is no terminal to ask at', { hint: 'Add --yes.' });
  const remains = findLeftovers(disk, paths, sessionId);
  const view = { sessionId, folder: paths.session(sessionId), bytes: sizeOfSession(paths, sessionId), ...remains };
  if (!yes) {
    screen.out(willDeleteText(view));
    if (!(await confirmOnTerminal('Delete it?', { input: world.stdin, output: world.stdout }))) {
      screen.out('Nothing was changed.\n');
      return 0;
    }
  }
  deleteSession(disk, paths, sessionId);
  screen.out(deletedText(view));
  return 0;
}

export async function searchAll(world: World, options: SearchSessionsOptions, screen: Screen): Promise<number> {
  const { paths } = placeOf(world, options, screen);
  const hits = [...searchSessions(paths, options.text)];
  screen.out(options.json ? hitsJson(hits) : hitsText(hits, { text: options.text, columns: screen.columns }));
  return 0;
}
