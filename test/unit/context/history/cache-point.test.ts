import { describe, expect, test } from 'vitest';
import { planCachePoint, type SentLog } from '../../../../src/context/history/cache-point.ts';
import type { WireMessage } from '../../../../src/domain/session/message.ts';
import { requestBody } from '../../../../src/model/anthropic/request.ts';
import { factsFor } from '../../../../src/model/catalog.ts';
import { modelConfig, requestOf } from '../../../support/model-rig.ts';
import { cacheOf } from '../../../support/prompt-cache.ts';

const TTL = 300_000;
const model = {
  facts: factsFor('x', { ...modelConfig, contextWindow: 200_000, maxOutputTokens: 8_000 }, 'anthropic'),
  thinking: 'none' as const,
};

const said = (role: WireMessage['role'], text: string): WireMessage => ({ role, content: [{ type: 'text', text }] });
const conversation = (length: number): readonly WireMessage[] =>
  Array.from({ length }, (_, i) => said(i % 2 === 0 ? 'user' : 'assistant', `message ${i}`));

/** Sends a conversation as it grows, and tells what a cache reads of each request. */
function sender() {
  const cache = cacheOf();
  let log: SentLog | undefined;
  let now = 0;
  return (messages: readonly WireMessage[], passes = 10_000) => {
    now += passes;
    const plan = planCachePoint(log, messages, { now, ttlMs: TTL });
    log = plan.log;
    const request = requestOf(messages, plan.point === undefined ? {} : { cachePoint: plan.point });
    return { point: plan.point, ...cache.send(requestBody(request, model)) };
  };
}

describe('the free breakpoint', () => {
  const all = conversation(81);
  const grown = (send: ReturnType<typeof sender>, until: number) => {
    for (let length = 1; length <= until; length += 2) send(all.slice(0, length));
  };

  test('leaves everything readable as the conversation grows', () => {
    const send = sender();
    for (let length = 1; length <= all.length; length += 2) {
      const { before, read } = send(all.slice(0, length));
      expect(read).toBe(before);
    }
  });

  test('stands before the first change after a reset, at what was kept in the cache: half of the past is read again', () => {
    const send = sender();
    grown(send, 61);
    const changed = all.slice(0, 63).map((message, i) => (i === 50 ? said('user', 'a stub') : message));
    const { point, shared, read } = send(changed);
    expect(point).toBeLessThan(50);
    expect(read).toBeGreaterThan(shared / 2);
  });

  test('reads all up to a change in the newest part', () => {
    const send = sender();
    grown(send, 61);
    const changed = all.slice(0, 61).map((message, i) => (i === 60 ? said('user', 'a stub') : message));
    const { shared, read } = send(changed);
    expect({ point: shared - read }).toEqual({ point: 1 });
  });

  test('stands where the last request ended when a step added more than a provider looks back over', () => {
    const send = sender();
    grown(send, 41);
    const many = Array.from({ length: 30 }, (_, i) => ({ type: 'text', text: `part ${i}` }));
    const { point, before, read } = send([...all.slice(0, 41), said('assistant', 'x'), { role: 'user', content: many }]);
    expect(point).toBe(40);
    expect(read).toBe(before);
  });

  test('is not where the cache has become cold: then the end of the last request is all there is', () => {
    const send = sender();
    grown(send, 41);
    expect(send(all.slice(0, 43), TTL + 1).point).toBeUndefined();
    const cold = sender();
    grown(cold, 41);
    expect(
      cold(
        all.slice(0, 43).map((message, i) => (i === 30 ? said('user', 'a stub') : message)),
        TTL + 1,
      ).point,
    ).toBeUndefined();
  });
});
