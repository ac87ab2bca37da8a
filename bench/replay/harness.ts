import type { AgentDeps } from '../../src/agent/deps.ts';
import type { Emit } from '../../src/agent/ports/effects.ts';
import { Session } from '../../src/agent/session/session.ts';
import type { CountTokens } from '../../src/context/measure/count.ts';
import { createMeasure } from '../../src/context/measure/measure.ts';
import type { Config } from '../../src/domain/config/config.ts';
import type { ToolSpec } from '../../src/domain/session/context.ts';
import { type HeaderRecord, RECORD_VERSION } from '../../src/domain/session/record.ts';
import type { Transcript } from '../../src/domain/session/transcript.ts';
import { usageCost } from '../../src/model/catalog.ts';
import { configOf, type Policy } from './policy.ts';
import type { OpenReplayStore } from './replay-home.ts';

export type ReplayRunOptions = {
  readonly windowTokens: number;
  readonly policy: Policy;
  /**
   * SanBot's settings. Summaries are made by rule whatever they say, since a replay asks no model; with `model.price`, what is done about
   * a full context goes by that price, as it would with a model.
   */
  readonly config: Config;
  /** SanBot's own prompt and tools, for transcripts that did not record any. */
  readonly system: string;
  readonly tools: readonly ToolSpec[];
  /** Counts the tokens of a text; the same count is the provider's figure in the replay. */
  readonly count: CountTokens;
  readonly openStore: OpenReplayStore;
  /**
   * When the last step is to have been, for a home that is kept: what is dated far back is removed as outdated. Without it all replays begin
   * at the same moment, so that two of them are equal.
   */
  readonly endMs?: number | undefined;
};

export type ReplayHarness = Readonly<ReturnType<typeof createReplayHarness>>;

const MODEL = 'replay';
const START_MS = Date.UTC(2026, 0, 1);
const STEP_MS = 10_000;
const MAX_OUTPUT_TOKENS = 32_000;

/** Creates a session with everything that the real loop works with, except the model and the tools: their answers are recorded. */
export function createReplayHarness(transcript: Transcript, options: ReplayRunOptions, emit: Emit) {
  let timeMs = options.endMs === undefined ? START_MS : options.endMs - transcript.steps.length * STEP_MS;
  let ids = 0;
  const { price } = options.config.model;
  const now = (): Date => new Date(timeMs);
  const newId = (): string => `r${++ids}`;
  const store = options.openStore(now);
  const measure = createMeasure(options.count);
  const header: HeaderRecord = {
    type: 'header',
    v: RECORD_VERSION,
    sessionId: store.sessionId,
    group: 'main',
    cwd: transcript.cwd ?? '/',
    model: MODEL,
    context: { system: transcript.system ?? options.system, shortTermSummary: '', tools: options.tools, messages: [], anchorFloor: 0 },
  };
  const refuseModelCall = async (): Promise<never> => {
    throw new Error('A replay asked a model');
  };
  const deps: AgentDeps = {
    config: configOf(options.policy, options.config),
    model: {
      ask: refuseModelCall,
      facts: () => ({
        windowTokens: options.windowTokens,
        assumed: false,
        maxOutputTokens: MAX_OUTPUT_TOKENS,
        costUsd: (usage) => (price === null ? undefined : usageCost(usage, price)),
      }),
      canSummarise: false,
      rulesStandForModel: price !== null,
    },
    clock: { now, newId, deadline: () => new AbortController().signal },
    report: { emit },
    person: {
      mode: 'bypass',
      repeatsMode: false,
      allowed: new Set(),
      permissions: { current: () => options.config.permissions, keep: () => undefined },
      trustsFolder: true,
      askPermission: async () => 'no',
      confirm: async () => true,
    },
    disk: { snapshots: store.snapshots, past: () => [], archive: store.archive, memories: store.memories },
    prompts: { summary: () => ({ first: '', update: '', merge: '', prefix: '', memories: '' }), base: () => header.context },
    measure,
  };
  const session = new Session(store.open(header), store.bodies, { now, newId, measure });
  return {
    session,
    deps,
    find: store.find,
    /** Advances the replay's clock by ten seconds per step, so that a cache is never cold and two runs are equal. */
    tick: (): void => {
      timeMs += STEP_MS;
    },
  };
}
