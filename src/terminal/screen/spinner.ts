import { duration } from '../text/figures.ts';
import { clip } from '../text/text-width.ts';

/** Says that something is going on, on a terminal only, and for how long; gone without a trace when stopped. */
export type Spinner = {
  /** With `waitMs` it counts down, else it says how long it has been. */
  readonly start: (text: string, waitMs?: number) => void;
  readonly stop: () => void;
};

export const noSpinner: Spinner = { start: () => undefined, stop: () => undefined };

type Turning = { text: string; readonly stop: () => unknown };

/** Its library is loaded at the first start; until then nothing turns, and nothing waits for it. Texts must be safe to show. */
export function createSpinner(output: NodeJS.WriteStream, colour: boolean): Spinner {
  let wanted: string | undefined;
  let seconds = 0;
  let waitMs: number | undefined;
  let turning: Turning | undefined;
  let timer: NodeJS.Timeout | undefined;
  const time = (): string => {
    if (waitMs !== undefined) return ` · ${duration(Math.max(0, waitMs - seconds * 1_000))} left`;
    return seconds < 2 ? '' : ` · ${duration(seconds * 1_000)}`;
  };
  // It must take one line: a longer one cannot be wiped away cleanly when the terminal is resized.
  const shown = (): string => clip(`${wanted ?? ''}${time()}`, (output.columns || 80) - 4);

  const begin = async (): Promise<void> => {
    const { default: ora } = await import('ora');
    if (wanted === undefined || turning !== undefined) return;
    turning = ora({ text: shown(), stream: output, isEnabled: true, discardStdin: false, color: colour ? 'cyan' : false }).start();
  };
  const tick = (): void => {
    seconds += 1;
    if (turning !== undefined) turning.text = shown();
  };

  return {
    start: (text, wait) => {
      if (text === wanted) return;
      // Steps of one undertaking are timed together.
      if (firstWord(text) !== firstWord(wanted ?? '')) seconds = 0;
      wanted = text;
      waitMs = wait;
      timer ??= setInterval(tick, 1_000).unref();
      if (turning === undefined) void begin();
      else turning.text = shown();
    },
    stop: () => {
      wanted = undefined;
      clearInterval(timer);
      timer = undefined;
      turning?.stop();
      turning = undefined;
    },
  };
}

const firstWord = (text: string): string => text.split(/\W/, 1)[0] ?? '';
