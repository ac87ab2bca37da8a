import type { SanbotEvent } from '../../domain/event.ts';
import { localize } from '../../domain/language.ts';
import { callName } from '../../domain/session/call-name.ts';
import type { TurnPort } from '../chat/turn-port.ts';
import { firstWord, type Spinner, timeText } from '../screen/spinner.ts';
import { CALL_INDENT, currentItem, moreLines } from '../screen/tool-line.ts';
import type { Drawing } from '../text/paint.ts';
import { safeLine, withoutColours } from '../text/safe-text.ts';
import { clip, textWidth } from '../text/text-width.ts';

export type BusyLine = Spinner & {
  /** Undefined while nothing is going on; `key` is one that does something beside Esc, undefined where neither does. Texts must be safe to show. */
  readonly text: (columns: number, key: string | undefined) => string | undefined;
  readonly setStoppable: (isStoppable: boolean) => void;
};

export const workingText = (): string => localize({ en: 'Working', zh: '进行中' });

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'] as const;
const FRAME_MS = 100;
const MIN_NAME_COLUMNS = 12;
const FRAMES_A_SECOND = 1_000 / FRAME_MS;

/** Its time stands still while `isAsking`. */
export function createBusyLine(update: () => void, isAsking: () => boolean): BusyLine {
  let label: string | undefined;
  let isStoppable = false;
  let ticks = 0;
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
    text: (columns, key) => {
      if (label === undefined && !isStoppable) return undefined;
      const seconds = Math.floor((isStoppable && waitMs === undefined ? allTicks : ticks) / FRAMES_A_SECOND);
      const time = timeText(seconds, waitMs);
      const short = isStoppable && key !== undefined ? `${time} · ${localize({ en: 'Esc stops', zh: 'Esc 停止' })}` : time;
      const end = isStoppable && columns - textWidth(short + (key ?? '')) >= MIN_NAME_COLUMNS ? short + (key ?? '') : short;
      const name = clip(label ?? workingText(), columns - 2 - textWidth(end));
      return clip(`${FRAMES[ticks % FRAMES.length] ?? ''} ${name}${end}`, columns);
    },
  };
}

const MAX_CALLS = 4;
const MAX_PRINTED_ROWS = 3;

export type Running = ReturnType<typeof createRunning>;

export function createRunning() {
  const calls = new Map<string, string>();
  let item: string | undefined;
  let turn: Pick<TurnPort, 'printed'> | undefined;
  return {
    follow: (followed: Pick<TurnPort, 'printed'>): void => {
      turn = followed;
    },
    onEvent: (event: SanbotEvent): void => {
      // What it asks stands in its question.
      if (event.type === 'tool_started' && event.tool !== 'ask_user') calls.set(event.toolUseId, safeLine(callName(event.title)));
      if (event.type === 'tool_ended') calls.delete(event.toolUseId);
      if (event.type === 'tool_ended' && event.todo !== undefined) item = currentItem(event.todo);
      if (event.type === 'session_started') item = undefined;
      if (event.type === 'turn_ended' || event.type === 'session_started') calls.clear();
    },
    /** What stands beside the spinner: a call has a row of its own, and what it is for says more than its name. */
    label: (text: string): string => {
      const what = [...calls.values()].includes(text) ? workingText() : text;
      return item === undefined ? what : `${what} · ${safeLine(item)}`;
    },
    key: (): string => (turn?.printed() === undefined ? '' : localize({ en: ' · Ctrl-B background', zh: ' · Ctrl-B 转入后台' })),
    rows: ({ paint, columns }: Drawing): readonly string[] => {
      const names = [...calls.values()];
      const left = names.length - MAX_CALLS;
      const rows = names.slice(0, MAX_CALLS).map((name) => `${paint.notice('●')} ${clip(name, columns - 2)}`);
      const below = [...(left > 0 ? [moreLines(left)] : []), ...newestLines(turn?.printed() ?? '')];
      return [...rows, ...below.map((text) => paint.quiet(clip(`${CALL_INDENT}${text}`, columns)))];
    },
  };
}

/** Of a line that a program writes over and over, what stands there now. */
const newestLines = (printed: string): readonly string[] =>
  printed
    .split('\n')
    .map((line) => safeLine(withoutColours(line.trimEnd().split('\r').at(-1) ?? '')))
    .filter((line) => line.trim() !== '')
    .slice(-MAX_PRINTED_ROWS);
