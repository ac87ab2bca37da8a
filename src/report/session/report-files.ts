import { resolve } from 'node:path';
import type { ToolCall } from '../../context/ledger/types.ts';
import type { FileRecord } from '../../domain/session/record.ts';

type OneFile = {
  reads: number;
  /** Changes that the log recorded with both contents. */
  recorded: number;
  /** Calls of tools that change files, and commands that plainly write to one; what they did is not recorded. */
  called: number;
  /** Bytes before the first change and after the last; null for no file, undefined when nothing is recorded. */
  before: number | null | undefined;
  after: number | null | undefined;
};

/** By path, as the calls and records name it. */
export type FileTally = Map<string, OneFile>;

export const noFiles = (): FileTally => new Map();

/** Notes what a call that succeeded did to files, or what the log recorded of a change. */
export function addFile(files: FileTally, done: ToolCall | FileRecord): void {
  if ('type' in done) {
    const file = fileAt(files, done.path);
    file.recorded += 1;
    if (file.before === undefined) file.before = done.before?.bytes ?? null;
    file.after = done.after?.bytes ?? null;
    return;
  }
  for (const path of done.paths) {
    const file = fileAt(files, path);
    if (done.kind === 'read') file.reads += 1;
    if (done.kind === 'write' || done.kind === 'run') file.called += 1;
  }
}

function fileAt(files: FileTally, path: string): OneFile {
  const file = files.get(path) ?? { reads: 0, recorded: 0, called: 0, before: undefined, after: undefined };
  files.set(path, file);
  return file;
}

export type TouchedFile = {
  readonly path: string;
  readonly reads: number;
  readonly changes: number;
  readonly before: number | null | undefined;
  readonly after: number | null | undefined;
};

/** Each file once, whatever it was called: what changed first, then what was only read. `lookUps`: reads of results that SanBot keeps. */
export function touchedFiles(
  files: FileTally,
  where: { readonly cwd: string; readonly home: string },
): { readonly files: readonly TouchedFile[]; readonly lookUps: number } {
  const merged = new Map<string, OneFile>();
  let lookUps = 0;
  for (const [named, file] of files) {
    const path = resolve(where.cwd, named);
    if (path.startsWith(`${where.home}/`)) {
      lookUps += file.reads;
      continue;
    }
    const sum = fileAt(merged, path);
    sum.reads += file.reads;
    sum.recorded += file.recorded;
    sum.called += file.called;
    if (sum.before === undefined) sum.before = file.before;
    if (file.after !== undefined) sum.after = file.after;
  }
  // A change by a tool of SanBot's is a call and a record; where a link gave it two names, the record is right.
  const touched = [...merged].map(([path, { reads, recorded, called, before, after }]) => ({
    path,
    reads,
    changes: Math.max(recorded, called),
    before,
    after,
  }));
  const named = touched.filter(({ reads, changes }) => reads + changes > 0);
  return { files: named.sort((a, b) => b.changes - a.changes || b.reads - a.reads || (a.path < b.path ? -1 : 1)), lookUps };
}
