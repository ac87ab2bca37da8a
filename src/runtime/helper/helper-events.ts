import { warn } from '../../agent/deps.ts';
import type { Emit } from '../../agent/ports/effects.ts';
import type { Session } from '../../agent/session/session.ts';
import type { SanbotEvent, StopReason } from '../../domain/event.ts';
import { type Usage, usageTotal } from '../../domain/session/message.ts';
import type { Miss } from '../../domain/session/model-answer.ts';
import type { BranchEntry, BranchRecord, LogRecord, NewRecord } from '../../domain/session/record.ts';
import { READING_TOOLS } from './helper-deps.ts';
import { helperTexts } from './helper-text.ts';

/** Books what a helper costs with its session, and tells there under its name what it does; what it says is nobody's but its own. */
export function createHelperEvents(id: string, session: Session, emit: Emit) {
  const titles = new Map<string, string>();
  let stopReason: StopReason = 'failed';
  const book = (purpose: 'turn' | 'compaction', { usage, costUsd, prefix }: Cost): void => {
    if (usage === undefined || usageTotal(usage) === 0) return;
    session.usage.record(purpose, usage, costUsd);
    session.usage.recordMiss(prefix);
    emit({ type: 'helper_step', helper: id, usage, costUsd, ...(prefix && { prefix }) });
  };
  return {
    /** How its newest turn ended. */
    stopReason: () => stopReason,
    emit: (event: SanbotEvent) => {
      switch (event.type) {
        case 'reply':
          return book('turn', event);
        case 'compacted':
        case 'compaction_failed':
        case 'compaction_cancelled':
        case 'compaction_discarded':
        case 'summary_prepared':
        case 'summary_dropped':
          return book('compaction', event);
        case 'request':
          return emit({ type: 'tool_progress', tool: id, text: event.purpose === 'turn' ? 'thinking' : 'summarising' });
        case 'tool_started':
          titles.set(event.toolUseId, event.title);
          return emit({ type: 'tool_progress', tool: id, text: event.title });
        case 'tool_progress':
          return emit({ type: 'tool_progress', tool: `${id}: ${event.tool}`, text: event.text });
        case 'tool_ended':
          return emit(calledEvent(id, event, titles.get(event.toolUseId)));
        case 'warning':
          return warn(emit, helperTexts.warning(id, event.message));
        case 'retrying':
        case 'hook_ran':
        case 'sandbox':
          return emit(event);
        case 'turn_ended':
          stopReason = event.stopReason;
      }
    },
  };
}

type Cost = { readonly usage?: Usage | undefined; readonly costUsd?: number | undefined; readonly prefix?: Miss | undefined };

function calledEvent(helper: string, event: Extract<SanbotEvent, { type: 'tool_ended' }>, title: string | undefined): SanbotEvent {
  const { toolUseId: _id, type: _type, ...call } = event;
  return { type: 'helper_called', helper, ...call, title: title ?? event.tool, reads: READING_TOOLS.has(event.tool) };
}

/** What a helper has done and cost until now. */
export type Spent = Pick<BranchRecord, 'steps' | 'costUsd'>;

/** The record of a helper in the log of its session. `costUsd`: what it has cost; `before`: what was spent before it went on. */
export function createBranch(
  session: Session,
  branch: string,
  { before, costUsd }: { readonly before: Spent; readonly costUsd: () => number | undefined },
) {
  let { steps } = before;
  const cost = (): number | null => {
    const now = costUsd();
    return now === undefined || before.costUsd === null ? null : before.costUsd + now;
  };
  /** Throws store_failed; then it is as if it had never been asked for. */
  const append = (entry: BranchEntry): void => {
    const after = entry.type === 'message' && entry.message.origin === 'model' ? steps + 1 : steps;
    session.appendOrDiscard({ type: 'branch', branch, steps: after, costUsd: cost(), entry });
    steps = after;
  };
  return {
    append,
    spent: (): Spent => ({ steps, costUsd: cost() }),
    /** The log of the helper's own session: every record becomes one of its branch. */
    log: {
      sessionId: session.id,
      append: (record: NewRecord): LogRecord => {
        append(entryOf(record));
        return { ...record, n: 0, at: '' };
      },
      // The session's own checkpoints are what is read back, and it repeats them.
      bytesSinceCheckpoint: () => 0,
      close: () => undefined,
    },
  };
}

function entryOf(record: NewRecord): BranchEntry {
  switch (record.type) {
    case 'message':
    case 'offload':
    case 'model':
      return record;
    case 'checkpoint': {
      const { snapshotId: _none, restored: _never, helpers: _noOwn, ...entry } = record;
      return entry;
    }
    default:
      throw new Error(`A helper has no ${record.type} record`);
  }
}

/** The records of a helper that has ended, as those of a session; undefined when the log does not hold its beginning. */
export function readBranch(records: Iterable<LogRecord>, branch: string) {
  let start: Extract<BranchEntry, { type: 'start' }> | undefined;
  let entries: LogRecord[] = [];
  for (const { n, at, ...record } of records) {
    if (record.type !== 'branch' || record.branch !== branch) continue;
    const { entry } = record;
    if (entry.type === 'start') [start, entries] = [entry, []];
    else if (entry.type !== 'end') entries.push({ ...entry, n, at });
  }
  return start === undefined ? undefined : { start, records: entries };
}
