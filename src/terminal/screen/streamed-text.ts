import { createMarkdownStream } from '../markdown/markdown-stream.ts';
import type { Paint } from '../text/paint.ts';
import { createSafeStream } from '../text/safe-text.ts';

/** What a model says as it comes: its text in colours, its thinking in a quiet one. */
export type StreamedText = {
  /** A piece of either; when it was the other that streamed, that ends first. */
  readonly append: (kind: 'text' | 'thinking', text: string) => void;
  /** Ends the line that streams, if any does. */
  readonly end: () => void;
  readonly isOpen: () => boolean;
};

export function createStreamedText(write: (text: string) => void, paint: Paint): StreamedText {
  let streaming: 'nothing' | 'text' | 'thinking' = 'nothing';
  let stream = createSafeStream();
  let colours = createMarkdownStream(paint);
  const paintStreamed = (text: string): string => {
    if (streaming === 'text') return colours.write(text);
    return text === '' ? '' : paint.quiet(text);
  };
  const end = (): void => {
    if (streaming === 'nothing') return;
    write(`${paintStreamed(stream.end())}${colours.end()}\n`);
    streaming = 'nothing';
    stream = createSafeStream();
    colours = createMarkdownStream(paint);
  };
  return {
    append: (kind, text) => {
      if (streaming !== kind) end();
      streaming = kind;
      write(paintStreamed(stream.write(text)));
    },
    end,
    isOpen: () => streaming !== 'nothing',
  };
}
