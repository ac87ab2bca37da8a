import { withoutThinking } from '../../context/history/apply-record.ts';
import { relocateContext, relocateMessage } from '../../context/history/relocate.ts';
import type { FileVersion } from '../../domain/session/file.ts';
import type { Message } from '../../domain/session/message.ts';
import type { BranchRecord, LogRecord, OffloadRecord } from '../../domain/session/record.ts';

/** From where to where the files of a session move, and under which id. */
export type Relocation = {
  readonly from: string;
  readonly to: string;
  readonly old: string;
  readonly sessionId: string;
  readonly group: string;
};

export const snapshotIdFor = (id: string, { old, sessionId }: Relocation): string =>
  id.startsWith(`${old}-`) ? `${sessionId}${id.slice(old.length)}` : id;

/** A record with its paths and ids as those of the session that it is imported into. */
export function relocateRecord(record: LogRecord, relocation: Relocation): LogRecord {
  const { from, to } = relocation;
  switch (record.type) {
    case 'header':
      return { ...record, sessionId: relocation.sessionId, context: relocateContext(record.context, from, to) };
    case 'checkpoint': {
      const snapshot = record.snapshotId === undefined ? {} : { snapshotId: snapshotIdFor(record.snapshotId, relocation) };
      const restored = record.restored === undefined ? {} : { restored: snapshotIdFor(record.restored, relocation) };
      return { ...record, ...snapshot, ...restored, context: relocateContext(record.context, from, to) };
    }
    case 'message':
      return { ...record, message: relocatedMessage(record.message, from, to) };
    case 'offload':
      return { ...record, stubs: relocatedStubs(record.stubs, from, to) };
    case 'branch':
      return { ...record, ...relocateBranch(record, relocation) };
    case 'model':
    case 'pins':
    case 'title':
      return record;
    case 'file':
      // The contents stayed where the session was, and so did the files.
      return { ...record, before: withoutContent(record.before), after: withoutContent(record.after) };
  }
}

const withoutContent = (version: FileVersion | null): FileVersion | null => (version === null ? null : { ...version, kept: false });

/** A record of a helper's, with the paths of its texts as those of the session that it works for. */
function relocateBranch(record: BranchRecord, { from, to }: Relocation): BranchRecord {
  const { entry } = record;
  switch (entry.type) {
    case 'start':
    case 'checkpoint':
      return { ...record, entry: { ...entry, context: relocateContext(entry.context, from, to) } };
    case 'message':
      return { ...record, entry: { ...entry, message: relocatedMessage(entry.message, from, to) } };
    case 'offload':
      return { ...record, entry: { ...entry, stubs: relocatedStubs(entry.stubs, from, to) } };
    case 'model':
    case 'end':
      return record;
  }
}

/** Its thinking is bound to a past in which stubs may have changed. */
function relocatedMessage(message: Message, from: string, to: string): Message {
  if (from === to) return message;
  const relocated = relocateMessage(message, from, to);
  return withoutThinking([relocated])[0] ?? relocated;
}

const relocatedStubs = (stubs: OffloadRecord['stubs'], from: string, to: string): OffloadRecord['stubs'] =>
  stubs.map((stub) => ({ ...stub, text: stub.text.replaceAll(from, () => to) }));
