import type { HookEvent } from './hook.ts';
import type { Usage } from './session/message.ts';

/** Why a context counts as too full; one or more of these. */
export type PressureReason = 'messages' | 'tokens' | 'tool_output' | 'overflow';
export type CompactionTrigger = 'auto' | 'manual' | 'overflow';
/** `edited`: what was prepared, after the user had changed it. */
export type SummaryMethod = 'model' | 'edited' | 'rules' | 'rules_degraded' | 'hook' | 'server';
export type StopReason = 'end_turn' | 'max_tokens' | 'refusal' | 'interrupted' | 'max_steps' | 'failed';

/**
 * All that happens, in one stream. The screen, the JSON output and the audit log are folds over it. No event holds what was
 * said, read or printed, apart from `text`, `thinking` and `reply`, which the audit log leaves out.
 * Tokens are counts of our one counter, bytes are UTF-8, times are milliseconds.
 */
export type SanbotEvent =
  | {
      readonly type: 'session_started';
      readonly resumed: boolean;
      readonly model: string;
      readonly windowTokens: number;
      readonly windowAssumed: boolean;
    }
  | {
      readonly type: 'instructions_read';
      readonly files: readonly { readonly path: string; readonly chars: number; readonly cut: boolean }[];
    }
  | { readonly type: 'turn_started' }
  | { readonly type: 'request'; readonly purpose: 'turn' | 'summary'; readonly tokens: number; readonly windowTokens: number }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly text: string }
  | { readonly type: 'retrying'; readonly why: string; readonly attempt: number; readonly waitMs: number }
  | {
      readonly type: 'reply';
      readonly text: string;
      readonly stopReason: string;
      readonly usage: Usage | undefined;
      readonly costUsd: number | undefined;
    }
  | { readonly type: 'tool_started'; readonly toolUseId: string; readonly tool: string; readonly title: string }
  | {
      readonly type: 'tool_ended';
      readonly toolUseId: string;
      readonly tool: string;
      readonly ok: boolean;
      readonly denied: boolean;
      readonly bytes: number;
      readonly ms: number;
      readonly note: string;
    }
  | {
      readonly type: 'offloaded';
      readonly when: 'arrival' | 'pressure' | 'voluntary';
      readonly results: readonly { readonly toolUseId: string; readonly tool: string; readonly path: string; readonly bytes: number }[];
      readonly tokensBefore: number;
      readonly tokensAfter: number;
    }
  | {
      /** Old results left out of what is sent, and of nothing else, because the provider's cache was cold. */
      readonly type: 'pruned';
      readonly trimmed: number;
      readonly cleared: number;
      readonly tokensBefore: number;
      readonly tokensAfter: number;
    }
  | {
      readonly type: 'context_high';
      readonly reasons: readonly PressureReason[];
      readonly tokens: number;
      readonly softTokens: number;
      readonly hardTokens: number;
    }
  | {
      readonly type: 'compaction_started';
      readonly trigger: CompactionTrigger;
      readonly reasons: readonly PressureReason[];
      readonly tokens: number;
      readonly messages: number;
    }
  | {
      readonly type: 'compaction_step';
      readonly step: 'snapshot' | 'archive' | 'memory' | 'summary' | 'commit';
      readonly part: number;
      readonly parts: number;
    }
  | CompactedEvent
  /** Facts that this compaction took out of the context: still in it, found by one look-up, or neither. */
  | {
      readonly type: 'compaction_checked';
      readonly snapshotId: string;
      readonly inContext: number;
      readonly oneLookUp: number;
      readonly lost: number;
    }
  | { readonly type: 'nothing_to_compact'; readonly messages: number; readonly tokens: number }
  | ({ readonly type: 'compaction_failed'; readonly trigger: CompactionTrigger; readonly why: string } & Partial<SummaryCost>)
  | ({ readonly type: 'compaction_cancelled'; readonly trigger: CompactionTrigger } & Partial<SummaryCost>)
  /** It was shown and not wanted; with a reason when it was not the user who said no. */
  | ({ readonly type: 'compaction_discarded'; readonly trigger: CompactionTrigger; readonly why?: string } & SummaryCost)
  /** A summary was made beside the turn, and waits for the hard limit. */
  | ({ readonly type: 'summary_prepared'; readonly messages: number; readonly ms: number } & SummaryCost)
  /** A summary beside the turn will not be used, or could not be made. */
  | ({ readonly type: 'summary_dropped'; readonly why: string } & SummaryCost)
  | {
      readonly type: 'snapshot_written';
      readonly snapshotId: string;
      readonly reason: string;
      readonly messages: number;
      readonly tokens: number;
      readonly bytes: number;
    }
  | {
      readonly type: 'memory_extracted';
      readonly decisions: number;
      readonly facts: number;
      readonly preferences: number;
      readonly runtime: number;
    }
  | {
      readonly type: 'trimmed';
      readonly messages: number;
      readonly tokensBefore: number;
      readonly tokensAfter: number;
      readonly snapshotId: string;
    }
  | {
      readonly type: 'window_slid';
      readonly dropped: number;
      readonly tokensBefore: number;
      readonly tokensAfter: number;
      readonly snapshotId: string;
    }
  | {
      readonly type: 'overflow';
      readonly attempt: number;
      readonly limitTokens: number | undefined;
      readonly sentTokens: number | undefined;
    }
  | {
      readonly type: 'rolled_back';
      readonly snapshotId: string;
      readonly undoId: string;
      readonly messages: number;
      readonly tokensBefore: number;
      readonly tokensAfter: number;
    }
  | {
      readonly type: 'rewound';
      /** The user's message before which the conversation stands again. */
      readonly messageId: string;
      readonly undoId: string;
      readonly messages: number;
      readonly tokensBefore: number;
      readonly tokensAfter: number;
    }
  /** What was learned since an earlier state that is current again, and what was known again by that. */
  | { readonly type: 'memory_superseded'; readonly superseded: number; readonly restored: number }
  | { readonly type: 'rollback_failed'; readonly snapshotId: string; readonly why: string }
  | { readonly type: 'cleared'; readonly snapshotId: string; readonly messages: number }
  | { readonly type: 'model_changed'; readonly model: string; readonly windowTokens: number; readonly windowAssumed: boolean }
  | {
      readonly type: 'hook_ran';
      readonly hook: HookEvent;
      readonly command: string;
      readonly ok: boolean;
      /** Why it failed; empty when it did not. */
      readonly note: string;
      readonly ms: number;
    }
  | { readonly type: 'warning'; readonly message: string }
  | {
      readonly type: 'turn_ended';
      readonly stopReason: StopReason;
      readonly steps: number;
      readonly usage: Usage;
      readonly costUsd: number | undefined;
      readonly ms: number;
    }
  | { readonly type: 'session_ended'; readonly messages: number };

/** What the requests for a summary used and cost, whatever became of it; `costUsd` undefined when no price is known. */
export type SummaryCost = { readonly usage: Usage; readonly costUsd: number | undefined };

export type CompactedEvent = SummaryCost & {
  readonly type: 'compacted';
  readonly trigger: CompactionTrigger;
  readonly method: SummaryMethod;
  readonly snapshotId: string;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly messagesBefore: number;
  readonly messagesKept: number;
  readonly bodiesRetired: number;
  readonly memoriesAdded: number;
  readonly ms: number;
};

/** One line of context/events.jsonl. */
export type AuditRecord = { readonly v: 1; readonly at: string; readonly sessionId: string } & Record<string, unknown>;

/** What never stands in the audit log: what was said, and steps that only the screen shows. */
type UnauditedType = 'text' | 'thinking' | 'compaction_step';
/** A type that is missing here, or is none any more, does not compile. */
const auditable: Readonly<Record<Exclude<SanbotEvent['type'], UnauditedType>, true>> = {
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
export const auditTypes: readonly string[] = Object.keys(auditable);
