import type { Paint } from '../text/paint.ts';
import { createSafeStream } from '../text/safe-text.ts';
import { clip, textWidth, wrap } from '../text/text-width.ts';
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
  const painted = (texts: readonly string[]): string => `${colours.write(`${texts.join('\n')}`)}${colours.end()}\n`;
  const thought = (): void => {
    if (line.trim() !== '') print(`${paint.quiet(thoughtLine(line, columns()))}\n`);
  };
  const end = (): void => {
    if (streaming === 'nothing') return;
    line += safe.end();
    if (streaming === 'thinking') thought();
    else if (line !== '') print(painted(rows(line)));
    line = '';
    streaming = 'nothing';
    safe = createSafeStream();
    colours = createMarkdownStream(paint);
  };
  return {
    append: (kind, text) => {
      if (streaming !== kind) end();
      streaming = kind;
      if (kind === 'thinking') {
        if (line.length < MAX_THOUGHT_CHARS) line += safe.write(text);
        return update();
      }
      const lines = `${line}${safe.write(text)}`.split('\n');
      line = lines.pop() ?? '';
      if (lines.length > 0) print(lines.map((finished) => painted(rows(finished))).join(''));
      update();
    },
    end,
    isOpen: () => streaming !== 'nothing',
    tail: () => (line === '' || streaming === 'thinking' ? [] : rows(line)),
  };
}

/** More of a thought than fits into one row of any window is not needed for it. */
const MAX_THOUGHT_CHARS = 1_000;

/** The beginning of what was thought, in one row. */
function thoughtLine(text: string, columns: number): string {
  const beginning = text.trim().replace(/\s+/g, ' ');
  return `${clip(`Thought: ${beginning}`, columns - textWidth(THOUGHT_KEY))}${THOUGHT_KEY}`;
}

const THOUGHT_KEY = ' (Ctrl-O)';
