import { type ContentBlock, isText, isThinking, isToolUse } from '../../domain/session/message.ts';
import { type Fields, isObject, isString } from '../../domain/value/json.ts';
import { addPiece, fieldsOf, type GrowingText, indexIn, LEAST_REPEATED_CHARS, readArguments } from '../http/answer-fields.ts';
import type { ReplyListener } from '../http/attempt.ts';
import { type CallArguments, collectArguments, isEqual } from '../http/call-arguments.ts';
import { plainCall } from '../http/plain-form.ts';
import { BrokenStream, MAX_BLOCK_CHARS, MAX_BLOCKS, tooLargeBlock, tooManyBlocks } from '../http/reply-bounds.ts';

type Draft = GrowingText & {
  readonly index: number | undefined;
  readonly start: ContentBlock;
  readonly thinking: GrowingText;
  readonly json: CallArguments;
  readonly citations: unknown[];
  chars: number;
  signature?: string;
  hasEnded: boolean;
  /** The text of the block before, as long as this one repeats it, and how far it does: so far it is shown to nobody. */
  echo: string | undefined;
  echoed: number;
};

/**
 * Puts the blocks of a reply together from their events, in whatever way a server numbers them. This is the whole of the rule:
 *
 * 1. A start begins a block, unless it repeats the newest one of its number: that of a call by its id, another for which nothing has come.
 * 2. A delta belongs to the newest block of its number that can have such a one, as long as it has not ended or nothing began after it;
 *    else to the newest that can and has not ended. Where there is none, text and thinking begin a block of their own, and arguments break
 *    the stream, since nobody knows what they are for.
 * 3. Where the start of a call has its arguments, they hold as long as no others come; arguments that come again say nothing new.
 * 4. A block that says once more, whole, what the one right before it said is that one.
 * 5. Blocks stand in the order of their numbers where each has one of its own, else in the order in which they began.
 */
export function collectBlocks({ onText, onThinking }: ReplyListener) {
  const drafts: Draft[] = [];
  const byIndex = new Map<number, Draft[]>();
  const begin = (start: ContentBlock, index: number | undefined): Draft => {
    if (drafts.length >= MAX_BLOCKS) throw tooManyBlocks();
    const draft: Draft = {
      ...{ index, start, text: [], grown: '', thinking: { text: [], grown: '' } },
      ...{ json: collectArguments(), citations: [], chars: 0, hasEnded: false, echo: echoFor(start, index, drafts.at(-1)), echoed: 0 },
    };
    drafts.push(draft);
    if (index !== undefined) byIndex.set(index, [...(byIndex.get(index) ?? []), draft]);
    if (isText(start) && start.text !== '') show(draft, start.text, onText);
    return draft;
  };
  const draftFor = (kind: Kind, index: number | undefined): Draft => {
    const takes = (draft: Draft): boolean => canHave(draft.start, kind);
    const own = index === undefined ? undefined : byIndex.get(index)?.findLast(takes);
    if (own !== undefined && (!own.hasEnded || own === drafts.at(-1))) return own;
    const open = drafts.findLast((draft) => !draft.hasEnded && takes(draft));
    if (open !== undefined) return open;
    if (kind === 'json') throw new BrokenStream('arguments came without their call');
    return begin(kind === 'text' || kind === 'citation' ? { type: 'text', text: '' } : { type: 'thinking', thinking: '' }, index);
  };
  return {
    /** Throws BrokenStream for what is no block, and ReplyTooLarge. */
    start: ({ index: number, content_block: block }: Fields): void => {
      const [index, start] = [indexIn(number), plainCall(fieldsOf(block), WORDS)];
      const { type } = start;
      if (!isString(type)) throw new BrokenStream('a block came without a type');
      const known = index === undefined ? drafts.at(-1) : byIndex.get(index)?.at(-1);
      if (known === undefined || !isRepeated(known, { ...start, type })) begin({ ...start, type }, index);
    },
    delta: ({ index, delta }: Fields): void => {
      const fields = fieldsOf(delta);
      const kind = kindOf(fields);
      if (kind !== undefined) addDelta(draftFor(kind, indexIn(index)), fields, { onText, onThinking });
    },
    stop: ({ index: number }: Fields): void => {
      const index = indexIn(number);
      const draft = index === undefined ? drafts.at(-1) : byIndex.get(index)?.at(-1);
      if (draft === undefined) return;
      draft.hasEnded = true;
      if (!isEcho(draft)) show(draft, '', onText);
    },
    get isEmpty(): boolean {
      return drafts.length === 0;
    },
    /** `mends`: whether a slip in the arguments of a call may be repaired. */
    blocks: (mends: boolean): readonly ContentBlock[] => {
      const isNumbered = drafts.every(({ index }) => index !== undefined && byIndex.get(index)?.length === 1);
      const ordered = isNumbered ? drafts.toSorted((a, b) => (a.index ?? 0) - (b.index ?? 0)) : drafts;
      const blocks = ordered.map((draft) => blockOf(draft, mends));
      return blocks.filter((block, at) => (block.type === 'text' ? !isEcho(ordered[at]) : at === 0 || !isEqual(blocks[at - 1], block)));
    },
  };
}

/** What a block that begins may repeat. The number of its own tells a short text that is said twice from one that is sent twice. */
function echoFor(start: ContentBlock, index: number | undefined, before: Draft | undefined): string | undefined {
  if (before === undefined || !before.hasEnded || start.type !== 'text' || before.start.type !== 'text') return undefined;
  const text = textOf(before);
  return text !== '' && (index === before.index || text.length >= LEAST_REPEATED_CHARS) ? text : undefined;
}

const textOf = ({ start, text }: Draft): string =>
  text.length === 0 && isString(start.text) ? start.text : goneOn(start.text, text.join(''));

const isEcho = (draft: Draft | undefined): boolean => draft?.echo !== undefined && draft.echoed === draft.echo.length;

/** Tells what was added to a text, and with it what was held back; nothing more of one that repeats the block before. */
function show(draft: Draft, added: string, onText: ReplyListener['onText']): void {
  const { echo, echoed } = draft;
  if (echo !== undefined && added !== '' && echo.startsWith(added, echoed)) {
    draft.echoed += added.length;
    return;
  }
  const text = (echo ?? '').slice(0, echoed) + added;
  [draft.echo, draft.echoed] = [undefined, 0];
  if (text !== '') onText(text);
}

/** Of a call on this wire. */
const WORDS = { type: 'tool_use', id: 'id', input: 'input' };

const isRepeated = ({ start, chars, citations, hasEnded }: Draft, again: ContentBlock): boolean =>
  !hasEnded &&
  ((chars === 0 && citations.length === 0) || (isToolUse(start) && start.id !== '')) &&
  start.type === again.type &&
  start.id === again.id &&
  start.name === again.name &&
  (!isText(again) || again.text === '' || again.text === start.text);

type Kind = 'text' | 'thinking' | 'signature' | 'json' | 'citation';

const kinds: Readonly<Record<string, Kind>> = {
  ...{ text_delta: 'text', text: 'text', thinking_delta: 'thinking', thinking: 'thinking', signature_delta: 'signature' },
  ...{ input_json_delta: 'json', citations_delta: 'citation' },
};

/** Undefined for what nobody knows yet, and for what is missing what it is named for. */
function kindOf({ type, text, thinking, signature, ...fields }: Fields): Kind | undefined {
  const json = jsonIn(fields);
  const fieldKinds = {
    text: isString(text),
    thinking: isString(thinking),
    json: isString(json) || isObject(json),
    signature: isString(signature),
  };
  const named = isString(type) && Object.hasOwn(kinds, type) ? kinds[type] : undefined;
  if (named === 'citation') return named;
  if (named !== undefined) return fieldKinds[named] ? named : undefined;
  // Of a call, what has another name is its arguments too: without them it would run with none.
  if (type !== undefined && type !== null && type !== '') return isString(fields.partial_json) ? 'json' : undefined;
  return (['text', 'thinking', 'json', 'signature'] as const).find((kind) => fieldKinds[kind]);
}

/** A block of a type that nobody knows takes all of it. */
function canHave(block: ContentBlock, kind: Kind): boolean {
  if (block.type === 'text') return kind === 'text' || kind === 'citation';
  if (isThinking(block)) return kind === 'thinking' || kind === 'signature';
  // Some sign a call itself.
  return kind === 'json' || kind === 'signature' || !block.type.endsWith('tool_use');
}

const jsonIn = ({ partial_json: json, input }: Fields): unknown => json ?? input;

function addDelta(draft: Draft, { text, thinking, signature, citation, type, ...fields }: Fields, listener: ReplyListener): void {
  const json = jsonIn(fields);
  for (const piece of [text, thinking, json]) if (isString(piece)) draft.chars += piece.length;
  if (draft.chars > MAX_BLOCK_CHARS || draft.citations.length > MAX_BLOCKS) throw tooLargeBlock();
  if (type === 'citations_delta') draft.citations.push(citation);
  else if (isString(text)) {
    const added = text === '' ? '' : addPiece(draft, text);
    if (added !== '') show(draft, added, listener.onText);
  } else if (isString(thinking)) {
    const added = thinking === '' ? '' : addPiece(draft.thinking, thinking);
    if (added !== '') listener.onThinking(added);
  } else if (isString(json) || isObject(json)) draft.json.add(isString(json) ? json : JSON.stringify(json));
  else if (isString(signature)) draft.signature = signature;
}

function blockOf({ start, text, thinking, json, citations, signature }: Draft, mends: boolean): ContentBlock {
  const arguments_ = json.text();
  return {
    ...start,
    ...(text.length === 0 ? {} : { text: goneOn(start.text, text.join('')) }),
    ...(thinking.text.length === 0 ? {} : { thinking: goneOn(start.thinking, thinking.text.join('')) }),
    ...(signature === undefined ? {} : { signature }),
    ...(citations.length === 0 ? {} : { citations: [...(Array.isArray(start.citations) ? start.citations : []), ...citations] }),
    ...(arguments_ !== '' || isToolUse(start) || start.type === 'tool_use' ? { input: inputOf(start, arguments_, mends) } : {}),
  };
}

/** A start has nothing yet, or the beginning; of some servers all of it, which then comes once more. */
function goneOn(start: unknown, more: string): string {
  if (!isString(start)) return more;
  return start.length >= LEAST_REPEATED_CHARS && more === start ? more : start + more;
}

/** A call without arguments sends no JSON, or only the empty object that it starts with; some servers send all of it there. */
function inputOf({ input }: ContentBlock, json: string, mends: boolean): unknown {
  const isBegun = isObject(input) && Object.keys(input).length > 0;
  if (json.trim() !== '' && !(isBegun && json.trim() === '{}')) return readArguments(json, { mends });
  if (isString(input)) return readArguments(input, { mends });
  return input ?? readArguments('');
}
