import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldTree } from '../../../../src/tools/search/list-files.ts';
import { createWorld } from '../world.ts';

test('files stand below their folders in order, ignored ones are only named [C54]', async () => {
  const world = createWorld();
  for (const path of ['b.txt', 'a.txt', 'src/z.ts', 'src/lib/中文.ts', '.github/ci.yml', 'dist/out.js', '.git/config'])
    world.put(path, 'x');
  world.put('.gitignore', 'dist/\n');
  mkdirSync(join(world.cwd, 'void'));
  expect(await world.call('list_files', {})).toEqual({
    ok: true,
    content: [
      '.: 6 files in 3 folders; not walked (ignored, empty or a link): .git/ dist/ void/',
      '.gitignore',
      'a.txt',
      'b.txt',
      '.github/',
      '  ci.yml',
      'src/',
      '  z.ts',
      'src/lib/',
      '  中文.ts',
    ].join('\n'),
    note: expect.objectContaining({ en: '6 files in 3 folders' }),
  });
  expect((await world.call('list_files', { path: 'src' })).content).toBe('src: 2 files in 1 folder\nz.ts\nlib/\n  中文.ts');
});

test('ignore files are obeyed in a repository and without one', async () => {
  for (const git of [true, false]) {
    const world = createWorld();
    if (git) execFileSync('git', ['init', '-q'], { cwd: world.cwd });
    world.put('.gitignore', '*.log\n');
    world.put('sub/a.log', 'x');
    world.put('sub/a.txt', 'x');
    world.put('.ignore', 'secret.txt\n');
    world.put('secret.txt', 'x');
    expect((await world.call('list_files', { path: 'sub' })).content).toBe(
      'sub: 1 file in 0 folders; not walked (ignored, empty or a link): a.log\na.txt',
    );
    expect((await world.call('list_files', {})).content).toMatch(/not walked \(ignored, empty or a link\): (?:\.git\/ )?secret\.txt[ \n]/);
  }
});

test('a tree too large to show keeps folders closed, with their counts [C54]', async () => {
  const world = createWorld();
  for (let i = 0; i < 1_200; i++) world.put(`big/f${i}.txt`, '');
  world.put('src/a.ts', '');
  expect((await world.call('list_files', {})).content).toBe(
    '.: 1201 files in 2 folders; a folder with a count is not opened: list it by its path\nbig/ (1200 files)\nsrc/\n  a.ts',
  );
  const big = (await world.call('list_files', { path: 'big' })).content.split('\n');
  expect(big).toHaveLength(802);
  expect(big.at(-1)).toBe('… and 400 more files');
});

test('what is no folder, or not there, is told', async () => {
  const world = createWorld();
  world.put('a.txt', 'x');
  expect(await world.call('list_files', { path: 'a.txt' })).toMatchObject({
    ok: false,
    content: 'a.txt: is not a folder; read_file reads files',
  });
  expect(await world.call('list_files', { path: 'none' })).toMatchObject({ ok: false, content: 'none: no such folder' });
  mkdirSync(join(world.cwd, 'void'));
  expect(await world.call('list_files', { path: 'void' })).toMatchObject({ ok: true, content: 'void: 0 files in 0 folders' });
});

test('a folded tree is bounded and accounts for every file', () => {
  const part = fc.constantFrom('a', 'b', 'c', 'd');
  const paths = fc.uniqueArray(
    fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => `${parts.join('/')}.f`),
    { maxLength: 40 },
  );
  fc.assert(
    fc.property(paths, fc.integer({ min: 1, max: 30 }), (files, maxLines) => {
      const { lines } = foldTree(files, maxLines);
      const counted = lines.map((line) =>
        Number(/ \((\d+) files?\)$/.exec(line)?.[1] ?? /^ *… and (\d+) more files$/.exec(line)?.[1] ?? (line.endsWith('.f') ? 1 : 0)),
      );
      expect(counted.reduce((sum, n) => sum + n, 0)).toBe(files.length);
      // Headings come on top of the entries, one for each open folder, and the root's own folders are always shown.
      expect(lines.filter((line) => !line.endsWith('/')).length).toBeLessThanOrEqual(Math.max(maxLines, 4 + maxLines + 1));
    }),
  );
});
