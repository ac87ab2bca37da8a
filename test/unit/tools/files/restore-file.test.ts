import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RecordFileChange } from '../../../../src/agent/ports/disk.ts';
import { filesSince } from '../../../../src/context/history/past.ts';
import { sameInBoth } from '../../../../src/domain/language.ts';
import type { FileContent, FileVersion } from '../../../../src/domain/session/file.ts';
import type { FileRecord, LogRecord } from '../../../../src/domain/session/record.ts';
import { planRestore } from '../../../../src/tools/files/restore-file.ts';
import { createWorld } from '../world.ts';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** The tools in a world that keeps what they note, as a session does; `most` is the largest content that is kept. */
function keepingWorld(most = 1_000_000) {
  const records: (FileRecord & { n: number; at: string })[] = [];
  const versions = new Map<string, Uint8Array>();
  const fault = { now: undefined as Error | undefined };
  const version = (file: FileContent | undefined): FileVersion | null => {
    if (file === undefined) return null;
    const kept = file.content !== undefined && file.bytes <= most;
    if (kept && file.content !== undefined) versions.set(sha256(file.content), file.content);
    return { fingerprint: file.fingerprint, bytes: file.bytes, mode: file.mode, kept };
  };
  const noteFile: RecordFileChange = ({ path, tool, before, after }) => {
    if (fault.now !== undefined) throw fault.now;
    const was = version(before);
    records.push({ type: 'file', n: records.length + 1, at: '', path, tool, before: was, after: version(after) });
    return was?.kept === false ? sameInBoth('it is too large') : undefined;
  };
  const world = createWorld({ recordFileChange: noteFile });
  const since = (n: number) => filesSince(records as readonly LogRecord[], n);
  const plans = (n: number) =>
    Promise.all(
      since(n).map((file) =>
        planRestore(file, {
          cwd: world.cwd,
          read: (hash) => versions.get(hash),
          recordFileChange: noteFile,
          newId: () => `id${records.length}`,
          now: () => new Date(),
        }),
      ),
    );
  /** Puts back whatever can be, as if every question were answered with yes. */
  const restoreAll = async (n: number) => {
    const done: unknown[] = [];
    for (const plan of await plans(n)) if (plan.kind === 'ready') done.push(await plan.perform());
    return done;
  };
  return { ...world, records, fault, since, plans, restoreAll };
}

describe('what a file tool is about to change', () => {
  test('is noted, with both contents, before it is changed', async () => {
    const world = keepingWorld();
    const path = world.put('甲/a.txt', 'one\n', 0o640);
    await world.call('edit_file', { path: '甲/a.txt', old_string: 'one', new_string: '二' });
    await world.call('write_file', { path: 'new.txt', content: 'x' });
    expect(
      world.records.map(({ path: at, tool, before, after }) => [at, tool, before?.fingerprint, before?.mode, after?.fingerprint]),
    ).toEqual([
      [path, 'edit_file', sha256(Buffer.from('one\n')), 0o640, sha256(Buffer.from('二\n'))],
      [join(world.cwd, 'new.txt'), 'write_file', undefined, undefined, sha256(Buffer.from('x'))],
    ]);
  });

  test('stays as it is when that cannot be noted', async () => {
    const world = keepingWorld();
    world.put('a.txt', 'one');
    world.fault.now = new Error('the disk is full');
    for (const [tool, input] of [
      ['edit_file', { path: 'a.txt', old_string: 'one', new_string: 'two' }],
      ['write_file', { path: 'a.txt', content: 'two' }],
      ['write_file', { path: 'b.txt', content: 'two' }],
    ] as const)
      expect(await world.call(tool, input)).toMatchObject({ ok: false, content: expect.stringContaining('the disk is full') });
    expect([world.get('a.txt'), existsSync(join(world.cwd, 'b.txt'))]).toEqual(['one', false]);
  });

  test('is told when it is too large to be kept, and left alone by a way back [D-47, C108]', async () => {
    const world = keepingWorld(10);
    world.put('large.txt', 'x'.repeat(100));
    const done = await world.call('write_file', { path: 'large.txt', content: 'small' });
    expect(done.note.en).toContain('what it held before is not kept: it is too large');
    expect(await world.plans(0)).toMatchObject([{ kind: 'cannot', why: 'what it held then is not kept' }]);
    expect(world.get('large.txt')).toBe('small');
  });
});

describe('going back with files', () => {
  test('puts back what each held then over many changes, its mode kept, and can itself be undone [P29]', async () => {
    const world = keepingWorld();
    const path = world.put('a.sh', 'one\n', 0o750);
    await world.call('edit_file', { path: 'a.sh', old_string: 'one', new_string: 'two' });
    await world.call('edit_file', { path: 'a.sh', old_string: 'two', new_string: 'three' });
    const [plan] = await world.plans(0);
    expect(plan).toMatchObject({ kind: 'ready', does: 'write', changedSince: false, preview: expect.stringContaining('-three\n+one') });
    expect(world.get('a.sh')).toBe('three\n');
    expect(await world.restoreAll(0)).toEqual([undefined]);
    expect([world.get('a.sh'), statSync(path).mode & 0o777]).toEqual(['one\n', 0o750]);
    expect(await world.plans(0)).toEqual([{ kind: 'same' }]);
    // Since the two edits there was only the restoring: going back to before that undoes it.
    expect(await world.restoreAll(2)).toEqual([undefined]);
    expect(world.get('a.sh')).toBe('three\n');
    await world.restoreAll(1);
    expect(world.get('a.sh')).toBe('two\n');
  });

  test('removes a file that is new since, and makes one again that is gone, with its folder and mode', async () => {
    const world = keepingWorld();
    await world.call('write_file', { path: 'new/made.txt', content: 'x' });
    const path = world.put('sub/run.sh', 'old', 0o700);
    await world.call('write_file', { path: 'sub/run.sh', content: 'new' });
    rmSync(join(world.cwd, 'sub'), { recursive: true });
    const plans = await world.plans(0);
    expect(plans).toMatchObject([
      { does: 'remove', changedSince: false, preview: 'Remove new/made.txt, 1 bytes, made since' },
      { does: 'make', changedSince: true },
    ]);
    expect(await world.restoreAll(0)).toEqual([undefined, undefined]);
    expect([existsSync(join(world.cwd, 'new/made.txt')), world.get('sub/run.sh'), statSync(path).mode & 0o777]).toEqual([
      false,
      'old',
      0o700,
    ]);
    await world.restoreAll(2);
    expect(world.get('new/made.txt')).toBe('x');
  });

  test('names what somebody else changed since, and touches nothing that was not recorded [C103, C105, C106, D-46]', async () => {
    const world = keepingWorld();
    world.put('theirs.txt', 'one');
    world.put('untouched.txt', 'mine');
    await world.call('write_file', { path: 'theirs.txt', content: 'two' });
    world.put('theirs.txt', 'three, by hand');
    world.put('untouched.txt', 'changed by hand');
    world.put('unknown.txt', 'new by hand');
    expect(await world.plans(0)).toMatchObject([
      { name: 'theirs.txt', changedSince: true, preview: expect.stringContaining('-three, by hand') },
    ]);
    await world.restoreAll(0);
    expect([world.get('theirs.txt'), world.get('untouched.txt'), world.get('unknown.txt')]).toEqual([
      'one',
      'changed by hand',
      'new by hand',
    ]);
    // Even what was overwritten on purpose was recorded, and comes back.
    await world.restoreAll(1);
    expect(world.get('theirs.txt')).toBe('three, by hand');
  });

  test('does not act on a file that changes between the question and the answer', async () => {
    const world = keepingWorld();
    world.put('a.txt', 'one');
    await world.call('write_file', { path: 'a.txt', content: 'two' });
    await world.call('write_file', { path: 'b.txt', content: 'new' });
    const plans = await world.plans(0);
    world.put('a.txt', 'meanwhile');
    world.put('b.txt', 'meanwhile');
    for (const plan of plans) expect(plan.kind === 'ready' && (await plan.perform())).toContain('changed on disk since');
    expect([world.get('a.txt'), world.get('b.txt')]).toEqual(['meanwhile', 'meanwhile']);
  });

  test('never goes through a link, and says why of links, read-only files and hard links [C107, S-03]', async () => {
    const world = keepingWorld();
    for (const name of ['d/link.txt', 'e/in.txt', 'ro.txt']) world.put(name, 'one');
    const outside = join(world.root, 'outside');
    mkdirSync(outside);
    writeFileSync(join(outside, 'in.txt'), 'theirs');
    for (const name of ['d/link.txt', 'e/in.txt', 'ro.txt']) await world.call('write_file', { path: name, content: 'two' });
    rmSync(join(world.cwd, 'd/link.txt'));
    symlinkSync(join(outside, 'in.txt'), join(world.cwd, 'd/link.txt'));
    renameSync(join(world.cwd, 'e'), join(world.cwd, 'was-e'));
    symlinkSync(outside, join(world.cwd, 'e'));
    chmodSync(join(world.cwd, 'ro.txt'), 0o444);
    expect((await world.plans(0)).map((plan) => plan.kind === 'cannot' && plan.why)).toEqual([
      expect.stringContaining('a link leads elsewhere'),
      expect.stringContaining('a link leads elsewhere'),
      expect.stringContaining('is read-only'),
    ]);
    expect(world.get(join('..', '..', 'outside', 'in.txt'))).toBe('theirs');
    expect(dirname(outside)).toBe(world.root);
  });

  test('of a write that never happened finds the file as it was', async () => {
    const world = keepingWorld();
    world.put('a.txt', 'one');
    await world.call('write_file', { path: 'a.txt', content: 'two' });
    // As after a kill between the record and the rename.
    world.put('a.txt', 'one');
    expect(await world.plans(0)).toEqual([{ kind: 'same' }]);
  });
});
