import type { SanbotEvent } from '../../domain/event.ts';
import { moreOfDiff, shortDiff } from '../text/diff-text.ts';
import type { CodeParts, Paint } from '../text/paint.ts';
import { wrapIndented } from '../text/text-width.ts';
import { createFoldedCalls } from './folded-calls.ts';
import { type EventLine, type EventState, quiet, type UndoHint, undoByCommand } from './line.ts';
import type { OutputWriter } from './output.ts';
import type { Spinner } from './spinner.ts';
import { createStreamedText, type StreamedText } from './streamed-text.ts';
import { CALL_INDENT, todoLine, todoRows } from './tool-line.ts';

export type ScreenOptions = {
  readonly output: OutputWriter;
  readonly paint: Paint;
  readonly spinner: Spinner;
  readonly undo?: UndoHint;
  readonly stream?: StreamedText;
  /** How wide the screen is; without it lines are written whole. */
  readonly columns?: () => number;
  /** What waits is shown elsewhere, and has changed; without it nothing waits longer than to the next request. */
  readonly showWaiting?: () => void;
  readonly codeParts?: () => CodeParts | undefined;
};

export function createPrinter({ output, paint, spinner, undo, stream, columns, showWaiting, codeParts }: ScreenOptions) {
  const held = createHeldOutput(output, spinner);
  const streamed = stream ?? createStreamedText({ write: held.write, paint, columns });
  const gaps = createGaps(held.write);
  const folded = createFoldedCalls();
  const width = (): number => columns?.() ?? Number.POSITIVE_INFINITY;
  const paintLine = ({ text, tone, drawn }: EventLine): string =>
    drawn?.(paint) ?? (columns === undefined ? paint[tone](text) : wrapIndented(text, columns()).map(paint[tone]).join('\n'));
  const write = (lines: readonly EventLine[]): void => {
    for (const line of lines) {
      gaps.begin(line.isCall === true ? 'calls' : 'other');
      held.write(`${paintLine(line)}\n`);
    }
  };
  const flush = (): void => {
    const waiting = folded.lines(width());
    folded.clear();
    write(waiting);
  };
  const interrupt = (): void => {
    spinner.stop();
    streamed.end();
    flush();
  };
  return {
    ...{ held, streamed, gaps, flush, interrupt, columns: width },
    show: (lines: readonly EventLine[]): void => {
      interrupt();
      write(lines);
    },
    print: (kind: Shown, text: string): void => {
      interrupt();
      gaps.begin(kind);
      held.write(text);
    },
    hold: (): void => {
      interrupt();
      held.hold();
    },
    /** True when the line waits from now on. */
    fold: (event: SanbotEvent, line: EventLine, { titles }: EventState): boolean => {
      const isFolded =
        (event.type === 'tool_ended' && folded.add(event, titles.get(event.toolUseId))) ||
        (event.type === 'tool_output' && folded.addBelow(event.toolUseId, line));
      if (isFolded) showWaiting?.();
      return isFolded;
    },
    belowOf: (event: SanbotEvent, { todo }: EventState): readonly EventLine[] => {
      if (event.type !== 'tool_ended') return [];
      if (event.todo !== undefined) return todoRows(event.todo, todo).map((row) => todoLine(row, width()));
      if (event.diff === undefined || event.diff.text === '') return [];
      const { path: name, text } = event.diff;
      const drawing = { paint, columns: width(), codeParts: codeParts?.(), name };
      const parts = { indent: CALL_INDENT, more: moreOfDiff(undo === undoByCommand) };
      return [{ ...quiet(''), isCall: true, drawn: () => shortDiff(text, { ...drawing, ...parts }).join('\n') }];
    },
    waiting: () => ({ rows: folded.lines(width()).flatMap((line) => paintLine(line).split('\n')), isInGroup: gaps.isAt('calls') }),
  };
}

type Shown = 'apart' | 'answer' | 'calls' | 'other';

function createGaps(write: (text: string) => void) {
  let last: Shown | undefined;
  return {
    isAt: (kind: Shown): boolean => last === kind,
    begin: (kind: Shown): void => {
      const isApart = kind === 'apart' || (kind !== 'other' && kind !== last);
      if (isApart && last !== undefined) write('\n');
      last = kind;
    },
  };
}

function createHeldOutput(output: OutputWriter, spinner: Spinner) {
  let waiting: string[] | undefined;
  return {
    isHeld: (): boolean => waiting !== undefined,
    write: (text: string): void => {
      if (waiting === undefined) output.write(text);
      else waiting.push(text);
    },
    spin: (text: string, waitMs?: number): void => {
      if (waiting === undefined) spinner.start(text, waitMs);
    },
    hold: (): void => {
      waiting = [];
    },
    release: (): void => {
      const texts = waiting ?? [];
      waiting = undefined;
      for (const text of texts) output.write(text);
    },
  };
}
