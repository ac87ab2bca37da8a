import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Host, readHost } from '../../../../src/store/files/host.ts';
import { acquireLock, holderState, withLock } from '../../../../src/store/files/lock.ts';
import { failing, headerOf, namesOf, newFolder, storeOf, systemError, thrownBy, worldOf } from './world.ts';

/** A machine on which only the processes of `running` run, each with its start time. */
const hostOf = (running: Readonly<Record<number, string>>, more: Partial<Host> = {}): Host => ({
  name: 'here',
  bootId: 'boot-1',
  pidSpace: 'pid:[1]',
  isAlive: (pid) => running[pid] !== undefined,
  startTime: (pid) => running[pid],
  ...more,
});

const running = hostOf({ [process.pid]: '100', 7: '70' });
const holder = {
  pid: 7,
  startTime: '70',
  bootId: 'boot-1',
  host: 'here',
  pidSpace: 'pid:[1]',
  nonce: 'abc',
  since: '2026-01-01T00:00:00.000Z',
};

function lockOf() {
  const made = worldOf({ home: newFolder() });
  const path = `${made.paths.home}/lock`;
  return { ...made, path, take: (host = running) => acquireLock(made.disk, path, host), put: (text: string) => writeFileSync(path, text) };
}

describe('a lock', () => {
  test('is refused to others with its holder, until it is given back [C-04, P18]', () => {
    const { take, path } = lockOf();
    const first = take();
    if (first.kind !== 'held') throw new Error('not taken');
    expect(take()).toMatchObject({ kind: 'busy', why: 'running', holder: { pid: process.pid, host: 'here' } });
    expect(first.lock.isHeld()).toBe(true);
    first.lock.release();
    expect(existsSync(path)).toBe(false);
    expect(take().kind).toBe('held');
  });

  test('is judged by its holder, never by its time [C-07, C-08]', () => {
    const { take, put, path } = lockOf();
    put(JSON.stringify(holder));
    for (const time of [new Date('2036-01-01'), new Date('1990-01-01')]) {
      utimesSync(path, time, time);
      expect(take().kind).toBe('busy');
    }
  });

  test('of a process that has ended is taken over, and leaves nothing else behind [D-05, I7]', () => {
    const { take, put, paths } = lockOf();
    put(JSON.stringify({ ...holder, pid: 8 }));
    expect(take().kind).toBe('held');
    expect(namesOf(paths.home)).toEqual(['lock']);
  });

  test('whose number another program has now is taken over: it started at another time [C-09]', () => {
    const { take, put } = lockOf();
    put(JSON.stringify({ ...holder, startTime: '69' }));
    expect(take().kind).toBe('held');
  });

  test('from before the machine was started again is taken over [C-10]', () => {
    const { take, put } = lockOf();
    put(JSON.stringify({ ...holder, bootId: 'boot-0' }));
    expect(take().kind).toBe('held');
  });

  test.each([
    ['another machine', { host: 'there', bootId: 'boot-9' }],
    ['another container of this machine, both with process 1', { pidSpace: 'pid:[2]', pid: 1 }],
  ])('of %s is refused, since nothing is known of it from here [C-10]', (_, more) => {
    const { take, put } = lockOf();
    put(JSON.stringify({ ...holder, ...more }));
    expect(take()).toMatchObject({ kind: 'busy', why: 'elsewhere' });
  });

  test.each([
    ['empty', ''],
    ['no JSON', '{"pid":'],
    ['without a holder', '{"pid":"x"}'],
    ['with a nonce that is a path', JSON.stringify({ ...holder, nonce: '../../x' })],
  ])('that is %s is taken over [C-11]', (_, text) => {
    const { take, put, paths } = lockOf();
    put(text);
    expect(take().kind).toBe('held');
    expect(namesOf(paths.home)).toEqual(['lock']);
  });

  test('is not taken from whoever is taking it over at this moment [C-06]', () => {
    const { take, put, path } = lockOf();
    const stale = JSON.stringify({ ...holder, pid: 8 });
    put(stale);
    writeFileSync(`${path}.claim-abc`, JSON.stringify({ ...holder, nonce: 'other' }));
    expect(thrownBy(() => take())).toMatchObject({
      code: 'store_failed',
      message: expect.stringContaining('other processes are trying too'),
    });
    expect(readFileSync(path, 'utf8')).toBe(stale);
  });

  test('is taken over though whoever began to do so was killed, and the one after him too', () => {
    const { take, put, path, paths } = lockOf();
    put(JSON.stringify({ ...holder, pid: 8 }));
    writeFileSync(`${path}.claim-abc`, JSON.stringify({ ...holder, pid: 9, nonce: 'second' }));
    writeFileSync(`${path}.claim-second`, JSON.stringify({ ...holder, pid: 10, nonce: 'third' }));
    expect(take().kind).toBe('held');
    expect(namesOf(paths.home)).toEqual(['lock']);
  });

  test('changed by somebody else between the look and the claim is left to him [C-05]', () => {
    let arm = false;
    const made = worldOf({
      home: newFolder(),
      at: (point) => {
        // The second link is that of the claim: meanwhile another waiter has finished.
        if (arm && point === 'lock.link' && existsSync(path) && readFileSync(path, 'utf8').includes('"pid":8')) {
          if (links++ === 1) writeFileSync(path, JSON.stringify(holder));
        }
        return undefined;
      },
    });
    let links = 0;
    const path = `${made.paths.home}/lock`;
    writeFileSync(path, JSON.stringify({ ...holder, pid: 8, nonce: 'old' }));
    arm = true;
    expect(acquireLock(made.disk, path, running)).toMatchObject({ kind: 'busy', why: 'running', holder: { pid: 7 } });
    expect(namesOf(made.paths.home)).toEqual(['lock']);
  });

  test('that is somebody else’s by now is not removed when it is given back [C-12]', () => {
    const { take, put, path } = lockOf();
    const mine = take();
    if (mine.kind !== 'held') throw new Error('not taken');
    put(JSON.stringify(holder));
    expect(mine.lock.isHeld()).toBe(false);
    mine.lock.release();
    expect(readFileSync(path, 'utf8')).toBe(JSON.stringify(holder));
  });

  test('works where files cannot be linked', () => {
    const made = worldOf({ home: newFolder(), at: failing('lock.link', 'EPERM') });
    const path = `${made.paths.home}/lock`;
    const answer = acquireLock(made.disk, path, running);
    expect(acquireLock(made.disk, path, running)).toMatchObject({ kind: 'busy', why: 'running' });
    if (answer.kind === 'held') answer.lock.release();
    writeFileSync(path, JSON.stringify({ ...holder, pid: 8 }));
    expect(acquireLock(made.disk, path, running).kind).toBe('held');
    expect(namesOf(made.paths.home)).toEqual(['lock']);
  });

  test('is judged by the process alone on a system that tells no boot and no start times', () => {
    const mac = hostOf({ 7: '70' }, { bootId: undefined, pidSpace: undefined, startTime: () => undefined });
    const { startTime, bootId, pidSpace, ...plain } = holder;
    expect([startTime, bootId, pidSpace]).toHaveLength(3);
    expect(holderState(plain, mac)).toBe('running');
    expect(holderState({ ...plain, pid: 8 }, mac)).toBe('stale');
  });
});

describe('this machine', () => {
  test('knows that its own process runs and one that has ended does not', () => {
    const { world } = worldOf({ home: newFolder() });
    const host = readHost(world);
    expect(host.isAlive(process.pid)).toBe(true);
    expect(host.isAlive(0x3fffffff)).toBe(false);
  });

  test('takes a process of another user for running', () => {
    const host = readHost({
      probePid: () => {
        throw systemError('EPERM');
      },
    });
    expect(host.isAlive(0x3fffffff)).toBe(true);
  });

  test.runIf(process.platform === 'linux')('tells start times apart', () => {
    const { world } = worldOf({ home: newFolder() });
    const host = readHost(world);
    expect(host.startTime(process.pid)).toMatch(/^\d+$/);
    expect(host.startTime(process.pid)).not.toBe(host.startTime(1));
  });
});

describe('something short under a lock', () => {
  test('is done, and the lock given back though it fails [O18]', () => {
    const { disk, path } = lockOf();
    expect(withLock(disk, path, () => 42)).toBe(42);
    expect(() =>
      withLock(disk, path, () => {
        throw new Error('oops');
      }),
    ).toThrow('oops');
    expect(existsSync(path)).toBe(false);
  });
});

describe('a session that is open', () => {
  test('is refused to a second opener with the process and since when, and can be opened afterwards [P18, C-04]', () => {
    const { store } = storeOf();
    const { log } = store.sessions.create(headerOf('s1'));
    expect(thrownBy(() => store.sessions.open('s1'))).toMatchObject({
      code: 'session_locked',
      message: expect.stringMatching(new RegExp(`process ${process.pid}, since 2026-03-04T05:06:07.000Z`)),
    });
    log.close();
    store.sessions.open('s1').log.close();
  });

  test('on another machine is refused with the file to delete when that is gone [C-10]', () => {
    const { store, paths } = storeOf();
    store.sessions.create(headerOf('s1')).log.close();
    writeFileSync(paths.sessionLock('s1'), JSON.stringify({ ...holder, host: 'elsewhere\u001b[2J' }));
    const thrown = thrownBy(() => store.sessions.open('s1'));
    expect(thrown).toMatchObject({ code: 'session_locked', hint: expect.stringContaining(paths.sessionLock('s1')) });
    expect(String(thrown)).not.toContain('\u001b');
  });

  test('is not repaired by the one who is refused: a line in the making is no torn tail', () => {
    const { store, paths } = storeOf();
    store.sessions.create(headerOf('s1'));
    writeFileSync(paths.log('s1'), `${readFileSync(paths.log('s1'), 'utf8')}{"type":"mess`);
    const before = readFileSync(paths.log('s1'), 'utf8');
    expect(() => store.sessions.open('s1')).toThrow(/is open/);
    expect(readFileSync(paths.log('s1'), 'utf8')).toBe(before);
  });

  test('gives its lock back when opening it fails', () => {
    const { store, paths } = storeOf();
    mkdirSync(paths.session('s1'), { recursive: true });
    writeFileSync(paths.log('s1'), 'junk\n');
    expect(() => store.sessions.open('s1')).toThrow();
    expect(existsSync(paths.sessionLock('s1'))).toBe(false);
  });
});
