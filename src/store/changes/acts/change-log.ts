import { join } from 'node:path';
import type { Actor, Change, ChangeSet, Holding, LaterFile } from '../../../domain/session/change.ts';
import { lazily } from '../../../domain/value/word-list.ts';
import { type Disk, ensureFolder } from '../../files/disk.ts';
import { type LineFile, openLineFile } from '../../files/line-file.ts';
import { CHANGES_LOG } from '../../files/paths.ts';
import { changeLine, lastNumber, linesIn, readSets, setOf } from '../change-lines.ts';

export type Writing = {
  /** Undefined for an edit, which counts wherever its paths are. */
  readonly root: string | undefined;
  readonly actors: readonly Actor[];
  readonly ends?: readonly string[];
};

export type ChangeLog = ReturnType<typeof createChangeLog>;

/** Which of the changes of a folder leave a file that runs by itself later, by whom they may be. Never throws. */
export type FindLater = (changes: readonly Change[], root: string, actors: readonly Actor[]) => readonly LaterFile[];

/** A change that left such a file and of which nothing has been done yet. */
export type OpenChange = Change & LaterFile & { readonly n: number /** An earlier process saw it. */; readonly isEarlier: boolean };

/**
 * What is written down of changes, a line at a time; a line is on disk when its call returns. Throws store_failed. Of changes that may be of
 * one who may leave nothing that runs later, the line says what does: it is put back (`left-out`), whenever that can be.
 */
export function createChangeLog(disk: Disk, folder: string, findLater: FindLater = () => []) {
  const path = join(folder, CHANGES_LOG);
  let file: LineFile | undefined;
  let last: number | undefined;
  const append = (line: object): void => {
    ensureFolder(disk, folder);
    file ??= openLineFile(disk, path, { point: 'changes' }).file;
    file.append(Buffer.from(`${JSON.stringify(line)}\n`));
  };
  const held = lazily(
    () => new Map(readSets(path).flatMap(({ changes }) => changes.map(({ path: of, after }) => [of, after?.holds] as const))),
  );
  const sets = () => readSets(path);
  const open = lazily((): OpenChange[] => openIn(path));
  return {
    append,
    sets,
    lines: () => linesIn(path),
    heldAt: (of: string): Holding | undefined => held().get(of),
    /** What several may have done has the first of them as who did it, and names the others. */
    write: (changes: readonly Change[], { root, actors, ends = [] }: Writing): void => {
      const [by, ...also] = actors;
      if (changes.length + ends.length === 0) return;
      const over = { ...(ends.length > 0 && { ends }), ...(root !== undefined && { root }) };
      if (changes.length === 0) {
        append(over);
        return;
      }
      const later = root !== undefined && actors.some(({ held }) => held === true) ? findLater(changes, root, actors) : [];
      last = (last ?? lastNumber(linesIn(path))) + 1;
      const set = { n: last, at: disk.now().toISOString(), ...(by && { by }), ...(also.length > 0 && { also }) };
      if (later.length > 0) open();
      append({ ...set, ...over, ...(later.length > 0 && { later }), changes: changes.map(changeLine) });
      for (const { path: of, after } of changes) held().set(of, after?.holds);
      if (later.length > 0) open().push(...openOf({ n: last, at: set.at, changes, later }, false));
    },
    open: (): readonly OpenChange[] => open(),
    settleOpen: (all: readonly OpenChange[]): void => {
      if (all.length === 0) return;
      append({ leftOut: all.map(({ n, path: of }) => [n, of]) });
      const left = open().filter((each) => !all.includes(each));
      open().splice(0, Number.POSITIVE_INFINITY, ...left);
    },
    close: (): void => {
      file?.close();
      file = undefined;
    },
  };
}

function openIn(path: string): OpenChange[] {
  const lines = linesIn(path);
  const settled = new Set(lines.flatMap(({ leftOut }) => (Array.isArray(leftOut) ? leftOut.map((each) => JSON.stringify(each)) : [])));
  return lines
    .flatMap(setOf)
    .flatMap((set) => openOf(set, true))
    .filter(({ n, path: of }) => !settled.has(JSON.stringify([n, of])));
}

const openOf = ({ n, changes, later = [] }: ChangeSet, isEarlier: boolean): readonly OpenChange[] =>
  later.flatMap((each) => changes.filter(({ path }) => path === each.path).map((change) => ({ ...change, ...each, n, isEarlier })));
