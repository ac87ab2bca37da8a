import { expect, test } from 'vitest';
import { changedPaths } from '../../../../src/context/history/changes-text.ts';
import type { Change, ChangeSet, Entry } from '../../../../src/domain/session/change.ts';

const file: Entry = { kind: 'file', mode: 0o644, size: 1, mtime: 0, ctime: 0, ino: 0 };
const made = (path: string): Change => ({ path, before: null, after: file });
const gone = (path: string): Change => ({ path, before: file, after: null });
const set = (...changes: readonly Change[]): ChangeSet => ({ n: 1, at: '', changes });

test('the paths are those of files, from the working folder or absolute, by what stands there at the end', () => {
  const folder: Change = { path: '/w/d', before: null, after: { ...file, kind: 'folder' } };
  const first = set(made('/w/甲 a.txt'), made('/w/tmp'), gone('/w/old'), made('/elsewhere/b'), folder, made('/w/.git/index'));
  expect(changedPaths([first, set(gone('/w/tmp'))], '/w')).toEqual({ files: ['甲 a.txt', '/elsewhere/b'], deleted: ['tmp', 'old'] });
  expect(changedPaths([set(folder, made('/w/.git/HEAD'))], '/w')).toBeUndefined();
  expect(changedPaths([], '/w')).toBeUndefined();
});

test('of many files the folders are named, as deep as few can be, each with a slash at its end', () => {
  const many = (folder: string, count: number) => Array.from({ length: count }, (_, i) => made(`/w/${folder}/f${i}.ts`));
  expect(changedPaths([set(...many('src/gen', 30), ...many('docs', 2), made('/w/top.txt'))], '/w')?.files).toEqual([
    'src/gen/',
    'docs/',
    './',
  ]);
  const wide = Array.from({ length: 40 }, (_, i) => made(`/w/src/p${i}/x/a.ts`));
  expect(changedPaths([set(...wide, made('/tmp/out/a'))], '/w')?.files).toEqual(['src/', '/tmp/']);
  const flat = Array.from({ length: 40 }, (_, i) => made(`/w/p${i}/a`));
  expect(changedPaths([set(...flat)], '/w')?.files).toEqual(['./']);
});
