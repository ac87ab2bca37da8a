import { allMessages } from '../../context/history/past.ts';
import { noCalls, tallyCalls } from '../../context/memory/runtime-entries.ts';
import type { CallTally } from '../../domain/memory/call-tally.ts';
import { isToolUse, type Message } from '../../domain/session/message.ts';
import type { Miss, ModelReply } from '../../domain/session/model-answer.ts';
import type { FutileCompaction, HeaderRecord, LogRecord, NewRecord } from '../../domain/session/record.ts';
import type { PreparedSummary } from '../compaction/types.ts';

/**
 * Opens after so many failures in a row, for `restMs`; then one try goes through, whose failure opens it again and whose success
 * closes it. A clock that goes back closes it too.
 */
export function createBreaker({ failures, restMs }: { readonly failures: number; readonly restMs: number }) {
  let failuresInRow = 0;
  let lastMs = 0;
  return {
    /** Whether what keeps failing shall be left alone for now. It closes again by itself. */
    isOpen: (atMs: number): boolean => failuresInRow >= failures && atMs >= lastMs && atMs - lastMs < restMs,
    record: (outcome: 'worked' | 'failed', atMs: number): void => {
      failuresInRow = outcome === 'worked' ? 0 : failuresInRow + 1;
      lastMs = atMs;
    },
  };
}

const REST_MS = 15 * 60_000;

/**
 * How the models that summarise for a session are doing, as far as this process knows, and the one summary that is being made ahead.
 * Nothing of it is stored; a new process tries all of them again.
 */
export class SummariserHealth {
  /** After three tries in a row without a summary of theirs, rules make it for a quarter of an hour. */
  readonly modelBreaker = createBreaker({ failures: 3, restMs: REST_MS });
  /** A summary that is being made beside the turn, or is ready. */
  prepared: PreparedSummary | undefined;
}

/** What was found out about making room in a session, so that it is not paid for again before something has changed, in any process. */
export class ReliefMemory {
  /** A compaction after which the context was as full as before, or would have been: the context that it left, and whether it freed something. */
  futile: FutileCompaction | undefined;
  /** What was found out has cost something, so that the next process is to know it too. */
  paid = false;
}

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
