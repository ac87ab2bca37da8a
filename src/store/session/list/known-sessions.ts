import { lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import type { SessionListEntry } from '../../../domain/session/session-list-entry.ts';
import { isObject, isString, parseJson } from '../../../domain/value/json.ts';
import { orUndefined } from '../../../domain/value/or-undefined.ts';
import { readOwnFile } from '../../files/disk.ts';
import { isId } from '../../files/ids.ts';
import type { StorePaths } from '../../files/paths.ts';

/** What was read of a session, and when its log and its folder had last changed then: the folder tells of its lock and its title. */
export type KnownSession = { readonly entry: SessionListEntry; readonly logMs: number; readonly folderMs: number };
type FileStates = Pick<KnownSession, 'logMs' | 'folderMs'> & { readonly bytes: number };

/** The sessions of a home, as far as the list that was kept is still true. */
export type CheckedSessions = {
  /** Last used first, none of them open. */
  readonly same: readonly KnownSession[];
  /** The ids of all others. */
  readonly others: readonly string[];
  /** True when the list should be kept anew even where little has changed: it has sessions that are gone, or every one had to be looked at. */
  readonly isOutdated: boolean;
  /** What it was compared with: kept with the next list. */
  readonly basis: ListBasis;
};

/** When and where a list was made. */
export type ListBasis = {
  /** Undefined where the system does not tell: then no list is trusted. */
  readonly bootId: string | undefined;
  /** How much of the file of marks was taken into account, and its name; undefined when there was none. */
  readonly marks: { readonly name: string; readonly bytes: number } | undefined;
  readonly checkedMs: number;
  readonly sessionsMs: number;
};

/**
 * Compares the kept list with the home, reading no log. A session is looked at when it was opened since, when it is among those used last,
 * or when the list cannot be trusted: after a start of the machine, which may have lost marks, and once a day, since other programs make
 * none. Never throws; with no list, or none that can be used, all sessions are others.
 */
export function checkSessions(paths: StorePaths, now: Date): CheckedSessions {
  const kept = readKept(paths);
  const marks = readMarks(paths);
  const sessionsMs = orUndefined(() => statSync(paths.sessions).mtimeMs) ?? 0;
  const bootId = orUndefined(() => readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim());
  const basis = { bootId, marks: marks && { name: marks.name, bytes: marks.text.length }, checkedMs: now.getTime(), sessionsMs };
  if (kept === undefined) return { same: [], others: idsIn(paths), isOutdated: false, basis };
  const opened = openedSince(kept.basis, basis, marks?.text ?? '');
  const isSettled = kept.isWhole && kept.basis.sessionsMs === sessionsMs && kept.basis.checkedMs - sessionsMs > SETTLED_MS;
  const ids = isSettled ? undefined : new Set(idsIn(paths));
  const same: KnownSession[] = [];
  const others: string[] = [];
  let gone = 0;
  let at = 0;
  for (const known of kept.sessions) {
    const { sessionId } = known.entry;
    at += 1;
    if (ids !== undefined && !ids.delete(sessionId)) gone += 1;
    else if (opened !== undefined && at > ALWAYS_CHECKED && !opened.has(sessionId)) same.push(known);
    else if (isUnchanged(paths, known)) same.push(known);
    else others.push(sessionId);
  }
  return { same, others: [...others, ...(ids ?? [])], isOutdated: gone > 0 || (opened === undefined && bootId !== undefined), basis };
}

/** Of those used last, whatever wrote to them: a version that makes no marks. */
const ALWAYS_CHECKED = 100;
/** What changed as late as that may change once more without another time stamp. */
export const SETTLED_MS = 2_500;
const DAY_MS = 24 * 60 * 60 * 1_000;

/** The sessions that were opened since a list was kept; undefined when that cannot be known. */
function openedSince(kept: ListBasis, now: ListBasis, text: string): ReadonlySet<string> | undefined {
  const age = now.checkedMs - kept.checkedMs;
  if (now.bootId === undefined || kept.bootId !== now.bootId || !(age >= 0 && age < DAY_MS)) return undefined;
  if (kept.marks === undefined || kept.marks.name !== now.marks?.name || kept.marks.bytes > now.marks.bytes) return undefined;
  return new Set(text.slice(kept.marks.bytes).split('\n'));
}

function readMarks(paths: StorePaths): { readonly name: string; readonly text: string } | undefined {
  const text = orUndefined(() => readOwnFile(paths.sessionMarks))?.toString('latin1');
  const end = text?.indexOf('\n') ?? -1;
  return text === undefined || end <= 0 ? undefined : { name: text.slice(0, end), text };
}

const idsIn = (paths: StorePaths): readonly string[] => (orUndefined(() => readdirSync(paths.sessions)) ?? []).filter(isId);

const isUnchanged = (paths: StorePaths, { entry, logMs, folderMs }: KnownSession): boolean => {
  const states = fileStates(paths, entry.sessionId);
  return states?.bytes === entry.bytes && states.logMs === logMs && states.folderMs === folderMs;
};

/** Undefined when the session has no log. */
export function fileStates(paths: StorePaths, sessionId: string): FileStates | undefined {
  return orUndefined(() => {
    const folder = statSync(paths.session(sessionId));
    const log = lstatSync(paths.log(sessionId));
    return { bytes: log.size, logMs: log.mtimeMs, folderMs: folder.mtimeMs };
  });
}

const VERSION = 2;

/** What the file of the list holds. */
export type KeptList = {
  readonly basis: ListBasis;
  /** True when it has every session that was there. */
  readonly isWhole: boolean;
  readonly sessions: readonly KnownSession[];
};

/**
 * Its rows hold values without their names, and all of it is ASCII: in a home of 10,000 sessions, reading it is most of what
 * `sanbot history` does.
 */
export function encodeList({ basis, isWhole, sessions }: KeptList): Buffer {
  const rows = sessions.map(({ entry, logMs, folderMs }) => {
    const { sessionId, createdAt, updatedAt, cwd, model, group, title, bytes } = entry;
    return [sessionId, createdAt, updatedAt, cwd, model, group, title, bytes, logMs, folderMs];
  });
  const text = JSON.stringify({ v: VERSION, ...basis, isWhole, sessions: rows });
  return Buffer.from(text.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`));
}

/** Undefined where there is no such file, or one that cannot be used. */
export function readKept(paths: StorePaths): KeptList | undefined {
  const file = orUndefined(() => readOwnFile(paths.sessionList));
  const value = file === undefined ? undefined : parseJson(file.toString('latin1'));
  if (!isObject(value) || value.v !== VERSION || !Array.isArray(value.sessions)) return undefined;
  const { bootId, marks, checkedMs, sessionsMs, isWhole } = value;
  const sessions = value.sessions.map(readRow).filter((row) => row !== undefined);
  const basis = {
    bootId: isString(bootId) ? bootId : undefined,
    marks: isObject(marks) && isString(marks.name) && isNumber(marks.bytes) ? { name: marks.name, bytes: marks.bytes } : undefined,
    checkedMs: isNumber(checkedMs) ? checkedMs : Number.NaN,
    sessionsMs: isNumber(sessionsMs) ? sessionsMs : Number.NaN,
  };
  return { basis, isWhole: isWhole === true && sessions.length === value.sessions.length, sessions };
}

const isNumber = (value: unknown): value is number => typeof value === 'number';

/** By index: taking 10,000 rows apart costs ten times as much. */
function readRow(row: unknown): KnownSession | undefined {
  if (!Array.isArray(row)) return undefined;
  const cells: readonly unknown[] = row;
  const sessionId = cells[0];
  const createdAt = cells[1];
  const updatedAt = cells[2];
  const cwd = cells[3];
  const model = cells[4];
  const group = cells[5];
  const title = cells[6];
  const bytes = cells[7];
  const logMs = cells[8];
  const folderMs = cells[9];
  if (!isString(sessionId) || !isString(createdAt) || !isString(updatedAt) || !isString(cwd) || !isString(model)) return undefined;
  if (!isString(group) || !isString(title) || !isNumber(bytes) || !isNumber(logMs) || !isNumber(folderMs)) return undefined;
  if (!isId(sessionId)) return undefined;
  return { entry: { sessionId, createdAt, updatedAt, cwd, model, group, title, bytes, open: false }, logMs, folderMs };
}
