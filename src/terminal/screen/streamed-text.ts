import type { Paint } from '../text/paint.ts';
import { createSafeStream } from '../text/safe-text.ts';
import { textWidth, wrapRanges } from '../text/text-width.ts';

export type StreamedText = {
  readonly append: (kind: 'text' | 'thinking', text: string) => void;
  readonly end: () => void;
  readonly isOpen: () => boolean;
};

type StreamedTextOptions = {
  readonly write: (text: string) => void;
  readonly paint: Paint;
  /** How wide the screen is; without it the terminal breaks the lines. */
  readonly columns?: (() => number) | undefined;
};

/**
 * Writes each line when it is whole, broken between words. Fenced code stays as it is, and so does a word that is longer than a row, so that a
 * command, a path or an address that is copied is one line. Marks of Markdown stay in the text and give it colours.
 */
export function createStreamedText({ write, paint, columns }: StreamedTextOptions): StreamedText {
  let streaming: 'nothing' | 'text' | 'thinking' = 'nothing';
  let safe = createSafeStream();
  let line = '';
  let isFenced = false;
  const writeLine = (): void => {
    const isFence = FENCE.test(line);
    const isCode = isFence || isFenced;
    const paintRow = streaming === 'thinking' ? paint.quiet : isCode ? paint.code : markPaint(line, paint);
    const rows = isCode || columns === undefined ? [line] : brokenRows(line, columns());
    write(`${rows.map((row) => (row === '' ? '' : paintRow(row))).join('\n')}\n`);
    isFenced = isFence !== isFenced;
    line = '';
  };
  const add = (text: string): void => {
    const [first = '', ...more] = text.split('\n');
    line += first;
    for (const next of more) {
      writeLine();
      line = next;
    }
  };
  const end = (): void => {
    if (streaming === 'nothing') return;
    add(safe.end());
    writeLine();
    [streaming, safe, isFenced] = ['nothing', createSafeStream(), false];
  };
  return {
    append: (kind, text) => {
      if (streaming !== kind) end();
      streaming = kind;
      add(safe.write(text));
    },
    end,
    isOpen: () => streaming !== 'nothing',
  };
}

const FENCE = /^\s*(?:`{3}|~{3})/;
const HEADING = /^ *#{1,6} /;

function markPaint(line: string, paint: Paint): (row: string) => string {
  if (HEADING.test(line)) return paint.strong;
  return (row) => row.replace(/`[^`]+`|\*\*[^*`]+\*\*/g, (marked) => (marked.startsWith('`') ? paint.code : paint.strong)(marked));
}

function brokenRows(line: string, columns: number): readonly string[] {
  let text = '';
  let last = 0;
  for (const { start, end } of wrapRanges(line, columns)) {
    if (end > start && start > 0 && !(start === last && isInsideWord(line, start))) text += '\n';
    text += line.slice(start, end);
    last = end;
  }
  return text.split('\n');
}

/** Between two wide characters, or beside one, a row may end. */
function isInsideWord(text: string, at: number): boolean {
  const [before = ' '] = [...text.slice(Math.max(0, at - 2), at)].slice(-1);
  const [after = ' '] = text.slice(at, at + 2);
  return textWidth(before) < 2 && textWidth(after) < 2;
}
