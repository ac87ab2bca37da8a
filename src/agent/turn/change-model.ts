import { type Limits, safeguardLimits, sendableTokens } from '../../context/measure/limits.ts';
import { SEED_RATIO } from '../../context/measure/measure.ts';
import { SanbotError } from '../../domain/errors.ts';
import { compact } from '../compaction/compact.ts';
import { type AgentDeps, limitsIn, windowTooSmall } from '../deps.ts';
import { offloadUnderPressure } from '../fit/offload-results.ts';
import { pinCost } from '../memory/pins.ts';
import { findSnapshot, rollBack } from '../rollback/rollback.ts';
import type { Session } from '../session/session.ts';
import { takeSnapshot } from '../session/snapshot.ts';

/** Each pass summarises what the pass before left, for half as much from the second on. */
const MAX_PASSES = 4;

/**
 * From here on another model answers. When the conversation does not fit its window, the present model makes room first, in as many
 * passes as it takes: the new one could not even read what it would have to summarise [C24, C114]. When that does not succeed or is
 * stopped, the conversation is put back as it was and the model stays: throws context_cannot_fit with the figures, or AbortedError.
 */
export async function changeModel(name: string, session: Session, deps: AgentDeps, signal: AbortSignal): Promise<void> {
  await deps.model.fetchFacts?.(name, signal);
  if (name !== session.model) await shrinkToFit(name, session, deps, signal);
  session.switchModel(name);
  const facts = deps.model.facts(name);
  deps.report.emit({ type: 'model_changed', model: name, windowTokens: facts.windowTokens, windowAssumed: facts.assumed });
}

async function shrinkToFit(name: string, session: Session, deps: AgentDeps, signal: AbortSignal): Promise<void> {
  const limits = limitsIn(deps.model.facts(name), session, deps);
  const target = Math.min(limits.hardTokens, sendableTokens(limits));
  const fits = (): boolean => estimateTokens(session, deps) <= target;
  if (fits()) return;
  const problem = windowTooSmall(session, deps, limits) ?? pinProblem(limits, session, deps);
  if (problem !== undefined) throw cannotSwitch(name, session, problem);
  const snapshot = takeSnapshot('model', session, deps);
  try {
    offloadUnderPressure(session, deps, limits);
    for (let pass = 0; pass < MAX_PASSES && !fits(); pass++) {
      const passLimits = pass === 0 ? limits : safeguardLimits(limits);
      const outcome = await compact(
        { trigger: 'manual', reasons: ['tokens'], instructions: undefined, limits: passLimits, signal },
        session,
        deps,
      );
      if (outcome.kind === 'blocked') throw cannotSwitch(name, session, `It was not made smaller: ${outcome.why}.`);
      if (outcome.kind !== 'compacted' && pass > 0) break;
    }
    if (fits()) return;
    throw cannotSwitch(name, session, tooLarge(estimateTokens(session, deps), { target, limits }));
  } catch (error) {
    rollBack(findSnapshot(snapshot.id, deps.disk.snapshots), session, deps);
    throw error;
  }
}

/** As the other model may count, of which nothing is known yet: by the estimate alone, or what the present one reports where that is more. */
function estimateTokens(session: Session, { measure }: Pick<AgentDeps, 'measure'>): number {
  const { context } = session;
  const { ratio } = session.estimate;
  const estimate = measure.context({ ...context, anchorFloor: context.messages.length }, Math.max(ratio, SEED_RATIO)).tokens;
  return Math.max(session.estimate.count().tokens, estimate);
}

function pinProblem(limits: Limits, session: Session, deps: Pick<AgentDeps, 'config' | 'model' | 'measure'>): string | undefined {
  const { systemTokens, toolsTokens } = session.estimate.count();
  const { tokens, budgetTokens } = pinCost(session, deps, { limits, baseTokens: systemTokens + toolsTokens });
  if (tokens <= budgetTokens) return undefined;
  return `Pins take ${formatTokens(tokens)} tokens, and in its window of ${formatTokens(limits.modelWindowTokens)} they may take ${formatTokens(budgetTokens)}.`;
}

const tooLarge = (tokens: number, { target, limits }: { readonly target: number; readonly limits: Limits }): string =>
  `Its window has ${formatTokens(limits.modelWindowTokens)} tokens, of which a request may have ${formatTokens(target)}, and the conversation could not be made smaller than ${formatTokens(tokens)}.`;

const cannotSwitch = (name: string, session: Session, why: string): SanbotError =>
  new SanbotError('context_cannot_fit', `The model stays ${session.model}: the conversation does not fit into ${name}. ${why}`, {
    hint: 'Nothing was changed. /pins and /context show what takes the room; /new starts a conversation that any model can hold.',
  });

const formatTokens = (tokens: number): string => tokens.toLocaleString('en-US');
