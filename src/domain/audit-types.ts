import type { SanbotEvent } from './event.ts';

/** What never stands in the audit log: what was said, and steps that only the screen shows. */
type Unrecorded = 'text' | 'thinking' | 'compaction_step';

/** A type that is missing here, or is none any more, does not compile. */
const recorded: Readonly<Record<Exclude<SanbotEvent['type'], Unrecorded>, true>> = {
  session_started: true,
  instructions_read: true,
  turn_started: true,
  request: true,
  retrying: true,
  reply: true,
  tool_started: true,
  tool_ended: true,
  offloaded: true,
  pruned: true,
  context_high: true,
  compaction_started: true,
  compaction_checked: true,
  nothing_to_compact: true,
  compaction_failed: true,
  compaction_cancelled: true,
  compaction_discarded: true,
  summary_prepared: true,
  summary_dropped: true,
  snapshot_written: true,
  memory_extracted: true,
  trimmed: true,
  window_slid: true,
  overflow: true,
  rolled_back: true,
  rewound: true,
  memory_superseded: true,
  rollback_failed: true,
  cleared: true,
  model_changed: true,
  hook_ran: true,
  warning: true,
  turn_ended: true,
  session_ended: true,
  compacted: true,
};

/** The types that a line of the audit log can have. */
export const auditTypes: readonly string[] = Object.keys(recorded);
