import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { FILES_A_BATCH } from '../../../../src/store/changes/replace-files.ts';
import { treeOf } from '../../../support/folder-facts.ts';
import { actsIn, workFolders } from './world.ts';

/** So many files that a command deletes; each step of the restore on the disk is passed to `at`. */
function deleted(count: number, at: (point: string) => void) {
  const { root } = workFolders();
  mkdirSync(join(root, 'd'));
  for (let i = 0; i < count; i++) writeFileSync(join(root, 'd', `f${i}`), `file ${i}`);
  let isRestoring = false;
  const acts = actsIn(root, {
    at: (point) => {
      if (isRestoring) at(point);
      return undefined;
    },
  });
  const before = treeOf(root);
  acts.act('rm -rf d');
  isRestoring = true;
  return { root, before, acts };
}

describe('files that are put back', () => {
  test('are on disk before they have their names, and their names before the end of the restore is written', async () => {
    const points: string[] = [];
    const count = FILES_A_BATCH + 5;
    const { root, before, acts } = deleted(count, (point) => points.push(point));
    expect(await acts.undo()).toEqual([]);
    expect(treeOf(root)).toEqual(before);
    let [synced, renamed] = [0, 0];
    for (const point of points) {
      if (point === 'restore.sync') synced += 1;
      if (point === 'restore.rename') renamed += 1;
      expect(renamed).toBeLessThanOrEqual(synced);
    }
    expect([synced, renamed]).toEqual([count, count]);
    expect(points.indexOf('restore.folder.sync')).toBeGreaterThan(points.lastIndexOf('restore.rename'));
    expect(points.findLastIndex((point) => point.startsWith('changes.'))).toBeGreaterThan(points.lastIndexOf('restore.folder.sync'));
  });

  test.each(['restore.write', 'restore.sync', 'restore.rename'])(
    'stay as they were where %s fails, and all others come back',
    async (failing) => {
      let isFirst = true;
      const { root, acts } = deleted(3, (point) => {
        if (point !== failing || !isFirst) return;
        isFirst = false;
        throw new Error('the disk failed');
      });
      const [problem, ...more] = await acts.undo();
      expect([problem?.why.en, more]).toEqual(['the disk failed', []]);
      const names = readdirSync(join(root, 'd'));
      expect(names).toHaveLength(2);
      expect(names.map((name) => join(root, 'd', name))).not.toContain(problem?.path);
      for (const name of names) expect(readFileSync(join(root, 'd', name), 'utf8')).toBe(name.replace('f', 'file '));
    },
  );
});
