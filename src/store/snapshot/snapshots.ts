/**
 * Snapshots: a whole context with its bodies in one hashed file, which needs nothing else to be restored; and the files in which a session
 * is carried to another home.
 *
 * A context comes in before each change that loses something, and is on disk, its meta last, when the write returns. A read gives it back
 * to the byte, or says that it is missing or not what was written. Ids sort by time.
 *
 * Retention removes what is older or larger than the settings allow, but never the newest snapshot of a session, which is its way back.
 * Nothing in an imported file is used as a path, and all of it is verified before any of it is written.
 */

import { unlinkSync } from 'node:fs';
import type { NewSnapshot, SnapshotLookup, Snapshots } from '../../agent/ports/disk.ts';
import { errorReason, ReasonError, SanbotError } from '../../domain/errors.ts';
import { type Bilingual, because, isBilingual } from '../../domain/language.ts';
import { type SnapshotMeta, type SnapshotOutcome, snapshotMetaSchema } from '../../domain/session/snapshot.ts';
import { inspectText } from '../../domain/text.ts';
import { createFile, unlinkIfExists, writeFileAtomic } from '../files/atomic-write.ts';
import { type Disk, ensureFolder, entryExists, faultPoint, fileSize, fsyncFolder, readOwnFile } from '../files/disk.ts';
import { storeFailure } from '../files/failure.ts';
import {
  checkGroup,
  formatTimestamp,
  groupsOf,
  isId,
  namesIn,
  nearestIds,
  parseSnapshotId,
  parseTimestamp,
  printablePath,
  type StorePaths,
} from '../files/paths.ts';
import { encodePage, readPage } from '../files/record-line.ts';
import { sha256Of } from '../session/bodies/body-text.ts';
import { planRetention, type RetentionLimits, type StoredSnapshot } from './retention.ts';
import { decodeSnapshot, encodeSnapshot, metaOf } from './snapshot-file.ts';

export type SnapshotStore = Readonly<ReturnType<typeof createSnapshots>>;

export function createSnapshots(disk: Disk, paths: StorePaths) {
  const plan = (limits: RetentionLimits) => planRetention(storedSnapshots(paths), { ...limits, now: disk.now() });
  return {
    write: (snapshot) => write(disk, paths, snapshot),
    read: (id) => read(paths, id),
    recordOutcome: (id, outcome) => noteOutcome(disk, paths, { id, outcome }),
    /** In order of time; only those of one session when given. One that cannot be read is left out with a warning. */
    list: (sessionId?: string) => list(disk, paths, sessionId),
    /** Returns what `retain` would remove now, in that order. */
    planRetention: plan,
    /** Removes these snapshots and returns those removed. Never throws: a failure becomes a warning, and the rest goes on. */
    retain: (limits: RetentionLimits) => plan(limits).filter((removal) => removeSnapshot(disk, paths, removal.id)),
  } satisfies Snapshots & Readonly<Record<string, unknown>>;
}

function write(disk: Disk, paths: StorePaths, snapshot: NewSnapshot): SnapshotMeta {
  const { sessionId, group } = snapshot;
  if (!isId(sessionId))
    throw new SanbotError('usage', {
      en: `${inspectText(sessionId)} is not a valid session id`,
      zh: `${inspectText(sessionId)} 不是有效的会话 id`,
    });
  ensureFolder(disk, paths.summaries(checkGroup(group)));
  for (let tries = 0; tries < 100; tries++) {
    const id = nextId(disk, paths, snapshot);
    const bytes = encodeSnapshot(id, snapshot);
    const path = paths.snapshot(group, id);
    if (!createFile(disk, path, bytes, 'snapshot')) continue;
    try {
      // The meta is written last: there is no snapshot without it, so half of one is never seen.
      const meta = metaOf(id, disk.now(), { snapshot, bytes });
      writeFileAtomic(disk, paths.snapshotMeta(group, id), encodePage(meta), { point: 'meta' });
      return meta;
    } catch (error) {
      unlinkIfExists(paths.snapshotMeta(group, id));
      unlinkIfExists(path);
      throw error;
    }
  }
  throw new SanbotError('store_failed', {
    en: `No name is free for a snapshot in ${printablePath(paths.summaries(group))}`,
    zh: `${printablePath(paths.summaries(group))} 中没有可用的快照名称`,
  });
}

/** Uses the current time, or a millisecond after the session's newest snapshot if later: ids sort by time even if the clock goes back. */
function nextId(disk: Disk, paths: StorePaths, { sessionId, group }: NewSnapshot): string {
  const newest = snapshotsIn(paths, [group])
    .filter((name) => name.sessionId === sessionId)
    .reduce((latest, { timestamp }) => (timestamp > latest ? timestamp : latest), '');
  const after = (parseTimestamp(newest)?.getTime() ?? Number.NEGATIVE_INFINITY) + 1;
  const id = `${sessionId}-${formatTimestamp(new Date(Math.max(disk.now().getTime(), after)))}`;
  if (parseSnapshotId(id) === undefined)
    throw new SanbotError('store_failed', {
      en: `The clock gives a time that the name of a snapshot cannot hold: ${inspectText(id)}`,
      zh: `时钟给出的时间不能用于快照：${inspectText(id)}`,
    });
  return id;
}

/** Lists the snapshots in the folders of groups, by the names of both their files; each once, in no order. */
export const snapshotsIn = (paths: StorePaths, groups = groupsOf(paths)) =>
  groups.flatMap((group) => {
    const ids = new Set(namesIn(paths.summaries(group)).map((name) => name.replace(/(\.meta\.json|\.jsonl)$/, '')));
    return [...ids].flatMap((id) => {
      const name = parseSnapshotId(id);
      return name === undefined ? [] : [{ id, group, ...name }];
    });
  });

/** Returns the group whose folder holds a snapshot; undefined when there is no such snapshot. Ids are unique across groups. */
const groupOf = (paths: StorePaths, id: string): string | undefined =>
  groupsOf(paths).find((group) => entryExists(paths.snapshot(group, id)) || entryExists(paths.snapshotMeta(group, id)));

function read(paths: StorePaths, id: string): SnapshotLookup {
  const name = parseSnapshotId(id);
  // A text that is no snapshot id never becomes a path, but ids similar to it may exist.
  const group = name === undefined ? undefined : groupOf(paths, id);
  if (name === undefined || group === undefined) {
    const ids = snapshotsIn(paths).map((each) => each.id);
    return { kind: 'missing', nearest: nearestIds(id, ids) };
  }
  try {
    return verify(paths, { id, group, sessionId: name.sessionId });
  } catch (error) {
    return { kind: 'altered', why: because({ en: 'it cannot be read', zh: '无法读取' }, errorReason(error)) };
  }
}

export type SnapshotLocation = { readonly id: string; readonly group: string; readonly sessionId: string };

function verify(paths: StorePaths, { id, group, sessionId }: SnapshotLocation): SnapshotLookup {
  const meta = readMeta(paths, group, id);
  if (isBilingual(meta)) return { kind: 'altered', why: meta };
  const bytes = readOwnFile(paths.snapshot(group, id));
  if (bytes === undefined)
    return { kind: 'altered', why: { en: 'its messages are gone; only its meta file is there', zh: '消息已不存在；只剩元数据文件' } };
  if (sha256Of(bytes) !== meta.sha256)
    return {
      kind: 'altered',
      why: { en: 'its bytes are not those that were written (sha256 differs)', zh: '内容与写入时不同（sha256 不一致）' },
    };
  const decoded = decodeSnapshot(bytes, { id, sessionId });
  if (decoded.kind === 'damaged') return { kind: 'altered', why: decoded.why };
  return { kind: 'found', meta, context: decoded.context, bodies: decoded.bodies };
}

/** Returns the meta, or why there is none. */
export function readMeta(paths: StorePaths, group: string, id: string): SnapshotMeta | Bilingual {
  const bytes = readOwnFile(paths.snapshotMeta(group, id));
  if (bytes === undefined) return { en: 'it was never finished: its meta file is missing', zh: '没有写完：缺少元数据文件' };
  const value = readPage(bytes);
  if (!isMeta(value)) return { en: 'its meta file is damaged', zh: '元数据文件已损坏' };
  if (value.id !== id || value.sessionId !== parseSnapshotId(id)?.sessionId)
    return { en: 'its meta file is that of another snapshot', zh: '元数据文件属于另一个快照' };
  return value;
}

/** The value itself is kept, including fields of a newer version, because `noteOutcome` writes it back. */
const isMeta = (value: unknown): value is SnapshotMeta => snapshotMetaSchema.safeParse(value).success;

const NO_SNAPSHOT: Bilingual = { en: 'there is no such snapshot', zh: '没有这个快照' };

function noteOutcome(disk: Disk, paths: StorePaths, { id, outcome }: { readonly id: string; readonly outcome: SnapshotOutcome }): void {
  try {
    const group = parseSnapshotId(id) === undefined ? undefined : groupOf(paths, id);
    const meta = group === undefined ? NO_SNAPSHOT : readMeta(paths, group, id);
    if (group === undefined || isBilingual(meta)) throw new ReasonError(isBilingual(meta) ? meta : NO_SNAPSHOT);
    writeFileAtomic(disk, paths.snapshotMeta(group, id), encodePage({ ...meta, outcome }), { point: 'outcome' });
  } catch (error) {
    const what = { en: `The outcome of snapshot ${inspectText(id)} could not be noted`, zh: `无法记录快照 ${inspectText(id)} 的结果` };
    disk.warn(because(what, errorReason(error)));
  }
}

function list(disk: Disk, paths: StorePaths, sessionId: string | undefined): readonly SnapshotMeta[] {
  const metas = snapshotsIn(paths)
    .filter(({ id, group, ...name }) => (sessionId ?? name.sessionId) === name.sessionId && entryExists(paths.snapshotMeta(group, id)))
    .flatMap(({ id, group }) => {
      const meta = metaOrReason(paths, group, id);
      if (!isBilingual(meta)) return [meta];
      disk.warn({ en: `Snapshot ${id} is not listed: ${meta.en}.`, zh: `快照 ${id} 未列出：${meta.zh}。` });
      return [];
    });
  return metas.toSorted((a, b) => (sortKeyOf(a.id) < sortKeyOf(b.id) ? -1 : 1));
}

function metaOrReason(paths: StorePaths, group: string, id: string): SnapshotMeta | Bilingual {
  try {
    return readMeta(paths, group, id);
  } catch (error) {
    return errorReason(error);
  }
}

/** Sorts by time first, whatever the session. */
const sortKeyOf = (id: string): string => `${parseSnapshotId(id)?.timestamp} ${id}`;

const storedSnapshots = (paths: StorePaths): readonly StoredSnapshot[] =>
  snapshotsIn(paths).map(({ group, ...name }) => {
    const metaSize = fileSize(paths.snapshotMeta(group, name.id));
    const size = fileSize(paths.snapshot(group, name.id));
    return { ...name, bytes: size + metaSize, complete: size > 0 && metaSize > 0 };
  });

/** Removes the meta first: there is no snapshot without it, so a crash in between leaves nothing that can be asked for. */
export function removeSnapshot(disk: Disk, paths: StorePaths, id: string): boolean {
  const group = groupOf(paths, id);
  if (group === undefined) return false;
  try {
    for (const path of [paths.snapshotMeta(group, id), paths.snapshot(group, id)]) {
      faultPoint(disk, 'retain.unlink');
      if (entryExists(path)) unlinkSync(path);
    }
    fsyncFolder(disk, paths.summaries(group), 'retain');
    return true;
  } catch (error) {
    disk.warn(
      because(
        { en: `Snapshot ${id} could not be removed`, zh: `无法删除快照 ${id}` },
        storeFailure(error, 'delete', printablePath(paths.snapshot(group, id))).shown.message,
      ),
    );
    return false;
  }
}
