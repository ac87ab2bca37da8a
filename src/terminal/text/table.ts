import { clip, padEnd, padStart, textWidth, wrap } from './text-width.ts';

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
  const naturalWidths = head.map(({ title }, i) => Math.max(textWidth(title), ...rows.map((row) => textWidth(row[i] ?? ''))));
  const widths = shrinkWidths(naturalWidths, head, columns);
  if (widths === undefined) return paragraphs(head, rows, columns);
  const line = (cells: readonly string[]): string =>
    head
      .map(({ align }, i) => {
        const cell = clip(cells[i] ?? '', widths[i] ?? 0);
        return align === 'right' ? padStart(cell, widths[i] ?? 0) : padEnd(cell, widths[i] ?? 0);
      })
      .join(GAP)
      .trimEnd();
  return `${[head.map(({ title }) => title), ...rows].map(line).join('\n')}\n`;
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
