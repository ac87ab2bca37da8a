import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyRecords } from '../../src/context/history/apply-record.ts';
import { createMeasure, type Measure } from '../../src/context/measure/measure.ts';
import { activePruning, applyPruning } from '../../src/context/offload/prune.ts';
import type { LogRecord, NewRecord } from '../../src/domain/session/record.ts';
import { foldLog, type LoggedStep } from '../../src/report/session/report-log.ts';
import { measureContext } from '../../src/report/session/report-size.ts';
import { roughCount } from '../support/agent-world.ts';
import { usageOf } from '../support/arbitrary.ts';
import { anyLog } from '../support/arbitrary-log.ts';
import { contextOf, says, user } from '../support/build.ts';
import { runs } from '../support/runs.ts';

const AT = '2026-01-02T03:04:05.000Z';
const stored = (log: readonly NewRecord[]): readonly LogRecord[] => log.map((record, n) => ({ ...record, n, at: AT }));
const header: NewRecord = { type: 'header', v: 1, sessionId: 's', group: 'main', cwd: '/w', model: 'm', context: contextOf([]) };

/** Each step's size from the whole log before it. */
function sizesOneByOne(log: readonly LogRecord[], measure: Measure): readonly LoggedStep['size'][] {
  const scale = { measure, ratio: 1.55 };
  const ratios: LoggedStep['size'][] = [];
  log.forEach((record, i) => {
    const before = applyRecords(contextOf([]), log.slice(0, i));
    if (record.type === 'checkpoint' && record.reason !== 'repeat') measureContext(scale, before, undefined);
    if (record.type !== 'message' || record.message.origin !== 'model') return;
    const pruned = activePruning({ ...before, messages: [...before.messages, record.message] });
    ratios.push(measureContext(scale, applyPruning(before, pruned), record.message.usage));
  });
  return ratios;
}

test('the report of a log has the sizes that each step had, however its context changed in between', () => {
  fc.assert(
    fc.property(anyLog, fc.array(fc.nat(3), { maxLength: 5 }), (records, told) => {
      const log = stored(
        records.map((record, i) =>
          record.type === 'message' && record.message.origin === 'model' && told.includes(i % 5)
            ? { ...record, message: { ...record.message, usage: usageOf(500 + i) } }
            : record,
        ),
      );
      const { steps } = foldLog(log, createMeasure(roughCount));
      expect(steps.map(({ size }) => size)).toEqual(sizesOneByOne(log, createMeasure(roughCount)));
    }),
    { numRuns: runs(100) },
  );
});

test('the report weighs each message of a long session once, and once more at its end', () => {
  const count = 2_000;
  const messages = Array.from({ length: count }, (_, i) => (i % 2 === 0 ? user(`ask ${i}`) : says(`tell ${i}`)));
  const measure = createMeasure(roughCount);
  let weighed = 0;
  const counting: Measure = {
    ...measure,
    message: (message, ratio) => {
      weighed += 1;
      return measure.message(message, ratio);
    },
  };
  const { messagesNow } = foldLog(stored([header, ...messages.map((message): NewRecord => ({ type: 'message', message }))]), counting);
  expect(messagesNow).toBe(count);
  expect(weighed).toBeLessThanOrEqual(2 * count);
});
