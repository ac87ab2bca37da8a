import { describe, expect, test } from 'vitest';
import type { RecalledText, RecallHit, RecallOptions } from '../../../src/domain/recall.ts';
import { createWorld } from './world.ts';

const source = { sessionId: 's0', at: '2026-01-31T10:00:00.000Z', kind: 'tool', tool: 'run_command', failed: true } as const;
const hit = (ref: string, text: string, charOffset = 0): RecallHit => ({
  ...source,
  ref,
  score: 1,
  charOffset,
  snippet: { text, marks: [] },
  folder: undefined,
  copies: [],
});

function recallWorld(hits: readonly RecallHit[], texts: readonly RecalledText[] = [], pageChars = 10_000, sessionsLeft = 0) {
  const asked: RecallOptions[] = [];
  const recall = {
    search: async (wish: RecallOptions) => {
      asked.push(wish);
      return { hits, sessionsLeft };
    },
    open: async (ref: string) => texts.find((text) => text.ref === ref),
  };
  return { ...createWorld({ recall, pageChars }), asked };
}

const text = (ref: string, whole: string): RecalledText => ({
  ...{ ...source, ref, text: whole, before: { ...source, ref: 's0:1', kind: 'user', tool: undefined, failed: false }, after: undefined },
});

describe('recall', () => {
  test('asks nobody, and shows each hit with its reference and where in the text it stands', async () => {
    const world = recallWorld([hit('s0:4.1', 'npm test: 3 failed'), hit('s0:9', '数据库', 16_000)]);
    const plan = await world.ready('recall', { query: 'npm test', errors: true, limit: 2 });
    expect(plan).toMatchObject({ access: 'read', place: 'none', title: 'recall npm test', preview: '' });
    const outcome = await world.call('recall', { query: 'npm test', errors: true, limit: 2 });
    expect(outcome).toMatchObject({ ok: true, note: expect.objectContaining({ en: '2 hits' }), readBack: true });
    expect(outcome.content).toContain('s0:4.1  2026-01-31 10:00  run_command  failed\n  npm test: 3 failed');
    expect(outcome.content).toContain('s0:9  2026-01-31 10:00  run_command  failed  char_offset=16000\n  数据库');
    expect(world.asked).toMatchObject([{ query: 'npm test', session: undefined, errors: true, limit: 2 }]);
  });

  test('asks for decisions or failures of a time without words, and names the folder of a hit elsewhere and the copies of a text', async () => {
    const elsewhere = { ...hit('s0:4', 'we use libsql'), folder: '/srv/other', copies: ['s1:2', 's2:2', 's3:2', 's4:2'] };
    const world = recallWorld([elsewhere]);
    const { content } = await world.call('recall', { decisions: true, since: '2026-01-31', until: '2026-02-01T12:00Z', all: true });
    expect(world.asked).toMatchObject([
      { decisions: true, all: true, since: new Date('2026-01-31'), until: new Date('2026-02-01T12:00Z') },
    ]);
    expect(content).toContain(
      's0:4  2026-01-31 10:00  run_command  failed  in /srv/other  the same in s1:2, s2:2, s3:2, …\n  we use libsql',
    );
  });

  test('says how many sessions were not searched to their end, with hits and without', async () => {
    const line = '12 sessions could not be searched to the end yet; the same recall again goes on with older ones.';
    for (const hits of [[hit('s0:4', 'npm test')], []])
      expect((await recallWorld(hits, [], 10_000, 12).call('recall', { query: 'npm' })).content).toContain(line);
    expect((await recallWorld([], []).call('recall', { query: 'npm' })).content).not.toContain('sessions');
  });

  test('never returns more than a page, whatever is found', async () => {
    const world = recallWorld(
      Array.from({ length: 50 }, (_, i) => hit(`s0:${i}`, 'x'.repeat(1_000))),
      [text('s0:1', 'y'.repeat(50_000))],
      2_000,
    );
    expect((await world.call('recall', { query: 'x', limit: 50 })).content.length).toBeLessThanOrEqual(2_000);
    expect((await world.call('recall', { ref: 's0:1' })).content.length).toBeLessThanOrEqual(2_000);
  });

  test('the pages of a reference, put together, are the whole text', async () => {
    const whole = Array.from({ length: 300 }, (_, i) => `line ${i} ${'字'.repeat(i % 40)}`).join('\n');
    const world = recallWorld([], [text('s0:4', whole)], 1_500);
    let read = '';
    let next: Record<string, number> | undefined = {};
    for (let pages = 0; next !== undefined && pages < 100; pages++) {
      const { ok, content, readBack } = await world.call('recall', { ref: 's0:4', ...next });
      expect({ ok, readBack }).toEqual({ ok: true, readBack: true });
      read += content.slice(content.indexOf('\n\n') + 2);
      const [, name, value] = /go on with (offset|char_offset)=(\d+)/.exec(content.split('\n')[0] ?? '') ?? [];
      next = name === undefined ? undefined : { [name]: Number(value) };
    }
    expect(read).toBe(whole);
    expect((await world.call('recall', { ref: 's0:4' })).content).toContain('before it: s0:1  2026-01-31 10:00  user');
  });

  test('says so when there is nothing, or no such reference', async () => {
    const world = recallWorld([]);
    expect(await world.call('recall', { query: 'x' })).toMatchObject({ ok: true, note: expect.objectContaining({ en: 'no hits' }) });
    expect(await world.call('recall', { ref: 's9:9' })).toMatchObject({ ok: false, content: expect.stringContaining('s9:9') });
  });

  test.each([
    [{}, 'give query'],
    [{ query: 'a', ref: 's0:1' }, 'not both'],
    [{ ref: 's0:1', errors: true }, 'goes with query'],
    [{ ref: 's0:1', all: true }, 'goes with query'],
    [{ query: 'a', since: 'tomorrow' }, 'tomorrow is no time'],
    [{ query: 'a', offset: 3 }, 'go with ref'],
    [{ ref: 's0:1', offset: 3, char_offset: 4 }, 'not both'],
  ])('refuses %j in words', async (input, why) => {
    expect(await recallWorld([]).refusal('recall', input)).toContain(why);
  });

  test('there is no such tool where nothing can be looked up', async () => {
    await expect(createWorld().call('recall', { query: 'x' })).rejects.toThrow('no tool recall');
  });
});
