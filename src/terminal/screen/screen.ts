/**
 * Everything that the program writes while it works: streamed text, one line per event, a spinner, or JSON for programs. The screen is a
 * fold over the stream of events, so that what is shown never depends on who caused it.
 *
 * Events come in; text goes to one guarded writer, which survives a reader that goes away. Whatever a model or a tool says passes the
 * filter of `text/safe-text.ts` before it is written, and only what a turn said is streamed, never the text of a summary.
 *
 * It asks nothing, and it changes nothing: while a question has the screen, it waits.
 */

import type { SanbotEvent } from '../../domain/event.ts';
import type { Paint, Tone } from '../text/paint.ts';
import { wrap } from '../text/text-width.ts';
import { busyText, eventLine, initialEventState, reduceEvent } from './event-line.ts';
import type { UndoHint } from './line.ts';
import type { OutputWriter } from './output.ts';
import type { Spinner } from './spinner.ts';
import { createStreamedText, type StreamedText } from './streamed-text.ts';

/** What is on the screen beside the prompt: streamed text, lines, and a spinner that gives way to both. */
export type Screen = {
  readonly onEvent: (event: SanbotEvent) => void;
  readonly paint: Paint;
  /** A line of its own, wherever the stream stands. `text` must be safe to show. */
  readonly line: (text: string, tone?: Tone) => void;
  /** Text as it is: tables, views. It must be safe and end with a newline. */
  readonly block: (text: string) => void;
  /** Ends what is streaming and stops the spinner: the screen belongs to the prompt now. */
  readonly settle: () => void;
  /** From now on all that is shown waits, until the returned function is called: a question has the screen to itself. */
  readonly hold: () => () => void;
};

export type ScreenOptions = {
  readonly output: OutputWriter;
  readonly paint: Paint;
  readonly spinner: Spinner;
  /** By a command line unless told otherwise. */
  readonly undo?: UndoHint;
  /** How what is said is shown while it comes: as it comes, unless something else is given. */
  readonly stream?: StreamedText;
  /** How wide the screen is; without it lines are written whole. */
  readonly columns?: () => number;
};

export function createScreen({ output, paint, spinner, undo, stream, columns }: ScreenOptions): Screen {
  const held = createHeldOutput(output, spinner);
  const streamed = stream ?? createStreamedText({ write: held.write, paint, columns });
  const replies = createReplyFilter();
  let state = initialEventState;
  let busyLabel: string | undefined;

  const interrupt = (): void => {
    spinner.stop();
    streamed.end();
  };
  const line = (text: string, tone: Tone = 'plain'): void => {
    interrupt();
    held.write(`${paintLines(text, paint[tone], columns)}\n`);
    if (busyLabel !== undefined) held.spin(busyLabel);
  };
  const release = (): void => {
    held.release();
    if (busyLabel !== undefined && !streamed.isOpen()) spinner.start(busyLabel);
  };

  return {
    paint,
    onEvent: (event) => {
      const said = replies.textOf(event);
      if (said !== undefined) {
        spinner.stop();
        streamed.append(said.kind, said.text);
      }
      if (idleEvents.has(event.type)) busyLabel = undefined;
      const eventText = eventLine(state, event, { undo, ...(columns === undefined ? {} : { columns: columns() }) });
      if (eventText !== undefined) line(eventText.text, eventText.tone);
      state = reduceEvent(state, event);
      const label = busyText(event);
      if (label === undefined) return;
      busyLabel = label;
      streamed.end();
      held.spin(label, event.type === 'retrying' ? event.waitMs : undefined);
    },
    line,
    block: (text) => {
      interrupt();
      held.write(text);
    },
    settle: () => {
      busyLabel = undefined;
      interrupt();
    },
    hold: () => {
      if (held.isHeld()) return () => undefined;
      interrupt();
      held.hold();
      return release;
    },
  };
}

const paintLines = (text: string, paint: (text: string) => string, columns: (() => number) | undefined): string =>
  columns === undefined ? paint(text) : wrap(text, columns()).map(paint).join('\n');

/** What an event adds to the stream: not what is said in a summary, and a reply only when nothing of it was streamed. */
function createReplyFilter() {
  let isSummary = false;
  let isShown = false;
  return {
    textOf: (event: SanbotEvent): { readonly kind: 'text' | 'thinking'; readonly text: string } | undefined => {
      if (event.type === 'request') {
        isSummary = event.purpose === 'summary';
        isShown = false;
      }
      if (event.type === 'text' || event.type === 'thinking') {
        if (event.type === 'text') isShown = true;
        return isSummary ? undefined : { kind: event.type, text: event.text };
      }
      // A model that does not stream has said all of it at once.
      const isUnseen = event.type === 'reply' && !isShown && !isSummary && event.text !== '';
      return isUnseen ? { kind: 'text', text: event.text } : undefined;
    },
  };
}

/** After these the thing that was going on is over, or speaks for itself. */
const idleEvents: ReadonlySet<SanbotEvent['type']> = new Set([
  'text',
  'thinking',
  'reply',
  'tool_ended',
  'compacted',
  'nothing_to_compact',
  'compaction_failed',
  'compaction_cancelled',
  'compaction_discarded',
  'turn_ended',
] as const);

/** The output of a screen, which can be held back for a while: then what is written waits, and no spinner starts. */
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
    /** Writes what has waited. */
    release: (): void => {
      const texts = waiting ?? [];
      waiting = undefined;
      for (const text of texts) output.write(text);
    },
  };
}
