import { execFileSync } from 'node:child_process';
import { lstatSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { gitlinksIn, indexMeaning, readGitIndex } from '../../../../../src/store/changes/git/git-index.ts';
import { standingOf } from '../../../../../src/store/changes/look/standing.ts';
import { gitIn } from '../../../../support/repositories.ts';
import { newFolder } from '../../files/world.ts';

function repository(format: 'sha1' | 'sha256', version: number) {
  const root = newFolder();
  const git = gitIn(root);
  git('init', '-q', `--object-format=${format}`);
  for (const name of ['a.txt', 'a-longer-name.txt', '中文 名.md', 'tab\tname', 'x'.repeat(250)])
    writeFileSync(join(root, name), `${name}\n`);
  writeFileSync(join(root, 'tool.sh'), 'true\n', { mode: 0o755 });
  execFileSync('ln', ['-s', 'a.txt', join(root, 'link')]);
  // Older than the index, so that nothing is in doubt.
  for (const line of git('ls-files', '-o', '-z')
    .split('\0')
    .filter((name) => name !== '' && name !== 'link'))
    utimesSync(join(root, line), 1e9, 1e9);
  git('add', '-A');
  git('update-index', '--index-version', `${version}`);
  return { root, git, path: join(root, '.git', 'index') };
}

/** How long an id is has nothing to do with how a version writes paths. */
const CASES = [
  ['sha1', 2],
  ['sha256', 4],
] as const;

describe('the index of a repository', () => {
  test.each(CASES)('of %s in version %i names repositories of their own, sealed or not, and says when it is split', (format, version) => {
    const { git, path } = repository(format, version);
    expect(gitlinksIn(readFileSync(path))).toEqual([]);
    git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(format === 'sha1' ? 40 : 64)},__pycache__/evil`);
    const bytes = readFileSync(path);
    expect(gitlinksIn(bytes)).toEqual(['__pycache__/evil']);
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
    expect(gitlinksIn(bytes)).toEqual(['__pycache__/evil']);
    const index = readGitIndex(path, format === 'sha1' ? 20 : 32);
    expect(['__pycache__', '__pycache__/evil', '__pycache__/other', 'evil'].map((name) => index?.isFolder(name))).toEqual([
      ...[true, true, false, false],
    ]);
    git('update-index', '--split-index');
    expect(gitlinksIn(readFileSync(path))).toBe(undefined);
  });

  test.each(CASES)('of %s in version %i has the files as git lists them, links left out', (format, version) => {
    const { root, git, path } = repository(format, version);
    const index = readGitIndex(path, format === 'sha1' ? 20 : 32);
    const listed = git('ls-files', '-s', '-z')
      .split('\0')
      .flatMap((line) => {
        const [, mode = '', oid = '', name = ''] = /^(\d+) (\w+) 0\t(.+)$/s.exec(line) ?? [];
        return mode.startsWith('100') ? [[name, oid]] : [];
      });
    expect([...(index?.paths() ?? [])].map((name) => [name, index?.entryAt(name)?.oid])).toEqual(listed);
    expect(listed).toHaveLength(6);
    const cleanNames = listed.filter(([name = '', oid]) => index?.cleanOid(name, standingOf(lstatSync(join(root, name)))) === oid);
    expect(cleanNames).toHaveLength(6);
  });

  test('says nothing of a file that changed, that git does not look at, or that was written when the index was', () => {
    const { root, git, path } = repository('sha1', 2);
    git('update-index', '--assume-unchanged', 'a.txt');
    git('update-index', '--skip-worktree', 'tool.sh');
    writeFileSync(join(root, 'tab\tname'), 'other text\n');
    writeFileSync(join(root, 'now.txt'), 'now\n');
    // Later than the index itself: another write in the same tick of the clock would look the same.
    utimesSync(join(root, 'now.txt'), 4e9, 4e9);
    git('add', 'now.txt');
    const index = readGitIndex(path, 20);
    const oidOf = (name: string) => index?.cleanOid(name, standingOf(lstatSync(join(root, name))));
    expect(['a.txt', 'tool.sh', 'tab\tname', 'now.txt'].map(oidOf)).toEqual([undefined, undefined, undefined, undefined]);
    expect(oidOf('a-longer-name.txt')).toMatch(/^[0-9a-f]{40}$/);
  });

  test('that is cut off, too new or no index at all is not read', () => {
    const { path } = repository('sha1', 2);
    const whole = readFileSync(path);
    for (const bytes of [0, 3, 11, 40, 300]) {
      writeFileSync(path, whole.subarray(0, bytes));
      expect(readGitIndex(path, 20)).toBeUndefined();
    }
    writeFileSync(path, Buffer.concat([whole.subarray(0, 7), Buffer.from([5]), whole.subarray(8)]));
    expect(readGitIndex(path, 20)).toBeUndefined();
    writeFileSync(path, 'no index at all');
    expect(readGitIndex(path, 20)).toBeUndefined();
    expect(readGitIndex(`${path}-missing`, 20)).toBeUndefined();
  });
});

describe('what an index lists', () => {
  const meaningOf = (path: string): string | undefined => indexMeaning(readFileSync(path));

  test.each(CASES)(
    'of %s in version %i stays the same while git only notes when it looked, and changes with all else',
    (format, version) => {
      const { root, git, path } = repository(format, version);
      const first = meaningOf(path);
      expect(first).toMatch(/^[0-9a-f]{64}$/);
      const seen = new Set([first]);
      for (const notes of [
        ['update-index', '--refresh'],
        ['write-tree'],
        ['update-index', '--force-untracked-cache'],
        ['update-index', '--index-version', version === 4 ? '2' : '4'],
      ]) {
        const before = readFileSync(path);
        utimesSync(join(root, 'a.txt'), 1e9 + seen.size, 1e9 + seen.size);
        git(...notes);
        if (notes[1] !== undefined) expect(readFileSync(path).equals(before)).toBe(false);
        expect(meaningOf(path)).toBe(first);
      }
      writeFileSync(join(root, 'a.txt'), 'other\n');
      for (const changes of [
        ['add', 'a.txt'],
        ['update-index', '--chmod=-x', 'tool.sh'],
        ['update-index', '--assume-unchanged', 'a.txt'],
        ['update-index', '--skip-worktree', 'tool.sh'],
        ['rm', '-q', '--cached', 'link'],
        ['add', '-N', 'link'],
      ]) {
        git(...changes);
        seen.add(meaningOf(path));
      }
      expect(seen.size).toBe(7);
    },
  );

  test('is not known of a file that is no index, damaged, or of which parts stand elsewhere', () => {
    const { git, path } = repository('sha1', 2);
    const bytes = readFileSync(path);
    const damaged = Buffer.from(bytes);
    damaged.writeUInt8(bytes.readUInt8(100) ^ 1, 100);
    for (const each of [Buffer.from(''), Buffer.from('DIRC'), bytes.subarray(0, -1), damaged, Buffer.from('no index')])
      expect(indexMeaning(each)).toBeUndefined();
    git('update-index', '--split-index');
    expect([meaningOf(path), readGitIndex(path, 20)]).toEqual([undefined, undefined]);
  });
});
