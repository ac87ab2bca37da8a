import { withoutRepeatedCalls } from '../../domain/session/called-tool.ts';
import { type Fields, isObject, parseJson } from '../../domain/value/json.ts';
import { indexIn } from '../http/answer-fields.ts';
import { type CallArguments, collectArguments, isEqual } from '../http/call-arguments.ts';
import { callFields, callIn } from '../http/plain-form.ts';
import { MAX_BLOCKS, tooManyBlocks } from '../http/reply-bounds.ts';
import { mergeFields, unknownFields } from '../openai/opaque-fields.ts';

/** A call as far as it has come; empty where nothing was said yet. */
export type DraftCall = {
  index: number | undefined;
  id: string;
  name: string;
  readonly json: CallArguments;
  /** What nobody here reads: of the call, and of the `function` in it. */
  fields: Fields;
  called: Fields;
};

type Fragment = { readonly index: number | undefined; readonly id: string; readonly name: string; readonly piece: string };

/**
 * Puts calls together from their fragments, in whatever way a server names them. This is the whole of the rule:
 *
 * 1. A fragment belongs to the call that has its id; else to the newest one of its index; else, where it has neither or both are new but
 *    no name comes with them, to the newest call.
 * 2. It begins another call only where it has a name, and that of the call is complete: the name is another one, or the arguments there are
 *    a whole object already. An id that changes or an index that counts on begins nothing.
 *    A whole object of its own, without a name or an id, behind one that was whole is another call of the same tool.
 * 3. What repeats what has come says nothing new: a name again, arguments that begin with all that came before, a whole call once more.
 * 4. A name that comes without arguments behind one that no tool has continues it.
 *
 * `isTool` says whether a name stands in the request.
 */
export function collectCalls(isTool: (name: string) => boolean) {
  const calls: DraftCall[] = [];
  /** The newest of each. */
  const byId = new Map<string, DraftCall>();
  const byIndex = new Map<number, DraftCall>();
  const callOf = ({ index, id, name }: Fragment): DraftCall | undefined => {
    const named = id === '' ? undefined : byId.get(id);
    if (named !== undefined) return named;
    const numbered = index === undefined ? undefined : byIndex.get(index);
    return numbered ?? (index === undefined || name === '' ? calls.at(-1) : undefined);
  };
  const begin = (): DraftCall => {
    const call: DraftCall = { index: undefined, id: '', name: '', json: collectArguments(), fields: {}, called: {} };
    if (calls.push(call) > MAX_BLOCKS) throw tooManyBlocks();
    return call;
  };
  return {
    add: (raw: Fields): void => {
      const said = callIn(raw);
      const read = readFragment(raw.index, said);
      const open = callOf(read);
      const fragment = open !== undefined && isNextObject(open, read) ? { ...read, name: open.name } : read;
      const call = open !== undefined && continues(open, fragment, isTool) ? open : begin();
      addTo(call, fragment, isTool);
      call.fields = withUnknown(call.fields, raw);
      call.called = withUnknown(call.called, said.dress);
      if (call.id !== '') byId.set(call.id, call);
      if (call.index !== undefined) byIndex.set(call.index, call);
    },
    /** The calls in their order, each once. */
    calls: (): readonly DraftCall[] =>
      withoutRepeatedCalls(calls, ({ id, name, json }) => ({ id, name, input: json.value() ?? json.text() })),
    get isEmpty(): boolean {
      return calls.length === 0;
    },
  };
}

function withUnknown(before: Fields, raw: Fields = {}): Fields {
  const more = unknownFields(raw, callFields);
  return Object.keys(more).length === 0 ? before : mergeFields(before, more);
}

function readFragment(index: unknown, { id, name, input: json }: ReturnType<typeof callIn>): Fragment {
  return {
    index: indexIn(index),
    id: typeof id === 'string' || typeof id === 'number' ? `${id}` : '',
    name: typeof name === 'string' ? name : '',
    piece: typeof json === 'string' ? json : JSON.stringify(json ?? '').replace(/^""$/, ''),
  };
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
  return piece === '' || isEqual(open.json.value(), parseJson(piece)) || (!isElsewhere && id !== '' && open.json.isMore(piece));
}

function isNextObject({ json }: DraftCall, { id, name, piece }: Fragment): boolean {
  if (id !== '' || name !== '' || !piece.startsWith('{"')) return false;
  const [known, next] = [json.value(), parseJson(piece)];
  return known !== undefined && isObject(next) && !isEqual(known, next) && !json.isMore(piece);
}

/** Whether a fragment with a name and an id of its own begins a call although the one before it is not whole yet. */
function beginsBeside(open: DraftCall, { index, piece }: Pick<Fragment, 'index' | 'piece'>): boolean {
  const known = open.json.chars();
  if (known === 0) return piece === '';
  if (index === undefined) return piece === '' || piece.startsWith('{');
  // What has come is put together only for a piece that is as long, or the time would grow with its square.
  const hasAll = piece.length >= known && piece.startsWith(open.json.text());
  if (hasAll) return piece.length === known;
  // All under one number: an object begins where none can stand.
  return piece.startsWith('{"') && !':[,'.includes(open.json.last());
}

function continuesName(
  open: DraftCall,
  { name, hasOtherId }: { readonly name: string; readonly hasOtherId: boolean },
  isTool: (name: string) => boolean,
): boolean {
  if (open.json.chars() > 0) return false;
  return isTool(open.name + name) || !(hasOtherId || isTool(open.name) || isTool(name));
}

function addTo(call: DraftCall, { index, id, name, piece }: Fragment, isTool: (name: string) => boolean): void {
  call.index ??= index;
  if (call.id === '') call.id = id;
  call.name = joinedName(call.name, name, isTool);
  call.json.add(piece);
}

function joinedName(known: string, piece: string, isTool: (name: string) => boolean): string {
  if (known === '' || piece === '') return known + piece;
  if (isTool(known + piece)) return known + piece;
  return piece.startsWith(known) ? piece : known + piece;
}

const isWhole = ({ json }: DraftCall): boolean => json.value() !== undefined;
