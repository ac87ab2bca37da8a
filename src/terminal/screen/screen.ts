/**
 * Everything that the program writes while it works: streamed text, one line per event, a spinner, or JSON for programs. The screen is a
 * fold over the stream of events, so that what is shown never depends on who caused it.
 *
 * Events come in; text goes to one guarded writer, which survives a reader that goes away. Whatever a model or a tool says passes the
 * filter of `text/safe-text.ts` before it is written, and only what a turn said is streamed, never the text of a summary.
 *
 * One blank row stands before a message, an answer and a group of calls. Calls that only look wait for the next thing that is shown, since
 * more of them may come: together they are one row.
 *
 * It asks nothing, and it changes nothing: while a question has the screen, it waits.
 */

import type { SanbotEvent } from '../../domain/event.ts';
import type { Paint, Tone } from '../text/paint.ts';
import { busyText, eventLine, initialEventState, reduceEvent } from './event-line.ts';
import type { EventLine, EventState } from './line.ts';
import { createPrinter, type ScreenOptions } from './printer.ts';
import { noSpinner } from './spinner.ts';

export type Screen = {
  readonly onEvent: (event: SanbotEvent) => void;
  readonly paint: Paint;
  /** A line of its own, wherever the stream stands. `text` must be safe to show. */
  readonly line: (text: string, tone?: Tone) => void;
  /** Text as it is: tables, views. It must be safe and end with a newline. */
  readonly block: (text: string) => void;
  readonly apart: (text: string) => void;
  /** A text of the model's, in Markdown, that no event brings; it is whole once the screen is settled. */
  readonly reply: (text: string) => void;
  /** Ends what is streaming and stops the spinner: the screen belongs to the prompt now. */
  readonly settle: () => void;
  /** From now on all that is shown waits, until the returned function is called: a question has the screen to itself. */
  readonly hold: () => () => void;
  /** The row of the calls that wait for more of their kind, drawn; none when nothing waits. Whether it belongs to the group above it. */
  readonly waiting: () => { readonly rows: readonly string[]; readonly isInGroup: boolean };
};

export function createScreen(options: ScreenOptions): Screen {
  const { paint, spinner, showWaiting } = options;
  const printer = createPrinter(options);
  const { held, streamed, gaps, interrupt, show } = printer;
  const replies = createReplyFilter();
  let [state, busyLabel]: [EventState, string?] = [initialEventState];
  let saidKind: Said['kind'] | undefined;

  const say = ({ kind, text }: Said): void => {
    spinner.stop();
    if (kind !== saidKind) streamed.end();
    saidKind = kind;
    if (text.trim() !== '') {
      printer.flush();
      gaps.begin(kind === 'text' ? 'answer' : 'calls');
    }
    streamed.append(kind, text);
  };
  const showAll = (lines: readonly EventLine[]): void => {
    show(lines);
    if (busyLabel !== undefined) held.spin(busyLabel);
  };

  const goOn = (): void => {
    held.release();
    if (busyLabel !== undefined && !streamed.isOpen()) spinner.start(busyLabel);
  };

  return {
    paint,
    onEvent: (event) => {
      const said = replies.textOf(event);
      if (said !== undefined) say(said);
      if (idleEvents.has(event.type)) busyLabel = undefined;
      if (event.type === 'request' && showWaiting === undefined) printer.flush();
      const line = printedLine(event, state, options, printer.columns());
      if (line !== undefined && !printer.fold(event, line, state)) showAll([line, ...printer.belowOf(event, state)]);
      state = reduceEvent(state, event);
      const label = busyText(event);
      if (label === undefined) return;
      busyLabel = label;
      streamed.end();
      held.spin(label, event.type === 'retrying' ? event.waitMs : undefined);
    },
    line: (text, tone = 'plain') => showAll([{ text, tone }]),
    block: (text) => printer.print('other', text),
    apart: (text) => printer.print('apart', text),
    reply: (text) => say({ kind: 'text', text }),
    settle: () => {
      busyLabel = undefined;
      interrupt();
    },
    hold: () => {
      if (held.isHeld()) return () => undefined;
      printer.hold();
      return goOn;
    },
    waiting: printer.waiting,
  };
}

type Said = { readonly kind: 'text' | 'thinking'; readonly text: string };

/** What an event adds to the stream: not what is said in a summary, and a reply only when nothing of it was streamed. */
function createReplyFilter() {
  let isSummary = false;
  let isShown = false;
  return {
    textOf: (event: SanbotEvent): Said | undefined => {
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

/** Where something turns, the row beside it tells of a new try and of a helper for as long as they last. */
function printedLine(event: SanbotEvent, state: EventState, { spinner, undo }: ScreenOptions, columns: number): EventLine | undefined {
  const isSpun = spinner !== noSpinner && (event.type === 'retrying' || event.type === 'helper_started');
  return isSpun ? undefined : eventLine(state, event, { undo, columns });
}

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
