import type { KeyReader } from '../input/keyboard.ts';
import { CTRL_C, ESC, type KeyEvent } from '../input/keys.ts';
import type { TextPlaceholders } from '../input/text-placeholders.ts';
import type { Screen } from '../screen/screen.ts';
import { pluralize } from '../text/format.ts';
import { safeLine } from '../text/safe-text.ts';
import { applyKeyEvent, emptyTypeAhead } from './type-ahead.ts';

/**
 * What is typed while there is no prompt: Ctrl-C and Esc stop what runs, the rest is kept for the next prompts. Ctrl-C also drops the
 * messages that wait, so that nothing runs that was meant to follow what was stopped; what is half typed stays.
 */
export type TypeAheadReader = {
  readonly read: KeyReader;
  /** True when the beginning of a message has been typed. */
  readonly isTyping: () => boolean;
  /** The oldest finished message; it is given out once. */
  readonly takeLine: () => string | undefined;
  readonly takePartial: () => string;
  /** A text for the next prompt, unless a message has been begun there. */
  readonly prefill: (text: string) => void;
};

export function createTypeAheadReader({
  screen,
  placeholders,
  stop,
  onDrop,
}: {
  readonly screen: Screen;
  readonly placeholders: TextPlaceholders;
  readonly stop: () => void;
  /** Gets each message that was dropped, oldest first. */
  readonly onDrop: (message: string) => void;
}): TypeAheadReader {
  let state = emptyTypeAhead;
  const keep = (event: KeyEvent): void => {
    const before = state.lines.length;
    state = applyKeyEvent(state, event);
    for (const line of state.lines.slice(before)) screen.line(`(queued) ${safeLine(placeholders.collapse(line))}`, 'quiet');
  };
  const drop = (): void => {
    const { lines } = state;
    if (lines.length === 0) return;
    state = { ...state, lines: [] };
    for (const line of lines) onDrop(line);
    screen.line(`${pluralize(lines.length, 'queued message')} dropped. Press Up to bring back what you typed.`, 'notice');
  };
  return {
    read: (event) => {
      if (event.type === 'paste') {
        keep(event);
        return;
      }
      if (event.text === ESC) stop();
      for (const [index, text] of event.text.split(CTRL_C).entries()) {
        if (index > 0) {
          stop();
          drop();
        }
        keep({ type: 'keys', text });
      }
    },
    isTyping: () => state.partial !== '',
    takeLine: () => {
      const [line, ...lines] = state.lines;
      state = { ...state, lines };
      return line;
    },
    prefill: (text) => {
      if (state.partial === '') state = { ...state, partial: text };
    },
    takePartial: () => {
      const { partial } = state;
      state = { ...state, partial: '' };
      return partial;
    },
  };
}
