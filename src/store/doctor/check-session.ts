import { join } from 'node:path';
import { inspectText } from '../../domain/text.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { namesIn } from '../files/atomic-write.ts';
import { type Disk, entryExists, readOwnFile } from '../files/disk.ts';
import { formatError } from '../files/failure.ts';
import type { Host } from '../files/host.ts';
import { activeHolder, holderState } from '../files/lock.ts';
import type { StorePaths } from '../files/paths.ts';
import { createBodies } from '../session/bodies.ts';
import { sha256Of } from '../session/body-text.ts';
import { isEmptySession } from '../session/empty-session.ts';
import { type LogScan, scanLog } from '../session/scan-log.ts';
import { scanRetiredBodies } from '../session/scan-retired-bodies.ts';
import { readTitle } from '../session/session-title.ts';
import type { SnapshotStore } from '../snapshot/snapshots.ts';
import { checkVersions } from './check-versions.ts';
import type { Finding, FindingKind } from './finding.ts';
import { newestIntactSnapshot, rebuiltHeader, type SessionFromSnapshot } from './rebuild-log.ts';

export type SessionCheck = {
  readonly sessionId: string;
  readonly findings: readonly Finding[];
  /** Undefined when the log is missing or cannot be read. */
  readonly scan: LogScan | undefined;
  /** True when another process has the session open, or may have: what it is writing cannot be judged, and nothing may be repaired. */
  readonly inUse: boolean;
};

type CheckDeps = { readonly disk: Disk; readonly paths: StorePaths; readonly host: Host; readonly snapshots: SnapshotStore };

type SessionFinding = Omit<Finding, 'sessionId'>;

/** Checks everything that belongs to one session. Changes nothing and never throws. */
export function checkSession(deps: CheckDeps, sessionId: string): SessionCheck {
  const { paths } = deps;
  const lock = checkLock(deps, paths.sessionLock(sessionId));
  const inUse = lock.inUse;
  const log = checkLog(deps, sessionId);
  const bodies = log.scan === undefined ? [] : checkBodies(deps, sessionId, log.scan);
  const findings = [
    ...lock.findings,
    ...log.findings.filter(({ kind }) => !inUse || kind !== 'log_tail'),
    ...checkRetiredBodies(paths, sessionId).filter(({ kind }) => !inUse || kind !== 'bodies_tail'),
    ...bodies.filter(({ kind }) => !inUse || kind !== 'body_orphan'),
    ...(log.scan === undefined ? [] : checkVersions(paths, sessionId, log.scan)),
    ...checkNewestSnapshot(deps, sessionId, log.scan),
  ];
  return { sessionId, scan: log.scan, inUse, findings: findings.map((each) => ({ ...each, sessionId })) };
}

/** Checks a lock. A stale one is harmless, since the next process takes it over; one of another machine cannot be judged from here. */
export function checkLock(
  { host }: Pick<CheckDeps, 'host'>,
  path: string,
): { readonly inUse: boolean; readonly findings: readonly SessionFinding[] } {
  if (!entryExists(path)) return { inUse: false, findings: [] };
  try {
    const holder = activeHolder(path, host);
    if (holder === undefined)
      return {
        inUse: false,
        findings: [finding('stale_lock', path, 'the process that held this lock has ended', 'takes it over and releases it')],
      };
    if (holderState(holder, host) === 'running') return { inUse: true, findings: [] };
    const what = `held on another machine or in a container (${inspectText(holder.host)}, process ${holder.pid}); delete it if nothing runs there`;
    return { inUse: true, findings: [finding('foreign_lock', path, what)] };
  } catch (error) {
    return { inUse: true, findings: [finding('unreadable', path, formatError(error))] };
  }
}

type LogCheck = { readonly scan: LogScan | undefined; readonly findings: readonly SessionFinding[] };

function checkLog({ paths, snapshots }: CheckDeps, sessionId: string): LogCheck {
  const path = paths.log(sessionId);
  const snapshot = () => newestIntactSnapshot(snapshots, sessionId);
  if (!entryExists(path))
    return { scan: undefined, findings: isEmptySession(paths, sessionId) ? [] : [missingLogFinding(path, sessionId, snapshot())] };
  try {
    const scan = scanLog(path, sessionId);
    const header = 'why' in scan.header ? [headerFinding({ path, sessionId, snapshot: snapshot() }, scan.header.why)] : [];
    return { scan, findings: [...header, ...logFindings(path, scan), ...titleFindings(paths, sessionId, scan)] };
  } catch (error) {
    return { scan: undefined, findings: [finding('unreadable', path, formatError(error))] };
  }
}

function missingLogFinding(path: string, sessionId: string, snapshot: SessionFromSnapshot | undefined): SessionFinding {
  if (snapshot !== undefined) return finding('log_missing', path, 'the log is missing', 'writes it anew from the newest intact snapshot');
  return finding('log_missing', path, `the log is missing, and no intact snapshot is left to write it from. ${deleteHint(sessionId)}`);
}

type BrokenHeader = { readonly path: string; readonly sessionId: string; readonly snapshot: SessionFromSnapshot | undefined };

function headerFinding({ path, sessionId, snapshot }: BrokenHeader, why: string): SessionFinding {
  const what = `it cannot be opened: ${why}`;
  if (rebuiltHeader(path, sessionId, snapshot) !== undefined) {
    const remedy = 'writes a header with what the log or a snapshot still says of the session; the former log is kept beside it';
    return finding('log_header', path, what, remedy);
  }
  const cause = 'this cannot be repaired, since no checkpoint and no snapshot says what its system prompt and tools were';
  return finding('log_header', path, `${what}; ${cause}. Its other lines can be read in the file. ${deleteHint(sessionId)}`);
}

const deleteHint = (sessionId: string): string => `sanbot sessions delete ${sessionId} removes what is left of the session`;

function logFindings(path: string, { header, damagedLines, unsendableLines, tail, orderProblems }: LogScan): readonly SessionFinding[] {
  const findings: SessionFinding[] = [];
  const lines = damagedLines.filter(({ position }) => position > 0 || !('why' in header));
  if (lines.length > 0) {
    const where = lines.slice(0, 5).map(({ line, position }) => `line ${line} (byte ${position})`);
    const more = lines.length > 5 ? `, and ${lines.length - 5} more` : '';
    const remedy = 'writes the log without them; the former log is kept beside it';
    findings.push(finding('log_lines', path, `damaged: ${where.join(', ')}${more}`, remedy));
  }
  if (unsendableLines.length > 0) {
    const where = unsendableLines.slice(0, 5).map(({ line }) => line);
    const what = `it cannot be sent as it is: line ${where.join(', ')}${unsendableLines.length > 5 ? ', …' : ''} holds a reply that no provider takes back`;
    findings.push(finding('log_unsendable', path, what, 'writes the log without those parts; the former log is kept beside it'));
  }
  if (tail !== undefined) {
    const what = tail.complete ? 'the last record has lost its line end' : `the last line was cut off (${tail.bytes} bytes)`;
    findings.push(finding('log_tail', path, what, tail.complete ? 'adds it' : 'sets it aside in a file beside the log'));
  }
  if (orderProblems.length > 0 && !hasBackup(path)) {
    const more = orderProblems.length > 3 ? `; and ${orderProblems.length - 3} more` : '';
    findings.push(finding('log_order', path, `${orderProblems.slice(0, 3).join('; ')}${more}`));
  }
  return findings;
}

/** True when the log was repaired before: the numbers of the lines removed then are missing, which is expected and not reported. */
function hasBackup(path: string): boolean {
  return namesIn(join(path, '..')).some((name) => name.startsWith('log.jsonl.damaged-'));
}

function titleFindings(paths: StorePaths, sessionId: string, { title }: LogScan): readonly SessionFinding[] {
  if (title === undefined || readTitle(paths, sessionId) === title) return [];
  return [finding('title', paths.title(sessionId), 'it differs from the title in the log', 'writes it anew')];
}

function checkRetiredBodies(paths: StorePaths, sessionId: string): readonly SessionFinding[] {
  const path = paths.retiredBodies(sessionId);
  try {
    const scan = scanRetiredBodies(path);
    if (scan === undefined) return [];
    const findings: SessionFinding[] = [];
    if (scan.damagedLines.length > 0) {
      const what = `damaged: line ${scan.damagedLines
        .slice(0, 5)
        .map(({ line }) => line)
        .join(', ')}${scan.damagedLines.length > 5 ? ', …' : ''}`;
      findings.push(finding('bodies_lines', path, what, 'moves them to a file beside it'));
    }
    if (scan.tailBytes > 0)
      findings.push(
        finding('bodies_tail', path, `the last line was cut off (${scan.tailBytes} bytes)`, 'sets it aside in a file beside it'),
      );
    return findings;
  } catch (error) {
    return [finding('unreadable', path, formatError(error))];
  }
}

function checkBodies({ disk, paths, snapshots }: CheckDeps, sessionId: string, scan: LogScan): readonly SessionFinding[] {
  const findings: SessionFinding[] = [];
  for (const name of namesIn(paths.offloaded(sessionId))) {
    const [, prefix] = /^([0-9a-f]{32})\.txt$/.exec(name) ?? [];
    if (prefix === undefined) continue;
    const path = paths.body(sessionId, prefix);
    const problem = bodyProblem(path, prefix);
    if (problem !== undefined) findings.push({ ...problem, path });
    else if (!('why' in scan.header) && ![...scan.live, ...scan.ofHelpers].some((sha256) => sha256.startsWith(prefix)))
      findings.push(finding('body_orphan', path, 'nothing in the context refers to it', 'moves it to bodies.jsonl'));
  }
  const bodies = createBodies(disk, paths, { sessionId, maxSessionBytes: Number.MAX_SAFE_INTEGER });
  const missing = [...scan.bodies.values()].filter((ref) => orUndefined(() => bodies.read(ref)) === undefined);
  const restorable = missing.length === 0 ? new Set<string>() : bodiesInSnapshots(snapshots, sessionId);
  for (const ref of missing) {
    const remedy = restorable.has(ref.sha256) ? 'writes it again from a snapshot' : undefined;
    findings.push(
      finding('body_missing', bodies.path(ref), `the log refers to this result (${ref.bytes} bytes), and it is not there`, remedy),
    );
  }
  return findings;
}

function bodyProblem(path: string, prefix: string): Omit<SessionFinding, 'path'> | undefined {
  try {
    const bytes = readOwnFile(path);
    if (bytes !== undefined && sha256Of(bytes).startsWith(prefix)) return undefined;
    return {
      kind: 'body_changed',
      what: 'its content does not match its name',
      remedy: 'sets it aside, and writes the original again if it is still known',
    };
  } catch (error) {
    return { kind: 'unreadable', what: formatError(error), remedy: undefined };
  }
}

/** Returns the hashes of all bodies in the intact snapshots of a session. */
function bodiesInSnapshots(snapshots: SnapshotStore, sessionId: string): ReadonlySet<string> {
  const hashes = new Set<string>();
  for (const { id } of snapshots.list(sessionId)) {
    const read = snapshots.read(id);
    if (read.kind === 'found') for (const { ref } of read.bodies) hashes.add(ref.sha256);
  }
  return hashes;
}

/** Retention removes old snapshots but never the newest of a session, so only the newest can be reported as missing. */
function checkNewestSnapshot({ paths, snapshots }: CheckDeps, sessionId: string, scan: LogScan | undefined): readonly SessionFinding[] {
  const id = scan?.snapshotId;
  if (id === undefined || snapshots.read(id).kind !== 'missing') return [];
  if (snapshots.list(sessionId).some((meta) => meta.id > id)) return [];
  const group = scan !== undefined && 'group' in scan.header ? scan.header.group : 'main';
  return [
    finding('snapshot_missing', paths.snapshot(group, id), 'the newest checkpoint of the log names this snapshot, and it is not there'),
  ];
}

const finding = (kind: FindingKind, path: string, what: string, remedy?: string): SessionFinding => ({ kind, path, what, remedy });
