import { counted } from '../text/figures.ts';
import { safeText } from '../text/safe-text.ts';

/** Stands in the line for a text that a line cannot hold, and is unfolded when the line is sent. */
export type FoldedTexts = {
  /** The text itself when one line can show it as it is, else a short mark that stands for it. */
  readonly fold: (text: string) => string;
  /** The line with every mark replaced by its text. */
  readonly unfold: (line: string) => string;
};

/** One text longer than this is not put into the line: redrawing it at every key is slow. */
const MAX_INLINE_CHARS = 1_000;

export function createFoldedTexts(): FoldedTexts {
  const texts = new Map<string, string>();
  const marks = new Map<string, string>();
  return {
    fold: (text) => {
      if (text.length <= MAX_INLINE_CHARS && !/[\n\t]/.test(text) && safeText(text) === text) return text;
      const mark = marks.get(text) ?? markFor(text, texts.size + 1);
      marks.set(text, mark);
      texts.set(mark, text);
      return mark;
    },
    unfold: (line) => line.replace(anyMark, (mark) => texts.get(mark) ?? mark),
  };
}

const anyMark = /\[text \d+: [^\]\n]{1,80}\]/g;

function markFor(text: string, serial: number): string {
  const lines = text.replace(/\n$/, '').split('\n').length;
  const beginning = safeText(text.trimStart().slice(0, 30))
    .replace(/[\s\]]+/g, ' ')
    .trim();
  return `[text ${serial}: ${counted(lines, 'line')}, ${counted(text.length, 'character')}: ${beginning.slice(0, 30).toWellFormed()}…]`;
}
