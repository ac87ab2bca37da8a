import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../../support/destructive.ts';
import { actsIn, pathsOf, workFolders } from '../../unit/store/changes/world.ts';

test('a folder with 10,000 levels is looked at as far as the system names them, and that is told', async () => {
  const { root } = workFolders();
  writeFileSync(join(root, 'a'), 'a');
  run(root, `python3 -c "import os\nfor i in range(10000): os.mkdir('d'); os.chdir('d')"`);
  const acts = actsIn(root);
  const { set, uncovered } = acts.act('rm a');
  expect(pathsOf(root, set)).toEqual(['a']);
  expect([...uncovered.values()]).toEqual(['unreadable']);
  expect(await acts.undo()).toEqual([]);
  expect(readFileSync(join(root, 'a'), 'utf8')).toBe('a');
  run(root, 'rm -rf d');
});
