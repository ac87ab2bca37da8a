import { chmodSync, lstatSync, mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Walk, type WalkLimits, walkFolders, walkPaths } from '../../../../../src/store/changes/look/walk.ts';
import { run } from '../../../../support/destructive.ts';
import { workFolders } from '../world.ts';

/** As long after all that was written that nothing of it is in doubt. */
const LIMITS: WalkLimits = {
  ...{ at: 1e15, until: 1e15, now: () => 1, own: '/none' },
  isTracked: () => false,
  holdsObjects: () => false,
};

/** Ends when what is written has other times than what was written before. */
function passTick(folder: string): void {
  const written = (): number => {
    writeFileSync(join(folder, 'tick'), '');
    return lstatSync(join(folder, 'tick')).ctimeMs;
  };
  for (const first = written(); written() === first; );
}

function folder() {
  const { root, outside } = workFolders();
  for (const name of ['near', 'near/far', 'near/far/farther', 'other', '.git/refs', '.git/objects/info', '.git/objects/ab'])
    mkdirSync(join(root, name), { recursive: true });
  for (const name of ['near', 'near/far', 'near/far/farther', 'other'])
    for (let i = 0; i < 20; i++) writeFileSync(join(root, name, `f${i}`), `${name} ${i}\n`);
  for (const name of ['HEAD', 'refs/x', 'objects/ab/cd', 'objects/info/packs']) writeFileSync(join(root, '.git', name), 'x');
  const below = (paths: Iterable<string>): readonly string[] => [...paths].map((path) => path.slice(root.length + 1)).toSorted();
  const walk = (former?: Walk, limits: Partial<WalkLimits> = {}): Walk => {
    const found = walkFolders([root], { ...LIMITS, ...limits }, former);
    passTick(outside);
    return found;
  };
  return { root, below, walk };
}

describe('a walk', () => {
  test('finds all below a folder but the objects of a repository, which never change', () => {
    const { root, below, walk } = folder();
    const { differing, objectFolders, uncovered, gone } = walk();
    const listed = run(root, 'find . -mindepth 1 -not -path "./.git/objects/ab*" -printf "%P\\n"').stdout.trim().split('\n');
    expect(below(differing.keys())).toEqual(['', ...listed].toSorted());
    expect([below(objectFolders), [...uncovered], gone]).toEqual([['.git/objects'], [], undefined]);
  });

  test('that runs out of time, whenever, has looked at what git keeps, then at what is nearer to the root', () => {
    const { below, walk } = folder();
    for (let calls = 1; calls < 30; calls++) {
      let now = 0;
      const { uncovered, differing } = walk(undefined, { until: calls, now: () => ++now });
      const late = below(uncovered.keys());
      const levels = late.map((path) => path.split('/').length);
      const seen = below(differing.keys()).filter((path) => !late.some((each) => path.startsWith(`${each}/`)));
      const isOfGit = (path: string): boolean => path.startsWith('.git');
      const beforeGit = seen.filter((path) => !isOfGit(path) && path.includes('/'));
      if (late.some(isOfGit)) expect(beforeGit).toEqual([]);
      else if (late.length > 0) expect(Math.max(...levels) - Math.min(...levels)).toBeLessThan(2);
    }
  });

  test('after another finds what changed between them and nothing else', () => {
    const { root, below, walk } = folder();
    const first = walk();
    const again = walk(first);
    expect([again.differing.size, again.gone, again.dropped]).toEqual([0, [], []]);
    unlinkSync(join(root, 'near/f1'));
    writeFileSync(join(root, 'near/far/f2'), 'written over');
    writeFileSync(join(root, 'other/new'), '');
    renameSync(join(root, 'near/far/farther'), join(root, 'moved'));
    chmodSync(join(root, 'near/f3'), 0o600);
    rmSync(join(root, '.git/objects/info'), { recursive: true });
    const { differing, gone } = walk(again);
    const farther = Array.from({ length: 20 }, (_, i) => `farther/f${i}`);
    // A folder differs where something was put into it or taken out.
    expect(below(differing.keys()).filter((path) => !['', '.git/objects', 'near', 'near/far', 'other'].includes(path))).toEqual(
      ['near/f3', 'near/far/f2', 'other/new', 'moved', ...farther.map((path) => path.replace('farther', 'moved'))].toSorted(),
    );
    expect(below(gone ?? [])).toEqual(
      [
        ...['near/f1', 'near/far/farther', '.git/objects/info', '.git/objects/info/packs'],
        ...farther.map((path) => `near/far/${path}`),
      ].toSorted(),
    );
  });

  test('finds a name that was put into a folder whose times were set back, and one in the tick of the look before', () => {
    const { root, below, walk } = folder();
    const first = walk();
    writeFileSync(join(root, 'other/new'), '');
    utimesSync(join(root, 'other'), 1e9, 1e9);
    expect(below(walk(first).differing.keys())).toContain('other/new');
    // As of a file system whose clock stands still meanwhile.
    const stopped = walk(undefined, { at: lstatSync(join(root, 'other')).ctimeMs });
    writeFileSync(join(root, 'other/newer'), '');
    const listing = stopped.listings.get(join(root, 'other'));
    expect(listing?.stamp).toBeUndefined();
    expect(below(walk(stopped).differing.keys())).toContain('other/newer');
  });

  test('knows of a folder that became a file or a link that nothing of it is left', () => {
    for (const replace of [(path: string) => writeFileSync(path, ''), (path: string) => symlinkSync('..', path)]) {
      const { root, below, walk } = folder();
      const first = walk();
      rmSync(join(root, 'near'), { recursive: true });
      replace(join(root, 'near'));
      const { gone, differing } = walk(first);
      expect(below(differing.keys())).toContain('near');
      expect(gone).toHaveLength(62);
      expect(below(gone ?? [])).toContain('near/far/farther/f1');
    }
  });

  test('drops what a tool makes again from now on, without calling it gone, and counts it once it is none', () => {
    const { root, below, walk } = folder();
    mkdirSync(join(root, 'target/debug'), { recursive: true });
    writeFileSync(join(root, 'target/debug/a'), '');
    const first = walk();
    writeFileSync(join(root, 'Cargo.toml'), '');
    const second = walk(first);
    expect([below(second.dropped), second.gone, [...second.uncovered.values()]]).toEqual([
      ['target', 'target/debug', 'target/debug/a'],
      [],
      ['remade'],
    ]);
    unlinkSync(join(root, 'Cargo.toml'));
    expect(below(walk(second).differing.keys())).toEqual(['', 'target', 'target/debug', 'target/debug/a']);
  });

  test('that was late goes on from what was known: what left meanwhile is gone, whenever that was', () => {
    const { root, below, walk } = folder();
    const first = walk();
    unlinkSync(join(root, 'near/far/farther/f1'));
    const second = walk(first, { until: 0 });
    expect([second.gone, [...second.uncovered.values()]]).toEqual([[], ['late']]);
    expect(below(walk(second).gone ?? [])).toEqual(['near/far/farther/f1']);
  });

  test('has its own limit for folders to which the one before did not come, and none for what is new', () => {
    const { root, below, walk } = folder();
    let looks = 0;
    const first = walk(undefined, { now: () => ++looks, until: 6 });
    const late = new Set([...first.uncovered].flatMap(([path, why]) => (why === 'late' ? [path] : [])));
    expect(below(late)).toContain('other');
    mkdirSync(join(root, 'made'));
    writeFileSync(join(root, 'made', 'f'), '');
    const second = walk(first, { unseen: { until: 0, folders: late } });
    expect(below(second.differing.keys())).toEqual(expect.arrayContaining(['made', 'made/f']));
    expect(below(second.differing.keys()).filter((path) => path.startsWith('other/'))).toEqual([]);
    expect(second.uncovered.get(join(root, 'other'))).toBe('late');
    expect(below(walk(second).differing.keys())).toEqual(expect.arrayContaining(['other/f1', 'near/far/farther/f1']));
  });

  test('of named paths looks at them and what is below, through no link', () => {
    const { root, below } = folder();
    symlinkSync('near', join(root, 'link'));
    const paths = ['other', 'near/f1', 'near/far', 'near/far/f1', 'nothing', 'link/f2', 'link'].map((name) => join(root, name));
    const found = below(walkPaths(paths, LIMITS).differing.keys());
    const isThere = (path: string): boolean => /^(?:other|near\/far)(?:\/|$)|^near\/f1$|^link$/.test(path);
    expect(found.filter((path) => !isThere(path))).toEqual([]);
    expect(found).toHaveLength(1 + 20 + 1 + 1 + 20 + 1 + 20 + 1);
  });

  test('finds what else stands beside objects, in folders that only look like theirs, and in one with a name of our own', () => {
    const { root, below, walk } = folder();
    const names = ['.git/objects/sub/.envrc', 'lfs/objects/.envrc', '.sanbot-a.tmp/.envrc', '.git/lfs/objects/ab/cd/abcd'];
    for (const name of names) {
      mkdirSync(dirname(join(root, name)), { recursive: true });
      writeFileSync(join(root, name), 'x');
    }
    writeFileSync(join(root, '.sanbot-b.tmp'), 'x');
    const first = walk();
    expect(below(first.differing.keys()).filter((path) => /\.envrc$|\.tmp$|abcd$/.test(path))).toEqual(
      ['.git/objects/sub/.envrc', '.sanbot-a.tmp', '.sanbot-a.tmp/.envrc', 'lfs/objects/.envrc'].toSorted(),
    );
    writeFileSync(join(root, '.git/objects/sub/.envrc'), 'more');
    rmSync(join(root, 'lfs'), { recursive: true });
    const second = walk(first);
    expect(below(second.differing.keys())).toContain('.git/objects/sub/.envrc');
    expect(below(second.gone ?? [])).toEqual(['lfs', 'lfs/objects', 'lfs/objects/.envrc']);
    rmSync(join(root, '.git/objects/sub'), { recursive: true });
    expect(below(walk(second).gone ?? [])).toEqual(['.git/objects/sub', '.git/objects/sub/.envrc']);
  });
});
