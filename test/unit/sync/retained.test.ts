import { expect, test } from 'vitest';
import type { SyncTarget } from '../../../src/sync/port.ts';
import { says, user } from '../../support/build.ts';
import { createMemoryTarget } from '../../support/memory-target.ts';
import { syncedHome } from '../../support/synced-homes.ts';

test('a session that a target keeps no more is not sent again until it goes on, and then whole', async () => {
  const home = syncedHome('laptop');
  home.write('s1', 'hello');
  await home.exchange(createMemoryTarget());
  // The same target after it took all away.
  const emptied: SyncTarget = { ...createMemoryTarget(), retention: { gone: async () => false, retired: async () => new Set(['s1']) } };
  expect(await home.exchange(emptied)).toMatchObject({ sent: 0, forks: [] });
  expect((await emptied.list()).filter(({ chain }) => chain === 's1')).toEqual([]);
  home.write('s1', 'it goes on');
  expect(await home.exchange(emptied)).toMatchObject({ sent: 1, forks: [] });
  for await (const { bytes } of emptied.read('s1', 1)) expect(bytes.toString()).toMatch(/hello.*it goes on/s);
  // One that lost everything has no such mark.
  expect(await home.exchange(createMemoryTarget())).toMatchObject({ sent: 1 });
});

test('a result that a target keeps no more keeps no session from another machine', async () => {
  const [a, b] = [syncedHome('laptop'), syncedHome('desktop')];
  a.write('s1', 'hello');
  const saved = a.store.bodies('s1').save('a large result');
  if (saved === undefined) throw new Error('unreachable');
  const { log } = a.store.sessions.open('s1');
  const stub = { toolUseId: 't1', tool: 'read_file', body: saved.ref };
  log.append({ type: 'message', message: { ...user('hello'), stubs: [stub] } });
  log.append({ type: 'message', message: says('done') });
  log.close();
  const target = createMemoryTarget();
  await a.exchange(target);
  await target.drop(saved.ref.sha256);
  expect([...(await b.exchange(target)).waiting]).toEqual(['s1']);
  const emptied: SyncTarget = {
    ...target,
    retention: { gone: async (sha256) => sha256 === saved.ref.sha256, retired: async () => new Set() },
  };
  expect(await b.exchange(emptied)).toMatchObject({ received: 1, waiting: new Set() });
  expect(b.ids()).toEqual(['s1']);
});
