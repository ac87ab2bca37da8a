import { join } from 'node:path';
import type { SnapshotLookup } from '../../agent/ports/disk.ts';
import { type Bilingual, because, joinTexts } from '../../domain/language.ts';
import { mendRecord } from '../../domain/session/admit-reply.ts';
import type { SessionContext } from '../../domain/session/context.ts';
import { type HeaderRecord, type LogRecord, logRecordSchema, RECORD_VERSION } from '../../domain/session/record.ts';
import { entryExists } from '../files/disk.ts';
import { namesIn, type StorePaths } from '../files/paths.ts';
import { encodeRecord, readRecord, readUnchecked } from '../files/record-line.ts';
import { completeLines } from '../files/rewrite-lines.ts';
import { parseLogLine } from '../session/log-reader.ts';
import { isEmptySession, readTitle } from '../session/peek-session.ts';
import { type LogScan, scanLog } from '../session/scan-log.ts';
import { numberedRecord } from '../session/sessions.ts';
import type { SnapshotStore } from '../snapshot/snapshots.ts';
import { finding, lineNumbers, orUnreadable, type PartialFinding } from './finding.ts';

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
        isWhole ? { en: 'the last record has no line end', zh: '最后一条记录缺少行尾' } : cutOffText(tail.bytes),
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

export type RebuiltHeader = HeaderRecord & { readonly at: string };

export type IntactSnapshot = Extract<SnapshotLookup, { kind: 'found' }>;

export function* intactSnapshots(snapshots: SnapshotStore, sessionId: string): Generator<IntactSnapshot> {
  for (const { id } of snapshots.list(sessionId).toReversed()) {
    const read = snapshots.read(id);
    if (read.kind === 'found') yield read;
  }
}

export const newestIntactSnapshot = (snapshots: SnapshotStore, sessionId: string): IntactSnapshot | undefined =>
  intactSnapshots(snapshots, sessionId).next().value ?? undefined;

export function* readableLines(path: string, header: RebuiltHeader | undefined): Generator<Uint8Array> {
  if (header !== undefined) yield encodeRecord(numberedRecord(header, { n: 0, at: header.at }));
  for (const { position, bytes } of completeLines(path)) {
    if (bytes === undefined) continue;
    if (position === 0 && header === undefined) {
      yield Buffer.concat([bytes, LINE_END]);
      continue;
    }
    const parsed = parseLogLine(bytes);
    // A record beside NULs, which a power cut leaves, may be intact.
    if (parsed.kind === 'record' && parsed.damaged) yield encodeRecord(parsed.record);
    else if (parsed.kind === 'record' || parsed.kind === 'unknown') yield Buffer.concat([bytes, LINE_END]);
  }
}

export function* mendedLines(path: string): Generator<Uint8Array> {
  for (const { bytes } of completeLines(path)) {
    if (bytes === undefined) continue;
    const parsed = parseLogLine(bytes);
    yield parsed.kind === 'record' ? encodeRecord(mendRecord(parsed.record)) : Buffer.concat([bytes, LINE_END]);
  }
}

const LINE_END = Buffer.from('\n');

/**
 * Returns a header for a log whose own cannot be read, from the first of these: its own, when intact among stray bytes or behind stray
 * lines; that of another session, when the folder is a copy; its own, when it can be read and does not match its checksum, with the system
 * prompt and tools of a checkpoint or snapshot; the system prompt and tools of a checkpoint; those of a snapshot. When nothing
 * in the log can be read, the snapshot's messages are included. Undefined when there is no such source. From a checkpoint or snapshot, the
 * working folder is unknown.
 */
export function rebuiltHeader(path: string, sessionId: string, snapshot: IntactSnapshot | undefined): RebuiltHeader | undefined {
  let context: SessionContext | undefined;
  let at: string | undefined;
  let model: string | undefined;
  let damagedHeader: RebuiltHeader | undefined;
  for (const { position, bytes } of completeLines(path)) {
    if (bytes === undefined) continue;
    const header = headerWithin(bytes, readRecord);
    if (position === 0) damagedHeader = headerWithin(bytes, readUnchecked);
    // In a copied folder, the first line is the header of another session.
    if (header !== undefined && (position === 0 || header.sessionId === sessionId)) return { ...header, sessionId };
    const parsed = parseLogLine(bytes);
    if (parsed.kind !== 'record') continue;
    at ??= parsed.record.at;
    model ??= modelIn(parsed.record);
    if (parsed.record.type === 'checkpoint') context ??= parsed.record.context;
    if (context !== undefined && model !== undefined) break;
  }
  const isEmpty = at === undefined;
  context ??= snapshot?.context;
  if (damagedHeader !== undefined) {
    const { system, tools } = context ?? damagedHeader.context;
    return { ...damagedHeader, sessionId, context: { ...damagedHeader.context, system, tools } };
  }
  if (context === undefined) return undefined;
  const base = isEmpty ? context : { ...context, shortTermSummary: '', messages: [], anchorFloor: 0 };
  const meta = snapshot?.meta;
  const fields = { group: meta?.group ?? 'main', model: model ?? meta?.model ?? 'unknown', at: at ?? meta?.at ?? '' };
  return { type: 'header', v: RECORD_VERSION, sessionId, cwd: '', ...fields, context: base };
}

function headerWithin(bytes: Buffer, read: (bytes: Buffer) => unknown): RebuiltHeader | undefined {
  const start = bytes.indexOf('{"type":"header"');
  if (start < 0) return undefined;
  const value = read(bytes.subarray(start, bytes.lastIndexOf('}') + 1));
  const parsed = logRecordSchema.safeParse(value);
  return parsed.success && parsed.data.type === 'header' ? parsed.data : undefined;
}

function modelIn(record: LogRecord): string | undefined {
  if (record.type === 'message') return record.message.model;
  return record.type === 'model' ? record.model : undefined;
}
