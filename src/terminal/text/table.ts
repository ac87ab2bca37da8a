import { clip, padEnd, textWidth, wrap } from './text-width.ts';

/** What a table gets where there is no terminal to tell. */
export const COLUMNS_WITHOUT_TERMINAL = 120;

export type Column = {
  readonly title: string;
  readonly align?: 'left' | 'right';
  /** May be shortened, to no less than this, when the terminal is narrow. */
  readonly minWidth?: number;
};

/**
 * Rows under their titles, at most `columns` wide; where even the shortest form is wider, each row becomes a paragraph. Cells must be safe
 * to show and in one line. Ends with a newline.
 */
export function table(head: readonly Column[], rows: readonly (readonly string[])[], columns: number): string {
  // A list may have many thousand rows: each cell is measured once, and nothing but the text is made of it.
  const naturalWidths = head.map(({ title }) => textWidth(title));
  const measured = new Uint32Array(rows.length * head.length);
  for (let row = 0, at = 0; row < rows.length; row++)
    for (let i = 0; i < head.length; i++, at++) {
      const width = textWidth(rows[row]?.[i] ?? '');
      measured[at] = width;
      if (width > (naturalWidths[i] ?? 0)) naturalWidths[i] = width;
    }
  const widths = shrinkWidths(naturalWidths, head, columns);
  if (widths === undefined) return paragraphs(head, rows, columns);
  const line = (cells: readonly string[], widthOf: (i: number) => number): string => {
    let text = '';
    for (let i = 0; i < head.length; i++) {
      const room = widths[i] ?? 0;
      const width = widthOf(i);
      const cell = cells[i] ?? '';
      const blanks = ' '.repeat(Math.max(0, room - width));
      if (i > 0) text += GAP;
      text += width > room ? padEnd(clip(cell, room), room) : head[i]?.align === 'right' ? blanks + cell : cell + blanks;
    }
    return text.trimEnd();
  };
  const titles = head.map(({ title }) => title);
  const body = rows.map((cells, row) => line(cells, (i) => measured[row * head.length + i] ?? 0));
  return `${[line(titles, (i) => textWidth(titles[i] ?? '')), ...body].join('\n')}\n`;
}

const GAP = '  ';

const total = (widths: readonly number[]): number => widths.reduce((sum, width) => sum + width, 0) + GAP.length * (widths.length - 1);

function shrinkWidths(naturalWidths: readonly number[], head: readonly Column[], columns: number): readonly number[] | undefined {
  let excess = total(naturalWidths) - columns;
  const widths = naturalWidths.map((width, i) => {
    const minWidth = head[i]?.minWidth;
    if (minWidth === undefined || excess <= 0) return width;
    const reduction = Math.min(excess, Math.max(0, width - minWidth));
    excess -= reduction;
    return width - reduction;
  });
  return excess > 0 ? undefined : widths;
}

function paragraphs(head: readonly Column[], rows: readonly (readonly string[])[], columns: number): string {
  const texts = rows.map((row) => {
    const [first = '', ...rest] = row;
    const fields = rest.flatMap((cell, i) => (cell === '' ? [] : [`${head[i + 1]?.title ?? ''}: ${cell}`]));
    const lines = [first, ...fields].flatMap((part, i) =>
      wrap(part, columns - (i === 0 ? 0 : 2)).map((line) => (i === 0 ? line : `  ${line}`)),
    );
    return lines.join('\n');
  });
  return `${texts.join('\n\n')}\n`;
}
