import type { Cycle } from '../../context/rules/repeated-steps.ts';
import { SanbotError } from '../../domain/errors.ts';
import type { StopReason } from '../../domain/event.ts';

/** A turn that a bound ended has not done what it was asked to do: throws, so that a script can tell it from one that has. */
export function throwAtLimit(
  stopReason: StopReason,
  { steps, cycle }: { readonly steps: number; readonly cycle: Cycle | undefined },
): void {
  if (stopReason === 'max_seconds') throw new SanbotError('time_exhausted', 'The turn was stopped: it took longer than it may');
  if (stopReason === 'max_steps')
    throw new SanbotError('steps_exhausted', `The turn was stopped after ${steps} ${steps === 1 ? 'step' : 'steps'}`);
  if (stopReason !== 'loop' || cycle === undefined) return;
  const what = cycle.steps === 1 ? 'the same step' : `the same ${cycle.steps} steps`;
  throw new SanbotError(
    'loop_detected',
    `The turn was stopped: the model took ${what} ${cycle.times} times in a row, with the same results (${cycle.tools.join(', ')})`,
  );
}
