import { localize } from '../../domain/language.ts';
import { firstWord, type Spinner, timeText } from '../screen/spinner.ts';
import { clip, textWidth } from '../text/text-width.ts';

/** What goes on, for how long, and how to stop it: a line of the live area. */
export type BusyLine = Spinner & {
  /** Undefined while nothing is going on; `key` is one that does something beside Esc. Texts must be safe to show. */
  readonly text: (columns: number, key?: string) => string | undefined;
  /** Something has begun that can be stopped, or is over. */
  readonly setStoppable: (isStoppable: boolean) => void;
};

export const workingText = (): string => localize({ en: 'Working', zh: '进行中' });

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'] as const;
const FRAME_MS = 100;
/** What goes on is said before what can be done about it. */
const MIN_NAME_COLUMNS = 12;
const FRAMES_A_SECOND = 1_000 / FRAME_MS;

/** Its time stands still while `isAsking`. */
export function createBusyLine(update: () => void, isAsking: () => boolean): BusyLine {
  let label: string | undefined;
  let isStoppable = false;
  let ticks = 0;
  /** Since what can be stopped has begun. */
  let allTicks = 0;
  let waitMs: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  const setTimer = (): void => {
    if (label === undefined && !isStoppable) {
      clearInterval(timer);
      timer = undefined;
    } else
      timer ??= setInterval(() => {
        if (isAsking()) return;
        ticks += 1;
        allTicks += 1;
        update();
      }, FRAME_MS).unref();
    update();
  };
  return {
    start: (text, wait) => {
      if (text === label) return;
      // Steps of one undertaking are timed together.
      if (firstWord(text) !== firstWord(label ?? '')) ticks = 0;
      label = text;
      waitMs = wait;
      setTimer();
    },
    stop: () => {
      label = undefined;
      waitMs = undefined;
      setTimer();
    },
    setStoppable: (stoppable) => {
      isStoppable = stoppable;
      if (stoppable) [ticks, allTicks] = [0, 0];
      setTimer();
    },
    text: (columns, key = '') => {
      if (label === undefined && !isStoppable) return undefined;
      const seconds = Math.floor((isStoppable && waitMs === undefined ? allTicks : ticks) / FRAMES_A_SECOND);
      const short = `${timeText(seconds, waitMs)}${isStoppable ? ` · ${localize({ en: 'Esc stops', zh: 'Esc 停止' })}` : ''}`;
      const end = isStoppable && columns - textWidth(short + key) >= MIN_NAME_COLUMNS ? short + key : short;
      const name = clip(label ?? workingText(), columns - 2 - textWidth(end));
      return clip(`${FRAMES[ticks % FRAMES.length] ?? ''} ${name}${end}`, columns);
    },
  };
}
