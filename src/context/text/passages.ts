import { isChinese, isListItem, joinWrapped, listMarkOf, splitSentences, wordsFrom } from './sentences.ts';

/** A sentence of a paragraph, or a list or a table as a whole: its items mean nothing without its heading, its numbers and each other. */
export type ProsePassage = {
  readonly kind: 'sentence' | 'list';
  readonly text: string;
  /** Sentences with the same number stand in one paragraph. */
  readonly paragraph: number;
};

const LIST_CHARS = 560;
const ITEM_CHARS = 200;
const HEADING_CHARS = 140;
const MAX_LINES = 4_000;
const MAX_LINE_CHARS = 4_000;

/** Sentences, and lists and tables each in one line with its heading: "Not checked: 1. the hash; 2. the order". */
export function passagesOf(text: string): readonly ProsePassage[] {
  const passages: ProsePassage[] = [];
  let heading = '';
  /** The heading as it was before a line that leads to what follows it. */
  let beforeLead: string | undefined;
  let paragraph: string[] = [];
  let block: Block | undefined;
  let number = 0;
  const setHeading = (text: string): void => {
    heading = text;
    beforeLead = undefined;
  };
  const endParagraph = (): void => {
    if (paragraph.length === 0) return;
    number += 1;
    const sentences = joinWrapped(paragraph, (line) => line).flatMap(splitSentences);
    const [first = '', ...rest] = sentences;
    for (const sentence of [withHeading(heading, first), ...rest]) passages.push({ kind: 'sentence', text: sentence, paragraph: number });
    setHeading('');
    paragraph = [];
  };
  const endBlock = (): void => {
    if (block === undefined) return;
    number += 1;
    const text = withHeading(heading, block.kind === 'list' ? listText(block.items) : tableText(block.rows));
    passages.push({ kind: 'list', text, paragraph: number });
    setHeading('');
    block = undefined;
  };
  for (const { line, indent, isLeftOut } of proseLines(text)) {
    const mark = listMarkOf(line);
    if (isLeftOut) heading = beforeLead ?? heading;
    else if (line === '') endParagraph();
    else if (isHeading(line)) {
      endParagraph();
      endBlock();
      setHeading(withHeading(heading, headingText(line)));
    } else if (line.startsWith('|')) {
      endParagraph();
      if (block?.kind !== 'table') endBlock();
      block = addRow(block, line);
    } else if (mark !== undefined && !mark.startsWith('#')) {
      endParagraph();
      if (block?.kind !== 'list') endBlock();
      block = addItem(block, line, indent);
    } else if (block?.kind === 'list' && indent > 0) continueItem(block.items, line);
    else {
      endBlock();
      if (/[:：]["*_)]{0,3}$/.test(line) && line.length <= HEADING_CHARS && listMarkOf(line) === undefined) {
        endParagraph();
        beforeLead = heading;
        heading = withHeading(heading, headingText(line));
      } else paragraph.push(line);
    }
  }
  endParagraph();
  endBlock();
  return passages;
}

type Item = { text: string; readonly indent: number; readonly inner: string[] };
type Block = { readonly kind: 'list'; readonly items: Item[] } | { readonly kind: 'table'; readonly rows: (readonly string[])[] };

type ProseLine = { readonly line: string; readonly indent: number; readonly isLeftOut?: boolean };

/** The lines outside fenced code and quotes, trimmed, each with how far it was indented; one that is left out where code stood. */
function proseLines(text: string): readonly ProseLine[] {
  const lines: ProseLine[] = [];
  let fence: string | undefined;
  for (const raw of text.split('\n', MAX_LINES)) {
    const line = raw.slice(0, MAX_LINE_CHARS).trim();
    const mark = /^(?:```|~~~)/.exec(line)?.[0];
    if (fence !== undefined) fence = mark === fence ? undefined : fence;
    else if (mark !== undefined) {
      fence = mark;
      lines.push({ line: '', indent: 0, isLeftOut: true });
    } else if (!line.startsWith('>')) lines.push({ line, indent: raw.length - raw.trimStart().length });
  }
  return lines;
}

/** "## Findings", "**Findings**", "**Findings:**", "**1. Keep it** (as it is)". */
const isHeading = (line: string): boolean =>
  line.length <= HEADING_CHARS &&
  (/^#{1,6} \S/.test(line) || /^(?:\*\*|__)[^*_]{2,100}(?:\*\*|__)(?: ?[(（][^()（）]{1,60}[)）])?[:：]?$/.test(line));

const headingText = (line: string): string =>
  line
    .replace(/^#{1,6} +/, '')
    .replace(/^(?:\*\*|__)(.*?)(?:\*\*|__)( ?[(（][^()（）]{1,60}[)）])?([:：]?)$/, '$1$2$3')
    .replace(/[:：]$/, '')
    .trim();

const withHeading = (heading: string, text: string): string =>
  heading === '' || text === '' ? text : `${heading}${isChinese(heading) ? '：' : ': '}${text}`;

function addItem(block: Block | undefined, line: string, indent: number): Block {
  const items = block?.kind === 'list' ? block.items : [];
  const last = items.at(-1);
  if (last === undefined || indent <= last.indent + 1) items.push({ text: itemText(line), indent, inner: [] });
  else last.inner.push(itemText(line));
  return { kind: 'list', items };
}

function continueItem(items: readonly Item[], line: string): void {
  const last = items.at(-1);
  if (last !== undefined) last.text += ` ${line}`;
}

/** Numbers and boxes say something, dashes do not. */
const itemText = (line: string): string => (isListItem(line) ? line.replace(/^(?:[-*]\s+|[•·]\s*)/, '').trim() : line);

function addRow(block: Block | undefined, line: string): Block {
  const rows = block?.kind === 'table' ? block.rows : [];
  const cells = line.replace(/^\||\|$/g, '').split('|');
  if (!/^\|?[\s:|-]+$/.test(line)) rows.push(cells.map((cell) => cell.trim()));
  return { kind: 'table', rows };
}

const listText = (items: readonly Item[]): string =>
  fitItems(
    items.map(({ text, inner }) => cut(inner.length === 0 ? text : `${text.replace(/[:：]$/, '')} (${inner.join('; ')})`, ITEM_CHARS)),
  );

/** Each row by its first cell, the others under the names of their columns. */
function tableText(rows: readonly (readonly string[])[]): string {
  const [head = [], ...body] = rows;
  if (body.length === 0) return cut(head.join(' | '), ITEM_CHARS);
  return fitItems(
    body.map(([first = '', ...cells]) => {
      const named = cells.flatMap((cell, at) => (cell === '' ? [] : [`${head[at + 1] ?? ''} ${cell}`.trim()]));
      return cut(named.length === 0 ? first : `${first} (${named.join(', ')})`, ITEM_CHARS);
    }),
  );
}

function fitItems(items: readonly string[]): string {
  let chars = 0;
  const fitting = items.findIndex((item) => {
    chars += item.length + 2;
    return chars > LIST_CHARS;
  });
  const shown = fitting === -1 ? items : items.slice(0, Math.max(1, fitting));
  const missing = items.length - shown.length;
  return [...shown.map((item) => item.replace(/[;；]$/, '')), ...(missing === 0 ? [] : [`… (${missing} more)`])].join('; ');
}

const cut = (text: string, chars: number): string => (text.length <= chars ? text : `${wordsFrom(text, chars - 1)} …`);
