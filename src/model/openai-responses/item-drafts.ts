import { type Fields, isString } from '../../domain/value/json.ts';
import { addPiece, fieldsOf, type GrowingText, indexIn, isName } from '../http/answer-fields.ts';
import { type CallArguments, collectArguments, isEqual } from '../http/call-arguments.ts';
import { plainCall } from '../http/plain-form.ts';
import { MAX_BLOCK_CHARS, MAX_BLOCKS, tooLargeBlock, tooManyBlocks } from '../http/reply-bounds.ts';

/** What has come of one item: as it stood last, and the pieces that came for it since it began. */
type Draft = GrowingText & {
  readonly index: number | undefined;
  item: Fields;
  json: CallArguments;
  chars: number;
  isDone: boolean;
};

export type Piece = { readonly kind: 'text' | 'json'; readonly text: string };

/**
 * Puts the items of a response together from their events, in whatever way a server names them. This is the whole of the rule:
 *
 * 1. An event with an item is about the one with its id, or with the id of its call; else about the newest of its number, if that is of its type
 *    and not done. Else it begins one. Some servers give each event another id: but one that adds an item begins one.
 * 2. A piece belongs to the item with its id; else to the newest of its number that can have it; else to the newest that can and is not done.
 *    Where there is none it begins one.
 * 3. What comes whole behind its pieces says nothing new.
 */
export function collectItems() {
  const drafts: Draft[] = [];
  const byId = new Map<string, Draft>();
  const byIndex = new Map<number, Draft>();
  const begin = (index: number | undefined): Draft => {
    if (drafts.length >= MAX_BLOCKS) throw tooManyBlocks();
    const draft: Draft = { index, item: {}, text: [], grown: '', json: collectArguments(), chars: 0, isDone: false };
    drafts.push(draft);
    if (index !== undefined) byIndex.set(index, draft);
    return draft;
  };
  const newestAbout = (named: Named): Draft | undefined => {
    const newest = named.index === undefined ? drafts.at(-1) : byIndex.get(named.index);
    return newest !== undefined && isAbout(newest, named) ? newest : undefined;
  };
  const draftOfPiece = ({ output_index: number, item_id: id }: Fields, kind: Piece['kind']): Draft => {
    const [index, known] = [indexIn(number), isString(id) ? byId.get(id) : undefined];
    if (known !== undefined && canHave(known, kind)) return known;
    const numbered = index === undefined ? undefined : byIndex.get(index);
    if (numbered !== undefined && canHave(numbered, kind)) return numbered;
    const open = drafts.findLast((draft) => !draft.isDone && canHave(draft, kind));
    const draft = open !== undefined && (index === undefined || open.index === undefined || numbered !== undefined) ? open : begin(index);
    if (isString(id) && id !== '') byId.set(id, draft);
    return draft;
  };
  return {
    item: ({ output_index: number, item: raw }: Fields, { isDone }: { readonly isDone: boolean }): void => {
      const [index, item] = [indexIn(number), wireItem(raw)];
      const ids = [item.id, item.call_id].filter((id) => isString(id) && id !== '').map(String);
      const draft =
        ids.map((id) => byId.get(id)).find((one) => one !== undefined && isOfType(one, item)) ??
        newestAbout({ index, item, ids, isDone }) ??
        begin(index);
      draft.item = isString(draft.item.name) && !isName(item.name) ? { ...item, name: draft.item.name } : item;
      draft.isDone ||= isDone;
      for (const id of ids) byId.set(id, draft);
    },
    /** Returns what a piece adds. Throws ReplyTooLarge. */
    piece: (event: Fields, piece: Piece): string => takePiece(draftOfPiece(event, piece.kind), piece),
    /** What is said to be all that came; true where it is more, since no pieces came. */
    rest: (event: Fields, piece: Piece): boolean => {
      const draft = draftOfPiece(event, piece.kind);
      const isMore = piece.kind === 'json' || (draft.text.length === 0 && textIn(draft.item) === '');
      // The first of the pieces may have been lost.
      if (piece.kind === 'json' && draft.json.value() === undefined) draft.json = collectArguments();
      if (isMore) takePiece(draft, piece);
      return isMore;
    },
    /** In the order of their numbers where each has one of its own. */
    items: (): readonly Fields[] => {
      const isNumbered = drafts.every((draft) => draft.index !== undefined) && byIndex.size === drafts.length;
      return (isNumbered ? drafts.toSorted((a, b) => (a.index ?? 0) - (b.index ?? 0)) : drafts).map(itemOf);
    },
    /** Whether items came, and each was said to be done. */
    get areDone(): boolean {
      return drafts.length > 0 && drafts.every(({ isDone }) => isDone);
    },
  };
}

/** An item with a call in the words of this wire. */
export const wireItem = (item: unknown): Fields => plainCall(fieldsOf(item), { type: 'function_call', id: 'call_id', input: 'arguments' });

function takePiece(draft: Draft, { kind, text }: Piece): string {
  if (kind === 'text') draft.chars += text.length;
  if (draft.chars > MAX_BLOCK_CHARS) throw tooLargeBlock();
  if (kind === 'text') return addPiece(draft, text);
  draft.json.add(text);
  return text;
}

/** An event with an item whose ids, if it has any, are not known. */
type Named = { readonly index: number | undefined; readonly item: Fields; readonly ids: readonly string[]; readonly isDone: boolean };

/** Whether such an event is about the newest item of its number, or of all where it has none. */
function isAbout(newest: Draft, { index, item, ids, isDone }: Named): boolean {
  if (!isOfType(newest, item)) return false;
  if (index !== undefined && ids.length === 0 && isEqual(newest.item, item)) return true;
  const isNamedApart = index === undefined && ids.length > 0 && newest.item.id !== undefined;
  const isAnother = isDone ? newest.isDone || isNamedApart : newest.item.type !== undefined;
  const [text, known] = [wordsIn(item), wordsIn(newest.item)];
  const isOtherText = index === undefined && known !== '' && text !== '' && !text.startsWith(known);
  return !(isAnother || isOtherText);
}

const canHave = ({ item: { type } }: Draft, kind: Piece['kind']): boolean =>
  type === undefined || type === (kind === 'text' ? 'message' : 'function_call');

const isOfType = ({ item, text, json }: Draft, { type, call_id: callId }: Fields): boolean => {
  if (item.type === undefined) return type === (json.chars() > 0 ? 'function_call' : text.length > 0 ? 'message' : type);
  return item.type === type && (item.call_id === callId || !isString(item.call_id) || !isString(callId));
};

/** The parts of a message; some servers send its text alone. */
export const partsOf = ({ content }: Fields): readonly Fields[] =>
  isString(content) ? [{ text: content }] : (Array.isArray(content) ? content : []).map(fieldsOf);

export const textIn = (message: Fields, between = ''): string =>
  partsOf(message)
    .map((part) => part.text ?? part.refusal)
    .filter(isString)
    .join(between);

const wordsIn = (item: Fields): string => textIn(item) + textIn({ content: item.summary });

/** The item as it stood last, with the pieces in the place of what it lacks. */
function itemOf({ item, text, json, isDone }: Draft): Fields {
  const pieces = json.text();
  const isOpen = item.arguments === undefined || item.arguments === null || item.arguments === '' || !isDone;
  if (item.type === 'function_call' && pieces !== '' && isOpen) return { ...item, arguments: pieces };
  const isMessage = item.type === 'message' || item.type === undefined;
  if (isMessage && text.length > 0 && textIn(item).trim() === '')
    return { ...item, type: 'message', content: [{ type: 'output_text', text: text.join('') }] };
  return item;
}
