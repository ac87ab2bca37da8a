import { lstatSync } from 'node:fs';
import type { Disk } from '../files/disk.ts';
import { parseSnapshotId } from '../files/ids.ts';
import type { StorePaths } from '../files/paths.ts';
import { replaceFile } from '../files/replace-file.ts';
import { rebuiltMeta, type SnapshotFinding } from './check-snapshots.ts';
import type { Repaired } from './finding.ts';
import { attempt, moveAside } from './repair-files.ts';

export type SnapshotRepair = { readonly found: SnapshotFinding; readonly setAside: string };

/** Writes a lost meta anew, or takes an altered snapshot out of the list. Never throws. */
export function repairSnapshot(disk: Disk, paths: StorePaths, { found, setAside }: SnapshotRepair): readonly Repaired[] {
  const { id, group, kind } = found;
  const files = [paths.snapshotMeta(group, id), paths.snapshot(group, id)];
  const aside = () => files.filter(isThere).map((path) => moveAside(disk, path, { home: paths.home, setAside }));
  if (kind === 'snapshot_altered') return attempt(found.path, () => `set aside as ${aside().join(' and ')}`);
  if (kind !== 'snapshot_meta') return [];
  return attempt(found.path, () => {
    const meta = rebuiltMeta(paths, { group, id, sessionId: parseSnapshotId(id)?.sessionId ?? '' });
    if (meta === undefined) throw new Error('the snapshot has changed meanwhile');
    const path = paths.snapshotMeta(group, id);
    const former = isThere(path) ? `; what was there is in ${moveAside(disk, path, { home: paths.home, setAside })}` : '';
    replaceFile(disk, path, Buffer.from(`${JSON.stringify(meta, null, 2)}\n`), { point: 'meta' });
    return `written anew from the snapshot${former}`;
  });
}

const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;
