import type { FoldedTexts } from './folded-text.ts';
import type { KeyReader } from './keyboard.ts';
import { CTRL_C, ESC, type KeyPiece } from './keys.ts';
import { safeLine } from './safe-text.ts';
import type { Screen } from './screen.ts';
import { nothingTyped, typeAhead } from './type-ahead.ts';

/** What is typed while there is no prompt: Ctrl-C and Esc stop what runs, the rest is kept for the next prompts. */
export type TypedMeanwhile = {
  readonly read: KeyReader;
  /** True when the beginning of a message has been typed. */
  readonly isTyping: () => boolean;
  /** The oldest finished message; it is given out once. */
  readonly takeLine: () => string | undefined;
  readonly takePartial: () => string;
};

export function createTypedMeanwhile({
  screen,
  folded,
  stop,
}: {
  readonly screen: Screen;
  readonly folded: FoldedTexts;
  readonly stop: () => void;
}): TypedMeanwhile {
  let typed = nothingTyped;
  const keep = (piece: KeyPiece): void => {
    const before = typed.lines.length;
    typed = typeAhead(typed, piece);
    for (const line of typed.lines.slice(before)) screen.line(`(queued) ${safeLine(folded.fold(line))}`, 'quiet');
  };
  return {
    read: (piece) => {
      if (piece.type === 'paste') {
        keep(piece);
        return;
      }
      const interrupts = piece.text.split(CTRL_C).length - 1 + (piece.text === ESC ? 1 : 0);
      for (let i = 0; i < interrupts; i++) stop();
      keep({ type: 'keys', text: piece.text.replaceAll(CTRL_C, '') });
    },
    isTyping: () => typed.partial !== '',
    takeLine: () => {
      const [line, ...lines] = typed.lines;
      typed = { ...typed, lines };
      return line;
    },
    takePartial: () => {
      const { partial } = typed;
      typed = { ...typed, partial: '' };
      return partial;
    },
  };
}
