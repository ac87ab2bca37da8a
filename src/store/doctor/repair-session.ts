import { RECORD_VERSION } from '../../domain/session/record.ts';
import { type Disk, ensureFolder } from '../files/disk.ts';
import { encodeLine } from '../files/json-line.ts';
import { openLineFile } from '../files/line-file.ts';
import { takeLock } from '../files/lock.ts';
import type { StorePaths } from '../files/paths.ts';
import { createFile } from '../files/replace-file.ts';
import { keepFormer, keepLinesApart, rewriteLines, wholeLines } from '../files/rewrite-lines.ts';
import { createBodies } from '../session/bodies.ts';
import { surveyBodies } from '../session/retired-lines.ts';
import { numberedRecord } from '../session/session-log.ts';
import { writeTitle } from '../session/session-title.ts';
import { surveyLog } from '../session/survey-log.ts';
import { createSnapshots } from '../snapshot/snapshots.ts';
import type { SessionCheck } from './check-session.ts';
import type { FindingKind, Repaired } from './finding.ts';
import { newestIntact, readableLines, rebuiltHeader } from './rebuild-log.ts';
import { attempt, moveAside } from './repair-files.ts';

export type SessionRepair = { readonly check: SessionCheck; readonly setAside: string };

/** Salvages what can be of one session, under its lock: the log first, then what it refers to. Never throws; a failure is told. */
export function repairSession(disk: Disk, paths: StorePaths, repair: SessionRepair): readonly Repaired[] {
  const { sessionId, findings } = repair.check;
  if (findings.length === 0) return [];
  const path = paths.sessionLock(sessionId);
  try {
    const answer = takeLock(disk, path);
    if (answer.kind === 'busy') return [{ path, did: `left alone: process ${answer.holder.pid} has opened the session` }];
    try {
      const was: readonly Repaired[] = findings.some(({ kind }) => kind === 'stale_lock')
        ? [{ path, did: 'taken over and given back' }]
        : [];
      return [...was, ...repairLocked({ disk, paths, sessionId, ...repair })];
    } finally {
      answer.lock.release();
    }
  } catch (error) {
    return attempt(path, () => {
      throw error;
    });
  }
}

type Place = SessionRepair & { readonly disk: Disk; readonly paths: StorePaths; readonly sessionId: string };

function repairLocked(place: Place): readonly Repaired[] {
  const { disk, paths, sessionId, check } = place;
  const has = (...kinds: readonly FindingKind[]) => check.findings.some(({ kind, remedy }) => remedy !== undefined && kinds.includes(kind));
  const log = paths.log(sessionId);
  const retired = paths.retiredBodies(sessionId);
  return [
    ...(has('log_tail') ? attempt(log, () => repairEnd(disk, log, 'append')) : []),
    ...(has('log_missing') ? attempt(log, () => writeLog(place)) : []),
    ...(has('log_header', 'log_lines') ? attempt(log, () => salvageLog(place, has('log_header'))) : []),
    ...(has('bodies_tail') ? attempt(retired, () => repairEnd(disk, retired, 'bodies')) : []),
    ...(has('bodies_lines') ? attempt(retired, () => salvageBodies(disk, retired)) : []),
    ...check.findings
      .filter(({ kind }) => kind === 'body_changed' || kind === 'version_changed')
      .flatMap(({ path }) => setAside(place, path)),
    ...(has('log_missing', 'log_header', 'body_missing', 'body_changed') ? restoreBodies(place) : []),
    ...(has('body_orphan', 'log_missing', 'log_header', 'body_missing', 'body_changed') ? retireOrphans(place) : []),
    ...(has('title') ? attempt(paths.title(sessionId), () => renewTitle(place)) : []),
  ];
}

function repairEnd(disk: Disk, path: string, point: string): string {
  const { file, warnings } = openLineFile(disk, path, { point });
  file.close();
  return warnings.join(' ');
}

function writeLog({ disk, paths, sessionId }: Place): string {
  const known = newestIntact(createSnapshots(disk, paths), sessionId);
  if (known === undefined) throw new Error('no intact snapshot of this session is left');
  const { group, model, at, context } = known;
  const header = { type: 'header', v: RECORD_VERSION, sessionId, group, cwd: '', model, context } as const;
  ensureFolder(disk, paths.session(sessionId));
  if (!createFile(disk, paths.log(sessionId), encodeLine(numberedRecord(header, { n: 0, at })), 'create'))
    throw new Error('it is there again');
  return `written anew from the newest snapshot: ${context.messages.length} messages`;
}

function salvageLog({ disk, paths, sessionId }: Place, withHeader: boolean): string {
  const path = paths.log(sessionId);
  const header = withHeader ? rebuiltHeader(path, sessionId, newestIntact(createSnapshots(disk, paths), sessionId)) : undefined;
  if (withHeader && header === undefined) throw new Error('no checkpoint and no snapshot says what its system prompt and tools were');
  const former = keepFormer(disk, path);
  rewriteLines(disk, path, readableLines(path, header));
  return `written without what cannot be read${withHeader ? ', with a new header' : ''}; the former log is ${former}`;
}

function salvageBodies(disk: Disk, path: string): string {
  const damaged = new Set(surveyBodies(path)?.damaged.map(({ position }) => position));
  const bad = [...wholeLines(path)].filter(({ position }) => damaged.has(position)).map(({ bytes }) => bytes);
  const apart = keepLinesApart(disk, path, bad);
  rewriteLines(disk, path, goodLines(path, damaged));
  return `${bad.length === 1 ? 'a damaged line was' : `${bad.length} damaged lines were`} moved to ${apart}`;
}

function* goodLines(path: string, damaged: ReadonlySet<number>): Generator<Uint8Array> {
  for (const { position, bytes } of wholeLines(path)) if (!damaged.has(position)) yield Buffer.concat([bytes, Buffer.from('\n')]);
}

const setAside = ({ disk, paths, setAside: folder }: Place, path: string): readonly Repaired[] =>
  attempt(path, () => `set aside as ${moveAside(disk, path, { home: paths.home, setAside: folder })}`);

/** Whatever the log refers to and only a snapshot still has. */
function restoreBodies({ disk, paths, sessionId }: Place): readonly Repaired[] {
  const bodies = createBodies(disk, paths, { sessionId, maxSessionBytes: Number.MAX_SAFE_INTEGER });
  const snapshots = createSnapshots(disk, paths);
  const missing = new Map([...surveyLog(paths.log(sessionId), sessionId).bodies].filter(([, ref]) => bodies.read(ref) === undefined));
  const repaired: Repaired[] = [];
  for (const { id } of snapshots.list(sessionId).toReversed()) {
    if (missing.size === 0) break;
    const read = snapshots.read(id);
    for (const body of read.kind === 'found' ? read.bodies : []) {
      if (!missing.delete(body.ref.sha256)) continue;
      const act = () => {
        bodies.restore([body]);
        return `written again from snapshot ${id}`;
      };
      repaired.push(...attempt(bodies.path(body.ref), act));
    }
  }
  return repaired;
}

function retireOrphans({ disk, paths, sessionId }: Place): readonly Repaired[] {
  const bodies = createBodies(disk, paths, { sessionId, maxSessionBytes: Number.MAX_SAFE_INTEGER });
  const { live } = surveyLog(paths.log(sessionId), sessionId);
  const { retired, failed } = bodies.retire(live);
  const path = paths.offloaded(sessionId);
  const moved = `${retired === 1 ? 'a result' : `${retired} results`} that nothing in the context refers to moved to bodies.jsonl`;
  return [...(retired > 0 ? [{ path, did: moved }] : []), ...failed.map((did) => ({ path, did }))];
}

function renewTitle({ disk, paths, sessionId }: Place): string {
  const { title } = surveyLog(paths.log(sessionId), sessionId);
  if (title === undefined) throw new Error('the log says no title any more');
  writeTitle(disk, paths, { sessionId, title });
  return 'written anew from the log';
}
