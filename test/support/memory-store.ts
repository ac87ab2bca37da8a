import { createHash } from 'node:crypto';
import type { Archive, Bodies, Memories, NewSnapshot, OpenedLog, SavedBody, Snapshots } from '../../src/agent/ports/disk.ts';
import { SanbotError } from '../../src/domain/errors.ts';
import { sameInBoth } from '../../src/domain/language.ts';
import type { MemoryEntry, MemoryRollback } from '../../src/domain/memory/memory.ts';
import type { BodyRef } from '../../src/domain/session/message.ts';
import type { HeaderRecord, LogRecord, NewRecord } from '../../src/domain/session/record.ts';
import type { SnapshotMeta } from '../../src/domain/session/snapshot.ts';

/** The disk's promises kept in memory: what was appended survives `reopen`, nothing else does. `fails` makes every write throw store_failed. */
export type MemoryStore = {
  readonly records: LogRecord[];
  readonly bodies: Bodies & { readonly files: Map<string, string>; readonly retired: Map<string, string> };
  readonly snapshots: Snapshots & { readonly all: Map<string, { meta: SnapshotMeta; made: NewSnapshot }> };
  readonly archive: Archive & { readonly pages: string[] };
  readonly memories: Memories & {
    readonly entries: MemoryEntry[];
    readonly returns: MemoryRollback[];
    readonly daily: string[];
    readonly summaries: Map<string, string>;
  };
  readonly open: (header: HeaderRecord) => OpenedLog;
  fails: boolean;
};

const AT = '2026-01-02T03:04:05.000Z';

export function createMemoryStore(): MemoryStore {
  const records: LogRecord[] = [];
  const store: MemoryStore = {
    records,
    bodies: createBodies(() => check(store)),
    snapshots: createSnapshots(() => check(store)),
    archive: createArchive(),
    memories: createMemories(),
    open: (header) => openLog(header, records, () => check(store)),
    fails: false,
  };
  return store;
}

function check(store: { readonly fails: boolean }): void {
  if (store.fails) throw new SanbotError('store_failed', sameInBoth('The disk is full'));
}

function openLog(header: HeaderRecord, records: LogRecord[], mayWrite: () => void): OpenedLog {
  let since = 0;
  const append = (record: NewRecord): LogRecord => {
    mayWrite();
    // Through JSON, as on disk: what does not survive it must not look as if it did.
    const line = JSON.stringify({ ...record, n: records.length, at: AT });
    const stored: LogRecord = JSON.parse(line);
    records.push(stored);
    since = record.type === 'checkpoint' ? 0 : since + line.length;
    return stored;
  };
  if (records.length === 0) append(header);
  const newest = records.findLastIndex((record) => record.type === 'checkpoint');
  const log = { sessionId: header.sessionId, append, bytesSinceCheckpoint: () => since, close: () => undefined };
  return { log, header, records: records.slice(Math.max(newest, 1)), warnings: [] };
}

function createBodies(mayWrite: () => void): MemoryStore['bodies'] {
  const files = new Map<string, string>();
  const retired = new Map<string, string>();
  const path = (ref: BodyRef) => `/home/offloaded/${ref.sha256.slice(0, 32)}.txt`;
  const refOf = (body: string): BodyRef => ({
    sha256: createHash('sha256').update(body).digest('hex'),
    bytes: Buffer.byteLength(body),
    lines: body.split('\n').length,
  });
  return {
    files,
    retired,
    path,
    refOf,
    save: (body): SavedBody => {
      mayWrite();
      const ref = refOf(body);
      files.set(ref.sha256, body);
      return { ref, path: path(ref) };
    },
    read: (ref) => files.get(ref.sha256) ?? retired.get(ref.sha256),
    restore: (again) => {
      for (const { ref, text } of again) files.set(ref.sha256, text);
    },
    retire: (keep) => {
      const gone = [...files.keys()].filter((sha256) => !keep.has(sha256));
      for (const sha256 of gone) {
        retired.set(sha256, files.get(sha256) ?? '');
        files.delete(sha256);
      }
      return { retired: gone.length, failed: [] };
    },
  };
}

function createSnapshots(mayWrite: () => void): MemoryStore['snapshots'] {
  const all = new Map<string, { meta: SnapshotMeta; made: NewSnapshot }>();
  return {
    all,
    write: (made) => {
      mayWrite();
      const id = `${made.sessionId}-20260102T030405${String(all.size).padStart(3, '0')}Z`;
      const text = JSON.stringify(made);
      const { sessionId, group, reason, model, tokens } = made;
      const meta: SnapshotMeta = {
        v: 1,
        id,
        sessionId,
        group,
        at: AT,
        reason,
        model,
        tokens,
        messages: made.context.messages.length,
        bodies: made.bodies.length,
        bytes: text.length,
        sha256: createHash('sha256').update(text).digest('hex'),
      };
      all.set(id, { meta, made: JSON.parse(text) });
      return meta;
    },
    read: (id) => {
      const found = all.get(id);
      return found === undefined
        ? { kind: 'missing', nearest: [...all.keys()] }
        : { kind: 'found', meta: found.meta, context: found.made.context, bodies: found.made.bodies };
    },
    recordOutcome: (id, outcome) => {
      const found = all.get(id);
      if (found !== undefined) all.set(id, { ...found, meta: { ...found.meta, outcome } });
    },
  };
}

function createArchive(): MemoryStore['archive'] {
  const pages: string[] = [];
  return { pages, write: ({ markdown }) => `/home/conversations/${pages.push(markdown)}.md` };
}

function createMemories(): MemoryStore['memories'] {
  const entries: MemoryEntry[] = [];
  const returns: MemoryRollback[] = [];
  const summaries = new Map<string, string>();
  const daily: string[] = [];
  return {
    entries,
    daily,
    returns,
    summaries,
    remember: (entry) => {
      entries.push(entry);
      return { outcome: 'added', id: `m${entries.length}`, kind: entry.kind, superseded: [] };
    },
    putAside: (marks) => marks.length,
    addDaily: (_day, markdown) => {
      daily.push(markdown);
      return 'added';
    },
    add: (more) => {
      entries.push(...more);
      const of = (kind: MemoryEntry['kind']) => more.filter((entry) => entry.kind === kind).length;
      return { decisions: of('decisions'), facts: of('facts'), preferences: of('preferences'), runtime: of('runtime') };
    },
    rollBack: (change) => {
      returns.push(change);
      return { superseded: 0, restored: 0 };
    },
    writeSessionSummary: (sessionId, markdown) => void summaries.set(sessionId, markdown),
  };
}
