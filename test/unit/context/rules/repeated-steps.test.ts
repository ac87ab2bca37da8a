import { describe, expect, test } from 'vitest';
import { addStep, type Cycle, cycleIn, newestStep, noRepeats } from '../../../../src/context/rules/repeated-steps.ts';
import type { Message } from '../../../../src/domain/session/message.ts';
import { answers, calls, says, user } from '../../../support/build.ts';

type Step = { readonly path: string; readonly result: string; readonly seconds?: number };

let id = 0;
const messagesOf = ({ path, result, seconds = 0 }: Step): readonly Message[] => {
  const call = `c${++id}`;
  const reply = calls({ id: call, input: { path } });
  const end = new Date(Date.parse(reply.at) + seconds * 1_000).toISOString();
  return [reply, { ...answers({ id: call, content: result }), at: end }];
};

/** The step after which a turn would end, counted from 1, and the cycle that is told. */
function endOf(steps: readonly Step[]): { readonly after: number; readonly cycle: Cycle } | undefined {
  let repeats = noRepeats;
  for (const [at, step] of steps.entries()) {
    repeats = addStep(repeats, newestStep([user('go'), ...messagesOf(step)]));
    const cycle = cycleIn(repeats);
    if (cycle !== undefined) return { after: at + 1, cycle };
  }
  return undefined;
}

const repeated = (steps: readonly Step[], times: number): readonly Step[] => Array.from({ length: times }, () => steps).flat();
const step = (path: string, result = 'the same', seconds = 0): Step => ({ path, result, seconds });

describe('steps that come again', () => {
  test('end a turn at the eighth time in a row', () => {
    expect(endOf(repeated([step('a')], 7))).toBeUndefined();
    expect(endOf(repeated([step('a')], 20))).toEqual({ after: 8, cycle: { steps: 1, times: 8, tools: ['read_file'] } });
  });

  test.each([2, 3, 4])('in cycles of %i end it at the fifth time', (length) => {
    const cycle = Array.from({ length }, (_, n) => step(`file ${n}`));
    expect(endOf([step('before'), ...repeated(cycle, 4)])).toBeUndefined();
    expect(endOf([step('before'), ...repeated(cycle, 9)])).toMatchObject({ after: 1 + 5 * length, cycle: { steps: length, times: 5 } });
  });

  test('in longer cycles do not', () => {
    expect(
      endOf(
        repeated(
          [1, 2, 3, 4, 5].map((n) => step(`file ${n}`)),
          40,
        ),
      ),
    ).toBeUndefined();
  });

  test('count anew after one result or one call that differs', () => {
    const seven = repeated([step('a')], 7);
    expect(endOf([...seven, step('a', 'changed'), ...seven, step('b'), ...seven])).toBeUndefined();
  });

  test('do not end it while their results differ, as when something is waited for', () => {
    expect(endOf(Array.from({ length: 300 }, (_, n) => step('progress', `${n} of 300`)))).toBeUndefined();
  });

  test('may come more often when each takes its time', () => {
    expect(endOf(repeated([step('pending', 'not yet', 30)], 59))).toBeUndefined();
    expect(endOf(repeated([step('pending', 'not yet', 30)], 80))).toMatchObject({ after: 60 });
    expect(endOf(repeated([step('sleep', '', 30), step('pending', 'not yet')], 40))).toBeUndefined();
  });

  test('are known by what was called and what came of it, not by ids or what was said beside it', () => {
    const [first, second] = [messagesOf(step('a')), messagesOf(step('a'))];
    const spoken = [says('Once more.'), ...second].map((message, at) =>
      at === 1 ? { ...message, content: [...says('Again').content, ...message.content] } : message,
    );
    expect(newestStep(spoken)).toEqual(newestStep(first));
    expect(newestStep(messagesOf(step('a', 'other'))).text).not.toBe(newestStep(first).text);
    const failed = calls({ id: 'x', input: { path: 'a' } });
    expect(newestStep([failed, answers({ id: 'x', content: 'the same', isError: true })]).text).not.toBe(newestStep(first).text);
  });
});
