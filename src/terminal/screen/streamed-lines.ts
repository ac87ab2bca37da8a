import type { Paint } from '../text/paint.ts';
import { createSafeStream } from '../text/safe-text.ts';
import { wrap } from '../text/text-width.ts';
import { createMarkdownStream } from './markdown.ts';
import type { StreamedText } from './streamed-text.ts';

/** What a model says, line by line: finished lines are printed, the one that streams stands in the live area. */
export type StreamedLines = StreamedText & { readonly tail: () => readonly string[] };

export type StreamedLinesOptions = {
  readonly print: (text: string) => void;
  readonly update: () => void;
  readonly paint: Paint;
  readonly columns: () => number;
};

export function createStreamedLines({ print, update, paint, columns }: StreamedLinesOptions): StreamedLines {
  let streaming: 'nothing' | 'text' | 'thinking' = 'nothing';
  let safe = createSafeStream();
  let colours = createMarkdownStream(paint);
  let line = '';
  const rows = (text: string): readonly string[] => (text === '' ? [''] : wrap(text, columns()));
  const painted = (texts: readonly string[]): string =>
    streaming === 'text'
      ? `${colours.write(`${texts.join('\n')}`)}${colours.end()}\n`
      : `${texts.map((text) => (text === '' ? '' : paint.quiet(text))).join('\n')}\n`;
  const end = (): void => {
    if (streaming === 'nothing') return;
    line += safe.end();
    if (line !== '') print(painted(rows(line)));
    line = '';
    streaming = 'nothing';
    safe = createSafeStream();
    colours = createMarkdownStream(paint);
  };
  return {
    append: (kind, text) => {
      if (streaming !== kind) end();
      streaming = kind;
      const lines = `${line}${safe.write(text)}`.split('\n');
      line = lines.pop() ?? '';
      if (lines.length > 0) print(lines.map((finished) => painted(rows(finished))).join(''));
      update();
    },
    end,
    isOpen: () => streaming !== 'nothing',
    tail: () => (line === '' ? [] : rows(line)),
  };
}
