import { createPaint } from '../text/paint.ts';
import { createScreen } from './screen.ts';
import { createSpinner, noSpinner } from './spinner.ts';
import { createStreamedText } from './streamed-text.ts';
import type { TextOutput } from './text-output.ts';

export type StreamedOutputOptions = {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly colour: boolean;
  readonly columns: () => number;
  /** Where a spinner turns, when it is a terminal. */
  readonly stderr: NodeJS.WriteStream;
};

/** Headless text for a person who watches: what is said on `out` as it comes, what happens on `err` where it happens. */
export function createStreamedOutput({ out, err, colour, columns, stderr }: StreamedOutputOptions): TextOutput {
  const paint = createPaint(colour);
  const screen = createScreen({
    output: { write: err },
    paint,
    spinner: stderr.isTTY === true ? createSpinner(stderr, colour) : noSpinner,
    columns,
    stream: createStreamedText({ write: out, paint, columns }),
  });
  return {
    onEvent: (event) => {
      if (event.type !== 'thinking') screen.onEvent(event);
    },
    finish: screen.settle,
  };
}
