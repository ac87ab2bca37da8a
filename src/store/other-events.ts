import { join } from 'node:path';
import { type AuditRecord, isAuditRecord } from '../domain/event.ts';
import { isObject, parseJson } from '../domain/value/json.ts';
import { readOwnFile } from './files/disk.ts';
import { auditedSession, isVersionsLog, namesIn, type StorePaths } from './files/paths.ts';
import { readRecord } from './files/record-line.ts';
import { completeLines } from './files/rewrite-lines.ts';

/**
 * The records of the audit logs of other machines, as they came by an exchange. `visitBefore` visits those before a time that it has not
 * visited yet, oldest first; `drop` takes away one that is here too, as in a home that was copied.
 */
export function otherEvents(paths: StorePaths, sessionId: string | undefined, isWanted: (record: AuditRecord) => boolean) {
  const names = namesIn(paths.journals).flatMap((name) => (name.endsWith('.jsonl') ? `~${name.slice(0, -'.jsonl'.length)}` : []));
  const sessions = names.filter((name) => (sessionId ?? auditedSession(name)) === auditedSession(name) && name.lastIndexOf('~') > 0);
  const records = new Map<string, AuditRecord>();
  const own = sessions.length === 0 ? '' : `~${writerOf(paths)}`;
  for (const name of sessions.filter((each) => !each.endsWith(own) && !isVersionsLog(each)))
    for (const { bytes } of completeLines(join(paths.journals, `${name.slice(1)}.jsonl`))) {
      const value = readRecord(bytes);
      if (bytes !== undefined && isAuditRecord(value) && isWanted(value)) records.set(bytes.toString('latin1'), value);
    }
  const waiting = [...records].sort(([, a], [, b]) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  let next = 0;
  return {
    drop: (line: Buffer): void => {
      if (records.size > 0) records.delete(line.toString('latin1'));
    },
    visitBefore: (at: string | undefined, visit: (record: AuditRecord) => void): void => {
      for (let entry = waiting[next]; entry !== undefined; next += 1, entry = waiting[next]) {
        const [line, record] = entry;
        if (at !== undefined && record.at >= at) return;
        if (records.delete(line)) visit(record);
      }
    },
    isEmpty: waiting.length === 0,
  };
}

function writerOf({ syncTargets }: StorePaths): unknown {
  const targets = parseJson(readOwnFile(syncTargets) ?? '');
  return isObject(targets) ? targets.writer : undefined;
}
