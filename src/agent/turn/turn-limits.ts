import type { Cycle } from '../../context/rules/repeated-steps.ts';
import { SanbotError } from '../../domain/errors.ts';
import type { StopReason } from '../../domain/event.ts';

/** A turn that a bound ended has not done what it was asked to do: throws, so that a script can tell it from one that has. */
export function throwAtLimit(
  stopReason: StopReason,
  { steps, cycle }: { readonly steps: number; readonly cycle: Cycle | undefined },
): void {
  if (stopReason === 'max_seconds')
    throw new SanbotError('time_exhausted', {
      en: 'The turn was stopped: it took longer than it may',
      zh: '本轮已停止：超过了允许的时间',
    });
  if (stopReason === 'max_steps')
    throw new SanbotError('steps_exhausted', {
      en: `The turn was stopped after ${steps} ${steps === 1 ? 'step' : 'steps'}`,
      zh: `本轮在 ${steps} 步后停止`,
    });
  if (stopReason !== 'loop' || cycle === undefined) return;
  const what = cycle.steps === 1 ? 'the same step' : `the same ${cycle.steps} steps`;
  throw new SanbotError('loop_detected', {
    en: `The turn was stopped: the model took ${what} ${cycle.times} times in a row, with the same results (${cycle.tools.join(', ')})`,
    zh: `本轮已停止：模型连续 ${cycle.times} 次重复相同的 ${cycle.steps} 步，结果也相同（${cycle.tools.join('、')}）`,
  });
}
