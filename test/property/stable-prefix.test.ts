import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SanbotEvent } from '../../src/domain/event.ts';
import type { LogRecord } from '../../src/domain/session/record.ts';
import { requestBody } from '../../src/model/anthropic/request.ts';
import { cacheOf } from '../support/prompt-cache.ts';
import { runs } from '../support/runs.ts';
import { anyActs, anyWish, rareConversations, type Wish } from './conversation.ts';
import { factsFor, type Played, play } from './play-conversation.ts';

/** After one of these the past may be another one; each is told. */
const resets = ['compacted', 'trimmed', 'window_slid', 'pruned', 'rolled_back', 'rewound', 'cleared', 'offloaded'] as const;
const isReset = (event: SanbotEvent): boolean =>
  resets.some((type) => type === event.type) && !(event.type === 'offloaded' && event.when === 'arrival');

/** What the log says of the same. */
const changesPast = (record: LogRecord): boolean =>
  (record.type === 'checkpoint' && record.reason !== 'repeat') || record.type === 'offload';

test('the model always finds its own prefix again, byte for byte, but after a planned reset of any rung, once; thinking never follows a changed past [C57, C58, C65, C66, O2, O22, B5]', async () => {
  const seen = new Map<string, number>();
  const note = (name: string): void => void seen.set(name, (seen.get(name) ?? 0) + 1);
  await fc.assert(
    fc.asyncProperty(anyActs, anyWish, async (acts, wish) => judge(await play(acts, wish), wish, note)),
    { numRuns: runs(100), examples: rareConversations },
  );
  expect(seen.get('steady')).toBeGreaterThan(200);
  const wanted = [
    ...resets,
    'thinking',
    'compacted by rules',
    'compacted by model',
    'summary_prepared',
    'overflow',
    'offloaded on voluntary',
  ];
  expect([...seen.keys()]).toEqual(expect.arrayContaining(wanted));
});

function judge({ events, requests, recordsAt, records }: Played, wish: Wish, note: (name: string) => void): void {
  const cache = cacheOf();
  let told: string[] = [];
  let n = 0;
  let unanswered = false;
  for (const event of events) {
    if (isReset(event)) told.push(event.type);
    // A pruning is in the log with the reply to its first request: without one, a new process begins with the whole results again.
    if (event.type === 'pruned') unanswered = true;
    if (event.type === 'reply') unanswered = false;
    if (event.type === 'compacted') note(`compacted by ${event.method}`);
    if (event.type === 'offloaded') note(`offloaded on ${event.when}`);
    if (event.type === 'summary_prepared' || event.type === 'overflow') note(event.type);
    if (event.type !== 'request' || event.purpose !== 'turn') continue;
    const request = requests[n];
    if (request === undefined) throw new Error('a request that never left');
    const changed = records.slice(recordsAt[n - 1] ?? 0, recordsAt[n]).filter(changesPast);
    const unsaid = changed.filter((record) => record.type === 'checkpoint' && record.reason === 'thinking');
    for (const reset of [...told, ...unsaid.map(() => 'thinking')]) note(reset);
    const { before, shared, read } = cache.send(requestBody(request, { facts: factsFor(wish), thinking: 'always' }));
    if (told.length + unsaid.length === 0 && n > 0) {
      note('steady');
      expect(changed).toEqual([]);
      expect({ shared, read }).toEqual({ shared: before, read: before });
    }
    told = unanswered ? ['pruned'] : [];
    n += 1;
  }
  expect(n).toBe(requests.length);
}
