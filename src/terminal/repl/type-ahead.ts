import { type KeyPiece, keysOf } from '../input/keys.ts';

/** What was typed while something else had the screen. */
export type TypeAhead = {
  /** Messages that were finished with Enter, in order; each is delivered once. */
  readonly lines: readonly string[];
  /** What was typed since. */
  readonly partial: string;
};

export const nothingTyped: TypeAhead = { lines: [], partial: '' };

/** What Ctrl-D on an empty line stands for. */
const LEAVE = '/quit';

/** The simplest line editor there is: characters, Backspace, Ctrl-U, Ctrl-W and Ctrl-D; other keys do nothing. A paste is text, whatever is in it. */
export function typeAhead(typed: TypeAhead, piece: KeyPiece): TypeAhead {
  if (piece.type === 'paste') return { ...typed, partial: typed.partial + piece.text };
  return keysOf(piece.text).reduce(afterKey, typed);
}

function afterKey(typed: TypeAhead, key: string): TypeAhead {
  const { lines, partial } = typed;
  switch (key) {
    case '\r':
    case '\n':
    case '\r\n':
      if (partial.endsWith('\\')) return { lines, partial: `${partial.slice(0, -1)}\n` };
      return partial.trim() === '' ? { lines, partial: '' } : { lines: [...lines, partial], partial: '' };
    case '\u0004':
      return partial === '' ? { lines: [...lines, LEAVE], partial } : typed;
    case '\u007f':
    case '\b':
      return { lines, partial: [...partial].slice(0, -1).join('') };
    case '\u0015':
      return { lines, partial: '' };
    case '\u0017':
      return { lines, partial: partial.replace(/\S*\s*$/, '') };
    default:
      return key >= ' ' && !key.startsWith('\u001b') ? { lines, partial: partial + key } : typed;
  }
}
