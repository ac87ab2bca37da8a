import { localize } from '../../domain/language.ts';
import type { RenderBlock } from '../markdown/render-block.ts';
import { type Block, createBlockSplitter } from '../markdown/split-blocks.ts';
import type { Paint } from '../text/paint.ts';
import { createSafeStream } from '../text/safe-text.ts';
import { clip, textWidth, wrap } from '../text/text-width.ts';

type StreamedLinesOptions = {
  readonly print: (text: string) => void;
  readonly update: () => void;
  readonly paint: Paint;
  readonly columns: () => number;
  /** Undefined where Markdown is shown as it was written. */
  readonly render: () => RenderBlock | undefined;
};

/** More of a block that streams than fits into any window need not be drawn. */
const MAX_TAIL_CHARS = 6_000;

/** What a model says, block by block: finished ones are printed, the one that streams stands in the live area. Of what it thinks, one row. */
export function createStreamedLines({ print, update, paint, columns, render }: StreamedLinesOptions) {
  let streaming: 'nothing' | 'text' | 'thinking' = 'nothing';
  let safe = createSafeStream();
  let blocks = createBlockSplitter();
  let line = '';
  let drawn: { readonly key: string; readonly rows: readonly string[] } | undefined;

  const rowsOf = (block: Block, breaksCode: boolean): readonly string[] =>
    (render() ?? writtenRows)(block, { paint, columns: columns(), breaksCode });
  const printBlocks = (finished: readonly Block[]): void => {
    if (finished.length > 0) print(finished.flatMap((block) => [...rowsOf(block, false), '']).join('\n'));
  };
  const add = (text: string): void => {
    const [first = '', ...more] = text.split('\n');
    line += first;
    for (const next of more) {
      printBlocks(blocks.push(line));
      line = next;
    }
  };
  const end = (): void => {
    if (streaming === 'nothing') return;
    if (streaming === 'thinking') printThought(line + safe.end());
    else {
      add(safe.end());
      if (line !== '') printBlocks(blocks.push(line));
      printBlocks(blocks.end());
    }
    [streaming, line, safe, blocks, drawn] = ['nothing', '', createSafeStream(), createBlockSplitter(), undefined];
  };
  const printThought = (text: string): void => {
    const beginning = text.trim().replace(/\s+/g, ' ');
    const key = localize(THOUGHT_KEY);
    const row = `${clip(localize({ en: `Thought: ${beginning}`, zh: `思考：${beginning}` }), columns() - textWidth(key))}${key}`;
    if (beginning !== '') print(`${paint.quiet(row)}\n`);
  };
  return {
    append: (kind: 'text' | 'thinking', text: string): void => {
      if (streaming !== kind) end();
      streaming = kind;
      if (kind === 'text') add(safe.write(text));
      else if (line.length < MAX_THOUGHT_CHARS) line += safe.write(text);
      update();
    },
    end,
    isOpen: (): boolean => streaming !== 'nothing',
    tail: (): readonly string[] => {
      const block = streaming === 'text' ? blocks.pending(line.slice(-MAX_TAIL_CHARS)) : undefined;
      if (block === undefined) return [];
      const text = block.text.slice(-MAX_TAIL_CHARS);
      const key = `${columns()}\n${text}`;
      if (drawn?.key !== key) drawn = { key, rows: rowsOf({ ...block, text }, true) };
      return drawn.rows;
    },
  };
}

const writtenRows: RenderBlock = ({ text, isApart, code }, { columns }) => {
  const lines = [isApart ? '' : undefined, code?.opening, text, code?.closing];
  return lines.flatMap((written) => (written === undefined ? [] : wrap(written, columns)));
};

const MAX_THOUGHT_CHARS = 1_000;

const THOUGHT_KEY = { en: ' (Ctrl-O)', zh: '（Ctrl-O）' };
