export type Block = {
  /** As it was written; of code without its fences. */
  readonly text: string;
  readonly isApart: boolean;
  /** Code after another block, or a block after code: where no fence is shown, a blank row is. */
  readonly isBesideCode: boolean;
  readonly code: CodeFences | undefined;
};

/** The lines around code; a block that was too long to wait for its end lacks one of them. */
type CodeFences = { readonly info: string; readonly opening: string | undefined; readonly closing: string | undefined };

/** No block waits for more lines than this before it is shown: what comes then begins another one. */
export const MAX_BLOCK_LINES = 200;

type Fence = { readonly marks: string; readonly info: string };

/**
 * Cuts Markdown into blocks line by line, so that how the text comes in pieces makes no difference and each line is looked at once. A list
 * is cut into its items, and what belongs to an item stays with it. Only where a block may end is decided here; what it is, is the lexer's.
 */
export function createBlockSplitter() {
  const open: OpenBlock = {
    ...{ lines: [], kind: 'text', indent: 0, fence: undefined, opening: undefined },
    ...{ isApart: false, isAfterCode: false, blanks: 0, hasBegun: false },
  };
  return {
    push: (line: string): readonly Block[] => (open.fence === undefined ? pushOutside(open, line) : pushInFence(open, line, open.fence)),
    /** What has not ended, with a line that has not ended either. */
    pending: (line: string): Block | undefined => {
      const last = line === '' ? [] : [...blankLines(open), line];
      return open.lines.length + last.length === 0 && open.opening === undefined ? undefined : blockOf(open, [...open.lines, ...last]);
    },
    end: (): readonly Block[] => flush(open),
  };
}

type OpenBlock = {
  lines: string[];
  kind: 'text' | 'item' | 'code';
  indent: number;
  fence: Fence | undefined;
  /** The fence before code, where this is its first part. */
  opening: string | undefined;
  isApart: boolean;
  isAfterCode: boolean;
  blanks: number;
  hasBegun: boolean;
};

const blankLines = ({ blanks }: OpenBlock): readonly string[] => Array<string>(blanks).fill('');

const blockOf = (
  { kind, isApart, isAfterCode, hasBegun, fence, opening }: OpenBlock,
  lines: readonly string[],
  closing?: string,
): Block => ({
  text: lines.join('\n'),
  isApart: isApart && hasBegun,
  isBesideCode: hasBegun && (isAfterCode || opening !== undefined),
  code: kind === 'code' ? { info: fence?.info ?? '', opening, closing } : undefined,
});

function flush(open: OpenBlock, closing?: string): readonly Block[] {
  const isEmpty = open.lines.length === 0 && (open.kind !== 'code' || (open.opening ?? closing) === undefined);
  const ended = isEmpty ? [] : [blockOf(open, open.lines, closing)];
  open.isApart = open.blanks > 0 || (isEmpty && open.isApart);
  if (!isEmpty) open.isAfterCode = closing !== undefined;
  open.hasBegun ||= !isEmpty;
  [open.lines, open.blanks, open.opening] = [[], 0, undefined];
  return ended;
}

function begin(open: OpenBlock, line: string, kind: 'text' | 'item'): readonly Block[] {
  const ended = flush(open);
  [open.kind, open.lines] = [kind, [line]];
  return ended;
}

function add(open: OpenBlock, line: string): readonly Block[] {
  open.lines.push(...blankLines(open), line);
  open.blanks = 0;
  if (open.lines.length < MAX_BLOCK_LINES) return [];
  const ended = flush(open);
  if (open.fence !== undefined) open.kind = 'code';
  return ended;
}

function pushInFence(open: OpenBlock, line: string, fence: Fence): readonly Block[] {
  if (!closes(line, fence)) return add(open, line);
  const isCode = open.kind === 'code';
  const ended = isCode ? flush(open, line) : add(open, line);
  open.fence = undefined;
  if (isCode) open.kind = 'text';
  return ended;
}

function pushOutside(open: OpenBlock, line: string): readonly Block[] {
  const { kind } = open;
  if (line.trim() === '') {
    open.blanks += 1;
    return kind === 'item' ? [] : flush(open);
  }
  const isEmpty = open.lines.length === 0;
  const depth = line.search(/\S/);
  const isInItem = kind === 'item' && !isEmpty && depth >= open.indent;
  const fence = isInItem || depth <= 3 ? fenceOf(line) : undefined;
  if (isInItem) {
    open.fence = fence;
    return add(open, line);
  }
  if (fence !== undefined) {
    const ended = flush(open);
    [open.kind, open.fence, open.opening] = ['code', fence, line];
    return ended;
  }
  const marker = markerOf(line);
  if (marker !== undefined && (marker.interrupts || kind === 'item' || isEmpty)) {
    open.indent = marker.indent;
    return begin(open, line, 'item');
  }
  if (isHeading(line)) return [...begin(open, line, 'text'), ...flush(open)];
  return isEmpty || (kind === 'item' && open.blanks > 0) ? begin(open, line, 'text') : add(open, line);
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
