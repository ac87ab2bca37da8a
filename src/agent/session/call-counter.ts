import { allMessages } from '../../context/history/past.ts';
import { noCalls, tallyCalls } from '../../context/memory/runtime-entries.ts';
import type { CallTally } from '../../domain/memory/call-tally.ts';
import { isToolUse, type Message } from '../../domain/session/message.ts';
import type { Miss, ModelReply } from '../../domain/session/model-answer.ts';
import type { HeaderRecord, LogRecord, NewRecord } from '../../domain/session/record.ts';

/**
 * What the calls of a session have come to. Messages are looked at when that is asked for, so that opening a session costs nothing.
 * `records`: the newest checkpoint, if any, and all that follows.
 */
export function createCallCounter(header: Pick<HeaderRecord, 'context'>, records: readonly NewRecord[]) {
  const [first] = records;
  const isCheckpoint = first?.type === 'checkpoint';
  let start = isCheckpoint ? first.calls : noCalls;
  let before: readonly Message[] = isCheckpoint ? first.context.messages : [];
  let added: Message[] = isCheckpoint ? [] : [...header.context.messages];
  const settle = (tally: CallTally): CallTally => {
    const all = [...before, ...added];
    const last = all.findLastIndex(({ content }) => content.some(isToolUse));
    before = all.slice(Math.max(0, last));
    added = [];
    start = tally;
    return tally;
  };
  const apply = (record: NewRecord): void => {
    if (record.type === 'message') added.push(record.message);
  };
  for (const record of records) apply(record);
  /** Undefined while the newest checkpoint is one of an older log, which did not say it. */
  const known = (): CallTally | undefined => start && (added.length === 0 ? start : settle(tallyCalls(start, before, added)));
  return {
    apply,
    known,
    /** The same; where it is not known, the whole log is read, once. */
    tally: (past: () => Iterable<LogRecord>): CallTally => known() ?? settle(tallyCalls(noCalls, [], allMessages(past()))),
  };
}

/** Follows what the provider says of the start of each request, and whether a change of it was meant. */
export function createPrefixWatch() {
  let previousReply: string | null = null;
  let isChangePlanned = false;
  return {
    /** With which reply's request the next one is compared; null when nothing is to be compared. */
    get previousReply() {
      return previousReply;
    },
    /** The past was changed on purpose. */
    expectChange: (): void => {
      isChangePlanned = true;
    },
    /** Takes the reply to the newest request; returns what the provider found, undefined when it compared nothing. */
    answered: ({ id, prefix }: ModelReply): Miss | undefined => {
      const found = prefix && { ...prefix, planned: isChangePlanned && prefix.changed !== 'nothing' };
      previousReply = id ?? null;
      isChangePlanned = false;
      return found;
    },
  };
}
