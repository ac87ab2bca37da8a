import type { Tally } from '../../src/context/fidelity/fidelity.ts';
import type { InputUsage } from './measure/cache-cost.ts';
import type { JudgedProbe, RoundFidelity } from './measure/fidelity.ts';
import type { Grounding } from './measure/grounding.ts';
import type { RollbackEquality } from './measure/rollback-check.ts';

export type ReplayOutcome = Readonly<RunTotals> & {
  readonly fidelity: readonly RoundFidelity[];
  readonly misses: readonly JudgedProbe[];
  readonly grounding: Grounding;
  readonly rollback: RollbackEquality;
  /** Tokens of everything that was recorded, counted by the tokenizer alone. */
  readonly recordedTokens: number;
};

/** What a replay counts as it goes. */
export type RunTotals = {
  readonly requests: RequestMetrics[];
  compactions: number;
  /** Why each compaction was due: one or more of messages, tokens, tool_output, overflow. */
  readonly reasons: string[];
  /** How often messages were dropped or trimmed without a summary. */
  dropped: number;
  offloads: number;
  /** Why the context could not be made to fit, one line each time. */
  readonly stuck: string[];
  /** Names used again after more than 16,000 tokens: whether the context of that request had them. */
  references: Tally;
  /** `looks` counts the reads and commands after the first compaction; `again` judges those among them that had been made before. */
  looks: number;
  again: Tally;
};

/** One request as it would have been sent. Tokens are the tokenizer's own count, not scaled by the ratio. */
export type RequestMetrics = InputUsage & {
  readonly tokens: number;
  /** True when the request and the reserve for its reply exceed the window, or the context could not be made to fit. */
  readonly overflow: boolean;
  /** Results moved to files, and how often the past was replaced, since the previous request. */
  readonly offloaded: number;
  readonly replaced: number;
};
