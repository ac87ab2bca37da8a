import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lookBelow } from '../../../../../src/tools/command/lost/lost-paths.ts';
import { afterThisFile } from '../../../../support/clean-up.ts';

const root = mkdtempSync(join(tmpdir(), 'sanbot-below-'));
afterThisFile(() => rmSync(root, { recursive: true, force: true }));
mkdirSync(join(root, 'sub', 'skipped'), { recursive: true });
for (const name of ['a', 'b', 'sub/c', 'sub/skipped/d']) writeFileSync(join(root, name), name);
symlinkSync('/', join(root, 'link'));

const seen = (left: number): readonly string[] =>
  [...lookBelow(root, (folder) => folder.endsWith('skipped'), { left })].map(({ path }) => path.slice(root.length + 1)).sort();

test('what stands below a folder is seen, a link as itself, what is passed over left out', () => {
  expect(seen(100)).toEqual(['a', 'b', 'link', 'sub/c']);
});

test('no more is looked at than the bound', () => {
  expect(seen(2).length).toBeLessThanOrEqual(2);
  expect(seen(0)).toEqual([]);
});
