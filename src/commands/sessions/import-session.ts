import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import { basename, join, resolve, sep } from 'node:path';
import { withoutThinking } from '../../context/history/apply-record.ts';
import { relocateContext, relocateMessage } from '../../context/history/rehome.ts';
import { SanbotError } from '../../domain/errors.ts';
import type { FileVersion } from '../../domain/file.ts';
import { type LogRecord, logRecordSchema } from '../../domain/session/record.ts';
import { importNotes } from '../../report/replay/replay-text.ts';
import { buildSetting } from '../../runtime/build-setting.ts';
import { groupOf, homeOf } from '../../runtime/home.ts';
import { NO_CAP, openStore, storeWorldOf } from '../../runtime/open-store.ts';
import type { Screen } from '../../runtime/screen.ts';
import { readSettings } from '../../runtime/settings.ts';
import type { World } from '../../runtime/world.ts';
import type { Disk } from '../../store/files/disk.ts';
import { encodeLine } from '../../store/files/json-line.ts';
import { pathsOf, type StorePaths } from '../../store/files/paths.ts';
import {
  type ExportedFile,
  exportedBodies,
  exportedRecords,
  exportedSnapshots,
  openExportedFile,
} from '../../store/snapshot/export-file.ts';
import { writeSession } from '../../store/snapshot/place-session.ts';
import { parseImportedSnapshot, writeImportedSnapshot } from '../../store/snapshot/place-snapshot.ts';
import { counted } from '../../terminal/text/figures.ts';
import { safeLine } from '../../terminal/text/safe-text.ts';
import type { ImportOptions } from '../actions.ts';
import { importRecorded } from './import-recorded.ts';
import { readTranscripts } from './recorded-file.ts';

/** A session from a file: one that SanBot exported, or one that another agent recorded. */
export async function importSession(world: World, options: ImportOptions, screen: Screen): Promise<number> {
  const path = resolve(world.cwd(), options.file);
  return !existsSync(path) || isExported(path) ? importExported(world, options, screen) : importForeign(world, options, screen);
}

/** Whole or not: its first line says so. What cannot be read is none; why, its reader says. */
function isExported(path: string): boolean {
  try {
    return statSync(path).isFile() && /^\s*\{\s*"type"\s*:\s*"sanbot-export"/.test(firstBytes(path));
  } catch {
    return false;
  }
}

function firstBytes(path: string): string {
  const file = openSync(path, 'r');
  try {
    const start = Buffer.alloc(HEAD_BYTES);
    return start.toString('utf8', 0, readSync(file, start));
  } finally {
    closeSync(file);
  }
}

const HEAD_BYTES = 1_000;

/** Every conversation of the file becomes a session of its own; what was not taken over is told. */
async function importForeign(world: World, options: ImportOptions, screen: Screen): Promise<number> {
  const tell = (line: string) => screen.err(`sanbot: ${line}\n`);
  const transcripts = readTranscripts(world, options.file);
  const settings = readSettings(world, { home: options.home });
  for (const notice of settings.notices) tell(notice);
  const setting = await buildSetting(world, {
    settings,
    mode: 'read-only',
    allowed: [],
    askPermission: async () => 'nobody',
    confirm: async () => false,
    show: (event) => {
      if (event.type === 'warning') tell(safeLine(event.message));
    },
    tell,
  });
  await setting.ready();
  for (const note of importNotes(basename(options.file), transcripts)) tell(note);
  for (const transcript of transcripts.filter(({ steps }) => steps.length > 0)) {
    const { sessionId, messages, offloaded, thinking } = importRecorded(setting, groupOf(world, { group: undefined }), transcript);
    const named = [transcript.format, ...(transcript.part === '' ? [] : [safeLine(transcript.part)])].join(', ');
    const inFiles = offloaded === 0 ? '' : `, ${counted(offloaded, 'large result')} in files`;
    if (transcript.system !== undefined) tell(`The recorded system prompt of session ${sessionId} is left out: SanBot has its own.`);
    if (thinking > 0) tell(`${counted(thinking, 'thinking block')} of session ${sessionId} left out: signed for another conversation.`);
    screen.out(
      `Imported session ${sessionId} (${named}): ${counted(messages, 'message')}${inFiles}. Continue it: sanbot --resume ${sessionId}\n`,
    );
  }
  return 0;
}

/** Under its own id, or a new one when that is taken. Snapshots first, then the session at once. */
async function importExported(world: World, options: ImportOptions, screen: Screen): Promise<number> {
  const home = homeOf(world, options);
  const tell = (line: string) => screen.err(`sanbot: ${line}\n`);
  const disk: Disk = { ...storeWorldOf(world, home), warn: tell };
  const paths = pathsOf(home);
  const store = openStore(world, home, { maxSessionBytes: NO_CAP, tell });
  const exported = openExportedFile(resolve(world.cwd(), options.file));
  const [first] = exportedRecords(exported);
  if (!isRecord(first) || first.type !== 'header' || first.sessionId !== exported.sessionId)
    throw new SanbotError('store_damaged', `${options.file} cannot be imported: its first record is not the header of its session`);
  const sessionId = store.sessions.find(exported.sessionId).exists ? store.sessions.newSessionId() : exported.sessionId;
  const move: Move = {
    from: exported.sessionFolder,
    to: join(paths.session(sessionId), sep),
    old: exported.sessionId,
    sessionId,
    group: exported.group,
  };
  const snapshots = placeSnapshots(exported, move, { disk, paths, tell });
  writeSession(disk, paths, {
    sessionId,
    log: movedLines(exported, move),
    bodies: exportedBodies(exported, { retired: false }),
    retired: exportedBodies(exported, { retired: true }),
    title: exported.title,
  });
  const renamed = sessionId === exported.sessionId ? '' : ` (its own id ${exported.sessionId} was taken)`;
  screen.out(`Imported session ${sessionId}${renamed} with ${counted(snapshots, 'snapshot')}. Continue it: sanbot --resume ${sessionId}\n`);
  return 0;
}

type Move = { readonly from: string; readonly to: string; readonly old: string; readonly sessionId: string; readonly group: string };

const snapshotIdFor = (id: string, { old, sessionId }: Move): string =>
  id.startsWith(`${old}-`) ? `${sessionId}${id.slice(old.length)}` : id;

function placeSnapshots(
  exported: ExportedFile,
  move: Move,
  { disk, paths, tell }: { readonly disk: Disk; readonly paths: StorePaths; readonly tell: (line: string) => void },
): number {
  let placed = 0;
  for (const { meta, bytes } of exportedSnapshots(exported)) {
    const found = parseImportedSnapshot(meta, bytes);
    if ('why' in found || found.meta.sessionId !== move.old) {
      tell(`A snapshot is left out: ${'why' in found ? found.why : 'it belongs to another session'}.`);
      continue;
    }
    const { outcome } = found.meta;
    const moved = {
      ...found.meta,
      id: snapshotIdFor(found.meta.id, move),
      sessionId: move.sessionId,
      group: move.group,
      ...(outcome?.restored === undefined ? {} : { outcome: { ...outcome, restored: snapshotIdFor(outcome.restored, move) } }),
    };
    if (
      writeImportedSnapshot(disk, paths, { meta: moved, context: relocateContext(found.context, move.from, move.to), bodies: found.bodies })
    )
      placed += 1;
    else tell(`There is a snapshot ${moved.id} already; it stays as it is.`);
  }
  return placed;
}

function* movedLines(exported: ExportedFile, move: Move): Generator<Uint8Array> {
  for (const value of exportedRecords(exported)) {
    if (isRecord(value)) yield encodeLine(movedRecord(value, move));
    // Of a newer version: kept as it is.
    else if (typeof value === 'object' && value !== null) yield encodeLine(value);
  }
}

/** The value itself is kept, not the schema's copy: unknown fields come along. */
const isRecord = (value: unknown): value is LogRecord => logRecordSchema.safeParse(value).success;

function movedRecord(record: LogRecord, move: Move): LogRecord {
  const { from, to } = move;
  switch (record.type) {
    case 'header':
      return { ...record, sessionId: move.sessionId, context: relocateContext(record.context, from, to) };
    case 'checkpoint': {
      const snapshot = record.snapshotId === undefined ? {} : { snapshotId: snapshotIdFor(record.snapshotId, move) };
      const restored = record.restored === undefined ? {} : { restored: snapshotIdFor(record.restored, move) };
      return { ...record, ...snapshot, ...restored, context: relocateContext(record.context, from, to) };
    }
    case 'message': {
      if (from === to) return record;
      // Its thinking is bound to a past in which stubs may have changed.
      const message = relocateMessage(record.message, from, to);
      return { ...record, message: withoutThinking([message])[0] ?? message };
    }
    case 'offload':
      return { ...record, stubs: record.stubs.map((stub) => ({ ...stub, text: stub.text.replaceAll(from, () => to) })) };
    case 'model':
    case 'pins':
    case 'title':
      return record;
    case 'file':
      // The contents stayed where the session was, and so did the files.
      return { ...record, before: withoutContent(record.before), after: withoutContent(record.after) };
  }
}

const withoutContent = (version: FileVersion | null): FileVersion | null => (version === null ? null : { ...version, kept: false });
