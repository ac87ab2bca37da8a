import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { LaterFinder } from '../../../../src/store/changes/left-out.ts';
import type { FaultHook } from '../../../../src/store/files/host.ts';
import { openRecord } from '../../../support/change-records.ts';
import { newFolder, worldOf } from '../files/world.ts';
import { actsIn, workFolders } from './world.ts';

const why = { en: 'it runs', zh: '会运行' };
const findLater: LaterFinder = (changes) =>
  changes.flatMap(({ path, after }) => (/\/later[^/]*$/.test(path) && after !== null && after.kind !== 'folder' ? [{ path, why }] : []));
const by = { id: 'left-out', title: 'Left out', record: 9 };

function world(options: { readonly held?: boolean; readonly at?: FaultHook } = {}) {
  const { root } = workFolders();
  const file = (name: string): string => join(root, name);
  const get = (name: string): string | undefined => (existsSync(file(name)) ? readFileSync(file(name), 'utf8') : undefined);
  return { root, file, get, ...actsIn(root, { findLater, held: true, ...options }) };
}

describe('what an act in the sandbox left that runs later', () => {
  test('is put back, with the folders that were made for it, and nothing else of the act', async () => {
    const { root, changes, act, get, file } = world();
    act('mkdir -p a/b c; echo 1 > a/b/later; echo 2 > c/later-2; echo 3 > c/other; echo 4 > plain');
    const left = await changes.leaveOut(root, by);
    expect(left?.files.map(({ path, why: { en } }) => [path, en])).toEqual([
      [file('a/b/later'), 'it runs'],
      [file('c/later-2'), 'it runs'],
    ]);
    expect(left?.problems).toEqual([]);
    expect([existsSync(file('a')), get('c/later-2'), get('c/other'), get('plain')]).toEqual([false, undefined, '3\n', '4\n']);
    expect(await changes.leaveOut(root, by)).toBeUndefined();
  });

  test('comes back with a yes, or by undoing that it was left out, and stays then', async () => {
    const { root, changes, act, get, undo } = world();
    act('mkdir d; echo one > d/later; echo two > later-2');
    const left = await changes.leaveOut(root, by);
    expect(await changes.keepLeft(left?.files.slice(0, 1) ?? [], root, { ...by, id: 'kept' })).toEqual([]);
    expect([get('d/later'), get('later-2')]).toEqual(['one\n', undefined]);
    await undo((set) => set.by?.id === 'left-out');
    expect([get('d/later'), get('later-2')]).toEqual(['one\n', 'two\n']);
    act('true');
    expect(await changes.leaveOut(root, by)).toBeUndefined();
    expect([get('d/later'), get('later-2')]).toEqual(['one\n', 'two\n']);
  });

  test('is changed back to what it was where it was there, bytes and mode', async () => {
    const { root, changes, act, file, get } = world();
    writeFileSync(file('later'), 'mine', { mode: 0o644 });
    act('printf theirs > later; chmod +x later');
    expect((await changes.leaveOut(root, by))?.files).toMatchObject([{ before: { mode: 0o644 }, after: { mode: 0o755 } }]);
    expect(get('later')).toBe('mine');
    act('chmod +x later');
    expect((await changes.leaveOut(root, by))?.files).toHaveLength(1);
  });

  test('is nothing where the act took it away itself, only deleted it, or was not held', async () => {
    const { root, changes, act, file } = world();
    writeFileSync(file('later'), 'mine');
    act('rm later; echo 1 > later-2; rm later-2');
    expect(await changes.leaveOut(root, by)).toBeUndefined();
    const free = world({ held: false });
    free.act('echo 1 > later');
    expect(await free.changes.leaveOut(free.root, by)).toBeUndefined();
    expect(free.get('later')).toBe('1\n');
  });

  test('is seen where the act made the folder look like one that a tool makes again', async () => {
    const { root, changes, act, get } = world();
    act('mkdir cache; echo 1 > cache/a');
    const tag = 'printf "Signature: 8a477f597d28d172789f06886806bc55" > ';
    act(`mkdir new; for d in new cache; do ${tag} $d/CACHEDIR.TAG; echo 1 > $d/later; done`);
    expect((await changes.leaveOut(root, by))?.files).toHaveLength(2);
    expect([get('new/later'), get('cache/later'), get('cache/a')]).toEqual([undefined, undefined, '1\n']);
  });

  test('counts also where another act was at work that may leave it', async () => {
    const { root, changes, act, begin, get } = world();
    const job = begin('a job');
    job.goOn('job-1');
    changes.begin(root, { id: 'free', title: 'free', record: 1 });
    act('echo 1 > later');
    expect((await changes.leaveOut(root, by))?.files).toHaveLength(1);
    expect(get('later')).toBeUndefined();
  });
});

describe('where a process was killed', () => {
  const again = (folder: string) => {
    const { disk } = worldOf();
    return openRecord(disk, folder, { findLater });
  };

  test('before the end of the act was seen, the next one finds what it left', async () => {
    const { root, folder, begin, file, get } = world();
    begin('killed');
    mkdirSync(file('d'));
    writeFileSync(file('d/later'), 'planted');
    const next = again(folder);
    next.settleLeft();
    expect((await next.leaveOut(root, by))?.files.map(({ path }) => path)).toEqual([file('d/later')]);
    expect(existsSync(file('d'))).toBe(false);
    expect(get('d/later')).toBeUndefined();
  });

  test('after the act was written down, the next one puts it back, and what somebody changed since is left and told', async () => {
    const { root, folder, act, file, get } = world();
    act('echo 1 > later; echo 2 > later-2');
    writeFileSync(file('later-2'), 'changed by hand');
    const left = await again(folder).leaveOut(root, by);
    expect(left).toMatchObject({ files: [{ path: file('later') }], problems: [{ path: file('later-2') }] });
    expect([get('later'), get('later-2')]).toEqual([undefined, 'changed by hand']);
    expect(await again(folder).leaveOut(root, by)).toBeUndefined();
  });

  test.each(['restore.path', 'restore.rename', 'restore.folder', 'changes.write'])(
    'while it was put back (at %s), the next one finishes it and tells of all of it',
    async (point) => {
      let images: readonly (readonly [from: string, to: string])[] = [];
      const taken = new Set<string>();
      const at: FaultHook = (name) => {
        if (name.startsWith(point))
          for (const [from, to] of images.filter(([of]) => !taken.has(of))) {
            cpSync(from, to, { recursive: true, preserveTimestamps: true });
            taken.add(from);
          }
        return undefined;
      };
      const { root, folder, changes, act, file, get } = world({ at });
      writeFileSync(file('later-3'), 'mine');
      act('echo 1 > later; echo 2 > later-2; echo 3 > later-3');
      images = [root, folder].map((from) => [from, join(newFolder(), 'image')]);
      await changes.leaveOut(root, by);
      expect(taken.size).toBe(2);
      // As the disk was at that moment.
      for (const [from, to] of images) {
        rmSync(from, { recursive: true });
        renameSync(to, from);
      }
      const left = await again(folder).leaveOut(root, by);
      expect(left?.files.map(({ path }) => path)).toEqual(['later', 'later-2', 'later-3'].map(file));
      expect([get('later'), get('later-2'), get('later-3')]).toEqual([undefined, undefined, 'mine']);
    },
  );
});
