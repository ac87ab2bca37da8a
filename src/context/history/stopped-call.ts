export const stoppedResults = {
  before: 'This call was not run: the turn was stopped before it began.',
  midway: 'This call was stopped before its end; it may have run in part.',
  unknown: 'Interrupted: this call has no result. It may not have run, or only in part; check before you run it again.',
} as const;

/** When a call was stopped: before it began, midway, or unknown because the process ended. */
export type StopPhase = keyof typeof stoppedResults;

const PRINTED = ' What it had printed until then:\n';

export const stoppedMidway = (printed: string): string => stoppedResults.midway + (printed.trim() === '' ? '' : `${PRINTED}${printed}`);

export function stopPhaseOf(result: string): StopPhase | undefined {
  if (result.startsWith(stoppedResults.midway + PRINTED)) return 'midway';
  return (['before', 'midway', 'unknown'] as const).find((phase) => result === stoppedResults[phase]);
}
