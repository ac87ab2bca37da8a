import { type Bilingual, localize } from '../../domain/language.ts';
import { clip, padEnd, textWidth, wrap } from './text-width.ts';

export const COLUMNS_WITHOUT_TERMINAL = 120;

type Column = {
  readonly title: string | Bilingual;
  readonly align?: 'left' | 'right';
  /** May be shortened, to no less than this, when the terminal is narrow. */
  readonly minWidth?: number;
};

/** At most `columns` wide; where the shortest form is wider, each row is a paragraph. Cells must be safe and in one line. Ends with a newline. */
export function table(head: readonly Column[], rows: readonly (readonly string[])[], columns: number): string {
  const cells = head.map((_, i) => rows.map((row) => row[i] ?? ''));
  const measured = cells.map(widthsOf);
  const naturalWidths = head.map((column, i) =>
    (measured[i] ?? []).reduce((most, width) => Math.max(most, width), textWidth(titleOf(column))),
  );
  const widths = shrinkWidths(naturalWidths, head, columns);
  if (widths === undefined) return paragraphs(head, cells, columns);
  const last = head.length - 1;
  const fitted = head.map((column, i) =>
    fitColumn(column, { cells: cells[i] ?? [], widths: measured[i] ?? [], room: widths[i] ?? 0, isLast: i === last }),
  );
  let text = '';
  for (let row = 0; row <= (cells[0]?.length ?? 0); row++) {
    let line = '';
    for (let i = 0; i < last; i++) line += fitted[i]?.[row] ?? '';
    const end = fitted[last]?.[row] ?? '';
    text += endsWithLetter(end) ? line + end : (line + end).trimEnd();
    text += '\n';
  }
  return text;
}

const titleOf = ({ title }: Column): string => (typeof title === 'string' ? title : localize(title));

const widthsOf = (cells: readonly string[]): readonly number[] =>
  ASCII.test(cells.join('')) ? cells.map(({ length }) => length) : cells.map(textWidth);

const ASCII = /^[\x20-\x7e]*$/;

/** False where something might have to be cut off at the end. */
const endsWithLetter = (text: string): boolean => {
  const code = text.charCodeAt(text.length - 1);
  return code > 0x20 && code < 0x7f;
};

type ColumnCells = {
  readonly cells: readonly string[];
  readonly widths: readonly number[];
  readonly room: number;
  readonly isLast: boolean;
};

/** The title and the cells as wide as their column and the gap behind it. One like that before it, as folders are, is not fitted again. */
function fitColumn(column: Column, { cells, widths, room, isLast }: ColumnCells): readonly string[] {
  const gap = isLast ? '' : GAP;
  const widen = (cell: string, width: number): string => {
    if (width > room) return isLast ? clip(cell, room) : padEnd(clip(cell, room), room) + gap;
    const blanks = ' '.repeat(room - width);
    if (column.align === 'right') return blanks + cell + gap;
    return isLast ? cell : cell + blanks + gap;
  };
  let before = titleOf(column);
  let beforeFitted = widen(before, textWidth(before));
  const fitted = [beforeFitted];
  for (let row = 0; row < cells.length; row++) {
    const cell = cells[row] ?? '';
    if (cell !== before) beforeFitted = widen(cell, widths[row] ?? 0);
    before = cell;
    fitted.push(beforeFitted);
  }
  return fitted;
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

function paragraphs(head: readonly Column[], cells: readonly (readonly string[])[], columns: number): string {
  const [firsts = [], ...others] = cells;
  const titles = head.slice(1).map(titleOf);
  const texts = firsts.map((first, row) => {
    const fields = others.flatMap((column, i) => (column[row] ? [`${titles[i]}${localize({ en: ': ', zh: '：' })}${column[row]}`] : []));
    const lines = [first, ...fields].flatMap((part, i) =>
      wrap(part, columns - (i === 0 ? 0 : 2)).map((line) => (i === 0 ? line : `  ${line}`)),
    );
    return lines.join('\n');
  });
  return `${texts.join('\n\n')}\n`;
}
