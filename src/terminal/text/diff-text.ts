import { localize } from '../../domain/language.ts';
import type { CodePart, Drawing, Paint } from './paint.ts';
import { exactText } from './safe-text.ts';
import { wrapRanges } from './text-width.ts';

type DiffDrawing = Drawing & {
  readonly name?: string;
  readonly context?: number;
};

/**
 * A difference as a person reads it: each line behind its number and sign, with the words that changed marked, the code in the colours of its
 * language, its indent as it is. What could deceive is shown as it is everywhere for what a person allows. Text that is no line of the
 * difference stands as it is.
 */
export function diffLines(preview: string, drawing: DiffDrawing): readonly string[] {
  return diffRows(preview, drawing).flatMap(({ rows }) => rows);
}

export function diffRows(preview: string, drawing: DiffDrawing): readonly { readonly rows: readonly string[] }[] {
  const lines = nearChanges(numberLines(preview.replace(/\n$/, '').split('\n')), drawing.context);
  const numberColumns = Math.max(1, ...lines.map(({ number }) => String(number ?? '').length));
  const coloured = colourLines(lines, drawing);
  const changed = wordChanges(lines);
  return lines.map((line, at) => ({
    rows: drawLine(line, { parts: coloured[at], marks: changed[at] ?? [], numberColumns, ...drawing }),
  }));
}

function numberLines(lines: readonly string[]): readonly DiffLine[] {
  let before: number | undefined;
  let after: number | undefined;
  let hasHunk = false;
  return lines.flatMap((line): readonly DiffLine[] => {
    const [, oldStart, newStart] = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@$/.exec(line) ?? [];
    if (oldStart !== undefined && newStart !== undefined) {
      [before, after] = [Number(oldStart), Number(newStart)];
      const between = hasHunk ? [{ sign: undefined, number: undefined, code: '…' }] : [];
      hasHunk = true;
      return between;
    }
    const sign = signOf(line);
    if (sign === undefined) return [{ sign, number: undefined, code: exactText(line) }];
    const number = sign === '-' ? before : (after ?? before);
    if (before !== undefined && sign !== '+') before += 1;
    if (after !== undefined && sign !== '-') after += 1;
    return [{ sign, number, code: exactCode(line.slice(1), sign) }];
  });
}

const signOf = (line: string): '+' | '-' | ' ' | undefined =>
  line.startsWith('+') ? '+' : line.startsWith('-') ? '-' : line.startsWith(' ') ? ' ' : undefined;

function nearChanges(lines: readonly DiffLine[], context: number | undefined): readonly DiffLine[] {
  if (context === undefined) return lines;
  const isChange = (at: number): boolean => lines[at]?.sign === '+' || lines[at]?.sign === '-';
  const isNear = (at: number): boolean => Array.from({ length: 2 * context + 1 }, (_, by) => at - context + by).some(isChange);
  return lines.filter(({ sign }, at) => sign !== ' ' || isNear(at));
}

const languageOf = (name: string): string => /\.([^./\\]+)$/.exec(name)?.[1] ?? name.split(/[/\\]/).at(-1) ?? '';

/** What was and what is are coloured apart: each is a text of its language. */
function colourLines(
  lines: readonly DiffLine[],
  { codeParts, name = '', paint }: DiffDrawing,
): readonly (readonly CodePart[] | undefined)[] {
  if (codeParts === undefined || !paint.hasColour) return [];
  const partsWithout = (sign: '+' | '-') => {
    const places = lines.flatMap((line, at) => (line.sign === undefined || line.sign === sign ? [] : [at]));
    const parts = codeParts(places.map((at) => lines[at]?.code ?? '').join('\n'), languageOf(name));
    return new Map(places.map((place, at) => [place, parts?.[at]]));
  };
  const [was, is] = [partsWithout('+'), partsWithout('-')];
  return lines.map(({ sign }, at) => (sign === '-' ? was : is).get(at));
}

type LineDrawing = DiffDrawing & {
  readonly parts: readonly CodePart[] | undefined;
  readonly marks: readonly Range[];
  readonly numberColumns: number;
};

function drawLine({ sign, number, code }: DiffLine, { paint, columns, parts, marks, numberColumns }: LineDrawing): readonly string[] {
  if (sign === undefined) return wrapRanges(code, columns).map(({ start, end }) => paint.quiet(code.slice(start, end)));
  const gutter = number === undefined ? `${sign} ` : `${String(number).padStart(numberColumns)} ${sign} `;
  const paintSign = sign === '+' ? paint.added : sign === '-' ? paint.removed : paint.quiet;
  return wrapRanges(code, Math.max(MIN_CODE_COLUMNS, columns - gutter.length)).map((range, row) => {
    const start = row === 0 ? gutter : ' '.repeat(gutter.length);
    const painted = paintRange(code, range, { parts, marks, paint, sign });
    return painted === '' ? paintSign(start.trimEnd()) : `${paintSign(start)}${painted}`;
  });
}

const MIN_CODE_COLUMNS = 8;

type RangePaint = Pick<LineDrawing, 'parts' | 'marks'> & { readonly paint: Paint; readonly sign: '+' | '-' | ' ' };

function paintRange(
  code: string,
  { start, end }: Range,
  { parts = [{ text: code, kind: undefined }], marks, paint, sign }: RangePaint,
): string {
  const plain = sign === '+' ? paint.added : sign === '-' ? paint.removed : paint.plain;
  let at = 0;
  let painted = '';
  for (const { text, kind } of parts) {
    const cuts = [at, at + text.length, start, end, ...marks.flatMap((mark) => [mark.start, mark.end])]
      .filter((cut) => cut >= Math.max(at, start) && cut <= Math.min(at + text.length, end))
      .sort((a, b) => a - b);
    for (const [index, from] of cuts.entries()) {
      const to = cuts[index + 1];
      if (to === undefined || to === from) continue;
      const piece = code.slice(from, to);
      const isMarked = marks.some((mark) => mark.start <= from && to <= mark.end);
      painted += isMarked
        ? plain(paint.changed(piece))
        : kind === undefined
          ? parts.length === 1
            ? plain(piece)
            : piece
          : paint.syntax(kind, piece);
    }
    at += text.length;
  }
  return painted;
}

/** An indent is no attempt to push something out of sight unless it is deeper than any. */
const MAX_INDENT = 60;

/** Tabs at the beginning as arrows, as wide as most editors have them; of a line that stays, blanks at its end are no news. */
function exactCode(line: string, sign: string): string {
  const indent = /^[\t ]*/.exec(line)?.[0] ?? '';
  const shown = indent.replaceAll('\t', '→   ');
  const isLong = shown.length > MAX_INDENT;
  const rest = exactText(isLong ? line : line.slice(indent.length));
  if (indent.length === line.length) return sign === ' ' || line === '' ? '' : exactText(line);
  return `${isLong ? '' : shown}${sign === ' ' ? rest.replace(/\[\d+ (?:spaces?|个空格)\]$/, '') : rest}`;
}

export function countChanges(preview: string): { readonly added: number; readonly removed: number } {
  const count = (sign: string): number => preview.split('\n').filter((line) => line.startsWith(sign)).length;
  return { added: count('+'), removed: count('-') };
}

export const MAX_DIFF_ROWS = 12;

export function shortDiff(preview: string, { indent, more, ...drawing }: DiffDrawing & ShortDiff): readonly string[] {
  const all = diffRows(preview, { ...drawing, context: 1, columns: drawing.columns - indent.length });
  let rows = 0;
  const shown = all.filter((line) => {
    rows += line.rows.length;
    return rows <= MAX_DIFF_ROWS;
  });
  const left = all.length - shown.length;
  const lines = shown.flatMap((line) => line.rows);
  return [...lines, ...(left === 0 ? [] : [drawing.paint.quiet(more(left))])].map((row) => `${indent}${row}`);
}

type ShortDiff = {
  readonly indent: string;
  readonly more: (lines: number) => string;
};

export const moreOfDiff =
  (key: boolean): ((lines: number) => string) =>
  (count) =>
    localize({ en: `… ${count} more${key ? ' (Ctrl-O)' : ''}`, zh: `… 还有 ${count} 行${key ? '（Ctrl-O）' : ''}` });

export type DiffLine = {
  /** A blank is a line that stays; undefined is no line of the file. */
  readonly sign: '+' | '-' | ' ' | undefined;
  readonly number: number | undefined;
  readonly code: string;
};
export type Range = { readonly start: number; readonly end: number };

/** Of lines that stand in each other's place: what differs between them. Lines that have little in common are new, and nothing in them is marked. */
export function wordChanges(lines: readonly DiffLine[]): readonly (readonly Range[])[] {
  const marks: (readonly Range[])[] = lines.map(() => []);
  let at = 0;
  while (at < lines.length) {
    const removed = runOf(lines, at, '-');
    const added = runOf(lines, at + removed, '+');
    // Where more went than came, or more came than went, nobody knows which line became which.
    if (removed === added)
      for (let by = 0; by < removed; by++) {
        const pair = differenceOf(lines[at + by]?.code ?? '', lines[at + removed + by]?.code ?? '');
        [marks[at + by], marks[at + removed + by]] = pair;
      }
    at += Math.max(1, removed + added);
  }
  return marks;
}

function runOf(lines: readonly DiffLine[], from: number, sign: '+' | '-'): number {
  let end = from;
  while (lines[end]?.sign === sign) end += 1;
  return end - from;
}

const MIN_COMMON = 0.4;
const MAX_CHARS = 1_000;

function differenceOf(before: string, after: string): readonly [readonly Range[], readonly Range[]] {
  if (before.length > MAX_CHARS || after.length > MAX_CHARS) return [[], []];
  const [was, is] = [wordsOf(before), wordsOf(after)];
  const shorter = Math.min(was.length, is.length);
  let start = 0;
  while (start < shorter && was[start] === is[start]) start += 1;
  let end = 0;
  while (end < shorter - start && was.at(-1 - end) === is.at(-1 - end)) end += 1;
  const head = was.slice(0, start).join('').length;
  const tail = was.slice(was.length - end).join('').length;
  if (head + tail < MIN_COMMON * Math.min(before.trimStart().length, after.trimStart().length)) return [[], []];
  const rangeOf = (text: string): readonly Range[] => (head === text.length - tail ? [] : [{ start: head, end: text.length - tail }]);
  return [rangeOf(before), rangeOf(after)];
}

const wordsOf = (line: string): readonly string[] => line.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? [];
