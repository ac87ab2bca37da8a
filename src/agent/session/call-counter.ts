import { allMessages } from '../../context/history/past.ts';
import { noCalls, tallyCalls } from '../../context/memory/tally-calls.ts';
import type { CallTally } from '../../domain/memory/call-tally.ts';
import { isToolUse, type Message } from '../../domain/session/message.ts';
import type { HeaderRecord, LogRecord, NewRecord } from '../../domain/session/record.ts';

/** What the calls of a session have come to. Messages are looked at when that is asked for, so that opening a session costs nothing. */
export type CallCounter = {
  /** A record that is new in the log. */
  readonly apply: (record: NewRecord) => void;
  /** Undefined while the newest checkpoint is one of an older log, which did not say it. */
  readonly known: () => CallTally | undefined;
  /** The same; where it is not known, the whole log is read, once. */
  readonly tally: (past: () => Iterable<LogRecord>) => CallTally;
};

/** `records`: the newest checkpoint, if any, and all that follows. */
export function createCallCounter(header: Pick<HeaderRecord, 'context'>, records: readonly NewRecord[]): CallCounter {
  const [first] = records;
  const isCheckpoint = first?.type === 'checkpoint';
  let start = isCheckpoint ? first.calls : noCalls;
  let before: readonly Message[] = isCheckpoint ? first.context.messages : [];
  let added: Message[] = isCheckpoint ? [] : [...header.context.messages];
  const settle = (tally: CallTally): CallTally => {
    before = [...before, ...added];
    before = before.slice(
      Math.max(
        0,
        before.findLastIndex(({ content }) => content.some(isToolUse)),
      ),
    );
    added = [];
    start = tally;
    return tally;
  };
  const apply = (record: NewRecord): void => {
    if (record.type === 'message') added.push(record.message);
  };
  for (const record of records) apply(record);
  const known = () => start && (added.length === 0 ? start : settle(tallyCalls(start, before, added)));
  return {
    apply,
    known,
    tally: (past) => known() ?? settle(tallyCalls(noCalls, [], allMessages(past()))),
  };
}
