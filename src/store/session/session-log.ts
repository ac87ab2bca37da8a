import type { SessionLog } from '../../agent/ports/disk.ts';
import type { LogRecord, NewRecord } from '../../domain/session/record.ts';
import type { LineFile } from '../files/line-file.ts';
import type { Lock } from '../files/lock.ts';
import { encodeRecord } from '../files/record-line.ts';

export type SessionLogOptions = {
  readonly sessionId: string;
  readonly file: LineFile;
  readonly lock: () => Lock;
  readonly now: () => Date;
  readonly nextN: number;
  /** Where the line of the newest checkpoint ends. */
  readonly checkpointEnd: number;
};

/** The only writer of a session's log. */
export function createSessionLog({ sessionId, file, lock, now, ...start }: SessionLogOptions): SessionLog {
  let nextN = start.nextN;
  let checkpointEnd = start.checkpointEnd;
  return {
    sessionId,
    append: (record) => {
      const entry = numberedRecord(record, { n: nextN, at: now().toISOString() });
      file.append(encodeRecord(entry));
      nextN += 1;
      if (record.type === 'checkpoint') checkpointEnd = file.size();
      return entry;
    },
    bytesSinceCheckpoint: () => file.size() - checkpointEnd,
    close: () => {
      file.close();
      lock().release();
    },
  };
}

/** `type` comes first in the line, for those who read the file with simple tools; records are ordered by `n`, since clocks go back. */
export function numberedRecord<R extends NewRecord>(record: R, number: Pick<LogRecord, 'n' | 'at'>): R & Pick<LogRecord, 'n' | 'at'> {
  return Object.assign({ type: record.type, n: number.n, at: number.at }, record);
}
