import fc from 'fast-check';

/** What happens in a conversation, in any order. */
export type Act =
  | Turn
  | { readonly type: 'pause' | 'compact' | 'clear' | 'reopen' | 'notice' | 'model' }
  | { readonly type: 'rollback' | 'rewind' | 'pin' | 'unpin'; readonly pick: number };

export type Turn = {
  readonly type: 'turn';
  readonly chars: number;
  readonly thinks: boolean;
  /** The lengths of the results of each step's calls. */
  readonly results: readonly (readonly number[])[];
  /** What goes wrong, at one step. */
  readonly fault: { readonly kind: 'overflow' | 'stale_thinking' | 'fails' | 'aborted' | 'cut_call'; readonly step: number } | undefined;
};

const turn: fc.Arbitrary<Turn> = fc.record({
  type: fc.constant('turn' as const),
  chars: fc.oneof(
    { weight: 8, arbitrary: fc.integer({ min: 1, max: 1_500 }) },
    { weight: 1, arbitrary: fc.integer({ min: 8_000, max: 40_000 }) },
  ),
  thinks: fc.boolean(),
  results: fc.oneof(
    { weight: 3, arbitrary: fc.array(fc.array(fc.integer({ min: 0, max: 6_000 }), { minLength: 1, maxLength: 4 }), { maxLength: 6 }) },
    // Many small ones: too much together, and nothing in them that could be trimmed or is worth a file.
    {
      weight: 1,
      arbitrary: fc.array(fc.array(fc.integer({ min: 0, max: 700 }), { minLength: 2, maxLength: 4 }), { minLength: 8, maxLength: 14 }),
    },
  ),
  fault: fc.option(
    fc.record({
      kind: fc.constantFrom(
        'overflow' as const,
        'overflow' as const,
        'stale_thinking' as const,
        'fails' as const,
        'aborted' as const,
        'cut_call' as const,
      ),
      step: fc.nat(3),
    }),
    { nil: undefined, freq: 4 },
  ),
});

const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 14, arbitrary: turn },
  { weight: 6, arbitrary: fc.record({ type: fc.constantFrom('pause' as const, 'pause' as const, 'reopen' as const, 'notice' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constantFrom('compact' as const, 'compact' as const, 'clear' as const, 'model' as const) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constantFrom(
        'rollback' as const,
        'rollback' as const,
        'rollback' as const,
        'rollback' as const,
        'rewind' as const,
        'pin' as const,
        'pin' as const,
        'unpin' as const,
      ),
      pick: fc.nat(9),
    }),
  },
);

export const anyActs: fc.Arbitrary<readonly Act[]> = fc.array(act, { minLength: 3, maxLength: 22 });

/** Who makes the summaries: `nobody` fails and may not be replaced by rules, so that only the last rungs are left; `in_turns` now and then. */
type Summaries = 'rules' | 'model' | 'in_turns' | 'nobody';

export type Wish = {
  readonly window: number;
  readonly offload: boolean;
  /** False: only an overflow answer makes the context smaller. */
  readonly compaction: boolean;
  readonly background: boolean;
  readonly summaries: Summaries;
  /** The session begins with a summary that an API made and signed. */
  readonly signed: boolean;
  readonly keepLastAssistants: number;
  readonly pruneAboveChars: number;
  readonly keepRecentMessages: number;
  /** Above it results leave when that pays. */
  readonly maxToolOutputBytes: number;
};

export const anyWish: fc.Arbitrary<Wish> = fc.record({
  window: fc.constantFrom(12_000, 24_000),
  offload: fc.boolean(),
  compaction: fc.constantFrom(true, true, true, true, false),
  background: fc.boolean(),
  summaries: fc.constantFrom<Summaries>('rules', 'model', 'in_turns', 'nobody', 'nobody'),
  signed: fc.constantFrom(false, false, true),
  keepLastAssistants: fc.nat(4),
  pruneAboveChars: fc.constantFrom(600, 4_000),
  keepRecentMessages: fc.constantFrom(4, 20),
  maxToolOutputBytes: fc.constantFrom(6_000, 51_200),
});

const says = (chars: number, ...results: Turn['results']): Turn => ({ type: 'turn', chars, thinks: true, results, fault: undefined });
const times = (n: number, one: Act): readonly Act[] => Array.from({ length: n }, () => one);
const usual: Wish = {
  window: 24_000,
  offload: true,
  compaction: true,
  background: false,
  summaries: 'rules',
  signed: false,
  keepLastAssistants: 3,
  pruneAboveChars: 4_000,
  keepRecentMessages: 4,
  maxToolOutputBytes: 51_200,
};

/**
 * What chance brings too rarely: results that leave because that pays, a summary made beside the turn, a way back to before it was made; and
 * in few tries: a summary by rule, a rollback, a cleared context, a window that slides, a pruning.
 */
export const rareConversations: [readonly Act[], Wish][] = [
  [
    [says(100, [5_000, 5_000], [5_000]), ...times(3, says(100)), { type: 'pause' }, ...times(2, says(100))],
    { ...usual, maxToolOutputBytes: 6_000 },
  ],
  [
    [...times(14, says(1_400, [2_000, 2_000])), { type: 'rewind', pick: 2 }, says(100)],
    { ...usual, offload: false, background: true, summaries: 'model' },
  ],
  [
    [...times(10, says(1_000)), { type: 'compact' }, says(100), { type: 'rollback', pick: 0 }, says(100), { type: 'clear' }, says(100)],
    { ...usual, window: 12_000 },
  ],
  [times(24, says(900, [600, 600], [600])), { ...usual, window: 12_000, offload: false, summaries: 'nobody' }],
  [
    [says(100, [5_800], [5_700, 300, 3_000], [4_900, 1_300, 2_100, 4_500]), { type: 'pause' }, says(100, [1_500])],
    { ...usual, window: 12_000, offload: false, keepLastAssistants: 1, pruneAboveChars: 600 },
  ],
];
