import type { SanbotEvent } from '../../domain/event.ts';
import type { Paint, Tone } from '../text/paint.ts';
import { createSafeStream } from '../text/safe-text.ts';
import type { UndoHint } from './context-line.ts';
import { busyText, eventLine, initialEventState, reduceEvent } from './event-line.ts';
import { createMarkdownStream } from './markdown.ts';
import type { OutputWriter } from './output.ts';
import type { Spinner } from './spinner.ts';

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

export function createScreen({
  output,
  paint,
  spinner,
  undo,
}: {
  readonly output: OutputWriter;
  readonly paint: Paint;
  readonly spinner: Spinner;
  /** By a command line unless told otherwise. */
  readonly undo?: UndoHint;
}): Screen {
  let state = initialEventState;
  let stream = createSafeStream();
  let streaming: 'nothing' | 'text' | 'thinking' = 'nothing';
  let replyShown = false;
  let summarising = false;
  let busyLabel: string | undefined;
  let buffer: string[] | undefined;

  const write = (text: string): void => {
    if (buffer === undefined) output.write(text);
    else buffer.push(text);
  };
  const spin = (label: string, waitMs?: number): void => {
    if (buffer === undefined) spinner.start(label, waitMs);
  };
  let colours = createMarkdownStream(paint);

  const paintStreamed = (text: string): string => {
    if (streaming === 'text') return colours.write(text);
    return text === '' ? '' : paint.quiet(text);
  };
  const endStream = (): void => {
    if (streaming === 'nothing') return;
    write(`${paintStreamed(stream.end())}${colours.end()}\n`);
    streaming = 'nothing';
    stream = createSafeStream();
    colours = createMarkdownStream(paint);
  };
  const appendStream = (kind: 'text' | 'thinking', text: string): void => {
    spinner.stop();
    if (streaming !== kind) endStream();
    streaming = kind;
    write(paintStreamed(stream.write(text)));
  };
  const line = (text: string, tone: Tone = 'plain'): void => {
    spinner.stop();
    endStream();
    write(`${paint[tone](text)}\n`);
    if (busyLabel !== undefined) spin(busyLabel);
  };

  return {
    paint,
    onEvent: (event) => {
      if (event.type === 'request') {
        summarising = event.purpose === 'summary';
        replyShown = false;
      }
      if (event.type === 'text' || event.type === 'thinking') {
        if (event.type === 'text') replyShown = true;
        if (!summarising) appendStream(event.type, event.text);
      }
      // A model that does not stream has said all of it at once.
      if (event.type === 'reply' && !replyShown && !summarising && event.text !== '') appendStream('text', event.text);
      if (idleEvents.has(event.type)) busyLabel = undefined;
      const eventText = eventLine(state, event, { undo });
      if (eventText !== undefined) line(eventText.text, eventText.tone);
      state = reduceEvent(state, event);
      const label = busyText(event);
      if (label === undefined) return;
      busyLabel = label;
      endStream();
      spin(label, event.type === 'retrying' ? event.waitMs : undefined);
    },
    line,
    block: (text) => {
      spinner.stop();
      endStream();
      write(text);
    },
    settle: () => {
      busyLabel = undefined;
      spinner.stop();
      endStream();
    },
    hold: () => {
      if (buffer !== undefined) return () => undefined;
      spinner.stop();
      endStream();
      buffer = [];
      return () => {
        const texts = buffer ?? [];
        buffer = undefined;
        for (const text of texts) output.write(text);
        if (busyLabel !== undefined && streaming === 'nothing') spinner.start(busyLabel);
      };
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
