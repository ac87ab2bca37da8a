import type { Sleep } from '../../agent/ports.ts';

export type IdleWatch = {
  /** Some bytes came. */
  readonly sign: () => void;
  readonly stop: () => void;
};

const SLICES = 4;

/**
 * Calls `onIdle` once when no sign of life came for `idleMs` (up to a quarter more: it looks four times in that span, so
 * that a sign costs nothing). The SDK's own time limit ends when the body begins, and it swallows pings. 0 never calls.
 */
export function watchIdle(idleMs: number, sleep: Sleep, onIdle: () => void): IdleWatch {
  const stopped = new AbortController();
  let alive = false;
  const watch = async (): Promise<void> => {
    for (let quiet = 0; quiet < SLICES; ) {
      await sleep(idleMs / SLICES, stopped.signal);
      if (stopped.signal.aborted) return;
      quiet = alive ? 0 : quiet + 1;
      alive = false;
    }
    onIdle();
  };
  // A rejected sleep is the stop itself.
  if (idleMs > 0) watch().catch(() => undefined);
  return {
    sign: () => {
      alive = true;
    },
    stop: () => stopped.abort(),
  };
}
