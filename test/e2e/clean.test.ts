import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createStore } from '../../src/store/store.ts';
import { contextOf, user } from '../support/build.ts';
import { createSandbox } from '../support/sanbot.ts';
import { headerOf, said } from '../unit/store/files/world.ts';

const DAY = 86_400_000;

/** A home with a session that has snapshots of these ages in days, oldest first. */
function homeWith(ages: readonly number[]) {
  const sandbox = createSandbox({ SANBOT_PROVIDER: 'offline' });
  mkdirSync(sandbox.home, { mode: 0o700 });
  let now = new Date();
  let serial = 0;
  const store = createStore(
    { home: sandbox.home, now: () => now, newId: () => `n${++serial}`, pid: process.pid, platform: 'linux', probePid: () => undefined },
    { maxSessionBytes: 1e9, warn: () => undefined },
  );
  const { log } = store.sessions.create(headerOf('s1'));
  log.append(said('hello'));
  log.close();
  const ids = ages.map((age) => {
    now = new Date(Date.now() - age * DAY);
    const context = contextOf([user('x'.repeat(1000))]);
    return store.snapshots.write({ sessionId: 's1', group: 'main', reason: 'compaction', model: 'm', tokens: 1, context, bodies: [] }).id;
  });
  return { ...sandbox, ids, left: () => store.snapshots.list().map(({ id }) => id) };
}

test('sanbot clean --dry-run shows what would be removed and removes nothing; without it, that goes and nothing else [D-36, C-15]', async () => {
  const { run, ids, left } = homeWith([20, 9, 8, 1]);
  const shown = await run(['clean', '--dry-run']);
  expect(shown.code).toBe(0);
  expect(shown.out.split('\n')).toEqual([
    ...ids.slice(0, 3).map((id) => expect.stringMatching(`^would be removed  ${id}  \\d.* KB, older than 7 days$`)),
    expect.stringMatching(/^3 snapshots would be removed, .* KB\. 1 snapshot \(.* KB\) would be kept\. Limits: 7 days, 1\.1 GB in all\.$/),
    '',
  ]);
  expect(left()).toEqual(ids);
  const done = await run(['clean', '--json']);
  expect(JSON.parse(done.out)).toMatchObject({
    dryRun: false,
    days: 7,
    removed: ids.slice(0, 3).map((id) => ({ id, why: 'age' })),
    kept: 1,
  });
  expect(left()).toEqual(ids.slice(3));
});

test('sanbot clean obeys the limit of bytes in the settings, and never takes the newest of a session [N4, B12]', async () => {
  const { home, run, ids, left } = homeWith([9, 0.2, 0.1]);
  writeFileSync(join(home, 'config.json'), JSON.stringify({ compaction: { snapshotRetentionDays: 30, snapshotMaxBytes: 10 } }), {
    mode: 0o600,
  });
  const { out } = await run(['clean', '--json']);
  expect(JSON.parse(out).removed).toMatchObject(ids.slice(0, 2).map((id) => ({ id, why: 'size' })));
  expect(left()).toEqual(ids.slice(2));
  expect((await run(['clean'])).out).toMatch(/^Nothing to remove\. 1 snapshot/);
});

test('sanbot clean removes nothing on half a configuration', async () => {
  const { home, run, ids, left } = homeWith([9, 1]);
  writeFileSync(join(home, 'config.json'), '{"compaction":{"snapshotRetentionDays":"1"}}', { mode: 0o600 });
  expect(await run(['clean'])).toMatchObject({ code: 2 });
  expect(left()).toEqual(ids);
});
