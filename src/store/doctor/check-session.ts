import { errorReason } from '../../domain/errors.ts';
import type { Bilingual } from '../../domain/language.ts';
import { inspectText } from '../../domain/text.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { versionsIn } from '../changes/former-versions.ts';
import { type Disk, entryExists, readOwnFile } from '../files/disk.ts';
import type { Host } from '../files/host.ts';
import { activeHolder, holderState } from '../files/lock.ts';
import { printablePath, type StorePaths } from '../files/paths.ts';
import { createBodies } from '../session/bodies/bodies.ts';
import { bodyFiles, readBodyFile, scanRetiredBodies, sha256Of } from '../session/bodies/body-text.ts';
import type { LogScan } from '../session/scan-log.ts';
import type { SnapshotStore } from '../snapshot/snapshots.ts';
import { checkChanges } from './check-changes.ts';
import { checkLog, cutOffText, intactSnapshots } from './check-log.ts';
import { finding, lineNumbers, orUnreadable, type PartialFinding } from './finding.ts';

export type SessionCheck = Readonly<ReturnType<typeof checkSession>>;

type CheckDeps = { readonly disk: Disk; readonly paths: StorePaths; readonly host: Host; readonly snapshots: SnapshotStore };

/** Changes nothing and never throws. `inUse`: another process may have it open, so nothing may be judged by what it writes, nor repaired. */
export function checkSession(deps: CheckDeps, sessionId: string) {
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
    ...(inUse ? [] : checkChanges(deps, sessionId)),
    ...checkNewestSnapshot(deps, sessionId, log.scan),
  ];
  return { sessionId, inUse, findings: findings.map((each) => ({ ...each, sessionId })) };
}

/** Checks a lock. A stale one is harmless, since the next process takes it over; one of another machine cannot be judged from here. */
export function checkLock(
  { host }: Pick<CheckDeps, 'host'>,
  path: string,
): { readonly inUse: boolean; readonly findings: readonly PartialFinding[] } {
  if (!entryExists(path)) return { inUse: false, findings: [] };
  const findings = orUnreadable(path, () => {
    const holder = activeHolder(path, host);
    if (holder === undefined)
      return [finding('stale_lock', path, { en: 'the process that held this lock has ended', zh: '持有此锁的进程已结束' })];
    if (holderState(holder, host) === 'running') return [];
    const what = {
      en: `held on another machine or in a container (${inspectText(holder.host)}, process ${holder.pid}); delete it if nothing runs there`,
      zh: `由另一台机器或容器持有（${inspectText(holder.host)}，进程 ${holder.pid}）；如果那里没有运行中的程序，请删除它`,
    };
    return [finding('foreign_lock', path, what)];
  });
  return { inUse: findings.every(({ kind }) => kind !== 'stale_lock'), findings };
}

function checkRetiredBodies(paths: StorePaths, sessionId: string): readonly PartialFinding[] {
  const path = paths.retiredBodies(sessionId);
  return orUnreadable(path, () => {
    const { damagedLines = [], tailBytes = 0 } = scanRetiredBodies(path) ?? {};
    const where = lineNumbers(damagedLines);
    return [
      ...(damagedLines.length > 0 ? [finding('bodies_lines', path, { en: `damaged: ${where.en}`, zh: `损坏：${where.zh}` })] : []),
      ...(tailBytes > 0 ? [finding('bodies_tail', path, cutOffText(tailBytes))] : []),
    ];
  });
}

function checkBodies({ disk, paths, snapshots }: CheckDeps, sessionId: string, scan: LogScan): readonly PartialFinding[] {
  const findings: PartialFinding[] = [];
  for (const { prefix, path } of bodyFiles(paths, sessionId)) {
    const problems = orUnreadable(path, () => {
      const bytes = readBodyFile(path);
      return bytes !== undefined && sha256Of(bytes).startsWith(prefix) ? [] : [finding('body_changed', path, NOT_ITS_NAME)];
    });
    findings.push(...problems);
    if (problems.length > 0 || 'why' in scan.header || [...scan.live, ...scan.ofHelpers].some((each) => each.startsWith(prefix))) continue;
    findings.push(finding('body_orphan', path, { en: 'nothing in the context refers to it', zh: '上下文中没有引用它' }));
  }
  const bodies = createBodies(disk, paths, { sessionId, maxSessionBytes: Number.MAX_SAFE_INTEGER });
  const missing = [...scan.bodies.values()].filter((ref) => orUndefined(() => bodies.read(ref)) === undefined);
  const restorable = new Set<string>();
  for (const intact of missing.length === 0 ? [] : intactSnapshots(snapshots, sessionId))
    for (const { ref } of intact.bodies) restorable.add(ref.sha256);
  for (const ref of missing) {
    const what = {
      en: `the log refers to this result (${ref.bytes} bytes), and it is not there`,
      zh: `日志引用了这个结果（${ref.bytes} 字节），但它不存在`,
    };
    const remedy = restorable.has(ref.sha256) ? { en: 'writes it again from a snapshot', zh: '从快照重写它' } : undefined;
    findings.push(finding('body_missing', bodies.path(ref), what, remedy));
  }
  return findings;
}

function checkVersions(paths: StorePaths, sessionId: string, { versions }: LogScan): readonly PartialFinding[] {
  const stored = versionsIn(paths, sessionId);
  const prefixes = new Set(stored.map(({ prefix }) => prefix));
  const changed = stored.flatMap(({ prefix, path }) => {
    const what = versionProblem(path, prefix);
    return what === undefined ? [] : [finding('version_changed', path, what)];
  });
  const missing = [...versions].filter(([sha256]) => !prefixes.has(sha256.slice(0, 32)));
  return [
    ...changed,
    ...missing.map(([sha256, file]) =>
      finding('version_missing', paths.version(sessionId, sha256), {
        en: `a kept content of ${printablePath(file)} is not there; the file cannot be restored to it`,
        zh: `${printablePath(file)} 保留的一份内容不存在；无法将文件恢复到该内容`,
      }),
    ),
  ];
}

function versionProblem(path: string, prefix: string): Bilingual | undefined {
  try {
    const bytes = readOwnFile(path);
    return bytes !== undefined && sha256Of(bytes).startsWith(prefix) ? undefined : NOT_ITS_NAME;
  } catch (error) {
    return errorReason(error);
  }
}

const NOT_ITS_NAME: Bilingual = { en: 'its content does not match its name', zh: '内容与名称不符' };

/** Retention removes old snapshots but never the newest of a session, so only the newest can be reported as missing. */
function checkNewestSnapshot({ paths, snapshots }: CheckDeps, sessionId: string, scan: LogScan | undefined): readonly PartialFinding[] {
  const id = scan?.snapshotId;
  if (id === undefined || snapshots.read(id).kind !== 'missing') return [];
  if (snapshots.list(sessionId).some((meta) => meta.id > id)) return [];
  const group = scan !== undefined && 'group' in scan.header ? scan.header.group : 'main';
  return [
    finding('snapshot_missing', paths.snapshot(group, id), {
      en: 'the newest checkpoint of the log names this snapshot, and it is not there',
      zh: '日志最新的检查点指向此快照，但它不存在',
    }),
  ];
}
