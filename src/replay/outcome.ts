import type { InputUsage } from './measure/cache-cost.ts';
import type { JudgedProbe, RoundFidelity } from './measure/fidelity.ts';
import type { Grounding } from './measure/grounding.ts';
import type { RollbackEquality } from './measure/rollback-check.ts';
import type { Tally } from './measure/tally.ts';

export type ReplayOutcome = {
  readonly requests: readonly RequestMetrics[];
  readonly compactions: number;
  /** Why each compaction was due: one or more of messages, tokens, tool_output, overflow. */
  readonly reasons: readonly string[];
  /** How often messages were dropped or trimmed without a summary. */
  readonly dropped: number;
  readonly offloads: number;
  /** Why the ladder gave up, one line each time. */
  readonly stuck: readonly string[];
  readonly fidelity: readonly RoundFidelity[];
  readonly misses: readonly JudgedProbe[];
  readonly grounding: Grounding;
  readonly rollback: RollbackEquality;
  /** Names used again after more than 16,000 tokens: whether the context of that request had them. */
  readonly references: Tally;
  /** Reads and commands after the first compaction, and those among them that had been made before. */
  readonly looks: number;
  readonly again: Tally;
  /** Of all that was recorded, by the tokenizer alone. */
  readonly recordedTokens: number;
};

/** One request as it would have been sent. Tokens are the tokenizer's own count, without any ratio. */
export type RequestMetrics = InputUsage & {
  readonly tokens: number;
  /** The request with the reserve for its reply is above the window, or the ladder gave up. */
  readonly overflow: boolean;
  /** Results that went to files, and times that the past was replaced, since the request before. */
  readonly offloaded: number;
  readonly replaced: number;
};
