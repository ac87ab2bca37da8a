import { safeLine } from '../text/safe-text.ts';
import { clip, graphemes, textWidth } from '../text/text-width.ts';
import type { EditorState } from './editor.ts';

export type EditorRow = { readonly start: number; readonly end: number; readonly text: string };

export type EditorLayout = {
  readonly rows: readonly EditorRow[];
  readonly row: number;
  readonly column: number;
};

export type LabelOf = (character: string) => string | undefined;

/** Lays out states one after the other; what has not changed since the last is not laid out again. */
export type Layouter = (state: Pick<EditorState, 'text' | 'cursor'>, columns: number) => EditorLayout;

export function createLayouter(labelOf: LabelOf): Layouter {
  let cache = new Map<string, LineRows>();
  let cachedColumns = 0;
  let edited: EditedLine = { line: '', rows: [] };
  return ({ text, cursor }, columns) => {
    const width = Math.max(2, columns);
    const earlier = width === cachedColumns ? cache : new Map<string, LineRows>();
    if (width !== cachedColumns) edited = { line: '', rows: [] };
    cachedColumns = width;
    cache = new Map();
    const rows: EditorRow[] = [];
    let offset = 0;
    for (const line of text.split('\n')) {
      let lineRows = cache.get(line) ?? earlier.get(line);
      if (lineRows === undefined) {
        lineRows = breakChanged(line, edited, { width, labelOf });
        edited = { line, rows: lineRows };
      }
      cache.set(line, lineRows);
      for (const { start, end, text: shown } of lineRows) rows.push({ start: offset + start, end: offset + end, text: shown });
      offset += line.length + 1;
    }
    const row = rowOf(rows, cursor);
    const found = rows[row];
    return { rows, row, column: found === undefined ? 0 : Math.min(width, columnAt(text, found, cursor, { labelOf, width })) };
  };
}

export function offsetAt(text: string, row: EditorRow, column: number, { labelOf, width }: CellOptions): number {
  let at = row.start;
  let columns = 0;
  for (const { length, shown } of cells(text.slice(row.start, row.end), { labelOf, width })) {
    const cellWidth = textWidth(shown);
    if (columns + cellWidth > column) break;
    columns += cellWidth;
    at += length;
  }
  return at;
}

type CellOptions = { readonly labelOf: LabelOf; readonly width: number };
type LineRows = readonly EditorRow[];

/** At the end of a row that goes on in the next, the cursor stands at the beginning of that. */
function rowOf(rows: readonly EditorRow[], cursor: number): number {
  let low = 0;
  let high = rows.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((rows[middle]?.start ?? 0) <= cursor) low = middle;
    else high = middle - 1;
  }
  return low;
}

function columnAt(text: string, row: EditorRow, cursor: number, options: CellOptions): number {
  let width = 0;
  for (const { shown } of cells(text.slice(row.start, cursor), options)) width += textWidth(shown);
  return width;
}

type Cell = {
  readonly length: number;
  readonly shown: string;
  readonly isBlank: boolean;
  readonly isWide: boolean;
  readonly width: number;
};

function* cells(line: string, options: CellOptions): Generator<Cell> {
  const known = new Map<string, Cell>();
  for (const { grapheme, graphemeWidth } of graphemes(line)) {
    let cell = known.get(grapheme);
    if (cell === undefined) {
      cell = cellOf(grapheme, graphemeWidth, options);
      known.set(grapheme, cell);
    }
    yield cell;
  }
}

function cellOf(grapheme: string, graphemeWidth: number, { labelOf, width }: CellOptions): Cell {
  const { length } = grapheme;
  if (grapheme >= ' ' && grapheme <= '~') return { length, shown: grapheme, isBlank: grapheme === ' ', isWide: false, width: 1 };
  const label = labelOf(grapheme);
  const sign = label ?? (grapheme === '\t' ? '    ' : safeLine(grapheme));
  const shown = sign === grapheme || grapheme === '\t' ? sign : clip(sign, width);
  const shownWidth = shown === grapheme ? graphemeWidth : textWidth(shown);
  return { length, shown, isBlank: grapheme === '\t', isWide: shownWidth > 1, width: shownWidth };
}

type EditedLine = { readonly line: string; readonly rows: LineRows };

/** The rows of a line of which the beginning has been laid out: those that end before the change stay, and only what follows is broken. */
function breakChanged(line: string, before: EditedLine, options: CellOptions): LineRows {
  let same = 0;
  while (same < line.length && line.charCodeAt(same) === before.line.charCodeAt(same)) same += 1;
  // Where a row ends depends on what follows it, up to the end of the next one.
  const kept = before.rows.filter((_, at) => (before.rows[at + 1]?.end ?? Number.POSITIVE_INFINITY) < same);
  const from = kept.at(-1)?.end ?? 0;
  const rest = breakLine(line.slice(from), options.width, options.labelOf);
  return from === 0 ? rest : [...kept, ...rest.map(({ start, end, text }) => ({ start: from + start, end: from + end, text }))];
}

/** Rows of at most `width` columns, broken behind blanks where there are any. A blank too many stays at the end of its row, unseen. */
function breakLine(line: string, width: number, labelOf: LabelOf): LineRows {
  const rows: EditorRow[] = [];
  let [start, at, shown, columns] = [0, 0, '', 0];
  let [breakAt, breakShown, breakColumns] = [-1, 0, 0];
  for (const cell of cells(line, { labelOf, width })) {
    // Twice where what is carried over to the next row leaves no room for a wide label.
    while (columns + cell.width > width && !cell.isBlank && at > start) {
      const isAtBreak = breakAt > start;
      const [end, shownLength, usedColumns] = isAtBreak ? [breakAt, breakShown, breakColumns] : [at, shown.length, columns];
      rows.push({ start, end, text: shown.slice(0, shownLength).trimEnd() });
      start = end;
      shown = shown.slice(shownLength);
      columns -= usedColumns;
      breakAt = -1;
    }
    at += cell.length;
    shown += cell.shown;
    columns += cell.width;
    if (cell.isBlank || cell.isWide) [breakAt, breakShown, breakColumns] = [at, shown.length, columns];
  }
  return [...rows, { start, end: line.length, text: columns > width ? shown.trimEnd() : shown }];
}
