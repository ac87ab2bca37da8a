import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { compareStamps, memorySet, stampAfter } from '../../../src/sync/memory-set.ts';
import { settle, syncedHome } from '../../support/synced-homes.ts';

const entryOf = (text: string, more: { readonly sessionId?: string; readonly at?: string } = {}) => ({
  ...{ kind: 'facts' as const, text, sessionId: 's1', messageId: 'm1', at: '2026-03-04T05:06:07.000Z' },
  ...more,
});

const twoHomes = () => {
  let tick = 1_000_000_000_000;
  return [syncedHome('laptop', () => ++tick), syncedHome('desktop', () => ++tick)] as const;
};

describe('memories of two homes', () => {
  test('are on both, in the order in which they were written, and stay what they are', async () => {
    const [a, b] = twoHomes();
    a.store.memories('main').remember(entryOf('The server runs Debian 12'));
    await settle([a, b]);
    b.store.memories('main').remember(entryOf('数据库在端口 5433 上'));
    await settle([a, b]);
    expect(a.facts()).toBe(b.facts());
    expect(a.store.memories('main').list()).toMatchObject([{ text: 'The server runs Debian 12' }, { text: '数据库在端口 5433 上' }]);
  });

  test('that contradict each other stay two', async () => {
    const [a, b] = twoHomes();
    a.store.memories('main').remember(entryOf('We use Redis for the cache'));
    b.store.memories('main').remember(entryOf('We do not use Redis for the cache', { sessionId: 's2' }));
    await settle([a, b]);
    expect(a.store.memories('main').list()).toHaveLength(2);
    expect(a.facts()).toBe(b.facts());
  });

  test('that were forgotten on one are gone from the other, and are not extracted again there', async () => {
    const [a, b] = twoHomes();
    const entry = entryOf('The server runs Debian 12');
    a.store.memories('main').remember(entry);
    await settle([a, b]);
    const ids = b.store.memories('main').list();
    b.store.memories('main').forget(ids.map(({ id }) => id));
    await settle([a, b]);
    expect(a.store.memories('main').list()).toEqual([]);
    expect(a.store.memories('main').add([entry])).toMatchObject({ facts: 0 });
    expect(b.store.memories('main').list()).toEqual([]);
  });

  test('that were replaced on one are among the older ones of the other', async () => {
    const [a, b] = twoHomes();
    const memories = a.store.memories('main');
    memories.remember(entryOf('We use Redis for the cache'));
    await settle([a, b]);
    memories.remember(entryOf('We do not use Redis for the cache', { sessionId: 's2', at: '2026-03-05T05:06:07.000Z' }));
    const older = memories.older().map(({ line }) => line);
    await settle([a, b]);
    expect(older).toHaveLength(1);
    expect(
      b.store
        .memories('main')
        .older()
        .map(({ line }) => line),
    ).toEqual(older);
    expect(b.facts()).toBe(a.facts());
  });

  test("a person's page keeps its own words and order, and what is written by hand is an entry for the other", async () => {
    const [a, b] = twoHomes();
    a.store.memories('main').remember(entryOf('The server runs Debian 12'));
    await settle([a, b]);
    const page = `${a.facts()}\n## Of mine\n\nSome words.\n\n- the printer is on the third floor\n`;
    writeFileSync(a.paths.extracted('main', 'facts'), page);
    b.store.memories('main').remember(entryOf('The office has two doors'));
    await settle([a, b]);
    expect(a.facts().startsWith(page.trimEnd())).toBe(true);
    expect(b.facts()).toContain('- the printer is on the third floor');
    expect(b.facts()).not.toContain('Some words.');
    writeFileSync(a.paths.extracted('main', 'facts'), a.facts().replace('third', 'fourth'));
    await settle([a, b]);
    expect(b.facts()).toContain('fourth');
    expect(b.facts()).not.toContain('third');
  });

  test('of a home that joins with pages of its own, none is struck out', async () => {
    const [a, b] = twoHomes();
    a.store.memories('main').remember(entryOf('The server runs Debian 12'));
    await a.exchange();
    b.store.memories('main').remember(entryOf('The office has two doors'));
    await settle([a, b]);
    expect(readFileSync(b.paths.extracted('main', 'facts'), 'utf8')).toBe(a.facts());
    expect(a.store.memories('main').list()).toHaveLength(2);
  });
});

describe('a set of memories', () => {
  const at = { ms: 5, count: 0, writer: 'a', group: 'main', page: 'facts', id: 'm1' };

  test('is the same in whatever order its words come, and the newest word on an entry holds', () => {
    const ops = [
      { type: 'memory' as const, ...at, line: '- one' },
      { type: 'strike' as const, ...at, ms: 6, writer: 'b' },
      { type: 'memory' as const, ...at, ms: 4, id: 'm2', line: '- two' },
      { type: 'memory' as const, ...at, ms: 6, writer: 'c', line: '- one again' },
    ];
    expect(memorySet(ops).live.map(({ line }) => line)).toEqual(['- two', '- one again']);
    expect(memorySet(ops.toReversed())).toEqual(memorySet(ops));
    expect(memorySet(ops.slice(0, 3)).live.map(({ line }) => line)).toEqual(['- two']);
  });

  test('a stamp is later than all that its writer knew, whatever the clock says', () => {
    const known = { ms: 100, count: 7, writer: 'z' };
    for (const clock of [0, 99, 100, 101]) expect(compareStamps(stampAfter(known, clock, 'a'), known)).toBeGreaterThan(0);
    expect(stampAfter(undefined, 5, 'a')).toEqual({ ms: 5, count: 0, writer: 'a' });
  });
});
