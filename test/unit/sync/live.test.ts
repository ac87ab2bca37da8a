import { expect, test } from 'vitest';
import { followSession, type LiveFork } from '../../../src/sync/live.ts';
import { createMemoryHub } from '../../support/memory-target.ts';
import { type SyncedHome, statesOf, syncedHome } from '../../support/synced-homes.ts';

type Hub = ReturnType<typeof createMemoryHub>;

function following(home: SyncedHome, hub: Hub, name: string, log = 's1') {
  const forks: LiveFork[] = [];
  const live = followSession({ home: home.side(), ...hub.as(name), log, known: undefined, onFork: (fork) => forks.push(fork) });
  return { ...live, forks };
}

const PAUSE_MS = 31_000;

test('what is written while a session is open is there after each push, once, and another home goes on with it', async () => {
  const [hub, a, b] = [createMemoryHub(), syncedHome('laptop'), syncedHome('desktop')];
  a.write('s1', 'hello');
  const live = following(a, hub, 'laptop');
  expect(await live.hold()).toBeUndefined();
  for (const text of ['one', 'two']) {
    a.write('s1', text);
    expect(await live.push()).toBe(true);
  }
  expect(await live.push()).toBe(true);
  expect((await hub.as('x').target.list('s1')).map(({ seq }) => seq)).toEqual([1, 2]);
  await live.release();
  await b.exchange(hub.as('desktop').target);
  expect(statesOf(b)).toEqual(statesOf(a));
  expect(live.forks).toEqual([]);
});

test('an exchange of another home waits while a session is open, and says who has it', async () => {
  const [hub, a, b] = [createMemoryHub(), syncedHome('laptop'), syncedHome('desktop')];
  a.write('s1', 'hello');
  await a.exchange(hub.as('laptop').target);
  await b.exchange(hub.as('desktop').target);
  const live = following(a, hub, 'laptop');
  await live.hold();
  b.write('s1', 'there');
  const { sent, elsewhere } = await b.exchange(hub.as('desktop').target);
  expect([sent, elsewhere]).toEqual([0, [{ session: 's1', holder: 'laptop', since: expect.any(Date) }]]);
  await live.release();
  expect(await b.exchange(hub.as('desktop').target)).toMatchObject({ sent: 1, elsewhere: [] });
});

test.each([
  ['and went on with it', true],
  ['and wrote nothing yet', false],
])(
  'one that was paused for longer than its lease goes on in a fork, and is told once, where another took the session %s',
  async (_, wrote) => {
    const [hub, a, b] = [createMemoryHub(), syncedHome('laptop'), syncedHome('desktop')];
    a.write('s1', 'hello');
    const paused = following(a, hub, 'laptop');
    await paused.hold();
    await paused.push();
    await b.exchange(hub.as('desktop').target);
    await hub.pass(PAUSE_MS);
    const other = following(b, hub, 'desktop');
    expect(await other.hold()).toBeUndefined();
    if (wrote) {
      b.write('s1', 'on the desktop');
      await other.push();
    }
    for (const text of ['on the laptop', 'still there']) {
      a.write('s1', text);
      expect(await paused.push()).toBe(true);
    }
    expect(paused.forks).toEqual([
      { of: 's1', as: expect.stringMatching(/^s1-[0-9a-f]{8}$/), by: { holder: 'desktop', since: expect.any(Date) } },
    ]);
    b.write('s1', 'the desktop goes on');
    expect(await other.push()).toBe(true);
    expect(other.forks).toEqual([]);
    await other.release();
    // Each has its own state, and both are there for everybody.
    await b.exchange(hub.as('desktop').target);
    await a.exchange(hub.as('laptop').target);
    expect(statesOf(a)).toEqual(statesOf(b));
    expect(statesOf(a)).toHaveLength(2);
    const c = syncedHome('third');
    await c.exchange(hub.as('third').target);
    expect(statesOf(c)).toEqual(statesOf(a));
  },
);

test('one that was paused while nobody wanted its session goes on with it, also after an exchange of its own home', async () => {
  const [hub, a] = [createMemoryHub(), syncedHome('laptop')];
  a.write('s1', 'hello');
  const live = following(a, hub, 'laptop');
  await live.hold();
  await live.push();
  await hub.pass(PAUSE_MS);
  a.write('s1', 'sent by the exchange');
  await a.exchange(hub.as('laptop').target);
  a.write('s1', 'more');
  expect(await live.push()).toBe(true);
  await live.renew();
  expect(live.forks).toEqual([]);
  expect(await following(syncedHome('desktop'), hub, 'desktop').hold()).toMatchObject({ holder: 'laptop' });
});

test('one that another process of its home had for a moment is kept on, without a word written', async () => {
  const [hub, a] = [createMemoryHub(), syncedHome('laptop')];
  a.write('s1', 'hello');
  const live = following(a, hub, 'laptop');
  await live.hold();
  await live.push();
  const failed = await hub.as('laptop').leases.hold('s1');
  if (!('epoch' in failed)) throw new Error('not held');
  await hub.as('laptop').leases.release(failed);
  await live.renew();
  expect(await following(syncedHome('desktop'), hub, 'desktop').hold()).toMatchObject({ holder: 'laptop' });
});

test('a session that was deleted everywhere meanwhile is not sent again', async () => {
  const [hub, a, b] = [createMemoryHub(), syncedHome('laptop'), syncedHome('desktop')];
  a.write('s1', 'hello');
  const live = following(a, hub, 'laptop');
  await live.push();
  await b.exchange(hub.as('desktop').target);
  b.remove('s1');
  await b.exchange(hub.as('desktop').target);
  a.write('s1', 'more');
  const again = following(a, hub, 'laptop');
  expect(await again.push()).toBe(false);
});
