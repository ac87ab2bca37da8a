import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { shown } from '../../domain/text.ts';
import { type Disk, readOwnFile } from '../files/disk.ts';
import { lineOf } from '../files/failure.ts';
import type { Host } from '../files/host.ts';
import { holderOf, judge } from '../files/lock.ts';
import type { StorePaths } from '../files/paths.ts';
import { namesIn } from '../files/replace-file.ts';
import { isBare } from '../session/bare-session.ts';
import { createBodies } from '../session/bodies.ts';
import { sha256Of } from '../session/body-text.ts';
import { surveyBodies } from '../session/retired-lines.ts';
import { readTitle } from '../session/session-title.ts';
import { type LogSurvey, surveyLog } from '../session/survey-log.ts';
import type { SnapshotStore } from '../snapshot/snapshots.ts';
import { checkVersions } from './check-versions.ts';
import type { Finding, FindingKind } from './finding.ts';
import { type KnownFromSnapshot, newestIntact, rebuiltHeader } from './rebuild-log.ts';

export type SessionCheck = {
  readonly sessionId: string;
  readonly findings: readonly Finding[];
  /** Undefined when the log is not there or cannot be read. */
  readonly survey: LogSurvey | undefined;
  /** A running process has it: what it is writing cannot be judged, and nothing may be repaired. */
  readonly inUse: boolean;
};

type Place = { readonly disk: Disk; readonly paths: StorePaths; readonly host: Host; readonly snapshots: SnapshotStore };

type Found = Omit<Finding, 'sessionId'>;

/** Checks all that belongs to one session; changes nothing and never throws. */
export function checkSession(place: Place, sessionId: string): SessionCheck {
  const { paths } = place;
  const lock = checkLock(place, paths.sessionLock(sessionId));
  const inUse = lock.inUse;
  const log = readLog(place, sessionId);
  const bodies = log.survey === undefined ? [] : checkBodies(place, sessionId, log.survey);
  const found = [
    ...lock.findings,
    ...log.findings.filter(({ kind }) => !inUse || kind !== 'log_tail'),
    ...checkRetired(paths, sessionId).filter(({ kind }) => !inUse || kind !== 'bodies_tail'),
    ...bodies.filter(({ kind }) => !inUse || kind !== 'body_orphan'),
    ...(log.survey === undefined ? [] : checkVersions(paths, sessionId, log.survey)),
    ...checkNewestSnapshot(place, sessionId, log.survey),
  ];
  return { sessionId, survey: log.survey, inUse, findings: found.map((each) => ({ ...each, sessionId })) };
}

/** A lock whose holder has ended is harmless: the next one takes it over. One of another machine cannot be judged from here. */
export function checkLock({ host }: Pick<Place, 'host'>, path: string): { readonly inUse: boolean; readonly findings: readonly Found[] } {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return { inUse: false, findings: [] };
  try {
    const holder = holderOf(path, host);
    if (holder === undefined)
      return {
        inUse: false,
        findings: [finding('stale_lock', path, 'the process that held this lock has ended', 'takes it over and gives it back')],
      };
    if (judge(holder, host) === 'running') return { inUse: true, findings: [] };
    const what = `held on another machine or in a container (${shown(holder.host)}, process ${holder.pid}); delete it if nothing runs there`;
    return { inUse: true, findings: [finding('foreign_lock', path, what)] };
  } catch (error) {
    return { inUse: true, findings: [finding('unreadable', path, lineOf(error))] };
  }
}

type LogCheck = { readonly survey: LogSurvey | undefined; readonly findings: readonly Found[] };

function readLog({ paths, snapshots }: Place, sessionId: string): LogCheck {
  const path = paths.log(sessionId);
  const known = () => newestIntact(snapshots, sessionId);
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined)
    return { survey: undefined, findings: isBare(paths, sessionId) ? [] : [missingLog(path, sessionId, known())] };
  try {
    const survey = surveyLog(path, sessionId);
    const header = 'why' in survey.header ? [headerFinding({ path, sessionId, known: known() }, survey.header.why)] : [];
    return { survey, findings: [...header, ...logFindings(path, survey), ...titleFindings(paths, sessionId, survey)] };
  } catch (error) {
    return { survey: undefined, findings: [finding('unreadable', path, lineOf(error))] };
  }
}

function missingLog(path: string, sessionId: string, known: KnownFromSnapshot | undefined): Found {
  if (known !== undefined) return finding('log_missing', path, 'the log is missing', 'writes it anew from the newest intact snapshot');
  return finding('log_missing', path, `the log is missing, and no intact snapshot is left to write it from. ${wayOut(sessionId)}`);
}

type Broken = { readonly path: string; readonly sessionId: string; readonly known: KnownFromSnapshot | undefined };

function headerFinding({ path, sessionId, known }: Broken, why: string): Found {
  const what = `it cannot be opened: ${why}`;
  if (rebuiltHeader(path, sessionId, known) !== undefined) {
    const remedy = 'writes a header with what the log or a snapshot still says of the session; the former log is kept beside it';
    return finding('log_header', path, what, remedy);
  }
  const cause = 'this cannot be repaired, since no checkpoint and no snapshot says what its system prompt and tools were';
  return finding('log_header', path, `${what}; ${cause}. Its other lines can be read in the file. ${wayOut(sessionId)}`);
}

const wayOut = (sessionId: string): string => `sanbot sessions delete ${sessionId} removes what is left of the session`;

function logFindings(path: string, { header, damaged, tail, disorder }: LogSurvey): readonly Found[] {
  const found: Found[] = [];
  const lines = damaged.filter(({ position }) => position > 0 || !('why' in header));
  if (lines.length > 0) {
    const where = lines.slice(0, 5).map(({ line, position }) => `line ${line} (byte ${position})`);
    const more = lines.length > 5 ? `, and ${lines.length - 5} more` : '';
    const remedy = 'writes the log without them; the former log is kept beside it';
    found.push(finding('log_lines', path, `damaged: ${where.join(', ')}${more}`, remedy));
  }
  if (tail !== undefined) {
    const what = tail.whole ? 'the last record has lost its line end' : `the last line was cut off (${tail.bytes} bytes)`;
    found.push(finding('log_tail', path, what, tail.whole ? 'adds it' : 'sets it aside in a file beside the log'));
  }
  if (disorder.length > 0 && !hasFormer(path)) {
    const more = disorder.length > 3 ? `; and ${disorder.length - 3} more` : '';
    found.push(finding('log_order', path, `${disorder.slice(0, 3).join('; ')}${more}`));
  }
  return found;
}

/** After a repair the numbers of what was set aside are missing, which is no news. */
function hasFormer(path: string): boolean {
  return namesIn(join(path, '..')).some((name) => name.startsWith('log.jsonl.damaged-'));
}

function titleFindings(paths: StorePaths, sessionId: string, { title }: LogSurvey): readonly Found[] {
  if (title === undefined || readTitle(paths, sessionId) === title) return [];
  return [finding('title', paths.title(sessionId), 'it is not the title that the log says', 'writes it anew')];
}

function checkRetired(paths: StorePaths, sessionId: string): readonly Found[] {
  const path = paths.retiredBodies(sessionId);
  try {
    const survey = surveyBodies(path);
    if (survey === undefined) return [];
    const found: Found[] = [];
    if (survey.damaged.length > 0) {
      const what = `damaged: line ${survey.damaged
        .slice(0, 5)
        .map(({ line }) => line)
        .join(', ')}${survey.damaged.length > 5 ? ', …' : ''}`;
      found.push(finding('bodies_lines', path, what, 'moves them to a file beside it'));
    }
    if (survey.tailBytes > 0)
      found.push(
        finding('bodies_tail', path, `the last line was cut off (${survey.tailBytes} bytes)`, 'sets it aside in a file beside it'),
      );
    return found;
  } catch (error) {
    return [finding('unreadable', path, lineOf(error))];
  }
}

function checkBodies({ disk, paths, snapshots }: Place, sessionId: string, survey: LogSurvey): readonly Found[] {
  const found: Found[] = [];
  for (const name of namesIn(paths.offloaded(sessionId))) {
    const [, prefix] = /^([0-9a-f]{32})\.txt$/.exec(name) ?? [];
    if (prefix === undefined) continue;
    const path = paths.body(sessionId, prefix);
    const problem = bodyProblem(path, prefix);
    if (problem !== undefined) found.push({ ...problem, path });
    else if (!('why' in survey.header) && ![...survey.live].some((sha256) => sha256.startsWith(prefix)))
      found.push(finding('body_orphan', path, 'nothing in the context refers to it', 'moves it to bodies.jsonl'));
  }
  const bodies = createBodies(disk, paths, { sessionId, maxSessionBytes: Number.MAX_SAFE_INTEGER });
  const missing = [...survey.bodies.values()].filter((ref) => isMissing(() => bodies.read(ref)));
  const saved = missing.length === 0 ? new Set<string>() : bodiesInSnapshots(snapshots, sessionId);
  for (const ref of missing) {
    const remedy = saved.has(ref.sha256) ? 'writes it again from a snapshot' : undefined;
    found.push(
      finding('body_missing', bodies.path(ref), `the log refers to this result (${ref.bytes} bytes), and it is not there`, remedy),
    );
  }
  return found;
}

function isMissing(read: () => string | undefined): boolean {
  try {
    return read() === undefined;
  } catch {
    return true;
  }
}

function bodyProblem(path: string, prefix: string): Omit<Found, 'path'> | undefined {
  try {
    const bytes = readOwnFile(path);
    if (bytes !== undefined && sha256Of(bytes).startsWith(prefix)) return undefined;
    return {
      kind: 'body_changed',
      what: 'its content is not what its name says',
      remedy: 'sets it aside, and writes the original again if it is still known',
    };
  } catch (error) {
    return { kind: 'unreadable', what: lineOf(error), remedy: undefined };
  }
}

/** The hashes of all bodies that intact snapshots of a session hold. */
function bodiesInSnapshots(snapshots: SnapshotStore, sessionId: string): ReadonlySet<string> {
  const hashes = new Set<string>();
  for (const { id } of snapshots.list(sessionId)) {
    const read = snapshots.read(id);
    if (read.kind === 'found') for (const { ref } of read.bodies) hashes.add(ref.sha256);
  }
  return hashes;
}

/** Retention takes old snapshots, and never the newest of a session: only that one can be missed. */
function checkNewestSnapshot({ paths, snapshots }: Place, sessionId: string, survey: LogSurvey | undefined): readonly Found[] {
  const id = survey?.snapshotId;
  if (id === undefined || snapshots.read(id).kind !== 'missing') return [];
  if (snapshots.list(sessionId).some((meta) => meta.id > id)) return [];
  const group = survey !== undefined && 'group' in survey.header ? survey.header.group : 'main';
  return [
    finding('snapshot_missing', paths.snapshot(group, id), 'the newest checkpoint of the log names this snapshot, and it is not there'),
  ];
}

const finding = (kind: FindingKind, path: string, what: string, remedy?: string): Found => ({ kind, path, what, remedy });
