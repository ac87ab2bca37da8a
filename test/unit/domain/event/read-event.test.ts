import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { auditRecord } from '../../../../src/agent/session/audit.ts';
import { auditTypes } from '../../../../src/domain/event/audit-types.ts';
import { readCost, readEvent } from '../../../../src/domain/event/read-event.ts';
import { type AuditRecord, isAuditRecord, recordedFields, type SanbotEvent } from '../../../../src/domain/event.ts';
import { eventsByType } from '../../../support/arbitrary-event.ts';
import { holdsForEach } from '../../../support/each-row.ts';

const about = { at: '2026-03-04T05:06:07.000Z', sessionId: 's1' };
const recordOf = (type: unknown, fields: Record<string, unknown> = {}): AuditRecord => ({ v: 1, ...about, type, ...fields });

/** What stands in the log after an event was written. */
function logged(event: SanbotEvent): AuditRecord {
  const value: unknown = JSON.parse(JSON.stringify(auditRecord(event, about)));
  if (!isAuditRecord(value)) throw new Error('not recorded');
  return value;
}

const arbitraries: readonly (readonly [string, fc.Arbitrary<SanbotEvent>])[] = Object.entries(eventsByType);

const typeOf = ([type]: (typeof arbitraries)[number]): string => type;

test('an event of each type is read as it was written, without what was said', () =>
  holdsForEach(arbitraries, typeOf, ([, arbitrary]) =>
    fc.assert(
      fc.property(arbitrary, (event) => {
        const { text: _said, ...expected }: Readonly<Record<string, unknown>> = recordedFields(event);
        expect(readEvent(logged(event))).toEqual(expected);
      }),
    ),
  ));

test('an event of each type is read whatever its fields are, and one that is wrong spoils no other', () =>
  holdsForEach(arbitraries, typeOf, ([type, arbitrary]) => spoilsNoOther(type, arbitrary)));

function spoilsNoOther(type: string, arbitrary: fc.Arbitrary<SanbotEvent>): void {
  const fieldOf = (event: SanbotEvent) =>
    fc.constantFrom(...Object.keys(logged(event)).filter((name) => !(name in recordOf(type))), 'later');
  const changed = arbitrary.chain((event) => fc.tuple(fc.constant(event), fieldOf(event), fc.jsonValue()));
  fc.assert(
    fc.property(changed, ([event, name, value]) => {
      const before: Record<string, unknown> = { ...readEvent(logged(event)) };
      const after: Record<string, unknown> = { ...readEvent({ ...logged(event), [name]: value }) };
      expect({ ...after, [name]: undefined }).toEqual({ ...before, [name]: undefined });
    }),
  );
}

describe('a line of an older version', () => {
  test('that says no more than its type is read', () =>
    holdsForEach(auditTypes(), String, (type) => expect(readEvent(recordOf(type))).toMatchObject({ type })));

  test('counts as nothing where a field is missing', () => {
    const noUsage = { inputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 0 };
    expect(readEvent(recordOf('turn_ended'))).toEqual({ type: 'turn_ended', stopReason: '', steps: 0, usage: noUsage, ms: 0 });
    expect(readEvent(recordOf('offloaded'))).toEqual({ type: 'offloaded', when: '', results: [], tokensBefore: 0, tokensAfter: 0 });
    expect(readEvent(recordOf('hook_ran'))).toEqual({ type: 'hook_ran', hook: '', command: '', ok: true, note: '', ms: 0 });
    expect(readEvent(recordOf('overflow'))).toEqual({ type: 'overflow', attempt: 0 });
  });
});

describe('fields of another kind', () => {
  test('count as nothing, each for itself', () => {
    const results = [null, { bytes: 'many', path: 4 }, { bytes: 7, path: 'kept', more: 1 }];
    expect(readEvent(recordOf('offloaded', { when: 3, results, tokensBefore: '9', tokensAfter: 8 }))).toEqual({
      type: 'offloaded',
      when: '',
      results: [
        { toolUseId: '', tool: '', path: '', bytes: 0 },
        { toolUseId: '', tool: '', path: '', bytes: 0 },
        { toolUseId: '', tool: '', path: 'kept', bytes: 7 },
      ],
      tokensBefore: 0,
      tokensAfter: 8,
    });
    expect(readEvent(recordOf('reply', { usage: { inputTokens: 5 }, costUsd: null }))).toEqual({ type: 'reply', stopReason: '' });
  });

  test('are left out of a list of words', () => {
    expect(readEvent(recordOf('compaction_started', { reasons: ['tokens', 3, 'later'] }))).toMatchObject({ reasons: ['tokens', 'later'] });
  });
});

describe('a line of a newer version', () => {
  test('keeps the words that are not known, and its new fields are passed over', () => {
    const read = readEvent(recordOf('turn_ended', { stopReason: 'paused', later: { a: 1 } }));
    expect(read).toMatchObject({ type: 'turn_ended', stopReason: 'paused' });
    expect(read).not.toHaveProperty('later');
  });

  test.each([['later'], ['text'], ['thinking'], ['compaction_step'], ['unknown'], ['constructor'], [''], [undefined], [null], [7]])(
    'of type %s comes back by its name and with its fields as they stand',
    (type) => {
      expect(readEvent(recordOf(type, { b: [1], a: null }))).toEqual({ type: 'unknown', name: String(type), fields: { b: [1], a: null } });
    },
  );
});

test('what a line cost is read whatever its type', () => {
  const usage = { inputTokens: 1, cacheReadTokens: 2, cacheWriteTokens: 3, outputTokens: 4 };
  expect(readCost(recordOf('later', { usage, costUsd: 0.5 }))).toEqual({ usage, costUsd: 0.5 });
  expect(Object.values(readCost(recordOf('warning', { usage: 3, costUsd: 'much' })).usage)).toEqual([0, 0, 0, 0]);
});

test.each([[undefined], [null], [1], ['x'], [[]], [{}], [{ ...about, v: 2 }], [{ v: 1, at: about.at }], [{ v: 1, ...about, at: 5 }]])(
  '%j is no record',
  (value) => {
    expect(isAuditRecord(value)).toBe(false);
    expect(isAuditRecord(recordOf(undefined))).toBe(true);
  },
);
