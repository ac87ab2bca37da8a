import { readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createContents } from '../../../../../src/store/changes/contents.ts';
import { compareWith, type State } from '../../../../../src/store/changes/look/recorder.ts';
import { walkFolders } from '../../../../../src/store/changes/look/walk.ts';
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

  test('by a command that stages comes back byte for byte, with what git noted before', () => {
    const { root, index } = repository();
    const acts = actsIn(root);
    acts.act('touch -d @1000000000 a; git status');
    const before = index();
    const { set } = acts.act('echo new > a; git add a');
    expect(pathsOf(root, set)).toContain('.git/index');
    // Somebody looks, which is no change of theirs.
    acts.act('touch -d @1000000001 b; git status');
    expect(acts.undo()).toEqual([]);
    expect(index().equals(before)).toBe(true);
  });
});

describe('a look that has no time to read', () => {
  const MAX = { fileBytes: 1 << 20 };

  function looks() {
    const { root } = workFolders();
    for (let i = 0; i < 40; i++) writeFileSync(join(root, `f${i}`), 'x'.repeat(i + 1));
    const { disk } = worldOf();
    const contents = createContents(disk, join(disk.home, 'changes'));
    const look = (state: State, msPerFile: number, isLate = false): State => {
      let time = 0;
      const now = (): number => {
        time += msPerFile;
        return time;
      };
      const walk = walkFolders([root], {
        at: 1e15,
        until: isLate ? 0 : 1e15,
        now: () => 1,
        own: '',
        isTracked: () => false,
        holdsObjects: () => false,
      });
      const deadlines = { now, slow: 10_000, fast: 100_000 };
      return compareWith(
        state,
        { walk, scope: [root], at: Date.now() + 10_000, purpose: 'keep' },
        { contents, caps: MAX, fits: () => true, clean: () => () => undefined, deadlines },
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

  test('reads on for longer where the folder is not slow', () => {
    const { look, readIn } = looks();
    expect(readIn(look(NOTHING, 0.5))).toBe(40);
  });
});
