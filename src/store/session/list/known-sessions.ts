import { lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { orUndefined } from '../../../domain/value/or-undefined.ts';
import { readOwnFile } from '../../files/disk.ts';
import { isId } from '../../files/ids.ts';
import type { StorePaths } from '../../files/paths.ts';
import { type KeptList, type KnownSession, type ListBasis, readKept } from './kept-list.ts';

type FileStates = Pick<KnownSession, 'logMs' | 'folderMs'> & { readonly bytes: number };

/** The sessions of a home, as far as the list that was kept is still true. */
export type CheckedSessions = {
  /** Undefined when there is none that can be used. */
  readonly list: KeptList | undefined;
  /** Its rows that count no more. Of the others, no session is open. */
  readonly changed: ReadonlySet<number>;
  /** The ids of all others. */
  readonly others: readonly string[];
  /** True when the list should be kept anew even where little has changed: it has sessions that are gone, or every one had to be looked at. */
  readonly isOutdated: boolean;
  /** What it was compared with: kept with the next list. */
  readonly basis: ListBasis;
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
  if (kept === undefined) return { list: kept, changed: new Set(), others: idsIn(paths), isOutdated: false, basis };
  const opened = openedSince(kept.basis, basis, marks?.text ?? '');
  const isSettled = kept.isWhole && kept.basis.sessionsMs === sessionsMs && kept.basis.checkedMs - sessionsMs > SETTLED_MS;
  const ids = isSettled ? undefined : new Set(idsIn(paths));
  const changed = new Set<number>();
  const others: string[] = [];
  let gone = 0;
  const look = (sessionId: string, row: number): void => {
    const isGone = ids !== undefined && !ids.delete(sessionId);
    if (!isGone && isUnchanged(paths, kept.knownAt(row))) return;
    changed.add(row);
    if (isGone) gone += 1;
    else if (isId(sessionId)) others.push(sessionId);
  };
  const all = kept.shown.sessionId;
  // Most rows of a long list are not looked at, and little is done for them.
  for (let row = 0; row < all.length; row++) {
    const sessionId = all[row] ?? '';
    if (row < ALWAYS_CHECKED || opened === undefined || opened.has(sessionId) || ids?.has(sessionId) === false) look(sessionId, row);
    else ids?.delete(sessionId);
  }
  const isOutdated = gone > 0 || (opened === undefined && bootId !== undefined);
  return { list: kept, changed, others: [...others, ...(ids ?? [])], isOutdated, basis };
}

/** The rows of the sessions that are as they were, last used first. */
export const sameRows = ({ list, changed }: CheckedSessions): readonly number[] =>
  [...(list?.shown.sessionId.keys() ?? [])].filter((row) => !changed.has(row));

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
