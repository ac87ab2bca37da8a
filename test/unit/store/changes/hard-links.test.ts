import { linkSync, lstatSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { actsIn, workFolders } from './world.ts';

const inode = (path: string): number => lstatSync(path).ino;

function linked() {
  const { root, outside } = workFolders();
  const [a, b, theirs] = [join(root, 'a'), join(root, 'b'), join(outside, 'theirs')];
  writeFileSync(a, 'one\n');
  linkSync(a, b);
  return { root, a, b, theirs, acts: actsIn(root) };
}

describe('a file with several names', () => {
  test.each(['rm a', 'rm a b', 'sed -i s/one/two/ a', 'echo two > a', 'echo two > b; rm a', 'chmod 600 a'])(
    'is one again after %s was undone',
    (command) => {
      const { a, b, acts } = linked();
      acts.act(command);
      expect(acts.undo()).toEqual([]);
      expect([readFileSync(a, 'utf8'), readFileSync(b, 'utf8')]).toEqual(['one\n', 'one\n']);
      expect(inode(a)).toBe(inode(b));
    },
  );

  test('of which one is elsewhere has nothing written there, and that is told', () => {
    const { a, b, theirs, acts } = linked();
    linkSync(a, theirs);
    acts.act('echo two > a');
    expect(acts.undo().map(({ path, why }) => [path, why.en])).toEqual(
      [a, b].map((path) => [path, 'it is back under this name, and stays as it is under other names of the same file']),
    );
    expect([a, b, theirs].map((path) => readFileSync(path, 'utf8'))).toEqual(['one\n', 'one\n', 'two\n']);
    expect(inode(a)).toBe(inode(b));
  });

  test('of which only the permission bits were changed stays the file that it was, wherever its names are', () => {
    const { a, theirs, acts } = linked();
    linkSync(a, theirs);
    const before = inode(a);
    acts.act('chmod 600 a');
    expect(acts.undo()).toEqual([]);
    expect([inode(a), lstatSync(theirs).mode & 0o777]).toEqual([before, 0o644]);
  });
});
