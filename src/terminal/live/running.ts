import type { SanbotEvent } from '../../domain/event.ts';
import { callName } from '../../domain/session/call-name.ts';
import { currentItem } from '../screen/todo-lines.ts';
import { CALL_INDENT, moreLines } from '../screen/tool-line.ts';
import type { Drawing } from '../text/paint.ts';
import { safeLine } from '../text/safe-text.ts';
import { clip } from '../text/text-width.ts';
import { workingText } from './busy-line.ts';

const MAX_CALLS = 4;

export type Running = ReturnType<typeof createRunning>;

/** The calls that have begun and not ended, in the live area. */
export function createRunning() {
  const calls = new Map<string, string>();
  let item: string | undefined;
  return {
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
    rows: ({ paint, columns }: Drawing): readonly string[] => {
      const names = [...calls.values()];
      const left = names.length - MAX_CALLS;
      const rows = names.slice(0, MAX_CALLS).map((name) => `${paint.notice('●')} ${clip(name, columns - 2)}`);
      return left > 0 ? [...rows, paint.quiet(clip(`${CALL_INDENT}${moreLines(left)}`, columns))] : rows;
    },
  };
}
