/** A part of a Markdown text that can be shown without what follows it. */
export type Block = {
  /** As it was written; of code without its fences. */
  readonly text: string;
  /** There is a blank line before it. */
  readonly isApart: boolean;
  readonly code: CodeFences | undefined;
};

/** The lines around code; a block that was too long to wait for its end lacks one of them. */
export type CodeFences = { readonly info: string; readonly opening: string | undefined; readonly closing: string | undefined };

export type BlockSplitter = {
  /** A finished line, and the blocks that end with it or before it. */
  readonly push: (line: string) => readonly Block[];
  /** What has not ended, with a line that has not ended either. */
  readonly pending: (line: string) => Block | undefined;
  /** What has not ended: the text is over. */
  readonly end: () => readonly Block[];
};

/** No block waits for more lines than this before it is shown: what comes then begins another one. */
export const MAX_BLOCK_LINES = 200;

type Fence = { readonly marks: string; readonly info: string };

/**
 * Cuts Markdown into blocks line by line, so that how the text comes in pieces makes no difference and each line is looked at once. A list
 * is cut into its items, and what belongs to an item stays with it. Only where a block may end is decided here; what it is, is the lexer's.
 */
export function createBlockSplitter(): BlockSplitter {
  let lines: string[] = [];
  let kind: 'text' | 'item' | 'code' = 'text';
  /** Where the text of the item begins. */
  let indent = 0;
  let fence: Fence | undefined;
  /** Of the code that is open, where it is the first part. */
  let opening: string | undefined;
  let isApart = false;
  let blanks = 0;
  let hasBegun = false;

  const blockOf = (texts: readonly string[], closing?: string): Block => ({
    text: texts.join('\n'),
    isApart: isApart && hasBegun,
    code: kind === 'code' ? { info: fence?.info ?? '', opening, closing } : undefined,
  });
  const flush = (closing?: string): readonly Block[] => {
    const isEmpty = lines.length === 0 && (kind !== 'code' || (opening ?? closing) === undefined);
    const ended = isEmpty ? [] : [blockOf(lines, closing)];
    isApart = blanks > 0 || (isEmpty && isApart);
    hasBegun ||= !isEmpty;
    [lines, blanks, opening] = [[], 0, undefined];
    return ended;
  };
  const begin = (line: string, next: 'text' | 'item'): readonly Block[] => {
    const ended = flush();
    kind = next;
    lines = [line];
    return ended;
  };
  const add = (line: string): readonly Block[] => {
    lines.push(...Array<string>(blanks).fill(''), line);
    blanks = 0;
    if (lines.length < MAX_BLOCK_LINES) return [];
    const ended = flush();
    if (fence !== undefined) kind = 'code';
    return ended;
  };
  const inFence = (line: string, open: Fence): readonly Block[] => {
    if (!closes(line, open)) return add(line);
    const isCode = kind === 'code';
    const ended = isCode ? flush(line) : add(line);
    fence = undefined;
    if (isCode) kind = 'text';
    return ended;
  };
  const openFence = (line: string, opened: Fence): readonly Block[] => {
    const ended = flush();
    [kind, fence, opening] = ['code', opened, line];
    return ended;
  };
  const outside = (line: string): readonly Block[] => {
    if (line.trim() === '') {
      blanks += 1;
      return kind === 'item' ? [] : flush();
    }
    const depth = line.search(/\S/);
    const isInItem = kind === 'item' && lines.length > 0 && depth >= indent;
    const opened = isInItem || depth <= 3 ? fenceOf(line) : undefined;
    if (opened !== undefined && !isInItem) return openFence(line, opened);
    if (isInItem) {
      fence = opened;
      return add(line);
    }
    const marker = markerOf(line);
    if (marker !== undefined && (marker.interrupts || kind === 'item' || lines.length === 0)) {
      indent = marker.indent;
      return begin(line, 'item');
    }
    if (isHeading(line)) return [...begin(line, 'text'), ...flush()];
    return lines.length === 0 || (kind === 'item' && blanks > 0) ? begin(line, 'text') : add(line);
  };

  return {
    push: (line) => (fence === undefined ? outside(line) : inFence(line, fence)),
    pending: (line) => {
      const last = line === '' ? [] : [...Array<string>(blanks).fill(''), line];
      return lines.length + last.length === 0 && opening === undefined ? undefined : blockOf([...lines, ...last]);
    },
    end: flush,
  };
}

function fenceOf(line: string): Fence | undefined {
  const [, marks, info = ''] = /^ *(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
  return marks === undefined || (marks.startsWith('`') && info.includes('`')) ? undefined : { marks, info: info.trim() };
}

const closes = (line: string, { marks }: Fence): boolean => {
  const end = line.trim();
  return end.length >= marks.length && end === marks.charAt(0).repeat(end.length);
};

/** The mark of an item at the margin; one that may stand in the middle of a paragraph begins a list there. A line across is none. */
function markerOf(line: string): { readonly indent: number; readonly interrupts: boolean } | undefined {
  const [all, mark = ''] = /^ {0,3}([-*+]|\d{1,9}[.)])(?: {1,4}(?=\S)|$)/.exec(line) ?? [];
  if (all === undefined || isRule(line)) return undefined;
  return { indent: Math.max(2, all.length), interrupts: line.trim() !== mark && (!/^\d/.test(mark) || /^1[.)]/.test(mark)) };
}

const isHeading = (line: string): boolean => /^ {0,3}#{1,6}(?: |$)/.test(line);
const isRule = (line: string): boolean => /^ {0,3}(?:(?:\* *){3,}|(?:- *){3,}|(?:_ *){3,})$/.test(line);
