import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyRecord, applyRecords, withoutThinking } from '../../src/context/history/apply-record.ts';
import { toWire } from '../../src/context/history/pairing.ts';
import type { SessionContext } from '../../src/domain/session/context.ts';
import { isThinking, type Message } from '../../src/domain/session/message.ts';
import { logRecordSchema, type NewRecord } from '../../src/domain/session/record.ts';
import { anyTranscript } from '../support/arbitrary.ts';
import { anyLog, resultIds } from '../support/arbitrary-log.ts';
import { contextOf, user } from '../support/build.ts';
import { apiRefusals } from '../support/pairing-oracle.ts';
import { runs } from '../support/runs.ts';

const fold = (log: readonly NewRecord[], from: SessionContext = contextOf([])): SessionContext => {
  const together = applyRecords(from, log);
  expect(log.reduce(applyRecord, from)).toEqual(together);
  return together;
};

describe('the context that a log stands for', () => {
  test('is its newest checkpoint and what follows, with offloaded results as stubs and no thinking before an offload', () => {
    fc.assert(
      fc.property(anyLog, (log) => {
        expect(fold(log)).toEqual(expectedOf(log));
      }),
      { numRuns: runs(100) },
    );
  });

  test('is the same whether records are applied as they come, after a restart anywhere, or read back from disk [B10, O12]', () => {
    fc.assert(
      fc.property(anyLog, fc.nat(), (log, at) => {
        const split = at % (log.length + 1);
        expect(fold(log.slice(split), fold(log.slice(0, split)))).toEqual(fold(log));
        const written = log.map((record, n) => JSON.stringify({ ...record, n, at: '2026-01-02T03:04:05.000Z' }));
        expect(fold(written.map((line) => logRecordSchema.parse(JSON.parse(line))))).toEqual(fold(JSON.parse(JSON.stringify(log))));
      }),
      { numRuns: runs(100) },
    );
  });

  test('never changes what it was made from', () => {
    fc.assert(
      fc.property(anyLog, (log) => {
        const before = JSON.stringify(log);
        fold(log);
        expect(JSON.stringify(log)).toBe(before);
      }),
      { numRuns: runs(100) },
    );
  });
});

test('taking thinking away touches nothing else, no pair and no request but for the thinking itself [O2, C65, C66]', () => {
  fc.assert(
    fc.property(anyTranscript(), (messages) => {
      const without = withoutThinking(messages);
      expect(without.flatMap((message) => message.content)).toEqual(
        messages.flatMap((message) => message.content.filter((block) => !isThinking(block))),
      );
      expect(apiRefusals(toWire([...without, user()]))).toEqual([]);
      expect(withoutThinking(without)).toBe(without);
      const roles = (of: readonly Message[]) => toWire(of).map((message) => message.role);
      expect(roles(without)).toEqual(roles(messages));
    }),
    { numRuns: runs(100) },
  );
});

/** The oracle: looks back from the end instead of going forward. */
function expectedOf(log: readonly NewRecord[]): SessionContext {
  const start = log.findLastIndex((record) => record.type === 'header' || record.type === 'checkpoint');
  const first = log[start];
  const base = first?.type === 'header' || first?.type === 'checkpoint' ? first.context : contextOf([]);
  const rest = log.slice(start + 1);
  const lastOffload = rest.findLastIndex((record) => record.type === 'offload');
  const all = [
    ...base.messages.map((message) => ({ message, at: -1 })),
    ...rest.flatMap((record, at) => (record.type === 'message' ? [{ message: record.message, at }] : [])),
  ];
  const seen = all.flatMap(({ message, at }) => {
    const later = rest.slice(at + 1).filter((record) => record.type === 'offload');
    const stubs = later.flatMap((record) => record.stubs);
    const ours = stubs.filter(
      ({ ref }, n) =>
        resultIds([message]).includes(ref.toolUseId) && stubs.findIndex((other) => other.ref.toolUseId === ref.toolUseId) === n,
    );
    const content = message.content
      .filter((block) => at >= lastOffload || block.type !== 'thinking')
      .map((block) => {
        const stub = ours.find(({ ref }) => ref.toolUseId === block.tool_use_id);
        return stub === undefined ? block : { ...block, content: stub.text };
      });
    if (content.length === 0 && message.content.length > 0) return [];
    return [{ at, message: { ...message, content, ...(ours.length > 0 ? { stubs: ours.map(({ ref }) => ref) } : {}) } }];
  });
  const lastReset = rest.findLastIndex((record) => record.type === 'offload' || record.type === 'model');
  const anchorFloor = lastReset === -1 ? base.anchorFloor : seen.filter(({ at }) => at < lastReset).length;
  return { ...base, messages: seen.map(({ message }) => message), anchorFloor };
}
