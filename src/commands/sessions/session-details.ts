import { createHelperList } from '../../agent/session/helper-list.ts';
import { applyRecords } from '../../context/history/apply-record.ts';
import { actorsOf, isContent, isFileChange } from '../../domain/session/change.ts';
import { setsOfSession } from '../../store/changes/change-lines.ts';
import type { StorePaths } from '../../store/files/paths.ts';
import { findLeftovers, sizeOfSession } from '../../store/session/change-session.ts';
import { allRecords, peekSession } from '../../store/session/peek-session.ts';
import type { OpenHome } from '../open-home.ts';

export type SessionDetails = ReturnType<typeof sessionDetails>;

export function sessionDetails({ disk, paths, store }: Pick<OpenHome, 'disk' | 'paths' | 'store'>, sessionId: string) {
  const { header, records, warnings } = peekSession(paths, sessionId);
  for (const warning of warnings) disk.warn(warning);
  const listing = store.sessions.list().find((line) => line.sessionId === sessionId);
  const { snapshots, snapshotBytes, archives, memories } = findLeftovers(disk, paths, sessionId);
  return {
    sessionId,
    title: listing?.title ?? '',
    createdAt: header.at,
    updatedAt: listing?.updatedAt ?? header.at,
    open: listing?.open ?? false,
    cwd: header.cwd,
    group: header.group,
    model: listing?.model ?? header.model,
    ...(header.parent === undefined ? {} : { parent: header.parent }),
    ...(header.imported === undefined ? {} : { imported: header.imported }),
    ...countRecords(paths, sessionId),
    contextMessages: applyRecords(header.context, records).messages.length,
    bytes: sizeOfSession(paths, sessionId),
    snapshots,
    snapshotBytes,
    archives: archives.length,
    memories,
  };
}

/** A file is not `kept` when what it held before a change was too large. */
function countRecords(paths: StorePaths, sessionId: string) {
  const counts = { messages: 0, fromUser: 0, toolCalls: 0, offloaded: 0, compactions: 0, rollbacks: 0 };
  const files = new Map<string, { path: string; changes: number; kept: boolean }>();
  const addChange = (path: string, isKept: boolean): void => {
    const entry = files.get(path) ?? { path, changes: 0, kept: true };
    files.set(path, { path, changes: entry.changes + 1, kept: entry.kept && isKept });
  };
  const helpers = createHelperList(new Set());
  for (const record of allRecords(paths, sessionId)) {
    helpers.apply(record, record.n);
    if (record.type === 'file') addChange(record.path, record.before?.kept !== false);
    const messages = record.type === 'message' ? [record.message] : record.type === 'header' ? record.context.messages : [];
    for (const message of messages) {
      counts.messages += 1;
      if (message.origin === 'user') counts.fromUser += 1;
      counts.toolCalls += message.content.filter((block) => block.type === 'tool_use').length;
      counts.offloaded += message.stubs?.length ?? 0;
    }
    if (record.type === 'offload') counts.offloaded += record.stubs.filter(({ shrunk }) => shrunk !== true).length;
    if (record.type === 'checkpoint' && record.reason === 'compaction') counts.compactions += 1;
    if (record.type === 'checkpoint' && record.reason === 'rollback') counts.rollbacks += 1;
  }
  for (const change of setsOfSession(paths, sessionId).flatMap((set) => (actorsOf(set).length === 0 ? [] : set.changes)))
    if (isFileChange(change)) addChange(change.path, change.before?.kind !== 'file' || isContent(change.before.holds));
  return { ...counts, files: [...files.values()], helpers: helpers.all() };
}
