import { SanbotError } from '../../domain/errors.ts';
import { type Bilingual, joinTexts } from '../../domain/language.ts';
import { RECORD_VERSION } from '../../domain/session/record.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { createFile } from '../files/atomic-write.ts';
import { type Disk, ensureFolder } from '../files/disk.ts';
import { openLineFile } from '../files/line-file.ts';
import { acquireLock } from '../files/lock.ts';
import type { StorePaths } from '../files/paths.ts';
import { encodeRecord } from '../files/record-line.ts';
import { keepBackup, moveLines, rewriteLines } from '../files/rewrite-lines.ts';
import { createBodies, restoreLive } from '../session/bodies/bodies.ts';
import { scanRetiredBodies } from '../session/bodies/body-text.ts';
import { peekSession, writeTitle } from '../session/peek-session.ts';
import { scanLog } from '../session/scan-log.ts';
import { numberedRecord } from '../session/sessions.ts';
import { createSnapshots } from '../snapshot/snapshots.ts';
import { repairChanges } from './check-changes.ts';
import { intactSnapshots, mendedLines, newestIntactSnapshot, readableLines, rebuiltHeader } from './check-log.ts';
import type { SessionCheck } from './check-session.ts';
import type { FindingKind, RepairResult } from './finding.ts';
import { attemptRepair, failedRepair, moveAside, setAsideText, TAKEN_OVER } from './home-files.ts';

export type SessionRepair = { readonly check: SessionCheck; readonly setAsideFolder: string };

/** Salvages what it can of a session, under its lock: the log first, then what it refers to. Never throws: a failure is in the results. */
export function repairSession(disk: Disk, paths: StorePaths, repair: SessionRepair): readonly RepairResult[] {
  const { sessionId, findings } = repair.check;
  if (findings.length === 0) return [];
  const path = paths.sessionLock(sessionId);
  try {
    const result = acquireLock(disk, path);
    if (result.kind === 'busy') return [{ path, did: leftAloneText(result.holder.pid) }];
    try {
      const lockRepair: readonly RepairResult[] = findings.some(({ kind }) => kind === 'stale_lock') ? [{ path, did: TAKEN_OVER }] : [];
      return [...lockRepair, ...repairLocked({ disk, paths, sessionId, ...repair })];
    } finally {
      result.lock.release();
    }
  } catch (error) {
    return [failedRepair(path, error)];
  }
}

type RepairScope = SessionRepair & { readonly disk: Disk; readonly paths: StorePaths; readonly sessionId: string };

function repairLocked(scope: RepairScope): readonly RepairResult[] {
  const { disk, paths, sessionId, check } = scope;
  const hasFinding = (...kinds: readonly FindingKind[]) =>
    check.findings.some(({ kind, remedy }) => remedy !== undefined && kinds.includes(kind));
  const log = paths.log(sessionId);
  const retired = paths.retiredBodies(sessionId);
  return [
    ...(hasFinding('log_tail') ? attemptRepair(log, () => repairEnd(disk, log, 'append')) : []),
    ...(hasFinding('log_missing') ? attemptRepair(log, () => writeLog(scope)) : []),
    ...(hasFinding('log_header', 'log_lines') ? attemptRepair(log, () => salvageLog(scope, hasFinding('log_header'))) : []),
    ...(hasFinding('log_unsendable') ? attemptRepair(log, () => mendLog(scope)) : []),
    ...(hasFinding('bodies_tail') ? attemptRepair(retired, () => repairEnd(disk, retired, 'bodies')) : []),
    ...(hasFinding('bodies_lines') ? attemptRepair(retired, () => salvageBodies(disk, retired)) : []),
    ...repairChanges({ disk, paths }, sessionId, { findings: check.findings, setAsideFolder: scope.setAsideFolder }),
    ...check.findings
      .filter(({ kind }) => kind === 'body_changed' || kind === 'version_changed')
      .flatMap(({ path }) => attemptRepair(path, () => setAsideText(moveAside(disk, path, scope.setAsideFolder)))),
    ...(hasFinding('log_missing', 'log_header', 'body_missing', 'body_changed') ? restoreBodies(scope) : []),
    ...(hasFinding('body_orphan', 'log_missing', 'log_header', 'body_missing', 'body_changed') ? retireOrphans(scope) : []),
    ...(hasFinding('title') ? attemptRepair(paths.title(sessionId), () => renewTitle(scope)) : []),
  ];
}

function repairEnd(disk: Disk, path: string, point: string): Bilingual {
  const { file, warnings } = openLineFile(disk, path, { point });
  file.close();
  return joinTexts(warnings, { en: ' ', zh: '' });
}

function writeLog({ disk, paths, sessionId }: RepairScope): Bilingual {
  const snapshot = newestIntactSnapshot(createSnapshots(disk, paths), sessionId);
  if (snapshot === undefined)
    throw new SanbotError('store_damaged', { en: 'no intact snapshot of this session is left', zh: '本会话没有完好的快照' });
  const { context } = snapshot;
  const { group, model, at } = snapshot.meta;
  const header = { type: 'header', v: RECORD_VERSION, sessionId, group, cwd: '', model, context } as const;
  ensureFolder(disk, paths.session(sessionId));
  if (!createFile(disk, paths.log(sessionId), encodeRecord(numberedRecord(header, { n: 0, at })), 'create'))
    throw new SanbotError('store_damaged', { en: 'it is there again', zh: '它又出现了' });
  const count = context.messages.length;
  return {
    en: `written anew from the newest snapshot: ${count} ${count === 1 ? 'message' : 'messages'}`,
    zh: `已从最新的快照重写：${count} 条消息`,
  };
}

function salvageLog({ disk, paths, sessionId }: RepairScope, withHeader: boolean): Bilingual {
  const path = paths.log(sessionId);
  const header = withHeader ? rebuiltHeader(path, sessionId, newestIntactSnapshot(createSnapshots(disk, paths), sessionId)) : undefined;
  if (withHeader && header === undefined)
    throw new SanbotError('store_damaged', {
      en: 'no checkpoint and no snapshot says what its system prompt and tools were',
      zh: '没有检查点或快照说明其系统提示词和工具',
    });
  const backup = keepBackup(disk, path);
  rewriteLines(disk, path, readableLines(path, header));
  const peeked = orUndefined(() => peekSession(paths, sessionId));
  if (peeked !== undefined) restoreLive(createBodies(disk, paths, { sessionId, maxSessionBytes: 0 }), peeked);
  return {
    en: `written without what cannot be read${withHeader ? ', with a new header' : ''}; the former log is ${backup}`,
    zh: `已重写并去掉无法读取的内容${withHeader ? '，带新的文件头' : ''}；原日志为 ${backup}`,
  };
}

function mendLog({ disk, paths, sessionId }: RepairScope): Bilingual {
  const path = paths.log(sessionId);
  const backup = keepBackup(disk, path);
  rewriteLines(disk, path, mendedLines(path));
  return {
    en: `written with replies that can be sent; the former log is ${backup}`,
    zh: `已用可发送的回答重写；原日志为 ${backup}`,
  };
}

function salvageBodies(disk: Disk, path: string): Bilingual {
  const damagedPositions = new Set(scanRetiredBodies(path)?.damagedLines.map(({ position }) => position));
  const savedPath = moveLines(disk, path, (position) => damagedPositions.has(position));
  const { size } = damagedPositions;
  return {
    en: `${size === 1 ? 'a damaged line was' : `${size} damaged lines were`} moved to ${savedPath}`,
    zh: `${size} 个损坏的行已移到 ${savedPath}`,
  };
}

function restoreBodies({ disk, paths, sessionId }: RepairScope): readonly RepairResult[] {
  const bodies = createBodies(disk, paths, { sessionId, maxSessionBytes: Number.MAX_SAFE_INTEGER });
  const snapshots = createSnapshots(disk, paths);
  const missing = new Map([...scanLog(paths.log(sessionId), sessionId).bodies].filter(([, ref]) => bodies.read(ref) === undefined));
  const results: RepairResult[] = [];
  for (const { meta, bodies: kept } of intactSnapshots(snapshots, sessionId)) {
    if (missing.size === 0) break;
    for (const body of kept) {
      if (!missing.delete(body.ref.sha256)) continue;
      const act = () => {
        bodies.restore([body]);
        return { en: `written again from snapshot ${meta.id}`, zh: `已从快照 ${meta.id} 重写` };
      };
      results.push(...attemptRepair(bodies.path(body.ref), act));
    }
  }
  return results;
}

function retireOrphans({ disk, paths, sessionId }: RepairScope): readonly RepairResult[] {
  const bodies = createBodies(disk, paths, { sessionId, maxSessionBytes: Number.MAX_SAFE_INTEGER });
  const { live } = scanLog(paths.log(sessionId), sessionId);
  const { retired, failed } = bodies.retire(live);
  const path = paths.offloaded(sessionId);
  const moved = {
    en: `${retired === 1 ? 'a result' : `${retired} results`} that nothing in the context refers to moved to bodies.jsonl`,
    zh: `上下文中没有引用的 ${retired} 个结果已移入 bodies.jsonl`,
  };
  return [...(retired > 0 ? [{ path, did: moved }] : []), ...failed.map((did) => ({ path, did }))];
}

function renewTitle({ disk, paths, sessionId }: RepairScope): Bilingual {
  const { title } = scanLog(paths.log(sessionId), sessionId);
  if (title === undefined) throw new SanbotError('store_damaged', { en: 'the log says no title any more', zh: '日志中已没有标题' });
  writeTitle(disk, paths, { sessionId, title });
  return { en: 'written anew from the log', zh: '已按日志重写' };
}

const leftAloneText = (pid: number): Bilingual => ({
  en: `left alone: process ${pid} has opened the session`,
  zh: `未处理：进程 ${pid} 已打开该会话`,
});
