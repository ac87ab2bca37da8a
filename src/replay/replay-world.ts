import type { AgentDeps } from '../agent/deps.ts';
import type { Emit } from '../agent/ports.ts';
import { Session } from '../agent/session/session.ts';
import type { CountTokens } from '../context/measure/count.ts';
import { createMeasure } from '../context/measure/measure.ts';
import type { Config } from '../domain/config/config.ts';
import { SanbotError } from '../domain/errors.ts';
import type { ToolSpec } from '../domain/session/context.ts';
import { type HeaderRecord, RECORD_VERSION } from '../domain/session/record.ts';
import { configOf } from './apply-policy.ts';
import type { Transcript } from './import/transcript.ts';
import type { OpenPlace, ReplayPlace } from './place.ts';
import type { Policy } from './policy.ts';

export type ReplayWish = {
  readonly windowTokens: number;
  readonly policy: Policy;
  /** SanBot's settings; summaries are made by rule whatever they say, since a replay asks no model. */
  readonly config: Config;
  /** SanBot's own prompt and tools, for transcripts that did not record theirs. */
  readonly system: string;
  readonly tools: readonly ToolSpec[];
  /** Tokens of a text; the same count is the provider's figure in the replay. */
  readonly count: CountTokens;
  readonly openPlace: OpenPlace;
};

export type ReplayWorld = {
  readonly session: Session;
  readonly deps: AgentDeps;
  readonly find: ReplayPlace['find'];
  /** The replay's clock goes on by ten seconds a step, so a cache is never cold and two runs are equal. */
  readonly tick: () => void;
};

const MODEL = 'replay';
const START_MS = Date.UTC(2026, 0, 1);
const STEP_MS = 10_000;
const MOST_OUTPUT_TOKENS = 32_000;

/** A session with everything the real loop works with, but for the model and the tools: their answers are recorded. */
export function createReplayWorld(transcript: Transcript, wish: ReplayWish, emit: Emit): ReplayWorld {
  let ms = START_MS;
  let ids = 0;
  const now = (): Date => new Date(ms);
  const newId = (): string => `r${++ids}`;
  const place = wish.openPlace(now);
  const measure = createMeasure(wish.count);
  const header: HeaderRecord = {
    type: 'header',
    v: RECORD_VERSION,
    sessionId: place.sessionId,
    group: 'main',
    cwd: transcript.cwd ?? '/',
    model: MODEL,
    context: { system: transcript.system ?? wish.system, shortTermSummary: '', tools: wish.tools, messages: [], anchorFloor: 0 },
  };
  const asksNobody = async (): Promise<never> => {
    throw new SanbotError('internal', 'A replay asked a model');
  };
  const deps: AgentDeps = {
    config: configOf(wish.policy, wish.config),
    model: {
      ask: asksNobody,
      facts: () => ({
        windowTokens: wish.windowTokens,
        assumed: false,
        maxOutputTokens: MOST_OUTPUT_TOKENS,
        costUsd: () => undefined,
      }),
    },
    canSummarise: false,
    toolsFor: () => [],
    mode: 'bypass',
    allowed: new Set(),
    askPermission: async () => 'no',
    confirm: async () => true,
    snapshots: place.snapshots,
    past: () => [],
    archive: place.archive,
    memories: place.memories,
    prompts: () => ({ first: '', update: '', merge: '' }),
    renderSystem: () => header.context.system,
    count: wish.count,
    measure,
    emit,
    now,
    newId,
    deadline: () => new AbortController().signal,
  };
  const session = new Session(place.open(header), place.bodies, { now, newId, measure });
  return {
    session,
    deps,
    find: place.find,
    tick: () => {
      ms += STEP_MS;
    },
  };
}
