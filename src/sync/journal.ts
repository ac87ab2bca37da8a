import { isObject } from '../domain/value/json.ts';
import { auditedSession } from '../store/files/paths.ts';
import { encodeRecord, readRecord } from '../store/files/record-line.ts';
import type { SyncHome } from './home.ts';
import type { SyncTarget } from './port.ts';
import type { Segment } from './segment.ts';

/** What begins the name of a log that holds one machine's words to the others: on memories, and on what it has purged. */
const JOURNAL = '~';

export const isJournal = (log: string): boolean => log.startsWith(JOURNAL);

export const journalOf = (writer: string): string => `${JOURNAL}${writer}`;

/** Adds to the journal of this machine. */
export function writeJournal(home: SyncHome, records: readonly object[]): void {
  const log = journalOf(home.writer);
  const there = home.has(log) ? readJournal(home, log).length : 0;
  const lines = Buffer.concat(records.map((record, at) => encodeRecord({ ...record, n: there + at + 1 })));
  home.append(log, there > 0 ? home.stat(log).bytes : 0, lines, new Map());
}

export function readJournal(home: Pick<SyncHome, 'read'>, log: string): readonly Readonly<Record<string, unknown>>[] {
  const bytes = home.read(log, 0, Number.POSITIVE_INFINITY)?.bytes.toString('utf8') ?? '';
  return bytes.split('\n').flatMap((line) => {
    const record = line === '' ? undefined : readRecord(Buffer.from(line));
    return isObject(record) ? [record] : [];
  });
}

export const journalsOf = (home: Pick<SyncHome, 'logs'>): readonly string[] =>
  home.logs().filter((log) => isJournal(log) && auditedSession(log) === undefined);

/** What machines confirm to each other is no news to a person, nor what comes beside a session. */
export const isTold = (log: string, lines: Buffer): boolean =>
  !isJournal(log) || (auditedSession(log) === undefined && /"type":"(?:memory|strike)"/.test(lines.toString()));

/** Whether the target keeps an object no more, or its writer says further on that it has it no more. */
export async function isDropped(
  target: Pick<SyncTarget, 'read' | 'retention'>,
  { chain, seq }: Pick<Segment, 'chain' | 'seq'>,
  sha256: string,
): Promise<boolean> {
  if ((await target.retention?.gone(sha256)) === true) return true;
  if (auditedSession(chain) === undefined) return false;
  for await (const { bytes } of target.read(chain, seq)) if (bytes.includes(`"type":"dropped","sha256":"${sha256}"`)) return true;
  return false;
}
