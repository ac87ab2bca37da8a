/**
 * Versions of files for other machines, of edits and of what commands changed: for each session a journal of its own, with each change that
 * was noted on this machine and, before it, the contents that it names, which are objects (version-lines.ts).
 *
 * What comes in is added to the changes of the session that has the record before it, as if it had been noted here. A change of a state of a
 * session that is not here yet waits for that, and all of a session that is open. What is there is never changed, and contents are on disk
 * before the lines that name them. It may be killed anywhere and called again: what is there already is added to nothing.
 */

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Entry } from '../../domain/session/change.ts';
import { parseJson } from '../../domain/value/json.ts';
import { linesIn, setOf } from '../changes/change-lines.ts';
import { createContents } from '../changes/contents.ts';
import { keptReader } from '../changes/git/blobs.ts';
import { named } from '../changes/look/standing.ts';
import { writeFileAtomic } from '../files/atomic-write.ts';
import { type Disk, ensureFolder, entryExists, readOwnFile } from '../files/disk.ts';
import { CHANGES_LOG, isId, isVersionsLog, namesIn, type StorePaths, versionsLog } from '../files/paths.ts';
import { encodeRecord } from '../files/record-line.ts';
import { completeLines } from '../files/rewrite-lines.ts';
import { sha256Of } from '../session/bodies/body-text.ts';
import { appendTo, placeVersions, statesOf } from './place-versions.ts';
import {
  entriesOf,
  leavingSet,
  notedIn,
  recordBefore,
  recordTimes,
  toldSetLine,
  type Version,
  versionIn,
  versionObject,
} from './version-lines.ts';

type Leaving = { readonly writer: string; readonly mayLeave: (sessionId: string) => boolean };
type Objects = ReadonlyMap<string, Buffer>;

/** What a replica does of the logs of a home, as far as versions are done otherwise. */
type Base = {
  readonly object: (log: string, sha256: string) => Buffer | undefined;
  readonly append: (log: string, at: number, lines: Buffer, objects: Objects) => 'appended' | 'busy' | 'changed';
  readonly purge: (texts: readonly string[]) => 'obeyed' | 'busy' | 'refused';
};

/** What is larger is kept by git alone. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Contents that are in memory at once. */
const PAGE = { entries: 64, bytes: 16 * 1024 * 1024 };
const ANY: Entry = { kind: 'file', mode: 0, size: 0, mtime: 0, ctime: 0, ino: 0 };

export function createFileVersions(disk: Disk, paths: StorePaths, searchPath: string) {
  const pathOf = (log: string): string => join(paths.journals, `${log.slice(1)}.jsonl`);
  const readers = createReaders(disk, paths, searchPath);
  const eachNew = (leaving: Leaving, take: (session: string, lines: Iterable<NewLine>) => void) =>
    eachChanged(paths, leaving, (session) => {
      readers.forget();
      const path = pathOf(versionsLog(session, leaving.writer));
      take(session, newLines(disk, paths, { session, path, writer: leaving.writer, read: readers.of(session) }));
    });

  return {
    /** Brings the journals to what the home has. Call only under the lock of an exchange. */
    note: (leaving: Leaving): void => {
      const stamps = eachNew(leaving, (session, all) => {
        const lines = [...all].map(({ line }) => line);
        if (lines.length === 0) return;
        ensureFolder(disk, paths.journals);
        appendTo(disk, pathOf(versionsLog(session, leaving.writer)), lines);
      });
      const bytes = Buffer.from(`${JSON.stringify(stamps)}\n`);
      if (readOwnFile(paths.versioned)?.equals(bytes) !== true) writeFileAtomic(disk, paths.versioned, bytes, { point: 'versioned' });
      readers.forget();
    },
    /** The bytes that `note` would add, by session, with those of contents. Writes nothing. */
    unnoted: (leaving: Leaving): ReadonlyMap<string, number> => {
      const sizes = new Map<string, number>();
      eachNew(leaving, (session, lines) => {
        for (const { line, bytes } of lines) sizes.set(session, (sizes.get(session) ?? 0) + line.length + bytes);
      });
      return sizes;
    },
    /** A home that gives and takes versions too. */
    within: <T extends Base>(base: T): T => ({
      ...base,
      object: (log: string, sha256: string) => (isVersionsLog(log) ? readers.object(log, pathOf(log), sha256) : base.object(log, sha256)),
      append: (log: string, at: number, lines: Buffer, objects: Objects) => {
        const outcome = isVersionsLog(log) ? placeVersions(disk, paths, { log, lines, objects }) : 'appended';
        readers.forget();
        return outcome === 'appended' ? base.append(log, at, lines, objects) : outcome;
      },
      purge: (texts: readonly string[]) => {
        readers.forget();
        return base.purge(texts);
      },
    }),
  };
}

/** Reads contents, and keeps where they are until it is told to forget that. */
function createReaders(disk: Disk, paths: StorePaths, searchPath: string) {
  const readers = new Map<string, ReturnType<typeof keptReader>>();
  const told = new Map<string, ReadonlyMap<string, Version>>();
  const of = (session: string) => {
    const folder = paths.changes(session);
    const objects = { folder: join(folder, 'git'), searchPath };
    const made = readers.get(session) ?? keptReader({ objects, contents: createContents(disk, folder) });
    readers.set(session, made);
    return made;
  };
  return {
    of,
    /** An object of a journal, as it was sent first. */
    object: (log: string, path: string, sha256: string): Buffer | undefined => {
      const known = told.get(log) ?? new Map(versionsIn(path).map((version) => [version.sha256, version]));
      told.set(log, known);
      const version = known.get(sha256);
      if (version === undefined) return undefined;
      const { of: name, blob, under } = version;
      for (const session of statesOf(paths, log)) {
        const [content] = of(session)([{ ...ANY, holds: `sha256:${name}` }]);
        const [kept] = content !== undefined || blob === undefined ? [content] : of(session)([{ ...ANY, holds: `blob:${blob}` }]);
        const object = kept && versionObject(under, kept);
        if (object !== undefined && sha256Of(object) === sha256) return object;
      }
      return undefined;
    },
    forget: (): void => {
      readers.clear();
      told.clear();
    },
  };
}

/** Visits the sessions of which something changed since they were noted. Returns what tells how all stand now. */
function eachChanged(paths: StorePaths, { writer, mayLeave }: Leaving, visit: (session: string) => void): Readonly<Record<string, string>> {
  const stampsSchema = z.record(z.string(), z.string()).catch({});
  const before = stampsSchema.parse(parseJson(readOwnFile(paths.versioned) ?? ''));
  const after: Record<string, string> = {};
  for (const session of namesIn(paths.sessions).filter(isId)) {
    const folder = paths.changes(session);
    const all = [join(folder, CHANGES_LOG), folder].map((path) => statSync(path, { bigint: true, throwIfNoEntry: false }));
    if (all[0] === undefined || !entryExists(paths.log(session)) || !mayLeave(session)) continue;
    const stamp = [writer, ...all.map((stats) => `${stats?.ino} ${stats?.ctimeNs}`)].join(' ');
    if (before[session] !== stamp) visit(session);
    after[session] = stamp;
  }
  return after;
}

type NewLine = { readonly line: Buffer; readonly bytes: number };
type Noting = { readonly session: string; readonly path: string; readonly writer: string; readonly read: ReturnType<typeof keptReader> };

/** What a journal does not tell yet. What is no longer kept here, or of no change, is said to be dropped. */
function* newLines(disk: Disk, paths: StorePaths, { session, path, writer, read }: Noting): Generator<NewLine> {
  const known = notedIn(path);
  const folder = paths.changes(session);
  const own = linesIn(join(folder, CHANGES_LOG)).filter(({ of }) => of === undefined);
  const sets = new Map(own.flatMap(setOf).map((set) => [set.n, set]));
  const fresh = [...sets.values()].filter(({ n }) => !known.sets.has(n));
  const times = recordTimes(paths.log(session), new Set(fresh.flatMap((set) => recordBefore(set) ?? [])));
  for (const set of fresh) {
    for (const page of pagesOf(entriesOf(set).filter((entry) => isUnknown(entry, known))))
      for (const [at, content] of read(page).entries()) {
        if (content === undefined) continue;
        const [of, blob, under] = [sha256Of(content), named('blob', page[at]), `${writer} ${set.n}`];
        if (blob !== undefined) known.blobs.set(blob, of);
        if (known.versions.has(of)) continue;
        const object = sha256Of(versionObject(under, content));
        const version: Version = { type: 'version', sha256: object, of, under, bytes: content.length, ...(blob && { blob }) };
        known.versions.set(of, version);
        yield { line: encodeRecord(version), bytes: content.length };
      }
    const leaving = leavingSet(set, known.blobs);
    known.sets.set(set.n, leaving);
    yield { line: toldSetLine({ set: leaving, said: times.get(recordBefore(set) ?? -1) }), bytes: 0 };
  }
  const contents = createContents(disk, folder);
  const needed = new Set(
    [...known.sets.values()].filter(({ n }) => sets.has(n)).flatMap((set) => entriesOf(set).map(({ holds }) => holds)),
  );
  for (const { sha256, of, blob } of known.versions.values())
    if (!needed.has(`sha256:${of}`) || (blob === undefined && !contents.has(of)))
      yield { line: encodeRecord({ type: 'dropped', sha256 }), bytes: 0 };
}

function isUnknown(entry: Entry, { versions, blobs }: ReturnType<typeof notedIn>): boolean {
  const [of, blob] = [named('sha256', entry), named('blob', entry)];
  if (entry.kind !== 'file' || entry.size > MAX_BYTES) return false;
  return of !== undefined ? !versions.has(of) : blob !== undefined && !blobs.has(blob);
}

function* pagesOf(entries: readonly Entry[]): Generator<readonly Entry[]> {
  let [page, bytes]: [Entry[], number] = [[], 0];
  for (const entry of new Map(entries.map((each) => [each.holds, each])).values()) {
    if (page.length > 0 && (page.length === PAGE.entries || bytes + entry.size > PAGE.bytes)) {
      yield page;
      [page, bytes] = [[], 0];
    }
    page.push(entry);
    bytes += entry.size;
  }
  if (page.length > 0) yield page;
}

const versionsIn = (path: string): readonly Version[] =>
  [...completeLines(path)].flatMap(({ bytes }) => (bytes === undefined ? [] : (versionIn(bytes) ?? [])));
