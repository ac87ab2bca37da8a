import { join } from 'node:path';
import type { Actor, Change, Holding } from '../../../domain/session/change.ts';
import { lazily } from '../../../domain/value/word-list.ts';
import { type Disk, ensureFolder } from '../../files/disk.ts';
import { type LineFile, openLineFile } from '../../files/line-file.ts';
import { CHANGES_LOG } from '../../files/paths.ts';
import { changeLine, lastNumber, linesIn, readSets } from '../change-lines.ts';

/** Who may have made changes, where, and the ids of acts that are over with them. */
export type Writing = {
  /** Undefined for an edit, which counts wherever its paths are. */
  readonly root: string | undefined;
  readonly actors: readonly Actor[];
  readonly ends?: readonly string[];
};

export type ChangeLog = ReturnType<typeof createChangeLog>;

/** What is written down of changes, a line at a time; a line is on disk when its call returns. Throws store_failed. */
export function createChangeLog(disk: Disk, folder: string) {
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
  return {
    append,
    sets,
    lines: () => linesIn(path),
    /** What a path held after the last change of it that was written down. */
    heldAt: (of: string): Holding | undefined => held().get(of),
    /** What several may have done has the first of them as who did it, and names the others. */
    write: (changes: readonly Change[], { root, actors: [by, ...also], ends = [] }: Writing): void => {
      if (changes.length + ends.length === 0) return;
      const over = { ...(ends.length > 0 && { ends }), ...(root !== undefined && { root }) };
      if (changes.length === 0) {
        append(over);
        return;
      }
      last = (last ?? lastNumber(linesIn(path))) + 1;
      const set = { n: last, at: disk.now().toISOString(), ...(by && { by }), ...(also.length > 0 && { also }) };
      append({ ...set, ...over, changes: changes.map(changeLine) });
      for (const { path: of, after } of changes) held().set(of, after?.holds);
    },
    close: (): void => {
      file?.close();
      file = undefined;
    },
  };
}
