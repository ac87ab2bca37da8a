import type { Bodies, OpenedLog, Snapshots } from '../agent/ports/disk.ts';
import type { Clock } from '../agent/ports/effects.ts';
import { SanbotError } from '../domain/errors.ts';
import type { BodyRef } from '../domain/session/message.ts';
import { type HeaderRecord, type LogRecord, logRecordSchema, type NewRecord } from '../domain/session/record.ts';
import { type SnapshotMeta, snapshotMetaSchema } from '../domain/session/snapshot.ts';
import { nearest } from '../domain/text.ts';
import { parseJson } from '../domain/value/json.ts';
import { bodyRefOf, encodeBody, sha256Of } from '../store/session/bodies/body-text.ts';
import { decodeSnapshot, encodeSnapshot, metaOf } from '../store/snapshot/snapshot-file.ts';
import type { ContextStore } from './context-types.ts';

const LOG = 'log/';
const BODIES = 'offloaded/';
const SNAPSHOTS = 'snapshots/';
const META = '.meta';
/** Numbers and times sort as texts do. */
const DIGITS = 9;
/** Older ones leave the store: each holds a whole context. */
const KEPT_SNAPSHOTS = 20;

const keysOf = (store: ContextStore, start: string): readonly string[] => [...store.keys()].filter((key) => key.startsWith(start)).sort();

const damaged = (key: string): SanbotError =>
  new SanbotError('store_damaged', { en: `${key} of the store is not as it was written`, zh: `存储中的 ${key} 与写入时不同` });

/** What a store refuses is one kind of error, whatever it threw. */
function put(store: ContextStore, key: string, text: string): void {
  try {
    store.set(key, text);
  } catch (cause) {
    throw new SanbotError('store_failed', { en: `The store did not take ${key}`, zh: `存储未能写入 ${key}` }, undefined, cause);
  }
}

/** The log of the conversation that a store holds, or a new one. What stands before its newest checkpoint is not needed any more and leaves. */
export function openContextLog(store: ContextStore, header: HeaderRecord, now: Clock): OpenedLog {
  const keys = keysOf(store, LOG);
  const records = keys.map((key) => recordAt(store, key));
  const [first] = records;
  let n = (records.at(-1)?.n ?? -1) + 1;
  let bytes = 0;
  const append = (record: NewRecord): LogRecord => {
    const stored = { ...record, n, at: now().toISOString() };
    const text = JSON.stringify(stored);
    put(store, `${LOG}${String(n).padStart(DIGITS, '0')}`, text);
    n += 1;
    bytes = record.type === 'checkpoint' ? 0 : bytes + text.length;
    if (record.type === 'checkpoint') for (const key of keysOf(store, LOG).slice(1, -1)) store.delete(key);
    return stored;
  };
  if (first === undefined) append(header);
  else if (first.type !== 'header') throw damaged(keys[0] ?? LOG);
  const checkpoint = records.findLastIndex(({ type }) => type === 'checkpoint');
  const log = { sessionId: header.sessionId, append, bytesSinceCheckpoint: () => bytes, close: () => undefined };
  return { log, header: first?.type === 'header' ? first : header, records: records.slice(Math.max(checkpoint, 1)), warnings: [] };
}

function recordAt(store: ContextStore, key: string): LogRecord {
  const parsed = logRecordSchema.safeParse(parseJson(Buffer.from(store.get(key) ?? '')));
  if (!parsed.success) throw damaged(key);
  return parsed.data;
}

export type ContextBodies = Bodies & { readonly readPath: (path: string) => string | undefined };

/** Texts by their hashes. They stay, since a ledger may name them long after their stubs have left. */
export function createContextBodies(store: ContextStore, maxBytes: number): ContextBodies {
  const path = (ref: BodyRef): string => `${BODIES}${ref.sha256}`;
  const readPath = (name: string): string | undefined => {
    const text = name.startsWith(BODIES) ? store.get(name) : undefined;
    return text !== undefined && sha256Of(encodeBody(text)) === name.slice(BODIES.length) ? text : undefined;
  };
  let total = keysOf(store, BODIES).reduce((sum, key) => sum + Buffer.byteLength(store.get(key) ?? ''), 0);
  const refOf = (body: string): BodyRef => bodyRefOf(encodeBody(body));
  const save = (body: string, limit: number) => {
    const ref = refOf(body);
    if (readPath(path(ref)) !== undefined) return { ref, path: path(ref) };
    if (total + ref.bytes > limit) return undefined;
    put(store, path(ref), body);
    total += ref.bytes;
    return { ref, path: path(ref) };
  };
  return {
    ...{ refOf, path, readPath },
    save: (body) => save(body, maxBytes),
    read: (ref) => readPath(path(ref)),
    restore: (bodies) => {
      for (const { text } of bodies) save(text, Number.POSITIVE_INFINITY);
    },
    retire: () => ({ retired: 0, failed: [] }),
  };
}

export type ContextSnapshots = Snapshots & { readonly list: () => readonly SnapshotMeta[] };

export function createContextSnapshots(store: ContextStore, now: Clock): ContextSnapshots {
  const ids = (): readonly string[] =>
    keysOf(store, SNAPSHOTS).flatMap((key) => (key.endsWith(META) ? [key.slice(SNAPSHOTS.length, -META.length)] : []));
  const metaFor = (id: string): SnapshotMeta | undefined => {
    const parsed = snapshotMetaSchema.safeParse(parseJson(Buffer.from(store.get(`${SNAPSHOTS}${id}${META}`) ?? '')));
    return parsed.success ? parsed.data : undefined;
  };
  const putMeta = (meta: SnapshotMeta): void => put(store, `${SNAPSHOTS}${meta.id}${META}`, JSON.stringify(meta));
  return {
    write: (snapshot) => {
      const number = Number(ids().at(-1)?.split('-').at(-1) ?? -1) + 1;
      const id = `${snapshot.sessionId}-${String(number).padStart(DIGITS, '0')}`;
      const bytes = encodeSnapshot(id, snapshot);
      const meta = metaOf(id, now(), { snapshot, bytes });
      put(store, `${SNAPSHOTS}${id}`, bytes.toString('latin1'));
      putMeta(meta);
      for (const old of ids().slice(0, -KEPT_SNAPSHOTS)) for (const end of ['', META]) store.delete(`${SNAPSHOTS}${old}${end}`);
      return meta;
    },
    read: (id) => {
      const meta = metaFor(id);
      const text = store.get(`${SNAPSHOTS}${id}`);
      if (meta === undefined || text === undefined) return { kind: 'missing', nearest: [nearest(id, ids()) ?? []].flat() };
      const bytes = Buffer.from(text, 'latin1');
      const decoded = decodeSnapshot(bytes, meta);
      if (decoded.kind === 'damaged') return { kind: 'altered', why: decoded.why };
      if (sha256Of(bytes) !== meta.sha256) return { kind: 'altered', why: { en: 'its hash is another one', zh: '哈希不符' } };
      return { kind: 'found', meta, context: decoded.context, bodies: decoded.bodies };
    },
    recordOutcome: (id, outcome) => {
      const meta = metaFor(id);
      if (meta !== undefined) putMeta({ ...meta, outcome });
    },
    list: () => ids().flatMap((id) => metaFor(id) ?? []),
  };
}
