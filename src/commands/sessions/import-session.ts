import { existsSync } from 'node:fs';
import { basename, join, resolve, sep } from 'node:path';
import { relocateContext } from '../../context/history/relocate.ts';
import { SanbotError } from '../../domain/errors.ts';
import { localize } from '../../domain/language.ts';
import { type LogRecord, logRecordSchema } from '../../domain/session/record.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { groupOf, type HomeOptions } from '../../runtime/home.ts';
import { buildUnattendedRuntime } from '../../runtime/runtime.ts';
import { type Disk, openToRead, readAt, useAndClose } from '../../store/files/disk.ts';
import type { StorePaths } from '../../store/files/paths.ts';
import { encodeRecord } from '../../store/files/record-line.ts';
import {
  type ExportedFile,
  exportedBodies,
  exportedRecords,
  exportedSnapshots,
  openExportedFile,
} from '../../store/snapshot/export-file.ts';
import { parseImportedSnapshot, writeImportedSnapshot, writeSession } from '../../store/snapshot/write-session.ts';
import { formatCount, pluralize } from '../../terminal/text/format.ts';
import { safeLine } from '../../terminal/text/safe-text.ts';
import { say } from '../answer.ts';
import type { CommandContext } from '../command.ts';
import { openHome, settingsOf } from '../open-home.ts';
import { importRecording } from './import-recording.ts';
import { importNotes, readTranscripts } from './recordings/read-transcripts.ts';
import { type Relocation, relocateRecord, snapshotIdFor } from './relocate-record.ts';

export type ImportOptions = HomeOptions & { readonly file: string };

/** A session from a file: one that SanBot exported, or one that another agent recorded. */
export async function importSession(options: ImportOptions, { environment, io }: CommandContext): Promise<void> {
  const path = resolve(environment.cwd(), options.file);
  return !existsSync(path) || isExportFile(path)
    ? importExportFile(options, { environment, io })
    : importRecordings(options, { environment, io });
}

/** Whole or not: its first line says so. What cannot be read is none; why, its reader says. */
function isExportFile(path: string): boolean {
  const start = orUndefined(() => useAndClose(openToRead(path, { followLinks: true }), (file) => readAt(file, 0, HEAD_BYTES)));
  return /^\s*\{\s*"type"\s*:\s*"sanbot-export"/.test(start?.toString('utf8') ?? '');
}

const HEAD_BYTES = 1_000;

/** Every conversation of the file becomes a session of its own; what was not taken over is told. */
async function importRecordings(options: ImportOptions, { environment, io }: CommandContext): Promise<void> {
  const { warn } = io;
  const transcripts = readTranscripts(environment, options.file);
  const runtime = await buildUnattendedRuntime(environment, {
    settings: settingsOf({ home: options.home }, { environment, io }),
    show: (event) => {
      if (event.type === 'warning') warn(event.message);
    },
    warn,
  });
  for (const note of importNotes(basename(options.file), transcripts)) warn(note);
  for (const transcript of transcripts.filter(({ steps }) => steps.length > 0)) {
    const { sessionId, messages, offloaded, thinking } = importRecording(runtime, groupOf(environment, { group: undefined }), transcript);
    const details = [transcript.format, ...(transcript.part === '' ? [] : [safeLine(transcript.part)])].join(', ');
    const offloadedText =
      offloaded === 0
        ? ''
        : localize({ en: `, ${pluralize(offloaded, 'large result')} in files`, zh: `，${formatCount(offloaded)} 个大结果存于文件` });
    if (transcript.system !== undefined)
      warn({
        en: `The recorded system prompt of session ${sessionId} is left out: SanBot has its own.`,
        zh: `会话 ${sessionId} 录制的系统提示词已略去：SanBot 使用自己的。`,
      });
    if (thinking > 0)
      warn({
        en: `${pluralize(thinking, 'thinking block')} of session ${sessionId} left out: they are signed for another conversation.`,
        zh: `会话 ${sessionId} 的 ${formatCount(thinking)} 个思考块已略去：它们是为另一个对话签名的。`,
      });
    say(io, {
      en: `Imported session ${sessionId} (${details}): ${pluralize(messages, 'message')}${offloadedText}. To continue it: sanbot --resume ${sessionId}`,
      zh: `已导入会话 ${sessionId}（${details}）：${formatCount(messages)} 条消息${offloadedText}。继续：sanbot --resume ${sessionId}`,
    });
  }
}

/** Under its own id, or a new one when that is taken. Snapshots first, then the session at once. */
async function importExportFile(options: ImportOptions, { environment, io }: CommandContext): Promise<void> {
  const { disk, paths, store } = openHome(options, { environment, io });
  const exportFile = openExportedFile(resolve(environment.cwd(), options.file));
  const [first] = exportedRecords(exportFile);
  if (!isRecord(first) || first.type !== 'header' || first.sessionId !== exportFile.sessionId)
    throw new SanbotError('store_damaged', {
      en: `${options.file} cannot be imported: its first record is not the header of its session`,
      zh: `无法导入 ${options.file}：第一条记录不是会话头`,
    });
  const sessionId = store.sessions.has(exportFile.sessionId) ? store.sessions.newSessionId() : exportFile.sessionId;
  const relocation: Relocation = {
    from: exportFile.sessionFolder,
    to: join(paths.session(sessionId), sep),
    old: exportFile.sessionId,
    sessionId,
    group: exportFile.group,
  };
  const snapshots = placeSnapshots(exportFile, relocation, disk, paths);
  writeSession(disk, paths, {
    sessionId,
    log: relocatedLines(exportFile, relocation),
    bodies: exportedBodies(exportFile, { retired: false }),
    retired: exportedBodies(exportFile, { retired: true }),
    title: exportFile.title,
  });
  const renameNote =
    sessionId === exportFile.sessionId
      ? ''
      : localize({ en: ` (its own id ${exportFile.sessionId} is already in use)`, zh: `（原 id ${exportFile.sessionId} 已被占用）` });
  say(io, {
    en: `Imported session ${sessionId}${renameNote} with ${pluralize(snapshots, 'snapshot')}. To continue it: sanbot --resume ${sessionId}`,
    zh: `已导入会话 ${sessionId}${renameNote}，含 ${formatCount(snapshots)} 个快照。继续：sanbot --resume ${sessionId}`,
  });
}

function placeSnapshots(exportFile: ExportedFile, relocation: Relocation, disk: Disk, paths: StorePaths): number {
  let placedCount = 0;
  for (const { meta, bytes } of exportedSnapshots(exportFile)) {
    const snapshot = parseImportedSnapshot(meta, bytes);
    if ('why' in snapshot || snapshot.meta.sessionId !== relocation.old) {
      const why = 'why' in snapshot ? snapshot.why : { en: 'it belongs to another session', zh: '它属于另一个会话' };
      disk.warn({ en: `A snapshot is left out: ${why.en}.`, zh: `略去一个快照：${why.zh}。` });
      continue;
    }
    const { outcome } = snapshot.meta;
    const relocatedMeta = {
      ...snapshot.meta,
      id: snapshotIdFor(snapshot.meta.id, relocation),
      sessionId: relocation.sessionId,
      group: relocation.group,
      ...(outcome?.restored === undefined ? {} : { outcome: { ...outcome, restored: snapshotIdFor(outcome.restored, relocation) } }),
    };
    if (
      writeImportedSnapshot(disk, paths, {
        meta: relocatedMeta,
        context: relocateContext(snapshot.context, relocation.from, relocation.to),
        bodies: snapshot.bodies,
      })
    )
      placedCount += 1;
    else
      disk.warn({
        en: `There is already a snapshot ${relocatedMeta.id}; it was not replaced.`,
        zh: `已有快照 ${relocatedMeta.id}，没有替换。`,
      });
  }
  return placedCount;
}

function* relocatedLines(exportFile: ExportedFile, relocation: Relocation): Generator<Uint8Array> {
  for (const value of exportedRecords(exportFile)) {
    if (isRecord(value)) yield encodeRecord(relocateRecord(value, relocation));
    // Of a newer version: kept as it is.
    else if (typeof value === 'object' && value !== null) yield encodeRecord(value);
  }
}

/** The value itself is kept, not the schema's copy: unknown fields come along. */
const isRecord = (value: unknown): value is LogRecord => logRecordSchema.safeParse(value).success;
