import type { FoldedTexts } from '../input/folded-text.ts';
import type { KeyReader } from '../input/keyboard.ts';
import { CTRL_C, ESC, type KeyPiece } from '../input/keys.ts';
import type { Screen } from '../screen/screen.ts';
import { counted } from '../text/figures.ts';
import { safeLine } from '../text/safe-text.ts';
import { nothingTyped, typeAhead } from './type-ahead.ts';

/**
 * What is typed while there is no prompt: Ctrl-C and Esc stop what runs, the rest is kept for the next prompts. Ctrl-C also drops the
 * messages that wait, so that nothing runs that was meant to follow what was stopped; what is half typed stays.
 */
export type TypedMeanwhile = {
  readonly read: KeyReader;
  /** True when the beginning of a message has been typed. */
  readonly isTyping: () => boolean;
  /** The oldest finished message; it is given out once. */
  readonly takeLine: () => string | undefined;
  readonly takePartial: () => string;
  /** A text for the next prompt, unless a message has been begun there. */
  readonly offer: (text: string) => void;
};

export function createTypedMeanwhile({
  screen,
  folded,
  stop,
  dropped,
}: {
  readonly screen: Screen;
  readonly folded: FoldedTexts;
  readonly stop: () => void;
  /** Gets each message that was dropped, oldest first. */
  readonly dropped: (message: string) => void;
}): TypedMeanwhile {
  let typed = nothingTyped;
  const keep = (piece: KeyPiece): void => {
    const before = typed.lines.length;
    typed = typeAhead(typed, piece);
    for (const line of typed.lines.slice(before)) screen.line(`(queued) ${safeLine(folded.fold(line))}`, 'quiet');
  };
  const drop = (): void => {
    const { lines } = typed;
    if (lines.length === 0) return;
    typed = { ...typed, lines: [] };
    for (const line of lines) dropped(line);
    screen.line(`${counted(lines.length, 'queued message')} dropped. Up brings back what you typed.`, 'notice');
  };
  return {
    read: (piece) => {
      if (piece.type === 'paste') {
        keep(piece);
        return;
      }
      if (piece.text === ESC) stop();
      for (const [index, text] of piece.text.split(CTRL_C).entries()) {
        if (index > 0) {
          stop();
          drop();
        }
        keep({ type: 'keys', text });
      }
    },
    isTyping: () => typed.partial !== '',
    takeLine: () => {
      const [line, ...lines] = typed.lines;
      typed = { ...typed, lines };
      return line;
    },
    offer: (text) => {
      if (typed.partial === '') typed = { ...typed, partial: text };
    },
    takePartial: () => {
      const { partial } = typed;
      typed = { ...typed, partial: '' };
      return partial;
    },
  };
}
