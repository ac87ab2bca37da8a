import type { Drawing } from '../text/paint.ts';
import { textWidth } from '../text/text-width.ts';
import { type Row, type Span, spansOf, type Tokens, wrapSpans } from './spans.ts';

const GAP = '  ';
/** A column with less room than this is read no more: then each row becomes a paragraph. */
const MIN_COLUMNS = 8;

/** A table in columns, its cells wrapped where they must be; in a window too narrow for that, each row as a paragraph. */
export function tableRows({ header, rows, align }: Tokens.Table, drawing: Drawing): readonly string[] {
  const { paint, columns } = drawing;
  const head = header.map(({ tokens }) => spansOf(tokens, paint, ['strong']));
  const body = rows.map((row) => row.map(({ tokens }) => spansOf(tokens, paint)));
  const natural = head.map((cell, at) => Math.max(1, ...[cell, ...body.map((row) => row[at] ?? [])].map(widthOf)));
  const widths = shareColumns(natural, columns - GAP.length * (head.length - 1));
  if (widths === undefined) return paragraphs(head, body, drawing);
  const line = (cells: readonly (readonly Span[])[]): readonly string[] => {
    const wrapped = widths.map((width, at) => wrapSpans(cells[at] ?? [], width, paint));
    const height = Math.max(...wrapped.map((cell) => cell.length));
    return Array.from({ length: height }, (_, row) =>
      wrapped
        .map((cell, at) => place(cell[row], { width: widths[at] ?? 0, align: align[at] ?? null, isLast: at === widths.length - 1 }))
        .join(GAP),
    ).map((text) => text.trimEnd());
  };
  const rule = paint.quiet(widths.map((width) => '─'.repeat(width)).join(GAP));
  const lines = body.map(line);
  // Where cells take several rows, it must be seen where the next begins.
  const isTall = lines.some((each) => each.length > 1);
  return [...line(head), rule, ...lines.flatMap((each, at) => (isTall && at > 0 ? ['', ...each] : each))];
}

const widthOf = (spans: readonly Span[]): number =>
  Math.max(
    0,
    ...spans
      .map(({ text }) => text)
      .join('')
      .split('\n')
      .map(textWidth),
  );

/** Narrow columns keep their width, the others share what is left; undefined where that is too little. */
function shareColumns(natural: readonly number[], columns: number): readonly number[] | undefined {
  let left = columns;
  let open = natural.length;
  const widths = new Map<number, number>();
  for (const [at, width] of [...natural.entries()].toSorted(([, a], [, b]) => a - b)) {
    const share = Math.floor(left / open);
    if (width > share && share < MIN_COLUMNS) return undefined;
    widths.set(at, Math.min(width, share));
    left -= Math.min(width, share);
    open -= 1;
  }
  return natural.map((_, at) => widths.get(at) ?? 0);
}

type Place = { readonly width: number; readonly align: Tokens.TableCell['align']; readonly isLast: boolean };

function place(row: Row | undefined, { width, align, isLast }: Place): string {
  const { painted, plain } = row ?? { painted: '', plain: '' };
  const space = Math.max(0, width - textWidth(plain));
  const before = align === 'right' ? space : align === 'center' ? Math.floor(space / 2) : 0;
  return `${' '.repeat(before)}${painted}${isLast ? '' : ' '.repeat(space - before)}`;
}

function paragraphs(
  head: readonly (readonly Span[])[],
  body: readonly (readonly (readonly Span[])[])[],
  { paint, columns }: Drawing,
): readonly string[] {
  const colon: Span = { text: ': ', styles: [] };
  const texts = body.map((row) =>
    row.flatMap((cell, at) =>
      wrapSpans([...(head[at] ?? []), colon, ...cell], at === 0 ? columns : columns - GAP.length, paint).map(({ painted }) =>
        at === 0 ? painted : GAP + painted,
      ),
    ),
  );
  if (texts.length === 0) return head.flatMap((cell) => wrapSpans(cell, columns, paint).map(({ painted }) => painted));
  return texts.flatMap((text, at) => (at === 0 ? text : ['', ...text]));
}
