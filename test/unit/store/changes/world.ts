import { mkdirSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { undoOf } from '../../../../src/context/history/past.ts';
import type { ChangeSet } from '../../../../src/domain/session/change.ts';
import type { Changes, ChangesOptions } from '../../../../src/store/changes/changes.ts';
import type { FaultHook } from '../../../../src/store/files/host.ts';
import { openRecord } from '../../../support/change-records.ts';
import { run } from '../../../support/destructive.ts';
import { newFolder, worldOf } from '../files/world.ts';

/** An empty working folder, and another one beside it. */
export function workFolders() {
  const base = realpathSync(newFolder());
  const [root, outside] = [join(base, 'w'), join(base, 'outside')];
  for (const folder of [root, outside]) mkdirSync(folder);
  return { root, outside };
}

type ActsOptions = Pick<ChangesOptions, 'findLater' | 'mayRunLater'> & {
  /** Its acts are in the sandbox. */
  readonly held?: boolean;
  readonly searchPath?: string;
  readonly lookMs?: number;
  readonly now?: () => Date;
  readonly cpuMs?: () => number;
  readonly waitedMs?: () => number;
  readonly load?: () => number;
  readonly at?: FaultHook;
};

const noFault: FaultHook = () => undefined;

export type Acts = ReturnType<typeof actsIn>;

/** What is kept of a working folder: commands run in it as an agent runs them, and what they did is undone. */
export function actsIn(
  root: string,
  {
    searchPath = process.env.PATH ?? '',
    lookMs = 60_000,
    now = () => new Date(),
    at = noFault,
    cpuMs,
    waitedMs,
    load,
    findLater,
    mayRunLater,
    held = false,
  }: ActsOptions = {},
) {
  const { disk, paths } = worldOf({ now, at });
  const folder = join(paths.home, 'changes');
  const changes: Changes = openRecord({ ...disk, cpuMs, waitedMs, load }, folder, { searchPath, lookMs, findLater, mayRunLater });
  let calls = 0;
  const begin = (title: string, names: readonly string[] = []) =>
    changes.begin(root, { id: `call-${++calls}`, title, record: calls, ...(held && { held }) }, () => names);
  const act = (command: string) => {
    const running = begin(command);
    const { status, stderr } = run(root, command);
    if (status !== 0) throw new Error(stderr);
    return running.end();
  };
  const undo = (isUndone: (set: ChangeSet) => boolean = () => true) => {
    const undos = undoOf(changes.sets(), isUndone);
    const all = undos.map(({ path, target }) => ({ path, to: target }));
    return changes.restore(all, root, { id: `call-${++calls}`, title: 'restore', record: calls });
  };
  const keptText = (): string =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
      .join('\n');
  return { folder, changes, begin, act, undo, keptText };
}

/** The paths that differ, below the folder. */
export const pathsOf = (root: string, set: ChangeSet | undefined): readonly string[] =>
  (set?.changes ?? []).map(({ path }) => path.slice(root.length + 1)).toSorted();
