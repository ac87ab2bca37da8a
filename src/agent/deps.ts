import type { CountTokens } from '../context/measure/count.ts';
import { type Limits, limitsFor, limitsWithBase, windowProblem } from '../context/measure/limits.ts';
import type { Measure } from '../context/measure/measure.ts';
import type { Config } from '../domain/config/config.ts';
import type { PermissionMode } from '../domain/permission.ts';
import type { CheckCompaction } from './compaction/types.ts';
import type {
  Archive,
  AskPermission,
  Clock,
  Confirm,
  Deadline,
  Emit,
  Memories,
  Model,
  ModelFacts,
  NewId,
  ReadRecords,
  RunHooks,
  Snapshots,
  Tool,
} from './ports.ts';
import type { Session } from './session/session.ts';

/** All that the agent works with, built once for a conversation. */
export type AgentDeps = {
  readonly config: Config;
  readonly model: Model;
  /** False for a model that only follows direct requests: then summaries are made by rule, and that is no failure. */
  readonly canSummarise: boolean;
  readonly toolsFor: (session: Session) => readonly Tool[];
  readonly mode: PermissionMode;
  readonly allowed: ReadonlySet<string>;
  readonly askPermission: AskPermission;
  readonly confirm: Confirm;
  readonly snapshots: Snapshots;
  readonly past: ReadRecords;
  readonly archive: Archive;
  readonly memories: Memories;
  readonly prompts: () => SummaryPrompts;
  /** The frozen part of the system prompt as it would be rendered now. */
  readonly renderSystem: () => string;
  readonly count: CountTokens;
  readonly measure: Measure;
  readonly emit: Emit;
  readonly now: Clock;
  readonly newId: NewId;
  readonly deadline: Deadline;
  /** Undefined where nobody has any, as in a replay. */
  readonly runHooks?: RunHooks;
  /** Left out where compactions are judged by other means. */
  readonly checkCompaction?: CheckCompaction;
};

export type SummaryPrompts = { readonly first: string; readonly update: string; readonly merge: string };

/** The model's facts for this session; a window that an overflow answer stated wins over every table. */
export function modelFacts(session: Session, deps: Pick<AgentDeps, 'model'>): ModelFacts {
  const facts = deps.model.facts(session.model);
  const statedWindow = session.estimate.statedWindow;
  return statedWindow === undefined || statedWindow >= facts.windowTokens
    ? facts
    : { ...facts, windowTokens: statedWindow, assumed: false };
}

/**
 * The limits of a session with its model, beside its own system prompt and tools. A price step of the model counts as an edge
 * like the soft window, unless the user wants the model's whole window.
 */
export const limitsOf = (session: Session, deps: Pick<AgentDeps, 'model' | 'config'>): Limits =>
  limitsIn(modelFacts(session, deps), session, deps);

/** The same with a model of these facts. */
export function limitsIn({ windowTokens, priceStepTokens }: ModelFacts, session: Session, deps: Pick<AgentDeps, 'config'>): Limits {
  const { compaction, offload } = deps.config;
  const priceStepFirst = priceStepTokens !== undefined && compaction.softWindow > 0 && priceStepTokens < compaction.softWindow;
  const limits = limitsFor(
    { offload, compaction: priceStepFirst ? { ...compaction, softWindow: priceStepTokens } : compaction },
    windowTokens,
  );
  const { systemTokens, toolsTokens } = session.estimate.count();
  return limitsWithBase(limits, systemTokens + toolsTokens);
}

/** Why no conversation of this session fits into these limits, its largest tools by name; undefined when one does. */
export function windowTooSmall(session: Session, { measure }: Pick<AgentDeps, 'measure'>, limits: Limits): string | undefined {
  const { tools } = session.context;
  const largest = () =>
    tools
      .map((spec) => ({ name: spec.name, tokens: measure.text(JSON.stringify(spec), session.estimate.ratio) }))
      .sort((a, b) => b.tokens - a.tokens);
  return windowProblem(session.estimate.count(), limits, largest);
}
