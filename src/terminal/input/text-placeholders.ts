import { pluralize } from '../text/format.ts';
import { safeText } from '../text/safe-text.ts';

/** Stands in the line for a text that a line cannot hold, and is unfolded when the line is sent. */
export type TextPlaceholders = {
  /** The text itself when one line can show it as it is, else a short mark that stands for it. */
  readonly collapse: (text: string) => string;
  /** The line with every mark replaced by its text. */
  readonly expand: (line: string) => string;
};

/** One text longer than this is not put into the line: redrawing it at every key is slow. */
const MAX_INLINE_CHARS = 1_000;

export function createTextPlaceholders(): TextPlaceholders {
  const texts = new Map<string, string>();
  const placeholders = new Map<string, string>();
  return {
    collapse: (text) => {
      if (text.length <= MAX_INLINE_CHARS && !/[\n\t]/.test(text) && safeText(text) === text) return text;
      const placeholder = placeholders.get(text) ?? createPlaceholder(text, texts.size + 1);
      placeholders.set(text, placeholder);
      texts.set(placeholder, text);
      return placeholder;
    },
    expand: (line) => line.replace(anyPlaceholder, (placeholder) => texts.get(placeholder) ?? placeholder),
  };
}

const anyPlaceholder = /\[text \d+: [^\]\n]{1,80}\]/g;

function createPlaceholder(text: string, serial: number): string {
  const lines = text.replace(/\n$/, '').split('\n').length;
  const excerpt = safeText(text.trimStart().slice(0, 30))
    .replace(/[\s\]]+/g, ' ')
    .trim();
  return `[text ${serial}: ${pluralize(lines, 'line')}, ${pluralize(text.length, 'character')}: ${excerpt.slice(0, 30).toWellFormed()}…]`;
}
