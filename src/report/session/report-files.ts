import { resolve } from 'node:path';
import type { ToolCall } from '../../context/ledger/types.ts';
import { actorsOf, type ChangeSet, isFileChange } from '../../domain/session/change.ts';
import type { FileRecord } from '../../domain/session/record.ts';

type FileCounts = {
  reads: number;
  /** Changes that were recorded with what was there before and after. */
  recorded: number;
  /** Calls of tools that change files, and commands that plainly write to one; what they did is not recorded. */
  called: number;
  /** Bytes before the first change and after the last; null for no file, undefined when nothing is recorded. */
  before: number | null | undefined;
  after: number | null | undefined;
};

export type FileTally = Map<string, FileCounts>;

export const emptyFileTally = (): FileTally => new Map();

export function addFile(files: FileTally, change: ToolCall | FileRecord): void {
  if ('type' in change) {
    addChange(files, change.path, change.before?.bytes ?? null, change.after?.bytes ?? null);
    return;
  }
  for (const path of change.paths) {
    const file = fileAt(files, path);
    if (change.kind === 'read') file.reads += 1;
    if (change.kind === 'write' || change.kind === 'run') file.called += 1;
  }
}

function addChange(files: FileTally, path: string, before: number | null, after: number | null): void {
  const file = fileAt(files, path);
  file.recorded += 1;
  if (file.before === undefined) file.before = before;
  file.after = after;
}

function fileAt(files: FileTally, path: string): FileCounts {
  const file = files.get(path) ?? { reads: 0, recorded: 0, called: 0, before: undefined, after: undefined };
  files.set(path, file);
  return file;
}

export type TouchedFile = Readonly<Pick<FileCounts, 'reads' | 'before' | 'after'>> & { readonly path: string; readonly changes: number };

/** `changes` were recorded beside the log, after what it tells itself. `lookUps`: reads of results that SanBot keeps. */
export function touchedFiles(
  files: FileTally,
  folders: { readonly cwd: string; readonly home: string; readonly changes: readonly ChangeSet[] },
): { readonly files: readonly TouchedFile[]; readonly lookUps: number } {
  const mergedFiles = new Map<string, FileCounts>();
  let lookUps = 0;
  for (const [name, file] of files) {
    const path = resolve(folders.cwd, name);
    if (path.startsWith(`${folders.home}/`)) {
      lookUps += file.reads;
      continue;
    }
    const sum = fileAt(mergedFiles, path);
    sum.reads += file.reads;
    sum.recorded += file.recorded;
    sum.called += file.called;
    if (sum.before === undefined) sum.before = file.before;
    if (file.after !== undefined) sum.after = file.after;
  }
  for (const { path, before, after } of folders.changes.flatMap((set) =>
    actorsOf(set).length === 0 ? [] : set.changes.filter(isFileChange),
  ))
    addChange(mergedFiles, path, before?.size ?? null, after?.size ?? null);
  // A change by a tool of SanBot's is a call and a record; where a link gave it two names, the record is right.
  const touched = [...mergedFiles]
    .map(([path, { recorded, called, ...file }]) => ({ path, ...file, changes: Math.max(recorded, called) }))
    .filter(({ reads, changes }) => reads + changes > 0);
  return { files: touched.sort((a, b) => b.changes - a.changes || b.reads - a.reads || (a.path < b.path ? -1 : 1)), lookUps };
}
