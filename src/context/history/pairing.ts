import { mendMessage } from '../../domain/session/admit-reply.ts';
import {
  type ContentBlock,
  isCompaction,
  isText,
  isThinking,
  isToolResult,
  isToolUse,
  type Message,
  type WireMessage,
} from '../../domain/session/message.ts';
import { mapStrings } from '../../domain/value/json.ts';
import { type Earlier, grownFrom, memoizeByObject, memoizeGrowing } from '../../domain/value/memoize.ts';

/**
 * Why the provider would refuse these messages; empty when it would not. Every call is answered in the very next user message, results
 * first and once; roles alternate, from the user to the user; nothing is empty.
 */
export function pairingProblems(messages: readonly WireMessage[]): readonly string[] {
  if (messages.length === 0) return ['there is no message'];
  const { problems } = checkedMessages(messages);
  return messages.at(-1)?.role !== 'user' ? [...problems, 'the last message is not from the user'] : problems;
}

/** `calledIds` are those of the messages that were found right; it grows with them. */
type Checked = { readonly problems: readonly string[]; readonly calledIds: Set<string> };

/** A message is judged with its neighbours and the ids before it: where there was no problem, only the last and what follows is looked at. */
const checkedMessages = memoizeGrowing((messages: readonly WireMessage[], earlier: Earlier<WireMessage, Checked> | undefined): Checked => {
  const isRight = earlier !== undefined && earlier.value.problems.length === 0;
  const from = isRight ? Math.max(0, earlier.shared - 1) : 0;
  const calledIds = isRight ? earlier.value.calledIds : new Set<string>();
  if (isRight)
    for (const { content } of earlier.list.slice(from)) for (const block of content) if (isToolUse(block)) calledIds.delete(block.id);
  const problems: string[] = [];
  for (let index = from; index < messages.length; index++) {
    const message = messages[index];
    if (message === undefined) continue;
    const messageProblems: string[] = [];
    checkMessage(message, messages[index - 1], messageProblems);
    checkCalls(message, { next: messages[index + 1], seenIds: calledIds }, messageProblems);
    checkResults(message, messages[index - 1], messageProblems);
    for (const problem of messageProblems) problems.push(`message ${index} ${problem}`);
  }
  return { problems, calledIds };
});

function checkMessage({ role, content }: WireMessage, previous: WireMessage | undefined, problems: string[]): void {
  if (previous === undefined && role !== 'user') problems.push('is the first and not from the user');
  if (role === previous?.role) problems.push(`follows another ${role} message`);
  if (content.length === 0) problems.push('is empty');
  if (content.some(hasBlankText)) problems.push('has an empty text block');
}

const hasBlankText = (block: ContentBlock): boolean => {
  if (isText(block)) return isBlank(block.text);
  return isToolResult(block) && Array.isArray(block.content) && block.content.some(hasBlankText);
};

export const isBlank = (text: string): boolean => text.trim() === '';

type CallContext = { readonly next: WireMessage | undefined; readonly seenIds: Set<string> };

function checkCalls({ role, content }: WireMessage, { next, seenIds }: CallContext, problems: string[]): void {
  for (const block of content) {
    if (!isToolUse(block)) continue;
    const { id } = block;
    if (role !== 'assistant') problems.push(`calls ${id} but is not from the assistant`);
    if (seenIds.has(id)) problems.push(`calls ${id} a second time`);
    if (next?.role !== 'user' || !next.content.some((answer) => isToolResult(answer) && answer.tool_use_id === id)) {
      problems.push(`calls ${id}, which the next message does not answer`);
    }
    seenIds.add(id);
  }
}

function checkResults({ role, content }: WireMessage, previous: WireMessage | undefined, problems: string[]): void {
  let sawOther = false;
  for (const [index, block] of content.entries()) {
    if (!isToolResult(block)) {
      sawOther = true;
      continue;
    }
    const id = block.tool_use_id;
    if (role !== 'user') problems.push(`has the result of ${id} but is not from the user`);
    if (previous?.role !== 'assistant' || !previous.content.some((call) => isToolUse(call) && call.id === id)) {
      problems.push(`has a result of ${id}, which the message before it does not call`);
    }
    if (content.findIndex((other) => isToolResult(other) && other.tool_use_id === id) < index) problems.push(`answers ${id} twice`);
    if (sawOther) problems.push(`has the result of ${id} after other content`);
  }
}

export function closeOpenCalls(messages: readonly Message[]): readonly ContentBlock[] {
  const last = messages.findLastIndex((message) => message.role === 'assistant');
  return interruptedResults(openCalls(messages, last));
}

const interruptedResults = (ids: readonly string[]): readonly ContentBlock[] =>
  ids.map((id) => ({ type: 'tool_result', tool_use_id: id, content: stoppedResults.unknown, is_error: true }));

function openCalls(messages: readonly Message[], index: number): readonly string[] {
  const calls = messages[index]?.content.filter(isToolUse) ?? [];
  if (calls.length === 0) return [];
  const answeredIds = new Set<string>();
  for (let next = index + 1; messages[next]?.role === 'user'; next++) {
    for (const block of messages[next]?.content ?? []) if (isToolResult(block)) answeredIds.add(block.tool_use_id);
  }
  return calls.map((call) => call.id).filter((id) => !answeredIds.has(id));
}

/**
 * Repairs a conversation of a damaged log or an earlier version: unanswered calls get a result that says so, results without their call go.
 * The calls of the last reply stay open for `closeOpenCalls`. The same array when there is nothing to repair.
 */
export function repairPairs(messages: readonly Message[]): readonly Message[] {
  const last = messages.findLastIndex((message) => message.role === 'assistant');
  const replies = messages.map(mendMessage);
  let openIds = new Set<string>();
  let isIntact = true;
  const repaired = messages.flatMap((message, index): readonly Message[] => {
    if (message.role === 'user') {
      const content = message.content.filter((block) => !isToolResult(block) || openIds.delete(block.tool_use_id));
      if (content.length === message.content.length) return [message];
      isIntact = false;
      return content.length === 0 ? [] : [{ ...message, content }];
    }
    const reply = replies[index] ?? message;
    if (reply !== message) isIntact = false;
    openIds = new Set(reply.content.filter(isToolUse).map((call) => call.id));
    const content = index === last ? [] : interruptedResults(openCalls(replies, index));
    if (content.length === 0) return reply.content.length === 0 ? [] : [reply];
    isIntact = false;
    return [reply, { id: `${message.id}-closed`, at: message.at, role: 'user', origin: 'interrupted', content }];
  });
  return isIntact ? messages : repaired;
}

export const stoppedResults = {
  before: 'This call was not run: the turn was stopped before it began.',
  midway: 'This call was stopped before its end; it may have run in part.',
  unknown: 'Interrupted: this call has no result. It may not have run, or only in part; check before you run it again.',
} as const;

/** When a call was stopped: before it began, midway, or unknown because the process ended. */
export type StopPhase = keyof typeof stoppedResults;

const PRINTED = ' What it had printed until then:\n';

export const stoppedMidway = (printed: string): string => stoppedResults.midway + (printed.trim() === '' ? '' : `${PRINTED}${printed}`);

export function stopPhaseOf(result: string): StopPhase | undefined {
  if (result.startsWith(stoppedResults.midway + PRINTED)) return 'midway';
  return (['before', 'midway', 'unknown'] as const).find((phase) => result === stoppedResults[phase]);
}

const BRIDGE: WireMessage = { role: 'user', content: [{ type: 'text', text: '(nothing was said here)' }] };

/**
 * The messages as the API accepts them: adjacent user messages merged, results first, nothing blank, no lone surrogates. Same input, same
 * bytes; a longer conversation only appends, but for what is merged into its last message, and the shared beginning is the same objects.
 */
export const toWire = (messages: readonly Message[]): readonly WireMessage[] => wireOf(messages).wire;

type Wire = {
  readonly wire: readonly WireMessage[];
  /** Where each reply ends, in the messages and in what is sent of them: nothing that follows is merged into what stands before. */
  readonly ends: readonly ReplyEnd[];
};

type ReplyEnd = { readonly messages: number; readonly sent: number };

const wireOf = memoizeGrowing((messages: readonly Message[], earlier: Earlier<Message, Wire> | undefined): Wire => {
  const ends = earlier === undefined ? [] : endsWithin(earlier);
  const start = ends.at(-1) ?? { messages: 0, sent: 0 };
  const wire = earlier === undefined ? [] : grownFrom(earlier.value.wire, start.sent, earlier.value.wire.slice(0, start.sent));
  let pending: (readonly ContentBlock[])[] = [];
  const flush = (): void => {
    if (pending.length > 0) wire.push({ role: 'user', content: pending.length === 1 ? (pending[0] ?? []) : resultsFirst(pending.flat()) });
    pending = [];
  };
  for (const [at, message] of messages.slice(start.messages).entries()) {
    const content = sendable(message);
    if (content.length === 0) continue;
    if (message.role === 'user') {
      pending.push(content);
      continue;
    }
    flush();
    if (wire.at(-1)?.role !== 'user') wire.push(BRIDGE);
    wire.push(message.endpoint === undefined ? { role: 'assistant', content } : { role: 'assistant', content, endpoint: message.endpoint });
    ends.push({ messages: start.messages + at + 1, sent: wire.length });
  }
  flush();
  return { wire, ends };
});

const endsWithin = ({ value: { ends }, shared }: Earlier<Message, Wire>): ReplyEnd[] =>
  ends.slice(0, ends.findLastIndex(({ messages }) => messages <= shared) + 1);

/** The part of a message that is sent, by identity where that is all of it: messages never change. */
const sendable = memoizeByObject(({ role, content: blocks }: Message): readonly ContentBlock[] => {
  // A summary that an API made and signed, as a version before 0.2.0 could ask it to, is sent in its words.
  const content = blocks.some(isCompaction) ? blocks.map(asTextBlock) : blocks;
  // The API refuses lone surrogates as invalid JSON.
  const kept = mapStrings(withoutBlanks(content), toWellFormed, toWellFormed);
  if (role === 'assistant' && kept.every(isThinking)) return [];
  return role === 'user' ? resultsFirst(kept) : kept;
});

const toWellFormed = (text: string): string => text.toWellFormed();

const asTextBlock = (block: ContentBlock): ContentBlock => (isCompaction(block) ? { type: 'text', text: block.content } : block);

function withoutBlanks(content: readonly ContentBlock[]): readonly ContentBlock[] {
  const isBlankText = (block: ContentBlock): boolean => isText(block) && isBlank(block.text);
  const kept = content.some(isBlankText) ? content.filter((block) => !isBlankText(block)) : content;
  const inner = kept.map((block) => {
    if (!isToolResult(block) || typeof block.content === 'string' || block.content === undefined) return block;
    const remaining = withoutBlanks(block.content);
    return remaining === block.content ? block : { ...block, content: remaining };
  });
  return inner.some((block, index) => block !== kept[index]) ? inner : kept;
}

function resultsFirst(content: readonly ContentBlock[]): readonly ContentBlock[] {
  const firstOther = content.findIndex((block) => !isToolResult(block));
  const isOrdered = firstOther === -1 || !content.slice(firstOther).some(isToolResult);
  return isOrdered ? content : [...content.filter(isToolResult), ...content.filter((block) => !isToolResult(block))];
}
