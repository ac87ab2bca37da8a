/**
 * A session that `sanbot export` wrote, in this home or in a stranger's: a file that says of itself that it is one, and may say anything.
 *
 * The file comes in, and a session of this home comes out, whole or not at all: `check-exported` says whether its records can be taken over as
 * they are, and `own-records` makes them ours. Nothing in it is used as a path, speaks in SanBot's name, or becomes a memory.
 *
 * What cannot be taken over is told; then the conversation is imported as any other recording is. Bodies and snapshots are checked by their
 * hashes, and a snapshot that does not fit is left out.
 */

import { basename, join, resolve, sep } from 'node:path';
import { relocateContext } from '../../../context/history/apply-record.ts';
import { limitsFor } from '../../../context/measure/limits.ts';
import { SanbotError } from '../../../domain/errors.ts';
import { type Bilingual, joinTexts } from '../../../domain/language.ts';
import { type HeaderRecord, type LogRecord, logRecordSchema } from '../../../domain/session/record.ts';
import type { SnapshotMeta } from '../../../domain/session/snapshot.ts';
import { isObject } from '../../../domain/value/json.ts';
import { sessionToolSpecs } from '../../../runtime/conversation/session-tools.ts';
import type { HomeOptions } from '../../../runtime/home.ts';
import { freezePrompt, projectFor } from '../../../runtime/prompt/render-system.ts';
import { buildUnattendedRuntime, type Runtime } from '../../../runtime/runtime.ts';
import type { Disk } from '../../../store/files/disk.ts';
import type { StorePaths } from '../../../store/files/paths.ts';
import { encodeRecord } from '../../../store/files/record-line.ts';
import {
  type ExportedFile,
  exportedBodies,
  exportedRecords,
  exportedSnapshots,
  openExportedFile,
} from '../../../store/snapshot/export-file.ts';
import {
  type ImportedSnapshot,
  parseImportedSnapshot,
  writeImportedSnapshot,
  writeSession,
} from '../../../store/snapshot/write-session.ts';
import { formatCount, pluralize } from '../../../terminal/text/format.ts';
import { safeLine } from '../../../terminal/text/safe-text.ts';
import { say } from '../../answer.ts';
import type { CommandContext } from '../../command.ts';
import { openHome, settingsOf } from '../../open-home.ts';
import { contextProblems, exportProblems } from './check-exported.ts';
import { importedTexts } from './imported-texts.ts';
import { createOwnRecords, type OwnParts, type OwnRecords, type Relocation, relocateRecord, snapshotIdFor } from './own-records.ts';

type ExportOptions = HomeOptions & { readonly file: string };

/** Snapshots first, then the session at once. Returns false, and says why, where the records cannot be taken over as they are. */
export async function importExportFile(options: ExportOptions, { environment, io }: CommandContext): Promise<boolean> {
  const { disk, paths, store } = openHome(options, { environment, io });
  const exportFile = openExportedFile(resolve(environment.cwd(), options.file));
  const [header] = knownRecords(exportFile);
  if (header?.type !== 'header' || header.sessionId !== exportFile.sessionId) throw noHeader(options.file);
  const problems = exportProblems(knownRecords(exportFile));
  if (problems.length > 0) {
    io.warn(rebuiltText(options.file, problems));
    return false;
  }
  const { warn } = io;
  const runtime = await buildUnattendedRuntime(environment, {
    settings: settingsOf({ home: options.home }, { environment, io }),
    show: (event) => {
      if (event.type === 'warning') warn(event.message);
    },
    warn,
  });
  const sessionId = store.sessions.has(exportFile.sessionId) ? store.sessions.newSessionId() : exportFile.sessionId;
  const relocation: Relocation = {
    from: exportFile.sessionFolder,
    to: join(paths.session(sessionId), sep),
    old: exportFile.sessionId,
    sessionId,
    group: exportFile.group,
  };
  const own = ownParts(runtime, { group: exportFile.group, file: options.file, bodyPath: (ref) => paths.body(sessionId, ref) });
  const records = createOwnRecords(own);
  // Summaries are made anew from what came before them; only then are those of the snapshots known.
  const taken = countTaken(ownRecords(exportFile, records, relocation));
  if (taken.leftOut > 0) warn(leftOutText(options.file, taken.leftOut));
  const snapshots = placeSnapshots(exportFile, { relocation, records }, disk, paths);
  writeSession(disk, paths, {
    sessionId,
    log: logLines(exportFile, { own, relocation, header, next: taken.last + 1, now: environment.now(), newId: environment.newId }),
    bodies: exportedBodies(exportFile, { retired: false }),
    retired: exportedBodies(exportFile, { retired: true }),
    title: exportFile.title,
  });
  const isRenamed = sessionId !== exportFile.sessionId;
  const [en, zh] = isRenamed
    ? [` (its own id ${exportFile.sessionId} is already in use)`, `（原 id ${exportFile.sessionId} 已被占用）`]
    : ['', ''];
  say(io, {
    en: `Imported session ${sessionId}${en} with ${pluralize(snapshots, 'snapshot')}. To continue it: sanbot --resume ${sessionId}`,
    zh: `已导入会话 ${sessionId}${zh}，含 ${formatCount(snapshots)} 个快照。继续：sanbot --resume ${sessionId}`,
  });
  return true;
}

const noHeader = (file: string): SanbotError =>
  new SanbotError('store_damaged', {
    en: `${file} cannot be imported: its first record is not the header of its session`,
    zh: `无法导入 ${file}：第一条记录不是会话头`,
  });

function rebuiltText(file: string, problems: readonly Bilingual[]): Bilingual {
  const name = safeLine(basename(file));
  const why = joinTexts(problems, { en: '; ', zh: '；' });
  return {
    en: `${name} is not as SanBot writes it: ${why.en}. What was said in it is taken over message by message, without its snapshots.`,
    zh: `${name} 与 SanBot 写出的不同：${why.zh}。其中的对话逐条导入，不含快照。`,
  };
}

const leftOutText = (file: string, count: number): Bilingual => ({
  en: `${safeLine(basename(file))}: left out: ${pluralize(count, 'record')} of models, and of kinds that are not known here.`,
  zh: `${safeLine(basename(file))}：略去 ${formatCount(count)} 条记录（模型，以及此处不认识的类型）。`,
});

type OwnOptions = Pick<OwnParts, 'bodyPath'> & { readonly group: string; readonly file: string };

function ownParts(runtime: Runtime, { group, file, bodyPath }: OwnOptions): OwnParts {
  const { environment, modelName: model, config } = runtime;
  return {
    base: freezePrompt(runtime, { group, project: projectFor(runtime, model), model, tools: sessionToolSpecs(runtime) }),
    ...{ model, endpoint: runtime.model.endpointOf?.(model), cwd: environment.cwd(), bodyPath, count: runtime.count },
    ledgerTokens: limitsFor(config, runtime.model.facts(model).windowTokens).ledgerTokens,
    imported: { file: basename(file), format: 'sanbot' },
  };
}

/** The value itself is kept, not the schema's copy: unknown fields come along. */
const isRecord = (value: unknown): value is LogRecord => logRecordSchema.safeParse(value).success;

function* knownRecords(exportFile: ExportedFile): Generator<LogRecord> {
  for (const value of exportedRecords(exportFile)) if (isRecord(value)) yield value;
}

function* ownRecords(exportFile: ExportedFile, records: OwnRecords, relocation: Relocation): Generator<LogRecord | undefined> {
  for (const value of exportedRecords(exportFile))
    if (isRecord(value)) yield records.record(relocateRecord(value, relocation));
    else if (isObject(value)) yield undefined;
}

function countTaken(records: Iterable<LogRecord | undefined>): { readonly leftOut: number; readonly last: number } {
  let leftOut = 0;
  let last = 0;
  for (const record of records) {
    if (record === undefined) leftOut += 1;
    else last = Math.max(last, record.n);
  }
  return { leftOut, last };
}

type NewLog = {
  readonly own: OwnParts;
  readonly relocation: Relocation;
  readonly header: HeaderRecord;
  readonly next: number;
  readonly now: Date;
  readonly newId: () => string;
};

function* logLines(exportFile: ExportedFile, { own, relocation, header, next, now, newId }: NewLog): Generator<Uint8Array> {
  for (const record of ownRecords(exportFile, createOwnRecords(own), relocation)) if (record !== undefined) yield encodeRecord(record);
  const at = now.toISOString();
  const content = [{ type: 'text', text: importedTexts.end(header.cwd) }];
  yield encodeRecord({
    ...{ n: next, at, type: 'message' },
    message: { id: newId(), at, role: 'user', origin: 'notice', imported: true, content },
  });
}

type Placing = { readonly relocation: Relocation; readonly records: OwnRecords };

function placeSnapshots(exportFile: ExportedFile, { relocation, records }: Placing, disk: Disk, paths: StorePaths): number {
  let placedCount = 0;
  for (const { meta, bytes } of exportedSnapshots(exportFile)) {
    const snapshot = parseImportedSnapshot(meta, bytes);
    const why = 'why' in snapshot ? snapshot.why : whyNot(snapshot, relocation);
    if ('why' in snapshot || why !== undefined) {
      disk.warn({ en: `A snapshot is left out: ${why?.en}.`, zh: `略去一个快照：${why?.zh}。` });
      continue;
    }
    const context = records.context(relocateContext(snapshot.context, relocation.from, relocation.to));
    const placed = { meta: relocatedMeta(snapshot.meta, relocation), context, bodies: snapshot.bodies };
    if (writeImportedSnapshot(disk, paths, placed)) placedCount += 1;
    else
      disk.warn({
        en: `There is already a snapshot ${placed.meta.id}; it was not replaced.`,
        zh: `已有快照 ${placed.meta.id}，没有替换。`,
      });
  }
  return placedCount;
}

const whyNot = ({ meta, context }: ImportedSnapshot, { old }: Relocation): Bilingual | undefined =>
  meta.sessionId === old ? contextProblems(context)[0] : { en: 'it belongs to another session', zh: '它属于另一个会话' };

function relocatedMeta(meta: SnapshotMeta, relocation: Relocation): SnapshotMeta {
  const { outcome } = meta;
  const restored = outcome?.restored === undefined ? {} : { restored: snapshotIdFor(outcome.restored, relocation) };
  const { sessionId, group } = relocation;
  return { ...meta, id: snapshotIdFor(meta.id, relocation), sessionId, group, ...(outcome && { outcome: { ...outcome, ...restored } }) };
}
