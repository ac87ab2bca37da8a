import type { SanbotEvent } from '../../domain/event.ts';
import type { Paint, Tone } from '../text/paint.ts';
import { createSafeStream } from '../text/safe-text.ts';
import type { UndoHint } from './context-line.ts';
import { busyText, eventLine, noEvents, rememberEvent } from './event-line.ts';
import { createMarkdownStream } from './markdown.ts';
import type { Output } from './output.ts';
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
  readonly rest: () => void;
  /** From now on all that is shown waits, until the returned function is called: a question has the screen to itself. */
  readonly hold: () => () => void;
};

export function createScreen({
  output,
  paint,
  spinner,
  undo,
}: {
  readonly output: Output;
  readonly paint: Paint;
  readonly spinner: Spinner;
  /** By a command line unless told otherwise. */
  readonly undo?: UndoHint;
}): Screen {
  let memory = noEvents;
  let stream = createSafeStream();
  let streaming: 'nothing' | 'text' | 'thinking' = 'nothing';
  let answered = false;
  let summarising = false;
  let busy: string | undefined;
  let held: string[] | undefined;

  const write = (text: string): void => {
    if (held === undefined) output.write(text);
    else held.push(text);
  };
  const spin = (label: string, waitMs?: number): void => {
    if (held === undefined) spinner.start(label, waitMs);
  };
  let colours = createMarkdownStream(paint);

  const painted = (text: string): string => {
    if (streaming === 'text') return colours.write(text);
    return text === '' ? '' : paint.quiet(text);
  };
  const endStream = (): void => {
    if (streaming === 'nothing') return;
    write(`${painted(stream.end())}${colours.end()}\n`);
    streaming = 'nothing';
    stream = createSafeStream();
    colours = createMarkdownStream(paint);
  };
  const streamed = (kind: 'text' | 'thinking', text: string): void => {
    spinner.stop();
    if (streaming !== kind) endStream();
    streaming = kind;
    write(painted(stream.write(text)));
  };
  const line = (text: string, tone: Tone = 'plain'): void => {
    spinner.stop();
    endStream();
    write(`${paint[tone](text)}\n`);
    if (busy !== undefined) spin(busy);
  };

  return {
    paint,
    onEvent: (event) => {
      if (event.type === 'request') {
        summarising = event.purpose === 'summary';
        answered = false;
      }
      if (event.type === 'text' || event.type === 'thinking') {
        if (event.type === 'text') answered = true;
        if (!summarising) streamed(event.type, event.text);
      }
      // A model that does not stream has said all of it at once.
      if (event.type === 'reply' && !answered && !summarising && event.text !== '') streamed('text', event.text);
      if (endsBusiness.has(event.type)) busy = undefined;
      const said = eventLine(memory, event, { undo });
      if (said !== undefined) line(said.text, said.tone);
      memory = rememberEvent(memory, event);
      const begun = busyText(event);
      if (begun === undefined) return;
      busy = begun;
      endStream();
      spin(begun, event.type === 'retrying' ? event.waitMs : undefined);
    },
    line,
    block: (text) => {
      spinner.stop();
      endStream();
      write(text);
    },
    rest: () => {
      busy = undefined;
      spinner.stop();
      endStream();
    },
    hold: () => {
      if (held !== undefined) return () => undefined;
      spinner.stop();
      endStream();
      held = [];
      return () => {
        const waiting = held ?? [];
        held = undefined;
        for (const text of waiting) output.write(text);
        if (busy !== undefined && streaming === 'nothing') spinner.start(busy);
      };
    },
  };
}

/** After these the thing that was going on is over, or speaks for itself. */
const endsBusiness: ReadonlySet<SanbotEvent['type']> = new Set([
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
