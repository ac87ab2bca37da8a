/**
 * The conversation as data: what a log's records make of a context, where it can be cut, what must stay together, and what its past was.
 * The whole room is pure: no clock, no disk, no model; the same input always gives the same bytes.
 *
 * Messages and records come in; new values come out, and the ones that came in are never changed. A call stays with its result, the user's
 * newest request and what is pinned survive every cut, and what goes to the API keeps its prefix byte for byte.
 *
 * It decides nothing about when a context is made smaller (`measure`) or by what (`offload`, `summary`). Our own messages are known by
 * their fields, and never by their text.
 */

import { groupBy } from '../../domain/lists.ts';
import type { SessionContext } from '../../domain/session/context.ts';
import { type ContentBlock, isCompaction, isThinking, isToolResult, type Message } from '../../domain/session/message.ts';
import type { NewRecord, OffloadRecord } from '../../domain/session/record.ts';
import { mapStrings } from '../../domain/value/json.ts';
import { grownFrom } from '../../domain/value/memoize.ts';
import { withMediaStubs } from '../offload/media-stub.ts';
import { withStubs } from '../offload/offload.ts';
import { PINS_NOTICE } from './pins.ts';

export const applyRecord = (context: SessionContext, record: NewRecord): SessionContext => applyRecords(context, [record]);

/** Returns the context after these log records. Takes time for what they add, and not for all that there is with each of them. */
export function applyRecords(context: SessionContext, records: Iterable<NewRecord>): SessionContext {
  const fold = createContextFold(context);
  for (const record of records) fold.apply(record);
  return fold.context();
}

export type ContextFold = Readonly<ReturnType<typeof createContextFold>>;

/** A context that grows record by record. Live sessions and reopened sessions both use it. */
export function createContextFold(start: SessionContext) {
  const state: FoldState = { current: start, added: undefined, shared: 0, results: new Map(), settled: 0 };
  return {
    apply: (record: NewRecord) => apply(state, record),
    /** The context after all records so far; never changes afterwards. Its list of messages is copied only when it is asked for. */
    context: (): SessionContext => {
      if (state.added !== undefined) {
        if (state.shared !== undefined) grownFrom(state.current.messages, state.shared, state.added);
        state.current = { ...state.current, messages: state.added };
      }
      state.added = undefined;
      return state.current;
    },
  };
}

type FoldState = {
  current: SessionContext;
  /** All messages, in a list that nobody else has. */
  added: Message[] | undefined;
  /** How many of them are the first of the list that was given out last; undefined once one of those has changed. */
  shared: number | undefined;
  /** Where the results are, by the id of their call, among the first `settled` messages, which hold no thinking any more. */
  readonly results: Map<string, number[]>;
  settled: number;
};

const ownMessages = (state: FoldState): Message[] => {
  if (state.added === undefined) {
    state.added = [...state.current.messages];
    state.shared = state.added.length;
  }
  return state.added;
};

function apply(state: FoldState, record: NewRecord): void {
  switch (record.type) {
    case 'header':
    case 'checkpoint':
      state.current = record.context;
      state.added = undefined;
      state.results.clear();
      state.settled = 0;
      return;
    case 'message':
      ownMessages(state).push(record.message);
      return;
    case 'offload':
      offload(state, record.stubs);
      state.current = { ...state.current, anchorFloor: state.settled };
      return;
    case 'pins':
      state.current = { ...state.current, pins: record.pins };
      return;
    case 'model':
      // Token counts of one model do not apply to another.
      state.current = { ...state.current, anchorFloor: (state.added ?? state.current.messages).length };
      return;
    case 'title':
    case 'file':
    case 'branch':
      return;
    default:
      record satisfies never;
  }
}

function offload(state: FoldState, stubs: OffloadRecord['stubs']): void {
  const messages = ownMessages(state);
  for (const message of withoutThinking(messages.splice(state.settled))) {
    const index = messages.push(message) - 1;
    for (const block of message.content) if (isToolResult(block)) append(state.results, block.tool_use_id, index);
  }
  state.settled = messages.length;
  state.shared = undefined;
  const stubsAt = new Map<number, OffloadRecord['stubs'][number][]>();
  for (const [id, ofMessage] of groupBy(stubs.filter(isOfMedia), ({ ref }) => ref.media?.message ?? '')) {
    const index = messages.findLastIndex((message) => message.id === id);
    const message = messages[index];
    if (message !== undefined) messages[index] = withMediaStubs(message, ofMessage);
  }
  for (const stub of stubs)
    if (!isOfMedia(stub)) for (const index of state.results.get(stub.ref.toolUseId) ?? []) append(stubsAt, index, stub);
  for (const [index, ofMessage] of stubsAt) {
    const [changed] = withStubs(messages.slice(index, index + 1), ofMessage);
    if (changed !== undefined) messages[index] = changed;
  }
}

const isOfMedia = ({ ref }: OffloadRecord['stubs'][number]): boolean => ref.media !== undefined;

function append<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

/** Without thinking: it is signed for messages that have changed. One of nothing else goes whole: it holds no call and is never sent. */
export function withoutThinking(messages: readonly Message[]): readonly Message[] {
  if (!messages.some((message) => message.content.some(isThinking))) return messages;
  return messages.flatMap((message) => {
    if (!message.content.some(isThinking)) return [message];
    const content = message.content.filter((block) => !isThinking(block));
    return content.length === 0 ? [] : [{ ...message, content }];
  });
}

/**
 * Moves a context to another place on disk: `from` becomes `to` in results, calls and summaries; what people and the model said stays. A
 * past that changed loses its thinking. The same object when there is nothing to change.
 */
export function relocateContext(context: SessionContext, from: string, to: string): SessionContext {
  const messages = context.messages.map((message) => relocateMessage(message, from, to));
  const shortTermSummary = context.shortTermSummary.replaceAll(from, () => to);
  if (shortTermSummary === context.shortTermSummary && messages.every((message, index) => message === context.messages[index]))
    return context;
  const kept = withoutThinking(messages);
  return { ...context, shortTermSummary, messages: kept, anchorFloor: kept.length };
}

/** Does the same for one message, without removing thinking blocks. Returns the same object when there is nothing to change. */
export function relocateMessage(message: Message, from: string, to: string): Message {
  if (message.origin === 'user' || message.notice === PINS_NOTICE) return message;
  const content = message.content.map((block) => (isVerbatim(block, message) ? block : replacePath(block, from, to)));
  const summary = message.summary === undefined ? undefined : replacePath(message.summary, from, to);
  if (summary === message.summary && content.every((block, index) => block === message.content[index])) return message;
  return { ...message, content: content satisfies readonly ContentBlock[], ...(summary === undefined ? {} : { summary }) };
}

const isVerbatim = (block: ContentBlock, { origin }: Message): boolean =>
  isCompaction(block) || (block.type === 'text' && origin === 'model');

const replacePath = <Value>(value: Value, from: string, to: string): Value => mapStrings(value, (text) => text.replaceAll(from, () => to));
