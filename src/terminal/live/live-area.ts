/**
 * The live area: the few rows at the bottom of a terminal that are drawn anew, and who draws there. Above them stands what is finished:
 * written once and never touched again, so that it is plain text in the terminal's own scroll-back.
 *
 * Lines come in from the screen, the prompt, the questions and the status. One frame at a time goes out, at most some sixty in a second,
 * and only what has changed is drawn. A row never fills the last column, where terminals differ.
 *
 * Nothing here decides what is shown: `stage.ts` puts the parts together and connects them with a real terminal.
 */

import { stripVTControlCharacters } from 'node:util';
import type { OutputWriter } from '../screen/output.ts';
import { textWidth } from '../text/text-width.ts';

/** What stands at the bottom of the terminal and is drawn anew; each line fits into one row, colours included. */
export type LiveFrame = { readonly lines: readonly string[]; readonly cursor: { readonly row: number; readonly column: number } };

type LiveAreaOptions = {
  readonly output: OutputWriter;
  readonly columns: () => number;
  readonly frame: () => LiveFrame;
  /** Where the terminal has the cursor, counted from 1; undefined when it does not say. */
  readonly cursorColumn: () => Promise<number | undefined>;
};

/** No screen shows more frames than this in a second; what comes meanwhile is drawn together. */
const FRAME_MS = 16;

/** Terminals that know it show the frame whole, all others ignore it. */
const BEGIN_FRAME = '\u001b[?2026h';
const END_FRAME = '\u001b[?2026l';

/**
 * Text that is printed stands above the area: whole lines, safe to show, with a newline at their end. What an `update` tells of is drawn within a
 * frame's time, with all that was printed since. `hide` wipes the area, and nothing is drawn until `show`: another program has the terminal, or
 * this one ends; what is printed is written. When it was `resized`, it is drawn for the new width as soon as it is known what the terminal has
 * made of the rows. `clearScreen` empties the screen, scroll-back apart, and draws the area at its top.
 */
export function createLiveArea({ output, columns, frame, cursorColumn }: LiveAreaOptions) {
  let printed: string[] = [];
  let drawn: LiveFrame | undefined;
  let isHidden = true;
  let isAsking = false;

  const draw = (): void => {
    pacer.settle();
    if (isAsking) return;
    const text = printed.join('');
    printed = [];
    if (isHidden) {
      output.write(text);
      return;
    }
    const next = frame();
    if (text === '' && drawn !== undefined && isSameFrame(drawn, next)) return;
    output.write(`${BEGIN_FRAME}${wipe(drawn, columns())}${text}${paintFrame(next)}${END_FRAME}`);
    drawn = next;
  };
  const pacer = createPacer(draw);
  const { update } = pacer;

  return {
    print: (text: string): void => {
      printed.push(text);
      if (isHidden) draw();
      else update();
    },
    update,
    hide: (): void => {
      isAsking = false;
      draw();
      output.write(wipe(drawn, columns()));
      drawn = undefined;
      isHidden = true;
    },
    show: (): void => {
      isHidden = false;
      update();
    },
    resized: () => {
      const before = drawn;
      if (before === undefined || isAsking || before.cursor.column < columns()) return update();
      isAsking = true;
      void cursorColumn().then((column) => {
        isAsking = false;
        if (drawn === before && column !== undefined) drawn = { ...before, cursor: placedAt(column, before.cursor, columns()) };
        update();
      });
    },
    clearScreen: (): void => {
      output.write('\u001b[2J\u001b[H');
      drawn = undefined;
      update();
    },
  };
}

function createPacer(draw: () => void) {
  let isDue = false;
  let resting: NodeJS.Timeout | undefined;
  const rest = (): void => {
    resting ??= setTimeout(() => {
      resting = undefined;
      if (!isDue) return;
      draw();
      rest();
    }, FRAME_MS).unref();
  };
  return {
    update: (): void => {
      if (isDue) return;
      isDue = true;
      if (resting !== undefined) return;
      setImmediate(() => {
        if (isDue) draw();
      });
      rest();
    },
    settle: (): void => {
      isDue = false;
    },
  };
}

const isSameFrame = (a: LiveFrame, b: LiveFrame): boolean =>
  a.lines.length === b.lines.length &&
  a.cursor.row === b.cursor.row &&
  a.cursor.column === b.cursor.column &&
  a.lines.every((line, at) => line === b.lines[at]);

/** Most terminals break a row that became too long; some leave the one with the cursor whole and cut it off, a row nearer. */
const placedAt = (column: number, cursor: LiveFrame['cursor'], columns: number): LiveFrame['cursor'] =>
  column === (cursor.column % columns) + 1 ? cursor : { ...cursor, column: column - 1 };

/** From the cursor to the first row of the area, then everything below is wiped. A terminal that became narrower has broken rows in two. */
function wipe(drawn: LiveFrame | undefined, columns: number): string {
  if (drawn === undefined) return '';
  const above = drawn.lines.slice(0, drawn.cursor.row).reduce((rows, line) => rows + rowsOf(line, columns), 0);
  const up = above + Math.floor(drawn.cursor.column / Math.max(1, columns));
  return `\u001b[1G${up > 0 ? `\u001b[${up}A` : ''}\u001b[J`;
}

/** The row with the cursor comes last: what reads the terminal aloud, or as a text, ends where the person is. */
function paintFrame({ lines, cursor }: LiveFrame): string {
  const row = lines[cursor.row] ?? '';
  const below = lines.slice(cursor.row + 1);
  const column = `\u001b[${cursor.column + 1}G`;
  if (below.length === 0 || cursor.row === 0) {
    const up = below.length > 0 ? `\u001b[${below.length}A` : '';
    return `${lines.join('\n')}${up}${column}`;
  }
  const above = lines.slice(0, cursor.row);
  return `${[...above, '', ...below].join('\n')}\u001b[${below.length + 1}A\n${row}${column}`;
}

const rowsOf = (line: string, columns: number): number => Math.max(1, Math.ceil(paintedWidth(line) / Math.max(1, columns)));

const paintedWidth = (line: string): number => textWidth(stripVTControlCharacters(line));
