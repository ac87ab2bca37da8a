import type { SanbotEvent } from '../../domain/event.ts';
import { localize } from '../../domain/language.ts';
import { callName } from '../../domain/session/call-name.ts';
import type { TurnPort } from '../chat/turn-port.ts';
import { currentItem } from '../screen/todo-lines.ts';
import { CALL_INDENT, moreLines } from '../screen/tool-line.ts';
import type { Drawing } from '../text/paint.ts';
import { safeLine, withoutColours } from '../text/safe-text.ts';
import { clip } from '../text/text-width.ts';
import { workingText } from './busy-line.ts';

const MAX_CALLS = 4;
/** Of what a command that runs has printed. */
const MAX_PRINTED_ROWS = 3;

export type Running = ReturnType<typeof createRunning>;

/** The calls that have begun and not ended, in the live area, and below them the newest of what a command prints. */
export function createRunning() {
  const calls = new Map<string, string>();
  let item: string | undefined;
  let turn: Pick<TurnPort, 'printed'> | undefined;
  return {
    follow: (followed: Pick<TurnPort, 'printed'>): void => {
      turn = followed;
    },
    onEvent: (event: SanbotEvent): void => {
      if (event.type === 'tool_started') calls.set(event.toolUseId, safeLine(callName(event.title)));
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
    /** What can be done with a command that runs, beside stopping it. */
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
