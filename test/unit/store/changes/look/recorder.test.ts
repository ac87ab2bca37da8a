import { readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Entry, Holding } from '../../../../../src/domain/session/change.ts';
import { createContents } from '../../../../../src/store/changes/contents.ts';
import { blobOid, type CleanFiles } from '../../../../../src/store/changes/git/clean-files.ts';
import { compareWith, type State } from '../../../../../src/store/changes/look/recorder.ts';
import { walkFolders } from '../../../../../src/store/changes/look/walk.ts';
import { sha256Of } from '../../../../../src/store/session/bodies/body-text.ts';
import { gitIn } from '../../../../support/repositories.ts';
import { worldOf } from '../../files/world.ts';
import { actsIn, pathsOf, workFolders } from '../world.ts';

describe('an index of git that was written again', () => {
  function repository() {
    const { root } = workFolders();
    const git = gitIn(root);
    writeFileSync(join(root, 'a'), 'a\n');
    writeFileSync(join(root, 'b'), 'b\n');
    git('init', '-q');
    git('add', '-A');
    git('commit', '-qm', 'all');
    return { root, git, index: () => readFileSync(join(root, '.git/index')) };
  }

  test('to note when git looked is no change of a command, nor one of somebody else', () => {
    const { root, git, index } = repository();
    const acts = actsIn(root);
    const before = index();
    expect(acts.act('touch -d @1000000000 a; git status').set).toBeUndefined();
    expect(index().equals(before)).toBe(false);
    utimesSync(join(root, 'b'), 1e9, 1e9);
    git('status');
    acts.act('true');
    expect(acts.changes.sets()).toEqual([]);
  });

  test('by a command that stages comes back byte for byte, with what git noted before', async () => {
    const { root, index } = repository();
    const acts = actsIn(root);
    acts.act('touch -d @1000000000 a; git status');
    const before = index();
    const { set } = acts.act('echo new > a; git add a');
    expect(pathsOf(root, set)).toContain('.git/index');
    // Somebody looks, which is no change of theirs.
    acts.act('touch -d @1000000001 b; git status');
    expect(await acts.undo()).toEqual([]);
    expect(index().equals(before)).toBe(true);
  });
});

describe('a look that has no time to read', () => {
  const MAX = { fileBytes: 1 << 20 };

  function looks(files = 40) {
    const { root } = workFolders();
    for (let i = 0; i < files; i++) writeFileSync(join(root, `f${i}`), 'x'.repeat(i + 1));
    const { disk } = worldOf();
    const contents = createContents(disk, join(disk.home, 'changes'));
    const look = (state: State, msPerFile: number, settle = 1e15): State => {
      let time = 0;
      const now = (): number => {
        time += msPerFile;
        return time;
      };
      const limits = {
        at: 1e15,
        until: 1e15,
        now: () => 1,
        own: '',
        isTracked: () => false,
        holdsObjects: () => false,
      };
      const walk = walkFolders([root], limits, state.walk);
      const deadlines = { now, settle, slow: 10_000, fast: 100_000 };
      return compareWith(
        state,
        { walk, scope: [root], at: Date.now() + 10_000, purpose: 'keep' },
        { contents, caps: MAX, fits: () => true, clean: () => () => undefined, named: () => [], deadlines },
      );
    };
    const readIn = ({ manifest }: State): number => [...manifest.values()].filter(({ holds }) => holds?.startsWith('sha256:')).length;
    return { look, readIn };
  }
  const NOTHING: State = { manifest: new Map(), uncovered: new Map(), scope: [] };

  test('reads small files first, claims nothing of the others, and goes on with them at the next', () => {
    const { look, readIn } = looks();
    const first = look(NOTHING, 1_000);
    expect(readIn(first)).toBe(9);
    const late = [...first.manifest.values()].filter(({ holds }) => holds === 'late');
    expect(late).toHaveLength(31);
    expect(Math.min(...late.map(({ size }) => size))).toBe(10);
    expect(readIn(look(first, 1_000))).toBe(18);
    expect(readIn(look(first, 0))).toBe(40);
  });

  test('leaves what it does not come to for the next look, however much is not known', () => {
    const { look, readIn } = looks(200);
    const first = look(NOTHING, 100_000);
    expect(readIn(first)).toBe(0);
    const second = look(first, 0, -1);
    expect(readIn(second)).toBe(63);
    expect(readIn(look(second, 0))).toBe(200);
  });

  test('reads on for longer where the folder is not slow', () => {
    const { look, readIn } = looks();
    expect(readIn(look(NOTHING, 0.5))).toBe(40);
  });
});

test('a file that git had and that looks as it did is another one where it holds something else', () => {
  const { root } = workFolders();
  const path = join(root, 'f');
  writeFileSync(path, 'was');
  // Where there are few, git is not asked.
  for (let i = 0; i < 120; i++) writeFileSync(join(root, `g${i}`), '');
  const { disk } = worldOf();
  const contents = createContents(disk, join(disk.home, 'changes'));
  const walk = walkFolders([root], {
    ...{ at: 1e15, until: 1e15, now: () => 1, own: '', isTracked: () => false, holdsObjects: () => false },
  });
  const standing = walk.differing.get(path);
  const changesSince = (holds: Holding, clean: CleanFiles) => {
    const former: Entry = { ...{ kind: 'file', mode: 0, size: 0, mtime: 0, ctime: 0, ino: 0 }, ...standing, holds, isFresh: true };
    const state: State = { manifest: new Map([[path, former]]), uncovered: new Map(), scope: [root] };
    const tools = { contents, caps: { fileBytes: 1 << 20 }, fits: () => true, deadlines: { now: () => 1, settle: 10, slow: 10, fast: 10 } };
    const { changes } = compareWith(
      state,
      { walk, scope: [root], at: Date.now() + 10_000, purpose: 'keep' },
      { ...tools, clean: () => clean, named: () => [] },
    );
    return changes.filter((change) => change.path === path).map(({ after }) => after?.holds);
  };
  const oidOf = (text: string): string => blobOid(Buffer.from(text), 40);
  const listed = { oid: oidOf('was'), isSure: false };
  expect(changesSince(`blob:${oidOf('was')}`, () => undefined)).toEqual([]);
  expect(changesSince(`blob:${oidOf('was')}`, () => ({ oid: oidOf('staged'), isSure: false }))).toEqual([]);
  expect(changesSince(`blob:${oidOf('had')}`, () => undefined)).toEqual([`sha256:${sha256Of(Buffer.from('was'))}`]);
  expect(changesSince(`sha256:${sha256Of(Buffer.from('had'))}`, () => listed)).toEqual([`blob:${listed.oid}`]);
  contents.retain(() => false);
  expect(changesSince(`sha256:${sha256Of(Buffer.from('was'))}`, () => listed)).toEqual([]);
});
