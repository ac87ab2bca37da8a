import { statSync } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';
import { SanbotError } from '../../domain/errors.ts';
import { shown } from '../../domain/text.ts';
import type { Disk } from '../files/disk.ts';
import { groupsOf } from '../files/groups.ts';
import { readHost } from '../files/host.ts';
import { isId, nearestIds, timestampOf } from '../files/ids.ts';
import { pathsOf, type StorePaths } from '../files/paths.ts';
import { namesIn } from '../files/replace-file.ts';
import type { StoreWorld } from '../files/world.ts';
import { createSnapshots } from '../snapshot/snapshots.ts';
import { checkFiles } from './check-files.ts';
import { checkLock, checkSession, type SessionCheck } from './check-session.ts';
import { checkSnapshots, type SnapshotFinding } from './check-snapshots.ts';
import type { Finding, Repaired } from './finding.ts';
import { repairFiles, repairMemoryLock } from './repair-files.ts';
import { repairSession } from './repair-session.ts';
import { repairSnapshot } from './repair-snapshot.ts';

export type DoctorWish = {
  /** Only what belongs to this one. */
  readonly sessionId: string | undefined;
  readonly repair: boolean;
  /** Why the search index at a path cannot be used, if so; left out, it is not looked at. */
  readonly indexProblem?: (path: string) => string | undefined;
};

export type Diagnosis = {
  readonly sessions: number;
  readonly snapshots: number;
  /** Sessions that a process has open: only read, and not judged where it may be writing. */
  readonly inUse: readonly string[];
  /** What was done, in order; each has been verified by looking again. */
  readonly repaired: readonly Repaired[];
  /** What is wrong, after the repairs. */
  readonly findings: readonly Finding[];
};

/**
 * Looks at everything a home holds, and with `repair` salvages what can be: nothing is deleted, what is taken out of the way is kept
 * beside it or in set-aside/. Needs no model and no settings. Throws not_found for a session that is not there; nothing else of a
 * damaged home makes it fail.
 */
export function examine(world: StoreWorld, { sessionId, repair, indexProblem = () => undefined }: DoctorWish): Diagnosis {
  const paths = pathsOf(world.home);
  if (sessionId !== undefined) requireSession(paths, sessionId);
  const disk: Disk = { ...world, tell: () => undefined };
  const place: Place = { disk, paths, sessionId, indexProblem, setAside: join(paths.setAside, timestampOf(disk.now())) };
  const before = look(place);
  const repaired = repair ? mend(place, before) : [];
  const after = repaired.length === 0 ? before : look(place);
  return {
    sessions: after.sessions.length,
    snapshots: after.snapshotCount,
    inUse: [...usedIn(after)],
    repaired,
    findings: findingsOf(after),
  };
}

type Place = {
  readonly disk: Disk;
  readonly paths: StorePaths;
  readonly sessionId: string | undefined;
  readonly indexProblem: (path: string) => string | undefined;
  /** Where this run puts what it takes out of the way. */
  readonly setAside: string;
};

type Look = {
  readonly files: readonly Finding[];
  readonly locks: readonly Finding[];
  readonly sessions: readonly SessionCheck[];
  readonly snapshots: readonly SnapshotFinding[];
  readonly snapshotCount: number;
};

const findingsOf = ({ files, locks, sessions, snapshots }: Look): readonly Finding[] => [
  ...files,
  ...locks,
  ...sessions.flatMap((check) => check.findings),
  ...snapshots.map(({ kind, path, sessionId, what, remedy }) => ({ kind, path, sessionId, what, remedy })),
];

function look({ disk, paths, sessionId, indexProblem }: Place): Look {
  const host = readHost(disk);
  const snapshots = createSnapshots(disk, paths);
  const ids = sessionId === undefined ? sessionIds(paths) : [sessionId];
  const sessionOf = (path: string) => {
    const [first, second] = relative(paths.home, path).split(sep);
    return first === basename(paths.sessions) && second !== undefined && isId(second) ? second : undefined;
  };
  const sessions = ids.map((id) => checkSession({ disk, paths, host, snapshots }, id));
  const inUse = usedIn({ sessions });
  return {
    files: [
      ...checkFiles(disk, sessionId === undefined ? paths.home : paths.session(sessionId), { sessionOf, setAside: paths.setAside }),
      ...(sessionId === undefined ? checkIndex(paths.searchIndex, indexProblem) : []),
    ],
    locks: sessionId === undefined ? groupsOf(paths).flatMap((group) => memoryLock(paths.memoryLock(group))) : [],
    sessions,
    // A session in use may be between a snapshot and its meta.
    snapshots: checkSnapshots(paths, sessionId).filter(({ kind, sessionId: id }) => kind !== 'snapshot_meta' || !inUse.has(id ?? '')),
    snapshotCount: snapshots.list(sessionId).length,
  };

  function memoryLock(path: string): readonly Finding[] {
    return checkLock({ host }, path).findings.map((found) => ({ ...found, sessionId: undefined }));
  }
}

/** Derived from the logs, so that nothing is lost with it. */
function checkIndex(path: string, indexProblem: Place['indexProblem']): readonly Finding[] {
  const why = indexProblem(path);
  if (why === undefined) return [];
  const what = `the search index is damaged: ${why}`;
  return [{ kind: 'index', path, sessionId: undefined, what, remedy: 'sets it aside; the next search builds it anew' }];
}

const sessionIds = (paths: StorePaths): readonly string[] =>
  namesIn(paths.sessions)
    .filter((name) => isId(name) && statSync(paths.session(name), { throwIfNoEntry: false })?.isDirectory() === true)
    .sort();

/** Modes first, so that the rest can be read; snapshots before sessions, which may need them. */
function mend(place: Place, before: Look): readonly Repaired[] {
  const { disk, paths, setAside } = place;
  const inUse = usedIn(before);
  const free = ({ sessionId }: Finding) => sessionId === undefined || !inUse.has(sessionId);
  const files = repairFiles(disk, before.files.filter(free), { home: paths.home, setAside });
  const { locks, snapshots } = files.length === 0 ? before : look(place);
  const shared = [
    ...locks.flatMap((found) => repairMemoryLock(disk, found)),
    ...snapshots.filter(free).flatMap((found) => repairSnapshot(disk, paths, { found, setAside })),
  ];
  const { sessions } = files.length + shared.length === 0 ? before : look(place);
  return [
    ...files,
    ...shared,
    ...sessions.filter((check) => !check.inUse).flatMap((check) => repairSession(disk, paths, { check, setAside })),
  ];
}

const usedIn = ({ sessions }: Pick<Look, 'sessions'>): ReadonlySet<string> =>
  new Set(sessions.filter((check) => check.inUse).map((check) => check.sessionId));

function requireSession(paths: StorePaths, sessionId: string): void {
  const ids = sessionIds(paths);
  if (ids.includes(sessionId)) return;
  const nearest = nearestIds(sessionId, ids);
  throw new SanbotError(
    'not_found',
    `There is no session ${shown(sessionId)}`,
    nearest.length === 0 ? {} : { hint: `The nearest are: ${nearest.join(', ')}.` },
  );
}
