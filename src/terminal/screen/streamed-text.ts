import { createMarkdownStream } from '../markdown/markdown-stream.ts';
import type { Paint } from '../text/paint.ts';
import { createSafeStream } from '../text/safe-text.ts';
import { createStreamedWrap, type StreamedWrap } from '../text/streamed-wrap.ts';

export type StreamedText = {
  readonly append: (kind: 'text' | 'thinking', text: string) => void;
  readonly end: () => void;
  readonly isOpen: () => boolean;
};

export type StreamedTextOptions = {
  readonly write: (text: string) => void;
  readonly paint: Paint;
  /** How wide the screen is; without it the terminal breaks the lines. */
  readonly columns?: (() => number) | undefined;
};

export function createStreamedText({ write, paint, columns }: StreamedTextOptions): StreamedText {
  const createWrap = (): StreamedWrap => (columns === undefined ? unbroken : createStreamedWrap(columns));
  let streaming: 'nothing' | 'text' | 'thinking' = 'nothing';
  let stream = createSafeStream();
  let colours = createMarkdownStream(paint);
  let rows = createWrap();
  const paintStreamed = (text: string): string => {
    if (streaming === 'text') return colours.write(text);
    return text === '' ? '' : paint.quiet(text);
  };
  const end = (): void => {
    if (streaming === 'nothing') return;
    write(`${paintStreamed(rows.write(stream.end()) + rows.end())}${colours.end()}\n`);
    streaming = 'nothing';
    stream = createSafeStream();
    colours = createMarkdownStream(paint);
    rows = createWrap();
  };
  return {
    append: (kind, text) => {
      if (streaming !== kind) end();
      streaming = kind;
      write(paintStreamed(rows.write(stream.write(text))));
    },
    end,
    isOpen: () => streaming !== 'nothing',
  };
}

const unbroken: StreamedWrap = { write: (text) => text, end: () => '' };
