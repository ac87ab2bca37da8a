import { type Fields, isObject, parseJson } from '../../domain/value/json.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { MAX_BLOCK_CHARS, tooLargeBlock } from './reply-bounds.ts';

export type CallArguments = {
  /** Takes the next piece. Throws ReplyTooLarge. */
  readonly add: (piece: string) => void;
  readonly text: () => string;
  /** The object that they are; undefined as long as they are none. */
  readonly value: () => Fields | undefined;
  /** Whether a piece is an object that has all that has come, and more of it. */
  readonly isMore: (piece: string) => boolean;
  readonly chars: () => number;
  /** The last character that is no blank; empty where there is none yet. */
  readonly last: () => string;
};

/**
 * Collects arguments that come in pieces, some of them again: a piece that begins with all that came before takes its place, and so does an
 * object that has more; one that says the same is left out. No object goes on with its own first characters: in a text a quote is escaped,
 * and outside of one no brace follows another. The work is that of reading each piece once.
 */
export function collectArguments(): CallArguments {
  let pieces: string[] = [];
  let chars = 0;
  let last = '';
  let scan: Scan = unread;
  let read: { readonly value: Fields | undefined } | undefined;
  const text = (): string => {
    if (pieces.length > 1) pieces = [pieces.join('')];
    return pieces[0] ?? '';
  };
  const value = (): Fields | undefined => {
    if (scan.state !== 'closed') return undefined;
    read ??= { value: objectIn(text()) };
    return read.value;
  };
  const isMore = (piece: string): boolean => {
    const [known, more] = [value(), parseJson(piece)];
    return known !== undefined && isObject(more) && Object.entries(known).every(([key, one]) => goesOn(one, more[key]));
  };
  /** What a piece that begins an object is to what has come. */
  const relationOf = (piece: string): 'repetition' | 'replacement' | 'continuation' => {
    const isClosed = scan.state === 'closed';
    if (chars === 0 || (piece.length < chars && !isClosed)) return 'continuation';
    const known = text();
    if (piece.startsWith(known) || known === '{}' || (isClosed && isMore(piece))) return 'replacement';
    return isClosed && isEqual(value(), parseJson(piece)) ? 'repetition' : 'continuation';
  };
  return {
    add: (piece) => {
      const relation = piece.startsWith('{') ? relationOf(piece) : 'continuation';
      if (relation === 'repetition' || piece === '') return;
      if (relation === 'replacement') [pieces, chars, scan, last] = [[], 0, unread, ''];
      pieces.push(piece);
      last = piece.trimEnd().at(-1) ?? last;
      chars += piece.length;
      if (chars > MAX_BLOCK_CHARS) throw tooLargeBlock();
      scan = scanned(scan, piece);
      read = undefined;
    },
    ...{ text, value, isMore },
    chars: () => chars,
    last: () => last,
  };
}

const objectIn = (text: string): Fields | undefined => {
  const value = parseJson(text);
  return isObject(value) ? value : undefined;
};

const goesOn = (before: unknown, now: unknown): boolean =>
  isEqual(before, now) || (typeof before === 'string' && typeof now === 'string' && now.startsWith(before));

/** Whether two values are the same in JSON; what nests too deeply to be written is like nothing. */
export const isEqual = (a: unknown, b: unknown): boolean => {
  const json = a === undefined ? undefined : orUndefined(() => JSON.stringify(a));
  return json !== undefined && json === orUndefined(() => JSON.stringify(b));
};

/** Where the first object of a text ends: `closed` where nothing but blanks follows it, `other` where something does, or comes before it. */
type Scan = { readonly state: 'blank' | 'open' | 'closed' | 'other'; readonly depth: number; readonly at: 'text' | 'escape' | 'outside' };
const unread: Scan = { state: 'blank', depth: 0, at: 'outside' };

function scanned(scan: Scan, piece: string): Scan {
  let { state, depth, at } = scan;
  for (const char of piece) {
    if (state === 'other') break;
    if (at === 'escape') at = 'text';
    else if (at === 'text') at = char === '\\' ? 'escape' : char === '"' ? 'outside' : 'text';
    else if (' \n\r\t'.includes(char)) continue;
    else if (state !== 'open') [state, depth] = state === 'blank' && char === '{' ? ['open', 1] : ['other', depth];
    else if (char === '"') at = 'text';
    else if (char === '{' || char === '[') depth += 1;
    else if (char === '}' || char === ']') depth -= 1;
    if (state === 'open' && depth === 0) state = 'closed';
  }
  return { state, depth, at };
}
