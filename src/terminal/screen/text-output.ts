import type { SanbotEvent } from '../../domain/event.ts';
import { localize } from '../../domain/language.ts';
import { createMarkdownLoader } from '../markdown/load-markdown.ts';
import { createPaint } from '../text/paint.ts';
import { safeText } from '../text/safe-text.ts';
import { eventLine, initialEventState, reduceEvent } from './event-line.ts';
import { initialJsonState, reduceJson } from './json-output.ts';
import { createScreen } from './screen.ts';
import { createSpinner, noSpinner } from './spinner.ts';
import { createStreamedText } from './streamed-text.ts';

export type TextOutput = {
  readonly onEvent: (event: SanbotEvent) => void;
  /** The answer as the value that it is, which stands for its text. */
  readonly onStructured?: (value: unknown) => void;
  readonly finish: () => void;
};

/** Headless text: the last answer on `out` when the turn is over; what happens meanwhile, in lines, on `err`. */
export function createTextOutput({ out, err }: { readonly out: (text: string) => void; readonly err: (text: string) => void }): TextOutput {
  let state = initialEventState;
  let answer = initialJsonState('');
  return {
    onEvent: (event) => {
      const line = event.type === 'tool_output' ? undefined : eventLine(state, event);
      if (line !== undefined) err(`${line.text}\n`);
      if (event.type === 'compaction_started') err(localize({ en: 'Compacting…\n', zh: '压缩中…\n' }));
      state = reduceEvent(state, event);
      answer = reduceJson(answer, event);
    },
    onStructured: (value) => {
      answer = { ...answer, result: JSON.stringify(value, null, 2) };
    },
    finish: () => {
      if (answer.result !== '') out(`${safeText(answer.result).trimEnd()}\n`);
    },
  };
}

type StreamedOutputOptions = {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly colour: boolean;
  readonly columns: () => number;
  readonly stderr: NodeJS.WriteStream;
};

/** Headless text for a person who watches: what is said on `out` as it comes, what happens on `err` where it happens. */
export function createStreamedOutput({ out, err, colour, columns, stderr }: StreamedOutputOptions): TextOutput {
  const paint = createPaint(colour);
  const markdown = createMarkdownLoader();
  const screen = createScreen({
    output: { write: err },
    paint,
    codeParts: markdown.codeParts,
    spinner: stderr.isTTY === true ? createSpinner(stderr, colour) : noSpinner,
    columns,
    stream: createStreamedText({ write: out, paint, columns }),
  });
  return {
    onEvent: (event) => {
      // It is there before the first edit is.
      if (event.type === 'request') void markdown.load();
      if (event.type !== 'thinking') screen.onEvent(event);
    },
    finish: screen.settle,
  };
}
