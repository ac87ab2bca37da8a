import { appendFileSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { AuditRecord } from '../../../src/domain/event.ts';
import { type EventFilter, MAX_EVENT_FILE_BYTES, MAX_ROTATED_FILES } from '../../../src/store/events.ts';
import { failing, modeOf, storeOf, type WorldOptions } from './files/world.ts';

const eventOf = (type: string, more: Record<string, unknown> = {}): AuditRecord => ({
  v: 1,
  at: '2026-03-04T05:06:07.000Z',
  sessionId: 's1',
  type,
  ...more,
});

function eventsOf(options: WorldOptions = {}) {
  const made = storeOf(options);
  const { events } = made.store;
  const read = (filter: EventFilter = {}) => {
    const records: AuditRecord[] = [];
    const result = events.read(filter, (record) => records.push(record));
    return { types: records.map(({ type }) => type), records, ...result };
  };
  return { ...made, events, read, path: made.paths.events };
}

test('events come back in order, each on one line whatever is in it [S-41, X3]', () => {
  const { events, read, path } = eventsOf();
  const odd = eventOf('odd', { text: 'a\n"}\u001b\u2028{"v":1}' });
  expect([events.append(eventOf('one')), events.append(odd)]).toEqual([true, true]);
  expect(read().records).toEqual([eventOf('one'), odd]);
  expect(readFileSync(path, 'utf8').split('\n')).toHaveLength(3);
  expect(modeOf(path)).toBe('600');
});

test('a line comes back with all its fields and their order, whatever version wrote it', () => {
  const { read, path } = eventsOf();
  const line = '{"type":"compacted","later":{"b":1,"a":2},"sessionId":"s1","ms":"long","at":"2026-03-04T05:06:07.000Z","v":1}';
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, `${line}\n`, { mode: 0o600 });
  expect(read().records.map((record) => JSON.stringify(record))).toEqual([line]);
});

test('a torn line and damaged ones are counted and do not hide what follows [B16, C-01, D-08]', () => {
  const { events, read, path } = eventsOf();
  events.append(eventOf('one'));
  appendFileSync(path, '\0\0\0\n{"v":1}\n{"v":1,"at":"x","sessi');
  expect(read()).toMatchObject({ types: ['one'], damaged: 2 });
  events.append(eventOf('two'));
  expect(read()).toMatchObject({ types: ['one', 'two'], damaged: 3 });
});

test('events are chosen by session, type and time', () => {
  const { events, read } = eventsOf();
  events.append(eventOf('one'));
  events.append(eventOf('two', { sessionId: 's2' }));
  events.append(eventOf('two', { at: '2026-03-05T00:00:00.000Z' }));
  expect(read({ sessionId: 's1' }).types).toEqual(['one', 'two']);
  expect(read({ type: 'two' }).records.map(({ sessionId }) => sessionId)).toEqual(['s2', 's1']);
  expect(read({ since: new Date('2026-03-05T00:00:00.000Z') }).types).toEqual(['two']);
});

test('reading goes on where it ended, a line in the making left to the next time', () => {
  const { events, read, path } = eventsOf();
  expect(read()).toMatchObject({ types: [], next: undefined });
  events.append(eventOf('one'));
  const line = `${JSON.stringify(eventOf('two'))}\n`;
  appendFileSync(path, line.slice(0, 20));
  const { next } = read();
  appendFileSync(path, line.slice(20));
  expect(read(next === undefined ? {} : { from: next }).types).toEqual(['two']);
});

test('events larger than the pieces they are read in come back whole', () => {
  const { events, read } = eventsOf();
  const text = '大'.repeat(400_000);
  events.append(eventOf('big', { text }));
  events.append(eventOf('after'));
  expect(read().records).toEqual([eventOf('big', { text }), eventOf('after')]);
});

test.each(['ENOSPC', 'EACCES', 'EROFS'])('an event that cannot be written for %s says so and stops nothing', (code) => {
  const { events } = eventsOf({ at: failing('event.write', code) });
  expect(events.append(eventOf('one'))).toBe(false);
});

test('an event of which the disk took only a part counts as not written, and the next one is whole', () => {
  let part: number | undefined = 10;
  const { events, read } = eventsOf({ at: (point) => (point === 'event.write' ? part : undefined) });
  expect(events.append(eventOf('lost'))).toBe(false);
  part = undefined;
  expect(events.append(eventOf('two'))).toBe(true);
  expect(read()).toMatchObject({ types: ['two'], damaged: 1 });
});

test('a file that others could read is made private again, and told [S-33]', () => {
  const { events, path, told } = eventsOf();
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, '', { mode: 0o644 });
  expect(events.append(eventOf('one'))).toBe(true);
  expect(modeOf(path)).toBe('600');
  expect(told).toEqual([expect.stringContaining(path)]);
});

test('a folder that went away while the program ran is made again, and private', () => {
  const { events, read, path } = eventsOf();
  events.append(eventOf('one'));
  rmSync(dirname(path), { recursive: true });
  expect(events.append(eventOf('two'))).toBe(true);
  expect(read().types).toEqual(['two']);
  expect(modeOf(dirname(path))).toBe('700');
});

test('a full file is put away and a new one begun; readers cross the seam, also where they had ended before it', () => {
  const { events, read, path } = eventsOf();
  events.append(eventOf('one'));
  const { next } = read();
  events.append(eventOf('large', { text: 'x'.repeat(MAX_EVENT_FILE_BYTES) }));
  events.append(eventOf('two'));
  expect(read().types).toEqual(['one', 'large', 'two']);
  expect(read(next === undefined ? {} : { from: next }).types).toEqual(['large', 'two']);
  expect(readFileSync(path, 'utf8').split('\n')).toHaveLength(2);
});

test('the newest full files are kept, whoever made them, and older ones go', () => {
  const { events, read, path } = eventsOf();
  const names = Array.from({ length: MAX_ROTATED_FILES + 2 }, (_, i) => `events-${String(i + 1).padStart(6, '0')}-${7 - (i % 2)}.jsonl`);
  events.append(eventOf('first'));
  for (const name of names) appendFileSync(join(dirname(path), name), `${JSON.stringify(eventOf(name))}\n`);
  writeFileSync(path, `${JSON.stringify(eventOf('full', { text: 'x'.repeat(MAX_EVENT_FILE_BYTES) }))}\n`);
  events.append(eventOf('new'));
  expect(read().types).toEqual([...names.slice(3), 'full', 'new']);
  expect(basename(path)).toBe('events.jsonl');
});

test('a file that another process has put away meanwhile is put away once, and the new one goes on', () => {
  let isMeanwhile = true;
  const world = eventsOf({
    at: (point) => {
      if (point !== 'lock.open' || !isMeanwhile) return undefined;
      isMeanwhile = false;
      renameSync(world.path, join(dirname(world.path), 'events-000001-9.jsonl'));
      world.events.append(eventOf('new'));
      return undefined;
    },
  });
  world.events.append(eventOf('full', { text: 'x'.repeat(MAX_EVENT_FILE_BYTES) }));
  world.events.append(eventOf('last'));
  expect(isMeanwhile).toBe(false);
  expect(readdirSync(dirname(world.path)).sort()).toEqual(['events-000001-9.jsonl', 'events.jsonl']);
  expect(world.read().types).toEqual(['full', 'new', 'last']);
});
