import type { OpenedLog, SessionLog } from '../../agent/ports/disk.ts';
import type { HeaderRecord } from '../../domain/session/record.ts';
import type { Store } from '../../store/store.ts';

/** Starting SanBot and leaving again makes no session: its folder comes with the first record. */
export function createOnFirstAppend(store: Store, header: HeaderRecord): NewLog {
  let sessionLog: SessionLog | undefined;
  const begin = (): SessionLog => {
    sessionLog ??= store.sessions.create(header).log;
    return sessionLog;
  };
  const log: SessionLog = {
    sessionId: header.sessionId,
    append: (record) => begin().append(record),
    bytesSinceCheckpoint: () => sessionLog?.bytesSinceCheckpoint() ?? 0,
    settled: async (signal) => sessionLog?.settled?.(signal),
    close: () => sessionLog?.close(),
  };
  return { log, header, records: [], warnings: [], begin, isStored: () => sessionLog !== undefined };
}

export type NewLog = OpenedLog & {
  readonly isStored: () => boolean /** Makes the folder, for what comes before the first record. */;
  readonly begin: () => void;
};
