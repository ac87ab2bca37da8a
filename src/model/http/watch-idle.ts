import type { Sleep } from '../../agent/ports/effects.ts';

export type IdleWatch = {
  /** Reports that some bytes arrived. */
  readonly touch: () => void;
  readonly stop: () => void;
};

const SLICES = 4;

/**
 * Calls `onIdle` once when nothing arrived for `idleMs` (up to a quarter more: it checks four times in that span, so that `touch` costs
 * nothing). Needed because the SDK's own time limit ends when the body begins, and the SDK swallows pings. 0 never calls.
 */
export function watchIdle(idleMs: number, sleep: Sleep, onIdle: () => void): IdleWatch {
  const controller = new AbortController();
  let isActive = false;
  const watch = async (): Promise<void> => {
    for (let idleSlices = 0; idleSlices < SLICES; ) {
      await sleep(idleMs / SLICES, controller.signal);
      if (controller.signal.aborted) return;
      idleSlices = isActive ? 0 : idleSlices + 1;
      isActive = false;
    }
    onIdle();
  };
  // The sleep is rejected when the watch is stopped.
  if (idleMs > 0) watch().catch(() => undefined);
  return {
    touch: () => {
      isActive = true;
    },
    stop: () => controller.abort(),
  };
}
