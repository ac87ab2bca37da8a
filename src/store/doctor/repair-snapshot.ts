import { SanbotError } from '../../domain/errors.ts';
import type { Bilingual } from '../../domain/language.ts';
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
  if (kind === 'snapshot_altered') return attemptRepair(finding.path, () => movedText(moveAll()));
  if (kind !== 'snapshot_meta') return [];
  return attemptRepair(finding.path, () => {
    const meta = rebuiltMeta(paths, { group, id, sessionId: parseSnapshotId(id)?.sessionId ?? '' });
    if (meta === undefined) throw new SanbotError('store_damaged', { en: 'the snapshot has changed meanwhile', zh: '快照其间已更改' });
    const path = paths.snapshotMeta(group, id);
    const former = entryExists(path) ? moveAside(disk, path, { home: paths.home, setAsideFolder }) : undefined;
    writeFileAtomic(disk, path, encodePage(meta), { point: 'meta' });
    return {
      en: `written anew from the snapshot${former === undefined ? '' : `; what was there is in ${former}`}`,
      zh: `已从快照重写${former === undefined ? '' : `；原有内容在 ${former}`}`,
    };
  });
}

const movedText = (paths: readonly string[]): Bilingual => ({
  en: `set aside as ${paths.join(' and ')}`,
  zh: `已移到 ${paths.join(' 和 ')}`,
});
