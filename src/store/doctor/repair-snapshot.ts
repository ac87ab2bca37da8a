import { writeFileAtomic } from '../files/atomic-write.ts';
import type { Disk } from '../files/disk.ts';
import { entryExists } from '../files/disk.ts';
import { parseSnapshotId } from '../files/ids.ts';
import type { StorePaths } from '../files/paths.ts';
import { encodePage } from '../files/record-line.ts';
import { rebuiltMeta, type SnapshotFinding } from './check-snapshots.ts';
import type { RepairResult } from './finding.ts';
import { attemptRepair, moveAside } from './repair-files.ts';

export type SnapshotRepair = { readonly finding: SnapshotFinding; readonly setAsideFolder: string };

/** Rewrites a missing or damaged meta, or moves an altered snapshot aside. Never throws. */
export function repairSnapshot(disk: Disk, paths: StorePaths, { finding, setAsideFolder }: SnapshotRepair): readonly RepairResult[] {
  const { id, group, kind } = finding;
  const files = [paths.snapshotMeta(group, id), paths.snapshot(group, id)];
  const moveAll = () => files.filter(entryExists).map((path) => moveAside(disk, path, { home: paths.home, setAsideFolder }));
  if (kind === 'snapshot_altered') return attemptRepair(finding.path, () => `set aside as ${moveAll().join(' and ')}`);
  if (kind !== 'snapshot_meta') return [];
  return attemptRepair(finding.path, () => {
    const meta = rebuiltMeta(paths, { group, id, sessionId: parseSnapshotId(id)?.sessionId ?? '' });
    if (meta === undefined) throw new Error('the snapshot has changed meanwhile');
    const path = paths.snapshotMeta(group, id);
    const note = entryExists(path) ? `; what was there is in ${moveAside(disk, path, { home: paths.home, setAsideFolder })}` : '';
    writeFileAtomic(disk, path, encodePage(meta), { point: 'meta' });
    return `written anew from the snapshot${note}`;
  });
}
