import { localize } from '../../domain/language.ts';
import { formatDuration, formatSpan } from '../text/format.ts';
import { clip } from '../text/text-width.ts';

export type Spinner = {
  /** With `waitMs` it counts down, else it says how long it has been. */
  readonly start: (text: string, waitMs?: number) => void;
  readonly stop: () => void;
};

export const noSpinner: Spinner = { start: () => undefined, stop: () => undefined };

/** Its library is loaded at the first start; until then nothing turns, and nothing waits for it. Texts must be safe to show. */
export function createSpinner(output: NodeJS.WriteStream, colour: boolean): Spinner {
  let label: string | undefined;
  let seconds = 0;
  let waitMs: number | undefined;
  let active: { text: string; readonly stop: () => unknown } | undefined;
  let timer: NodeJS.Timeout | undefined;
  // It must take one line: a longer one cannot be wiped away cleanly when the terminal is resized.
  const render = (): string => clip(`${label ?? ''}${timeText(seconds, waitMs)}`, (output.columns || 80) - 4);

  const load = async (): Promise<void> => {
    const { default: ora } = await import('ora');
    if (label === undefined || active !== undefined) return;
    active = ora({ text: render(), stream: output, isEnabled: true, discardStdin: false, color: colour ? 'cyan' : false }).start();
  };
  const tick = (): void => {
    seconds += 1;
    if (active !== undefined) active.text = render();
  };

  return {
    start: (text, wait) => {
      if (text === label) return;
      if (firstWord(text) !== firstWord(label ?? '')) seconds = 0;
      label = text;
      waitMs = wait;
      timer ??= setInterval(tick, 1_000).unref();
      if (active === undefined) void load();
      else active.text = render();
    },
    stop: () => {
      label = undefined;
      clearInterval(timer);
      timer = undefined;
      active?.stop();
      active = undefined;
    },
  };
}

export const firstWord = (text: string): string => text.split(/[^\p{L}\p{N}_]/u, 1)[0] ?? '';

export function timeText(seconds: number, waitMs: number | undefined): string {
  if (waitMs === undefined) return seconds < 2 ? '' : ` · ${formatDuration(seconds * 1_000)}`;
  const left = Math.ceil(waitMs / 1_000) - seconds;
  return left <= 0 ? '' : ` · ${localize({ en: `${formatSpan(left * 1_000)} left`, zh: `剩 ${formatSpan(left * 1_000)}` })}`;
}
