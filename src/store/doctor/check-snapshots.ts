import { SanbotError } from '../../domain/errors.ts';
import { type Bilingual, because, isBilingual } from '../../domain/language.ts';
import { writeFileAtomic } from '../files/atomic-write.ts';
import { type Disk, entryExists, readOwnFile } from '../files/disk.ts';
import { parseSnapshotId, type StorePaths } from '../files/paths.ts';
import { encodePage } from '../files/record-line.ts';
import { sha256Of } from '../session/bodies/body-text.ts';
import { rebuiltMeta } from '../snapshot/rebuilt-meta.ts';
import { decodeSnapshot } from '../snapshot/snapshot-file.ts';
import { readMeta, type SnapshotLocation, snapshotsIn } from '../snapshot/snapshots.ts';
import { type Finding, finding, orUnreadable, type PartialFinding, type RepairResult } from './finding.ts';
import { attemptRepair, moveAside } from './home-files.ts';

export type SnapshotFinding = Finding & { readonly id: string; readonly group: string };

/** Verifies all snapshots, or those of one session: the meta, the hash of the bytes, and each body. Changes nothing and never throws. */
export function checkSnapshots(paths: StorePaths, sessionId: string | undefined): readonly SnapshotFinding[] {
  return snapshotsIn(paths).flatMap(({ timestamp: _, ...location }) => {
    if (sessionId !== undefined && sessionId !== location.sessionId) return [];
    const found = orUnreadable(paths.snapshot(location.group, location.id), () => checkOne(paths, location));
    return found.map((each) => ({ ...each, ...location }));
  });
}

function checkOne(paths: StorePaths, { group, id, sessionId }: SnapshotLocation): readonly PartialFinding[] {
  const path = paths.snapshot(group, id);
  const metaPath = paths.snapshotMeta(group, id);
  const bytes = readOwnFile(path);
  if (bytes === undefined) {
    const what = { en: 'the messages of this snapshot are gone; only its meta file is there', zh: '此快照的消息已不存在；只剩元数据文件' };
    return [finding('snapshot_altered', metaPath, what)];
  }
  const decoded = decodeSnapshot(bytes, { id, sessionId });
  const meta = readMeta(paths, group, id);
  if (decoded.kind === 'damaged') return [finding('snapshot_altered', path, because(CHANGED, decoded.why))];
  if (isBilingual(meta)) {
    // As a kill leaves it that comes before the meta file; the next opening of its session writes it.
    if (!entryExists(metaPath)) return [finding('snapshot_unlisted', metaPath, UNLISTED)];
    return [
      finding('snapshot_meta', metaPath, { en: 'the meta file is damaged; the snapshot is whole', zh: '元数据文件已损坏；快照完好' }),
    ];
  }
  const why = { en: 'sha256 differs from that of its meta file', zh: 'sha256 与元数据文件中的不一致' };
  return sha256Of(bytes) === meta.sha256 ? [] : [finding('snapshot_altered', path, because(CHANGED, why))];
}

const UNLISTED: Bilingual = {
  en: 'there is none yet; the snapshot is whole, and is listed again once its session is opened',
  zh: '尚不存在；快照完好，打开其会话后会重新列出',
};
const CHANGED: Bilingual = { en: 'not as it was written', zh: '与写入时不同' };

type SnapshotRepair = { readonly finding: SnapshotFinding; readonly setAsideFolder: string };

/** Rewrites a missing or damaged meta, or moves an altered snapshot aside. Never throws. */
export function repairSnapshot(disk: Disk, paths: StorePaths, { finding: found, setAsideFolder }: SnapshotRepair): readonly RepairResult[] {
  const { id, group, kind } = found;
  const files = [paths.snapshotMeta(group, id), paths.snapshot(group, id)];
  const moveAll = () => files.filter(entryExists).map((path) => moveAside(disk, path, setAsideFolder));
  if (kind === 'snapshot_altered') return attemptRepair(found.path, () => movedText(moveAll()));
  if (kind !== 'snapshot_meta' && kind !== 'snapshot_unlisted') return [];
  return attemptRepair(found.path, () => {
    const meta = rebuiltMeta(paths, { group, id, sessionId: parseSnapshotId(id)?.sessionId ?? '' });
    if (meta === undefined) throw new SanbotError('store_damaged', { en: 'the snapshot has changed meanwhile', zh: '快照其间已更改' });
    const path = paths.snapshotMeta(group, id);
    const former = entryExists(path) ? moveAside(disk, path, setAsideFolder) : undefined;
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
