import { join } from 'node:path';
import { type Bilingual, because, joinTexts } from '../../domain/language.ts';
import { entryExists } from '../files/disk.ts';
import { namesIn, type StorePaths } from '../files/paths.ts';
import { isEmptySession } from '../session/peek-session.ts';
import { type LogScan, scanLog } from '../session/scan-log.ts';
import { readTitle } from '../session/session-title.ts';
import type { SnapshotStore } from '../snapshot/snapshots.ts';
import { finding, lineNumbers, orUnreadable, type PartialFinding } from './finding.ts';
import { type IntactSnapshot, newestIntactSnapshot, rebuiltHeader } from './rebuild-log.ts';

type LogCheckDeps = { readonly paths: StorePaths; readonly snapshots: SnapshotStore };
type LogCheck = { readonly scan: LogScan | undefined; readonly findings: readonly PartialFinding[] };

/** What a session's log says of itself, and its title file with it. Changes nothing and never throws. */
export function checkLog({ paths, snapshots }: LogCheckDeps, sessionId: string): LogCheck {
  const path = paths.log(sessionId);
  const snapshot = () => newestIntactSnapshot(snapshots, sessionId);
  if (!entryExists(path))
    return { scan: undefined, findings: isEmptySession(paths, sessionId) ? [] : [missingLogFinding(path, sessionId, snapshot())] };
  let scan: LogScan | undefined;
  const findings = orUnreadable(path, () => {
    scan = scanLog(path, sessionId);
    const header = 'why' in scan.header ? [headerFinding(path, sessionId, snapshot(), scan.header.why)] : [];
    return [...header, ...logFindings(path, scan), ...titleFindings(paths, sessionId, scan)];
  });
  return { scan, findings };
}

function missingLogFinding(path: string, sessionId: string, snapshot: IntactSnapshot | undefined): PartialFinding {
  if (snapshot !== undefined)
    return finding(
      'log_missing',
      path,
      { en: 'the log is missing', zh: '日志缺失' },
      { en: 'writes it anew from the newest intact snapshot', zh: '从最新的完好快照重写它' },
    );
  const hint = deleteHint(sessionId);
  return finding('log_missing', path, {
    en: `the log is missing, and no intact snapshot is left to write it from. ${hint.en}`,
    zh: `日志缺失，也没有完好的快照可供重写。${hint.zh}`,
  });
}

function headerFinding(path: string, sessionId: string, snapshot: IntactSnapshot | undefined, why: Bilingual): PartialFinding {
  const what = because({ en: 'it cannot be opened', zh: '无法打开' }, why);
  if (rebuiltHeader(path, sessionId, snapshot) !== undefined) {
    const remedy = {
      en: 'writes a header with what the log or a snapshot still says of the session; the former log is kept beside it',
      zh: '用日志或快照中尚存的会话信息写入文件头；原日志保留在旁边',
    };
    return finding('log_header', path, what, remedy);
  }
  const hint = deleteHint(sessionId);
  return finding('log_header', path, {
    en: `${what.en}; this cannot be repaired, since no checkpoint and no snapshot says what its system prompt and tools were. Its other lines can be read in the file. ${hint.en}`,
    zh: `${what.zh}；无法修复，因为没有检查点或快照说明其系统提示词和工具。其余各行可在文件中阅读。${hint.zh}`,
  });
}

const deleteHint = (sessionId: string): Bilingual => ({
  en: `sanbot sessions delete ${sessionId} removes what is left of the session`,
  zh: `sanbot sessions delete ${sessionId} 会删除该会话剩余的内容`,
});

function logFindings(path: string, { header, damagedLines, unsendableLines, tail, orderProblems }: LogScan): readonly PartialFinding[] {
  const findings: PartialFinding[] = [];
  const lines = damagedLines.filter(({ position }) => position > 0 || !('why' in header));
  if (lines.length > 0) findings.push(finding('log_lines', path, damagedText(lines)));
  if (unsendableLines.length > 0) {
    const where = lineNumbers(unsendableLines);
    const what = {
      en: `it cannot be sent as it is: ${where.en} holds a reply that no provider takes back`,
      zh: `无法原样发送：${where.zh}有任何服务方都不接受的回答`,
    };
    findings.push(finding('log_unsendable', path, what));
  }
  if (tail !== undefined) {
    const isWhole = tail.complete;
    findings.push(
      finding(
        'log_tail',
        path,
        isWhole ? { en: 'the last record has lost its line end', zh: '最后一条记录缺少行尾' } : cutOffText(tail.bytes),
        isWhole ? { en: 'adds it', zh: '补上它' } : { en: 'sets it aside in a file beside the log', zh: '移到日志旁边的文件中' },
      ),
    );
  }
  if (orderProblems.length > 0 && !hasBackup(path)) {
    const left = orderProblems.length - 3;
    const more = left > 0 ? [{ en: `and ${left} more`, zh: `另有 ${left} 处` }] : [];
    findings.push(finding('log_order', path, joinTexts([...orderProblems.slice(0, 3), ...more], { en: '; ', zh: '；' })));
  }
  return findings;
}

function damagedText(lines: LogScan['damagedLines']): Bilingual {
  const first = lines.slice(0, 5);
  const left = lines.length - first.length;
  return {
    en: `damaged: ${first.map(({ line, position }) => `line ${line} (byte ${position})`).join(', ')}${left > 0 ? `, and ${left} more` : ''}`,
    zh: `损坏：${first.map(({ line, position }) => `第 ${line} 行（字节 ${position}）`).join('、')}${left > 0 ? `，另有 ${left} 行` : ''}`,
  };
}

export const cutOffText = (bytes: number): Bilingual => ({
  en: `the last line was cut off (${bytes} bytes)`,
  zh: `最后一行不完整（${bytes} 字节）`,
});

/** True when the log was repaired before: the numbers of the lines removed then are missing, which is expected and not reported. */
function hasBackup(path: string): boolean {
  return namesIn(join(path, '..')).some((name) => name.startsWith('log.jsonl.damaged-'));
}

function titleFindings(paths: StorePaths, sessionId: string, { title }: LogScan): readonly PartialFinding[] {
  if (title === undefined || readTitle(paths, sessionId) === title) return [];
  return [finding('title', paths.title(sessionId), { en: 'it differs from the title in the log', zh: '与日志中的标题不一致' })];
}
