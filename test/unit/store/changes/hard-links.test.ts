import { linkSync, lstatSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { undoOf } from '../../../../src/context/history/past.ts';
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
    async (command) => {
      const { a, b, acts } = linked();
      acts.act(command);
      expect(await acts.undo()).toEqual([]);
      expect([readFileSync(a, 'utf8'), readFileSync(b, 'utf8')]).toEqual(['one\n', 'one\n']);
      expect(inode(a)).toBe(inode(b));
    },
  );

  test('is one again where several of its names were removed', async () => {
    const { root, a, b, acts } = linked();
    const more = [join(root, 'c'), join(root, 'd')];
    for (const name of more) linkSync(a, name);
    acts.act('rm b c d');
    expect(await acts.undo()).toEqual([]);
    expect([b, ...more].map(inode)).toEqual([inode(a), inode(a), inode(a)]);
  });

  test('of which one is elsewhere has nothing written there, and that is told', async () => {
    const { a, b, theirs, acts } = linked();
    linkSync(a, theirs);
    acts.act('echo two > a');
    expect((await acts.undo()).map(({ path, why }) => [path, why.en])).toEqual(
      [a, b].map((path) => [path, 'it is back under this name, and stays as it is under other names of the same file']),
    );
    expect([a, b, theirs].map((path) => readFileSync(path, 'utf8'))).toEqual(['one\n', 'one\n', 'two\n']);
    expect(inode(a)).toBe(inode(b));
  });

  test('of which only the permission bits were changed stays the file that it was, wherever its names are', async () => {
    const { a, theirs, acts } = linked();
    linkSync(a, theirs);
    const before = inode(a);
    acts.act('chmod 600 a');
    expect(await acts.undo()).toEqual([]);
    expect([inode(a), lstatSync(theirs).mode & 0o777]).toEqual([before, 0o644]);
  });

  test('has the permission bits again that both had, where one name was removed and the other changed', async () => {
    const { a, b, acts } = linked();
    acts.act('rm a; chmod 700 b');
    expect(await acts.undo()).toEqual([]);
    expect([a, b].map((path) => lstatSync(path).mode & 0o777)).toEqual([0o644, 0o644]);
    expect(inode(a)).toBe(inode(b));
  });

  test('has a name put back as a file of its own, where the other is to stay with other permission bits', async () => {
    const { a, b, acts } = linked();
    acts.act('rm a');
    acts.act('chmod 700 b');
    expect(await acts.undo(({ by }) => by?.title === 'rm a')).toEqual([]);
    expect([a, b].map((path) => lstatSync(path).mode & 0o777)).toEqual([0o644, 0o700]);
  });

  test('of which one is elsewhere is told of nowhere, where it was moved over a file', async () => {
    const { root, a, theirs, acts } = linked();
    linkSync(a, theirs);
    writeFileSync(join(root, 'c'), 'other\n');
    acts.act('mv -f a c');
    expect(await acts.undo()).toEqual([]);
    expect([readFileSync(join(root, 'c'), 'utf8'), inode(a)]).toEqual(['other\n', inode(theirs)]);
  });
});

describe('a file with one name', () => {
  test.each(['ln -f a b', 'ln -f a b; ln -f a c; echo two > c'])('is itself again after %s, and nothing is told', async (command) => {
    const { root } = workFolders();
    const all = ['a', 'b', 'c'].map((name) => join(root, name));
    for (const path of all) writeFileSync(path, path);
    const acts = actsIn(root);
    acts.act(command);
    expect(await acts.undo()).toEqual([]);
    expect(all.map((path) => [readFileSync(path, 'utf8'), lstatSync(path).nlink])).toEqual(all.map((path) => [path, 1]));
  });

  test('has the permission bits again that it had before it was moved over another', async () => {
    const { root } = workFolders();
    const [a, b] = [join(root, 'a'), join(root, 'b')];
    writeFileSync(a, 'one\n');
    writeFileSync(b, 'other\n');
    const acts = actsIn(root);
    acts.act('mv a b');
    acts.act('chmod 700 b');
    expect(await acts.undo()).toEqual([]);
    expect([a, b].map((path) => readFileSync(path, 'utf8'))).toEqual(['one\n', 'other\n']);
    expect([a, b].map((path) => lstatSync(path).mode & 0o777)).toEqual([0o644, 0o644]);
  });

  test('is no name of the file that it was moved to, where that stays', async () => {
    const { root } = workFolders();
    const [a, b] = [join(root, 'a'), join(root, 'b')];
    writeFileSync(a, '');
    const acts = actsIn(root);
    acts.act('mv a b');
    const [change] = undoOf(acts.changes.sets(), () => true).filter(({ path }) => path === a);
    await acts.changes.restore([{ path: a, to: change?.target ?? null }], root, { id: 'one', title: 'one', record: 9 });
    expect([lstatSync(a).nlink, lstatSync(b).nlink]).toEqual([1, 1]);
  });
});
