import { join, resolve, sep } from 'node:path';
import type { ImportOptions } from '../cli/actions.ts';
import { withoutThinking } from '../context/apply-record.ts';
import { rehomed, rehomedMessage } from '../context/rehome.ts';
import { SanbotError } from '../domain/errors.ts';
import type { FileVersion } from '../domain/file.ts';
import { type LogRecord, logRecordSchema } from '../domain/record.ts';
import type { Disk } from '../store/disk.ts';
import { bodiesIn, type Exported, openExported, recordsIn, snapshotsIn } from '../store/export-file.ts';
import { encodeLine } from '../store/json-line.ts';
import { pathsOf, type StorePaths } from '../store/paths.ts';
import { placeSession } from '../store/place-session.ts';
import { placeSnapshot, readForeign } from '../store/place-snapshot.ts';
import { counted } from '../ui/figures.ts';
import { homeOf } from './home.ts';
import { NO_CAP, openStore, storeWorldOf } from './open-store.ts';
import type { Screen } from './screen.ts';
import type { World } from './world.ts';

/** A session from an exported file: under its own id, or a new one when that is taken. Snapshots first, then the session at once. */
export async function importSession(world: World, options: ImportOptions, screen: Screen): Promise<number> {
  const home = homeOf(world, options);
  const tell = (line: string) => screen.err(`sanbot: ${line}\n`);
  const disk: Disk = { ...storeWorldOf(world, home), tell };
  const paths = pathsOf(home);
  const store = openStore(world, home, { maxSessionBytes: NO_CAP, tell });
  const exported = openExported(resolve(world.cwd(), options.file));
  const [first] = recordsIn(exported);
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
  placeSession(disk, paths, {
    sessionId,
    log: movedLines(exported, move),
    bodies: bodiesIn(exported, { retired: false }),
    retired: bodiesIn(exported, { retired: true }),
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
  exported: Exported,
  move: Move,
  { disk, paths, tell }: { readonly disk: Disk; readonly paths: StorePaths; readonly tell: (line: string) => void },
): number {
  let placed = 0;
  for (const { meta, bytes } of snapshotsIn(exported)) {
    const found = readForeign(meta, bytes);
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
    if (placeSnapshot(disk, paths, { meta: moved, context: rehomed(found.context, move.from, move.to), bodies: found.bodies })) placed += 1;
    else tell(`There is a snapshot ${moved.id} already; it stays as it is.`);
  }
  return placed;
}

function* movedLines(exported: Exported, move: Move): Generator<Uint8Array> {
  for (const value of recordsIn(exported)) {
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
      return { ...record, sessionId: move.sessionId, context: rehomed(record.context, from, to) };
    case 'checkpoint': {
      const snapshot = record.snapshotId === undefined ? {} : { snapshotId: snapshotIdFor(record.snapshotId, move) };
      return { ...record, ...snapshot, context: rehomed(record.context, from, to) };
    }
    case 'message': {
      if (from === to) return record;
      // Its thinking is bound to a past in which stubs may have changed.
      const message = rehomedMessage(record.message, from, to);
      return { ...record, message: withoutThinking([message])[0] ?? message };
    }
    case 'offload':
      return { ...record, stubs: record.stubs.map((stub) => ({ ...stub, text: stub.text.replaceAll(from, () => to) })) };
    case 'model':
    case 'title':
      return record;
    case 'file':
      // The contents stayed where the session was, and so did the files.
      return { ...record, before: withoutContent(record.before), after: withoutContent(record.after) };
  }
}

const withoutContent = (version: FileVersion | null): FileVersion | null => (version === null ? null : { ...version, kept: false });
