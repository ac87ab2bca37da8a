import { type KeyEvent, splitKeys } from '../input/keys.ts';

/** What was typed while something else had the screen. */
export type TypeAhead = {
  /** Messages that were finished with Enter, in order; each is delivered once. */
  readonly lines: readonly string[];
  /** What was typed since. */
  readonly partial: string;
};

export const emptyTypeAhead: TypeAhead = { lines: [], partial: '' };

/** What Ctrl-D on an empty line stands for. */
const EXIT_COMMAND = '/quit';

/** The simplest line editor there is: characters, Backspace, Ctrl-U, Ctrl-W and Ctrl-D; other keys do nothing. A paste is text, whatever is in it. */
export function applyKeyEvent(state: TypeAhead, event: KeyEvent): TypeAhead {
  if (event.type === 'paste') return { ...state, partial: state.partial + event.text };
  return splitKeys(event.text).reduce(applyKey, state);
}

function applyKey(state: TypeAhead, key: string): TypeAhead {
  const { lines, partial } = state;
  switch (key) {
    case '\r':
    case '\n':
    case '\r\n':
      if (partial.endsWith('\\')) return { lines, partial: `${partial.slice(0, -1)}\n` };
      return partial.trim() === '' ? { lines, partial: '' } : { lines: [...lines, partial], partial: '' };
    case '\u0004':
      return partial === '' ? { lines: [...lines, EXIT_COMMAND], partial } : state;
    case '\u007f':
    case '\b':
      return { lines, partial: [...partial].slice(0, -1).join('') };
    case '\u0015':
      return { lines, partial: '' };
    case '\u0017':
      return { lines, partial: partial.replace(/\S*\s*$/, '') };
    default:
      return key >= ' ' && !key.startsWith('\u001b') ? { lines, partial: partial + key } : state;
  }
}
