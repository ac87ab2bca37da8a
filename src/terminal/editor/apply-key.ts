import { graphemeSegmenter } from '../text/text-width.ts';
import { type EditorState, edit, erase, insert, kill, moveTo, redo, undo, yank, yankEarlier } from './editor.ts';
import { isFold } from './folds.ts';

type Edit = (state: EditorState) => EditorState;

export function applyKey(state: EditorState, key: string): EditorState | undefined {
  return edits.get(key)?.(state);
}

const deleteForward: Edit = (state) => {
  const { text, cursor } = state;
  return edit(state, { text: text.slice(0, cursor) + text.slice(graphemeEnd(text, cursor)), cursor });
};

/** To the end of the line; at its end the line break. */
const killLineEnd: Edit = (state) => {
  const end = lineEnd(state.text, state.cursor);
  return kill(state, state.cursor, end === state.cursor ? Math.min(end + 1, state.text.length) : end);
};

/** To the beginning of the line; at its beginning the line break. */
const killLineStart: Edit = (state) => {
  const start = lineStart(state.text, state.cursor);
  return kill(state, start === state.cursor ? Math.max(0, start - 1) : start, state.cursor);
};

const transpose: Edit = (state) => {
  const { text } = state;
  const middle = state.cursor === lineEnd(text, state.cursor) ? graphemeStart(text, state.cursor) : state.cursor;
  const [start, end] = [graphemeStart(text, middle), graphemeEnd(text, middle)];
  if (start < lineStart(text, state.cursor) || start === middle || end === middle) return state;
  return edit(state, { text: text.slice(0, start) + text.slice(middle, end) + text.slice(start, middle) + text.slice(end), cursor: end });
};

const keys: readonly (readonly [names: readonly string[], edit: Edit])[] = [
  [['left', 'ctrl+b'], (state) => moveTo(state, graphemeStart(state.text, state.cursor))],
  [['right', 'ctrl+f'], (state) => moveTo(state, graphemeEnd(state.text, state.cursor))],
  [['alt+b', 'alt+left', 'ctrl+left'], (state) => moveTo(state, wordStart(state.text, state.cursor))],
  [['alt+f', 'alt+right', 'ctrl+right'], (state) => moveTo(state, wordEnd(state.text, state.cursor))],
  [['home', 'ctrl+a'], (state) => moveTo(state, lineStart(state.text, state.cursor))],
  [['end', 'ctrl+e'], (state) => moveTo(state, lineEnd(state.text, state.cursor))],
  [['ctrl+home', 'alt+<'], (state) => moveTo(state, 0)],
  [['ctrl+end', 'alt+>'], (state) => moveTo(state, state.text.length)],
  [['backspace', 'shift+backspace'], (state) => erase(state, graphemeStart(state.text, state.cursor), state.cursor)],
  [['delete', 'ctrl+d'], deleteForward],
  [['alt+enter', 'shift+enter', 'ctrl+j'], (state) => insert(state, '\n', 'blank')],
  [['ctrl+w'], (state) => kill(state, blankSeparatedStart(state.text, state.cursor), state.cursor)],
  [['alt+backspace', 'ctrl+backspace'], (state) => kill(state, wordStart(state.text, state.cursor), state.cursor)],
  [['alt+d', 'alt+delete', 'ctrl+delete'], (state) => kill(state, state.cursor, wordEnd(state.text, state.cursor))],
  [['ctrl+k'], killLineEnd],
  [['ctrl+u'], killLineStart],
  [['ctrl+t'], transpose],
  [['ctrl+y'], yank],
  [['alt+y'], yankEarlier],
  [['ctrl+_'], undo],
  [['alt+_'], redo],
];

const edits = new Map(keys.flatMap(([names, change]) => names.map((name) => [name, change] as const)));

/** Where the grapheme before `cursor` begins; reads no further back than a grapheme can reach. */
function graphemeStart(text: string, cursor: number): number {
  const from = Math.max(0, cursor - LONGEST_GRAPHEME);
  let start = from;
  for (const { index } of graphemeSegmenter().segment(text.slice(from, cursor))) start = from + index;
  return start;
}

function graphemeEnd(text: string, cursor: number): number {
  const [first] = graphemeSegmenter().segment(text.slice(cursor, cursor + LONGEST_GRAPHEME));
  return cursor + (first?.segment.length ?? 0);
}

function wordStart(text: string, cursor: number): number {
  const from = Math.max(0, cursor - LONGEST_WORD);
  const words = [...wordSegmenter().segment(text.slice(from, cursor))].filter(isWord);
  return from + (words.at(-1)?.index ?? 0);
}

function wordEnd(text: string, cursor: number): number {
  for (const word of wordSegmenter().segment(text.slice(cursor, cursor + LONGEST_WORD)))
    if (isWord(word)) return cursor + word.index + word.segment.length;
  return Math.min(text.length, cursor + LONGEST_WORD);
}

const blankSeparatedStart = (text: string, cursor: number): number => {
  let start = cursor;
  while (start > 0 && /\s/.test(text.charAt(start - 1))) start -= 1;
  while (start > 0 && !/\s/.test(text.charAt(start - 1))) start -= 1;
  return start;
};

const lineStart = (text: string, cursor: number): number => text.lastIndexOf('\n', cursor - 1) + 1;

function lineEnd(text: string, cursor: number): number {
  const end = text.indexOf('\n', cursor);
  return end < 0 ? text.length : end;
}

const LONGEST_GRAPHEME = 64;
const LONGEST_WORD = 400;

const isWord = ({ segment, isWordLike }: Intl.SegmentData): boolean => isWordLike === true || isFold(segment);

let wordsOnce: Intl.Segmenter | undefined;
const wordSegmenter = (): Intl.Segmenter => {
  wordsOnce ??= new Intl.Segmenter(undefined, { granularity: 'word' });
  return wordsOnce;
};
