/**
 * Examines a home and repairs what can be repaired: logs, bodies, snapshots, versions of files, locks, modes, and files that interrupted
 * work left behind.
 *
 * A home comes in, in any state; findings come out, each with its place and what is wrong there. A check changes nothing, and no damage
 * makes it fail, since a damaged home is what it is for. It needs no model and no settings.
 *
 * A repair works under the session's lock and deletes nothing: what it takes away is set aside, and what it writes anew can be rebuilt
 * from what is there. Facts that no file holds any more are not made up.
 */

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { SanbotError } from '../../domain/errors.ts';
import { type Bilingual, because, isBilingual, quotedText } from '../../domain/language.ts';
import { writeFileAtomic } from '../files/atomic-write.ts';
import { type Disk, entryExists, readOwnFile } from '../files/disk.ts';
import { readHost, type StoreEnvironment } from '../files/host.ts';
import { formatTimestamp, groupsOf, isId, namesIn, noSuchSession, parseSnapshotId, pathsOf, type StorePaths } from '../files/paths.ts';
import { encodePage } from '../files/record-line.ts';
import { finishPurge, readPurgeJournal, withAllLocks } from '../purge/purge-journal.ts';
import { sha256Of } from '../session/bodies/body-text.ts';
import { rebuiltMeta } from '../snapshot/rebuilt-meta.ts';
import { decodeSnapshot } from '../snapshot/snapshot-file.ts';
import { createSnapshots, readMeta, type SnapshotLocation, snapshotsIn } from '../snapshot/snapshots.ts';
import { checkLock, checkSession, type SessionCheck } from './check-session.ts';
import { type Finding, finding, orUnreadable, type PartialFinding, type RepairResult } from './finding.ts';
import { attemptRepair, checkFiles, moveAside, repairFiles, repairMemoryLock } from './home-files.ts';
import { repairSession } from './repair-session.ts';

export type DiagnoseOptions = {
  readonly sessionId: string | undefined;
  readonly repair: boolean;
  /** Returns why the search index at a path cannot be used; undefined when it can. Without this function the index is not checked. */
  readonly indexProblem?: (path: string) => string | undefined;
};

export type Diagnosis = Readonly<ReturnType<typeof diagnose>>;

/** Checks a home and, with `repair`, salvages what it can. Throws not_found for an unknown session; no damage makes it fail. */
export function diagnose(environment: StoreEnvironment, { sessionId, repair, indexProblem = () => undefined }: DiagnoseOptions) {
  const paths = pathsOf(environment.home);
  const ids = sessionIds(paths);
  if (sessionId !== undefined && !ids.includes(sessionId)) throw noSuchSession(sessionId, ids);
  const disk: Disk = { ...environment, warn: () => undefined };
  const scope: Scope = { disk, paths, sessionId, indexProblem, setAsideFolder: join(paths.setAsideFolder, formatTimestamp(disk.now())) };
  const before = checkHome(scope);
  const repairs = repair ? repairHome(scope, before) : [];
  const after = repairs.length === 0 ? before : checkHome(scope);
  return {
    sessions: after.sessions.length,
    snapshots: after.snapshotCount,
    /** Sessions that a process has open: they are only read, and what the process may be writing is not judged. */
    inUse: [...sessionsInUse(after)],
    repaired: repairs,
    findings: findingsOf(after),
  };
}

type Scope = {
  readonly disk: Disk;
  readonly paths: StorePaths;
  readonly sessionId: string | undefined;
  readonly indexProblem: (path: string) => string | undefined;
  readonly setAsideFolder: string;
};

type HomeCheck = Readonly<ReturnType<typeof checkHome>>;

const findingsOf = ({ files, locks, sessions, snapshots }: HomeCheck): readonly Finding[] => [
  ...files,
  ...locks,
  ...sessions.flatMap((check) => check.findings),
  ...snapshots.map(({ kind, path, sessionId, what, remedy }) => ({ kind, path, sessionId, what, remedy })),
];

function checkHome({ disk, paths, sessionId, indexProblem }: Scope) {
  const host = readHost(disk);
  const snapshots = createSnapshots(disk, paths);
  const ids = sessionId === undefined ? sessionIds(paths) : [sessionId];
  const sessions = ids.map((id) => checkSession({ disk, paths, host, snapshots }, id));
  const inUse = sessionsInUse({ sessions });
  return {
    files: [
      ...checkFiles(disk, paths, sessionId === undefined ? paths.home : paths.session(sessionId)),
      ...(sessionId === undefined ? [...checkIndex(paths.searchIndex, indexProblem), ...checkPurge(paths)] : []),
    ],
    locks: (sessionId === undefined ? groupsOf(paths) : [])
      .flatMap((group) => checkLock({ host }, paths.memoryLock(group)).findings)
      .map((found) => ({ ...found, sessionId: undefined })),
    sessions,
    // A session in use may have written a snapshot and not yet its meta.
    snapshots: checkSnapshots(paths, sessionId).filter(
      ({ kind, sessionId: id }) => (kind !== 'snapshot_meta' && kind !== 'snapshot_unlisted') || !inUse.has(id ?? ''),
    ),
    snapshotCount: snapshots.list(sessionId).length,
  };
}

/** The index is derived from the logs, so nothing is lost with it. */
function checkIndex(path: string, indexProblem: Scope['indexProblem']): readonly Finding[] {
  const why = indexProblem(path);
  if (why === undefined) return [];
  const what = because({ en: 'the search index is damaged', zh: '搜索索引已损坏' }, quotedText(why));
  return [{ ...finding('index', path, what), sessionId: undefined }];
}

/** Until it is finished, a snapshot may not match its meta. What a purge of SanBot 0.1 has left to do needs the text. */
function checkPurge(paths: StorePaths): readonly Finding[] {
  if (!entryExists(paths.purgeJournal)) return [];
  const found =
    readPurgeJournal(paths) !== undefined
      ? finding('purge', paths.purgeJournal, { en: 'a purge was interrupted', zh: '一次清除被中断' }, { en: 'finishes it', zh: '完成它' })
      : finding('purge', paths.purgeJournal, {
          en: 'a purge was interrupted; sanbot purge with the same text finishes it',
          zh: '一次清除被中断；用同样的文本运行 sanbot purge 即可完成',
        });
  return [{ ...found, sessionId: undefined }];
}

function repairPurge(disk: Disk, paths: StorePaths, { kind, path, remedy }: Finding): readonly RepairResult[] {
  if (kind !== 'purge' || remedy === undefined) return [];
  return attemptRepair(path, () => {
    const changed = withAllLocks(disk, paths, () => finishPurge(disk, paths));
    return changed.length === 0
      ? { en: 'finished', zh: '已完成' }
      : {
          en: `finished, but for ${changed.join(', ')}, changed since; purge again`,
          zh: `已完成，但 ${changed.join('、')} 此后已更改；请再次清除`,
        };
  });
}

const sessionIds = (paths: StorePaths): readonly string[] =>
  namesIn(paths.sessions)
    .filter((name) => isId(name) && statSync(paths.session(name), { throwIfNoEntry: false })?.isDirectory() === true)
    .sort();

/** Finishes a purge first, then repairs modes, so that the rest can be read, and snapshots before sessions, which may need them. */
function repairHome(scope: Scope, found: HomeCheck): readonly RepairResult[] {
  const { disk, paths, setAsideFolder } = scope;
  const purges = found.files.flatMap((finding) => repairPurge(disk, paths, finding));
  const before = purges.length === 0 ? found : checkHome(scope);
  const inUse = sessionsInUse(before);
  const isFree = ({ sessionId }: Finding) => sessionId === undefined || !inUse.has(sessionId);
  const files = repairFiles(disk, before.files.filter(isFree), setAsideFolder);
  const { locks, snapshots } = files.length === 0 ? before : checkHome(scope);
  const shared = [
    ...locks.flatMap((finding) => repairMemoryLock(disk, finding)),
    ...snapshots.filter(isFree).flatMap((finding) => repairSnapshot(disk, paths, { finding, setAsideFolder })),
  ];
  const { sessions } = files.length + shared.length === 0 ? before : checkHome(scope);
  return [
    ...purges,
    ...files,
    ...shared,
    ...sessions.filter((check) => !check.inUse).flatMap((check) => repairSession(disk, paths, { check, setAsideFolder })),
  ];
}

const sessionsInUse = ({ sessions }: { readonly sessions: readonly SessionCheck[] }): ReadonlySet<string> =>
  new Set(sessions.filter((check) => check.inUse).map((check) => check.sessionId));

export type SnapshotFinding = Finding & { readonly id: string; readonly group: string };

/** Verifies all snapshots, or those of one session: the meta, the hash of the bytes, and each body. Changes nothing and never throws. */
export function checkSnapshots(paths: StorePaths, sessionId: string | undefined): readonly SnapshotFinding[] {
  return snapshotsIn(paths).flatMap(({ timestamp: _, ...location }) => {
    if (sessionId !== undefined && sessionId !== location.sessionId) return [];
    const found = orUnreadable(paths.snapshot(location.group, location.id), () => checkOne(paths, location));
    return found.map((each) => ({ ...each, ...location }));
  });
}

function checkOne(paths: StorePaths, { group, id, sessionId }: SnapshotLocation): readonly PartialFinding[] {
  const path = paths.snapshot(group, id);
  const metaPath = paths.snapshotMeta(group, id);
  const bytes = readOwnFile(path);
  if (bytes === undefined) {
    const what = { en: 'the messages of this snapshot are gone; only its meta file is there', zh: '此快照的消息已不存在；只剩元数据文件' };
    return [finding('snapshot_altered', metaPath, what)];
  }
  const decoded = decodeSnapshot(bytes, { id, sessionId });
  const meta = readMeta(paths, group, id);
  if (decoded.kind === 'damaged') return [finding('snapshot_altered', path, because(CHANGED, decoded.why))];
  if (isBilingual(meta)) {
    // As a kill leaves it that comes before the meta file; the next opening of its session writes it.
    if (!entryExists(metaPath)) return [finding('snapshot_unlisted', metaPath, UNLISTED)];
    return [
      finding('snapshot_meta', metaPath, { en: 'the meta file is damaged; the snapshot is whole', zh: '元数据文件已损坏；快照完好' }),
    ];
  }
  const why = { en: 'sha256 differs from that of its meta file', zh: 'sha256 与元数据文件中的不一致' };
  return sha256Of(bytes) === meta.sha256 ? [] : [finding('snapshot_altered', path, because(CHANGED, why))];
}

const UNLISTED: Bilingual = {
  en: 'there is none yet; the snapshot is whole, and is listed again once its session is opened',
  zh: '尚不存在；快照完好，打开其会话后会重新列出',
};
const CHANGED: Bilingual = { en: 'not as it was written', zh: '与写入时不同' };

type SnapshotRepair = { readonly finding: SnapshotFinding; readonly setAsideFolder: string };

/** Rewrites a missing or damaged meta, or moves an altered snapshot aside. Never throws. */
export function repairSnapshot(disk: Disk, paths: StorePaths, { finding: found, setAsideFolder }: SnapshotRepair): readonly RepairResult[] {
  const { id, group, kind } = found;
  const files = [paths.snapshotMeta(group, id), paths.snapshot(group, id)];
  const moveAll = () => files.filter(entryExists).map((path) => moveAside(disk, path, setAsideFolder));
  if (kind === 'snapshot_altered') return attemptRepair(found.path, () => movedText(moveAll()));
  if (kind !== 'snapshot_meta' && kind !== 'snapshot_unlisted') return [];
  return attemptRepair(found.path, () => {
    const meta = rebuiltMeta(paths, { group, id, sessionId: parseSnapshotId(id)?.sessionId ?? '' });
    if (meta === undefined) throw new SanbotError('store_damaged', { en: 'the snapshot has changed meanwhile', zh: '快照其间已更改' });
    const path = paths.snapshotMeta(group, id);
    const former = entryExists(path) ? moveAside(disk, path, setAsideFolder) : undefined;
    writeFileAtomic(disk, path, encodePage(meta), { point: 'meta' });
    return {
      en: `written anew from the snapshot${former === undefined ? '' : `; what was there is in ${former}`}`,
      zh: `已从快照重写${former === undefined ? '' : `；原有内容在 ${former}`}`,
    };
  });
}

const movedText = (paths: readonly string[]): Bilingual => ({
  en: `set aside as ${paths.join(' and ')}`,
  zh: `已移到 ${paths.join(' 和 ')}`,
});
