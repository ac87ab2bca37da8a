import { type Fields, isObject, parseJson } from '../../domain/value/json.ts';
import { MAX_BLOCK_CHARS, MAX_BLOCKS, tooLargeBlock, tooManyBlocks } from '../http/reply-bounds.ts';

/** A call as far as it has come; empty where nothing was said yet. */
export type DraftCall = { index: number | undefined; id: string; name: string; json: string[]; chars: number; readonly fields: Fields[] };

type Fragment = { readonly index: number | undefined; readonly id: string; readonly name: string; readonly piece: string };

/**
 * Puts calls together from their fragments, in whatever way a server names them. This is the whole of the rule:
 *
 * 1. A fragment belongs to the call that has its id; else to the newest one of its index; else, where it has neither or both are new but
 *    no name comes with them, to the newest call.
 * 2. It begins another call only where it has a name, and that of the call is complete: the name is another one, or the arguments there are
 *    a whole object already. An id that changes or an index that counts on begins nothing.
 * 3. What repeats what has come says nothing new: a name again, arguments that begin with all that came before, a whole call once more.
 * 4. A name that comes without arguments behind one that no tool has continues it.
 *
 * `isTool` says whether a name stands in the request.
 */
export function collectCalls(isTool: (name: string) => boolean) {
  const calls: DraftCall[] = [];
  const begin = ({ index, id }: Fragment): DraftCall => {
    const call: DraftCall = { index, id, name: '', json: [], chars: 0, fields: [] };
    if (calls.push(call) > MAX_BLOCKS) throw tooManyBlocks();
    return call;
  };
  return {
    add: (raw: Fields): void => {
      const fragment = readFragment(raw);
      const open = callOf(calls, fragment);
      const call = open !== undefined && continues(open, fragment, isTool) ? open : begin(fragment);
      addTo(call, fragment, isTool);
      call.fields.push(raw);
    },
    /** The calls in their order, each once. */
    calls: (): readonly DraftCall[] => calls.filter((call, at) => !calls.slice(0, at).some((earlier) => isSameCall(earlier, call))),
    get isEmpty(): boolean {
      return calls.length === 0;
    },
  };
}

function readFragment({ index, id, function: called }: Fields): Fragment {
  const { name, arguments: json } = isObject(called) ? called : {};
  return {
    index: numberIn(index),
    id: typeof id === 'string' ? id : '',
    name: typeof name === 'string' ? name : '',
    piece: typeof json === 'string' ? json : isObject(json) ? JSON.stringify(json) : '',
  };
}

const numberIn = (index: unknown): number | undefined => {
  const number = typeof index === 'string' && /^\d{1,6}$/.test(index) ? Number(index) : index;
  return typeof number === 'number' && Number.isInteger(number) && number >= 0 ? number : undefined;
};

function callOf(calls: readonly DraftCall[], { index, id, name }: Fragment): DraftCall | undefined {
  const named = id === '' ? undefined : calls.findLast((call) => call.id === id);
  if (named !== undefined) return named;
  const numbered = index === undefined ? undefined : calls.findLast((call) => call.index === index);
  return numbered ?? (index === undefined || name === '' ? calls.at(-1) : undefined);
}

function continues(open: DraftCall, { index, id, name, piece }: Fragment, isTool: (name: string) => boolean): boolean {
  const hasOtherId = id !== '' && open.id !== '' && id !== open.id;
  if (name === '') return !(hasOtherId && isWhole(open));
  if (open.name === '') return true;
  if (name !== open.name && !name.startsWith(open.name)) return continuesName(open, { name, hasOtherId }, isTool);
  // The longer name of another tool, or more of this one.
  if (name !== open.name && isTool(open.name)) return false;
  if (!isWhole(open)) return !(hasOtherId && beginsBeside(open, { index, piece }));
  if (hasOtherId) return false;
  const isElsewhere = index !== undefined && open.index !== undefined && index !== open.index;
  return piece === '' || isEqual(objectIn(open), parseJson(piece)) || (!isElsewhere && id !== '' && isMore(open, piece));
}

/** Whether a fragment with a name and an id of its own begins a call although the one before it is not whole yet. */
const beginsBeside = (open: DraftCall, { index, piece }: Pick<Fragment, 'index' | 'piece'>): boolean =>
  open.chars === 0 ? piece === '' : index === undefined && (piece === '' || piece.startsWith('{'));

function continuesName(
  open: DraftCall,
  { name, hasOtherId }: { readonly name: string; readonly hasOtherId: boolean },
  isTool: (name: string) => boolean,
): boolean {
  if (open.chars > 0) return false;
  return isTool(open.name + name) || !(hasOtherId || isTool(open.name) || isTool(name));
}

function addTo(call: DraftCall, { index, id, name, piece }: Fragment, isTool: (name: string) => boolean): void {
  call.index ??= index;
  if (call.id === '') call.id = id;
  call.name = joinedName(call.name, name, isTool);
  if (piece === '' || (piece.startsWith('{') && replaces(call, piece))) return;
  call.json.push(piece);
  call.chars += piece.length;
  if (call.chars > MAX_BLOCK_CHARS) throw tooLargeBlock();
}

function joinedName(known: string, piece: string, isTool: (name: string) => boolean): string {
  if (known === '' || piece === '') return known + piece;
  if (isTool(known + piece)) return known + piece;
  return piece.startsWith(known) ? piece : known + piece;
}

/**
 * Arguments that come again from their beginning take the place of what came before. No object goes on with its own first characters: in a
 * text a quote is escaped, and outside of one no brace follows another.
 */
function replaces(call: DraftCall, piece: string): boolean {
  if (call.chars === 0) return false;
  const joined = call.json.length === 1 || piece.length >= call.chars || isClosed(call) ? call.json.join('') : '';
  if (joined === '') return false;
  const isRepeated = piece.startsWith(joined) || joined === '{}' || (isClosed(call) && isMore(call, piece));
  if (!isRepeated) return isClosed(call) && isEqual(parseJson(joined), parseJson(piece));
  if (piece.length > MAX_BLOCK_CHARS) throw tooLargeBlock();
  call.json = [piece];
  call.chars = piece.length;
  return true;
}

/** Looked at before the whole is read. */
const isClosed = ({ json }: DraftCall): boolean => json.at(-1)?.trimEnd().endsWith('}') === true;

const isWhole = (call: DraftCall): boolean => isClosed(call) && objectIn(call) !== undefined;

function objectIn({ json }: DraftCall): Fields | undefined {
  const read = parseJson(json.join(''));
  return isObject(read) ? read : undefined;
}

/** Whether an object has all that has come, and more of it. */
function isMore(call: DraftCall, piece: string): boolean {
  const [known, more] = [objectIn(call), parseJson(piece)];
  if (known === undefined || !isObject(more)) return false;
  return Object.entries(known).every(([key, value]) => {
    const now = more[key];
    return isEqual(value, now) || (typeof value === 'string' && typeof now === 'string' && now.startsWith(value));
  });
}

const isEqual = (a: unknown, b: unknown): boolean => a !== undefined && JSON.stringify(a) === JSON.stringify(b);

/** Two ids make two calls, whatever they call. */
function isSameCall(a: DraftCall, b: DraftCall): boolean {
  if (a.name !== b.name || (a.id !== b.id && a.id !== '' && b.id !== '')) return false;
  const [one, other] = [a.json.join(''), b.json.join('')];
  return one === other || isEqual(objectIn(a), objectIn(b));
}
