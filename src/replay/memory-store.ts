import { createHash } from 'node:crypto';
import type { Archive, Bodies, Clock, Memories, NewSnapshot, OpenedLog, SavedBody, Snapshots } from '../agent/ports.ts';
import type { MemoryEntry } from '../domain/memory.ts';
import type { BodyRef } from '../domain/message.ts';
import type { HeaderRecord, LogRecord, NewRecord } from '../domain/record.ts';
import type { SnapshotMeta } from '../domain/snapshot.ts';

/** The promises of the disk kept in memory, for one session that nobody needs afterwards. */
export type MemoryStore = {
  readonly open: (header: HeaderRecord) => OpenedLog;
  readonly bodies: Bodies;
  readonly snapshots: Snapshots;
  readonly archive: Archive;
  readonly memories: Memories;
};

const HOME = '/replay';

export function createMemoryStore(now: Clock): MemoryStore {
  return {
    open: (header) => openLog(header, now),
    bodies: keepBodies(),
    snapshots: keepSnapshots(now),
    archive: { write: ({ title }) => `${HOME}/conversations/${title}.md` },
    memories: keepMemories(),
  };
}

/** Nothing is read back from this log, so a record is only numbered and weighed. */
function openLog(header: HeaderRecord, now: Clock): OpenedLog {
  let n = 0;
  let since = 0;
  const append = (record: NewRecord): LogRecord => {
    since = record.type === 'checkpoint' ? 0 : since + JSON.stringify(record).length;
    return { ...record, n: n++, at: now().toISOString() };
  };
  append(header);
  return {
    log: { sessionId: header.sessionId, append, bytesSinceCheckpoint: () => since, close: () => undefined },
    header,
    records: [],
    warnings: [],
  };
}

const sha256Of = (text: string): string => createHash('sha256').update(text).digest('hex');

function keepBodies(): Bodies {
  const files = new Map<string, string>();
  const retired = new Map<string, string>();
  const path = (ref: BodyRef): string => `${HOME}/offloaded/${ref.sha256.slice(0, 32)}.txt`;
  return {
    path,
    save: (body): SavedBody => {
      const sha256 = sha256Of(body);
      files.set(sha256, body);
      const ref = { sha256, bytes: Buffer.byteLength(body), lines: body.split('\n').length };
      return { ref, path: path(ref) };
    },
    read: (ref) => files.get(ref.sha256) ?? retired.get(ref.sha256),
    restore: (bodies) => {
      for (const { ref, text } of bodies) files.set(ref.sha256, text);
    },
    retire: (keep) => {
      const gone = [...files].filter(([sha256]) => !keep.has(sha256));
      for (const [sha256, text] of gone) {
        retired.set(sha256, text);
        files.delete(sha256);
      }
      return { retired: gone.length, failed: [] };
    },
  };
}

/** Snapshots are kept as their text, as on disk, so that what is read back is a copy made from bytes. */
function keepSnapshots(now: Clock): Snapshots {
  const kept = new Map<string, { readonly meta: SnapshotMeta; readonly text: string }>();
  return {
    write: (made) => {
      const text = JSON.stringify(made);
      const { sessionId, group, reason, model, tokens, context, bodies } = made;
      const meta: SnapshotMeta = {
        v: 1,
        id: `${sessionId}-${String(kept.size + 1).padStart(6, '0')}`,
        sessionId,
        group,
        at: now().toISOString(),
        reason,
        model,
        messages: context.messages.length,
        bodies: bodies.length,
        tokens,
        bytes: Buffer.byteLength(text),
        sha256: sha256Of(text),
      };
      kept.set(meta.id, { meta, text });
      return meta;
    },
    read: (id) => {
      const found = kept.get(id);
      if (found === undefined) return { kind: 'missing', nearest: [...kept.keys()].slice(-3) };
      if (sha256Of(found.text) !== found.meta.sha256) return { kind: 'altered', why: 'its text is not what was written' };
      const { context, bodies }: NewSnapshot = JSON.parse(found.text);
      return { kind: 'found', meta: found.meta, context, bodies };
    },
    noteOutcome: (id, outcome) => {
      const found = kept.get(id);
      if (found !== undefined) kept.set(id, { ...found, meta: { ...found.meta, outcome } });
    },
  };
}

function keepMemories(): Memories {
  const known = new Set<string>();
  const isNew = (entry: MemoryEntry): boolean => {
    const key = `${entry.kind} ${entry.text}`;
    const fresh = !known.has(key);
    known.add(key);
    return fresh;
  };
  return {
    add: (entries) => {
      const added = entries.filter(isNew);
      const of = (kind: MemoryEntry['kind']): number => added.filter((entry) => entry.kind === kind).length;
      return { decisions: of('decisions'), facts: of('facts'), preferences: of('preferences'), runtime: of('runtime') };
    },
    goBack: () => ({ superseded: 0, restored: 0 }),
    writeSessionSummary: () => undefined,
  };
}
