import { lastWordStart, textWidth, wrapRanges } from './text-width.ts';

export type StreamedWrap = {
  readonly write: (chunk: string) => string;
  readonly end: () => string;
};

/**
 * Breaks text between words as it comes, for a terminal that would break it anywhere: a word waits until it is whole. Fenced code stays as it
 * is, and so does a word that is longer than a row, so that a command, a path or an address that is copied is one line. Text must be safe to
 * show.
 */
export function createStreamedWrap(columns: () => number): StreamedWrap {
  let row = '';
  let shownChars = 0;
  let isFirstRow = true;
  let isFenced = false;
  const isFence = (): boolean => isFirstRow && FENCE.test(row);

  const show = (end: number): string => {
    const text = row.slice(shownChars, end);
    shownChars = Math.max(shownChars, end);
    return text;
  };
  const advance = (isWhole: boolean): string => {
    if (isFenced || isFence()) return show(row.length);
    const ranges = wrapRanges(row, columns());
    const last = ranges.at(-1)?.start ?? 0;
    let output = '';
    for (const [at, { start, end }] of ranges.slice(0, -1).entries()) {
      shownChars = Math.max(shownChars, start);
      output += show(end) + (ranges[at + 1]?.start === end && isInsideWord(row, end) ? '' : '\n');
    }
    row = row.slice(last);
    shownChars = Math.max(0, shownChars - last);
    isFirstRow &&= ranges.length <= 1;
    const shown = isWhole ? row : row.slice(0, lastWordStart(row, columns()));
    return output + show(shown.trimEnd().length);
  };
  const endLine = (): string => {
    const output = advance(true);
    if (isFence()) isFenced = !isFenced;
    [row, shownChars, isFirstRow] = ['', 0, true];
    return output;
  };
  return {
    write: (chunk) => {
      const [first = '', ...more] = chunk.split('\n');
      row += first;
      let output = '';
      for (const next of more) {
        output += `${endLine()}\n`;
        row = next;
      }
      return output + advance(false);
    },
    end: endLine,
  };
}

/** Between two wide characters, or beside one, a row may end. */
function isInsideWord(text: string, at: number): boolean {
  const [before = ' '] = [...text.slice(Math.max(0, at - 2), at)].slice(-1);
  const [after = ' '] = text.slice(at, at + 2);
  return textWidth(before) < 2 && textWidth(after) < 2;
}

const FENCE = /^\s*(?:`{3}|~{3})/;
