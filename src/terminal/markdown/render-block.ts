/**
 * Markdown as it stands on a terminal: what a model says, in rows, with colours in the place of marks.
 *
 * Text comes in that has gone through `safeText`, block by block as `split-blocks.ts` cuts it, so that a block is shown once and never again.
 * The library `marked` says what is in a block; here it becomes rows: paragraphs and lists with words whole and a hanging indent, tables in
 * columns, code in the colours of its language, which stand in the place of fences that name no more than it. Rows of the text stay rows: a model breaks its lines
 * where it means to.
 *
 * Every word of the text is in the rows. Code is not broken into rows where it is printed, so that a command that is copied is one line.
 *
 * Loaded with the first message, and not for commands: marked and highlight.js take some tens of milliseconds.
 */

import type { Drawing } from '../text/paint.ts';
import { textWidth, wrap, wrapRanges } from '../text/text-width.ts';
import { highlight } from './highlight.ts';
import { isKnown, lex, type Row, type Span, spansOf, type Token, type Tokens, wrapSpans } from './spans.ts';
import type { Block } from './split-blocks.ts';

type BlockDrawing = Drawing & {
  /** Also long lines of code are broken: where nothing may be wider than a row. */
  readonly breaksCode: boolean;
};

export type RenderBlock = (block: Block, drawing: BlockDrawing) => readonly string[];

/** Such a block is shown as it was written: no person reads it, and the library takes time by the square of these. */
const MAX_CHARS = 20_000;
const DEEP = /(?:> ?){50}|(?:(?:[-*+]|\d{1,9}[.)])\s{1,4}){50}/;
const MAX_MARKS = 2_000;

export function renderBlock(block: Block, drawing: BlockDrawing): readonly string[] {
  const rows = block.code === undefined ? textRows(block.text, drawing) : fencedRows(block, block.code, drawing);
  return block.isApart || (block.isBesideCode && drawing.paint.hasColour) ? ['', ...rows] : rows;
}

function textRows(text: string, drawing: BlockDrawing): readonly string[] {
  if (text.length <= MAX_CHARS && !DEEP.test(text) && (text.match(/[!*_~`[<]/g)?.length ?? 0) <= MAX_MARKS) {
    try {
      return blockRows(lex(text), drawing);
    } catch {
      // What is nested too deeply for the library's recursion.
    }
  }
  return wrap(text, drawing.columns);
}

function fencedRows({ text }: Block, { info, opening, closing }: NonNullable<Block['code']>, drawing: BlockDrawing): readonly string[] {
  const rows = text === '' ? [] : codeRows(text, info, drawing);
  if (drawing.paint.hasColour && isLanguage(info)) return rows;
  const fence = (line: string | undefined): readonly string[] =>
    line === undefined ? [] : wrap(line, drawing.columns).map(drawing.paint.quiet);
  return [...fence(opening), ...rows, ...fence(closing)];
}

/** A fence that says more, such as the name of a file, is shown. */
const isLanguage = (info: string): boolean => /^[\w+#.-]*$/.test(info);

function codeRows(text: string, info: string, { paint, columns, breaksCode }: BlockDrawing): readonly string[] {
  const lines = text.replaceAll('\t', '    ');
  if (!breaksCode) return highlight(lines, info, paint);
  return lines.split('\n').flatMap((line) => wrapRanges(line, columns).map(({ start, end }) => paint.code(line.slice(start, end))));
}

function blockRows(tokens: readonly Token[], drawing: BlockDrawing): readonly string[] {
  const rows: string[] = [];
  let isApart = false;
  for (const token of tokens) {
    if (token.type === 'space') {
      isApart = true;
      continue;
    }
    if (isApart && rows.length > 0) rows.push('');
    rows.push(...tokenRows(token, drawing));
    isApart = /\n\s*\n$/.test(token.raw);
  }
  return rows;
}

function tokenRows(token: Token, drawing: BlockDrawing): readonly string[] {
  const { paint, columns } = drawing;
  const inline = (tokens: readonly Token[]): readonly string[] =>
    wrapSpans(spansOf(tokens, paint), columns, paint).map(({ painted }) => painted);
  if (!isKnown(token)) return wrap(trimEnds(token.raw), columns);
  switch (token.type) {
    case 'heading': {
      const mark = paint.hasStyles ? [] : [{ text: `${'#'.repeat(token.depth)} `, styles: [] }];
      const style = token.depth <= 2 ? 'heading' : 'strong';
      return wrapSpans([...mark, ...spansOf(token.tokens, paint, [style])], columns, paint).map(({ painted }) => painted);
    }
    case 'paragraph':
      return inline(token.tokens);
    case 'text':
      return inline(token.tokens ?? [token]);
    case 'list':
      return listRows(token, drawing);
    case 'blockquote':
      return prefixed('│ ', blockRows(token.tokens, narrower(drawing, 2)), paint.quiet);
    case 'code':
      return nestedCode(token, drawing);
    case 'table':
      return tableRows(token, drawing);
    case 'hr':
      return [paint.quiet('─'.repeat(Math.min(columns, RULE_COLUMNS)))];
    default:
      return wrap(trimEnds(token.raw), columns);
  }
}

const RULE_COLUMNS = 40;
const trimEnds = (text: string): string => text.replace(/^\n+|\n+$/g, '');

const MIN_COLUMNS = 16;
const narrower = (drawing: BlockDrawing, by: number): BlockDrawing => ({
  ...drawing,
  columns: Math.max(MIN_COLUMNS, drawing.columns - by),
});

const prefixed = (mark: string, rows: readonly string[], paintMark: (text: string) => string): readonly string[] =>
  rows.map((row) => `${paintMark(row === '' ? mark.trimEnd() : mark)}${row}`);

function nestedCode({ text, lang, raw }: Tokens.Code, drawing: BlockDrawing): readonly string[] {
  const rows = codeRows(text, lang ?? '', drawing);
  const [, marks] = /^ *(`{3,}|~{3,})/.exec(raw) ?? [];
  if (marks === undefined || (drawing.paint.hasColour && isLanguage(lang ?? ''))) return prefixed('  ', rows, drawing.paint.plain);
  return [drawing.paint.quiet(`${marks}${lang ?? ''}`), ...rows, drawing.paint.quiet(marks)];
}

function listRows({ ordered, start, items }: Tokens.List, drawing: BlockDrawing): readonly string[] {
  return items.flatMap((item, at) => {
    const mark = ordered ? `${Number(start) + at}. ` : '- ';
    const indent = ' '.repeat(textWidth(mark));
    const [box, ...others] = item.tokens;
    const isTask = box?.type === 'checkbox';
    const rows = blockRows(isTask ? others : item.tokens, narrower(drawing, indent.length + (isTask ? box.raw.length : 0)));
    const isApart = at > 0 && /\n\s*\n$/.test(items[at - 1]?.raw ?? '');
    const [first = '', ...more] = rows.length === 0 ? [''] : rows;
    const shown = [`${mark}${isTask ? box.raw : ''}${first}`.trimEnd(), ...more.map((row) => (row === '' ? '' : indent + row))];
    return isApart ? ['', ...shown] : shown;
  });
}

const GAP = '  ';
/** A column with less room than this is read no more: then each row becomes a paragraph. */
const MIN_CELL_COLUMNS = 8;

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

function shareColumns(natural: readonly number[], columns: number): readonly number[] | undefined {
  let left = columns;
  let open = natural.length;
  const widths = new Map<number, number>();
  for (const [at, width] of [...natural.entries()].toSorted(([, a], [, b]) => a - b)) {
    const share = Math.floor(left / open);
    if (width > share && share < MIN_CELL_COLUMNS) return undefined;
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
