import { exceedsWindow, judgePressure, type Limits, sendableTokens, worthwhileTokens } from '../../context/measure/limits.ts';
import type { ContextCount } from '../../context/measure/measure.ts';
import { SanbotError } from '../../domain/errors.ts';
import type { PressureReason } from '../../domain/event.ts';
import { startAhead, tellAhead } from '../compaction/ahead.ts';
import { compact } from '../compaction/compact.ts';
import { chooseParting, ledgerOf } from '../compaction/parting.ts';
import { asksServer } from '../compaction/summarise-by-server.ts';
import { type AgentDeps, limitsOf, tooSmall } from '../deps.ts';
import type { Session } from '../session/session.ts';
import { slideOrTrim } from './last-resort.ts';
import { offloadUnderPressure, offloadWhenItPays } from './offload-results.ts';
import { isCacheCold, pruneWhenCold } from './prune-results.ts';

/** After this many compactions in a turn that were full again at once, going on would only burn money [C2, C6]. */
const MAX_REFILLS = 3;
/** Full again within this many steps counts as a refill. */
const REFILL_STEPS = 2;
/** After this many failures in a turn, the summary is not tried again until the next one [C7, C8]. */
const MAX_FAILURES = 3;
const SMALL_WINDOW_HINT = 'Use a model with a larger window (--model), or say how large it really is (SANBOT_CONTEXT_WINDOW).';

export type Fit = { readonly makeFit: (session: Session, deps: AgentDeps, signal: AbortSignal) => Promise<void> };

/** The context ladder of one turn. Its counters bound the climb; a new turn starts with new ones. */
export function createFit(): Fit {
  const climb: Climb = { steps: 0, refills: 0, failures: 0, compactedAtStep: undefined, softTold: false, declined: false };
  return {
    makeFit: async (session, deps, signal) => {
      climb.steps += 1;
      await makeFit(session, deps, { climb, signal });
    },
  };
}

type Climb = {
  steps: number;
  refills: number;
  failures: number;
  compactedAtStep: number | undefined;
  softTold: boolean;
  declined: boolean;
};

type Ladder = { readonly climb: Climb; readonly signal: AbortSignal };

/** Makes the context sendable, or rejects with context_cannot_fit and the figures. Each rung shrinks the context or is skipped. */
async function makeFit(session: Session, deps: AgentDeps, ladder: Ladder): Promise<void> {
  tellAhead(session);
  const limits = limitsOf(session, deps);
  const count = session.count();
  const impossible = tooSmall(session, deps, limits);
  if (impossible !== undefined) throw new SanbotError('context_cannot_fit', impossible, { hint: SMALL_WINDOW_HINT });
  const pressure = judgePressure(count, limits);
  if (pressure.level !== 'hard') {
    if (pressure.level === 'soft') tellSoft(pressure.reasons, count, { limits, deps, climb: ladder.climb });
    offloadWhenItPays(session, deps, { limits, steps: ladder.climb.steps, cacheCold: isCacheCold(session, deps) });
    pruneWhenCold(session, deps, limits);
    if (judgePressure(session.count(), limits).level === 'soft') summariseAhead(session, deps, limits);
    return;
  }
  // Files make room for tokens; too many messages they leave as many.
  const freed = pressure.reasons.includes('tokens') ? offloadUnderPressure(session, deps, limits) : 0;
  if (deps.config.compaction.enabled && wantsCompaction(session, { limits, freed }))
    await climbOn(session, deps, { ...ladder, limits, reasons: pressure.reasons });
  pruneWhenCold(session, deps, limits);
  if (exceedsWindow(session.count(), limits) && deps.config.compaction.enabled)
    slideOrTrim(session, deps, { limits, targetTokens: sendableTokens(limits) });
}

/** Still over, and offloading did little, or the window itself or the number of messages demands it; or offloading was not worth its reset. */
function wantsCompaction(session: Session, { limits, freed }: { readonly limits: Limits; readonly freed: number }): boolean {
  const count = session.count();
  const { level, reasons } = judgePressure(count, limits);
  const small = session.context.messages.length < limits.minMessages;
  if (level !== 'hard') return freed > 0 && !small && count.tokens > worthwhileTokens(limits);
  if (small) return exceedsWindow(count, limits);
  return freed < limits.triggerTokens || exceedsWindow(count, limits) || reasons.includes('messages');
}

type ClimbOn = Ladder & { readonly limits: Limits; readonly reasons: readonly PressureReason[] };

async function climbOn(session: Session, deps: AgentDeps, { climb, signal, limits, reasons }: ClimbOn): Promise<void> {
  if (climb.failures >= MAX_FAILURES && !exceedsWindow(session.count(), limits)) return;
  if (!(await agreed(session, deps, { climb, signal, limits }))) return;
  noteRefill(session, climb, limits);
  const outcome = await compact({ trigger: 'auto', reasons, instructions: undefined, limits, signal }, session, deps);
  if (outcome.kind === 'compacted') {
    climb.compactedAtStep = climb.steps;
    climb.failures = 0;
  }
  if (outcome.kind === 'failed') climb.failures += 1;
  // Asked again at every step, a hook would say the same; the next turn asks it again.
  if (outcome.kind === 'blocked') climb.failures = MAX_FAILURES;
}

/** `askFirst`: the person may put an automatic compaction off for this turn, as long as the request can still be sent. */
async function agreed(
  session: Session,
  deps: AgentDeps,
  { climb, signal, limits }: Ladder & { readonly limits: Limits },
): Promise<boolean> {
  if (!deps.config.compaction.askFirst) return true;
  const { tokens } = session.count();
  if (!climb.declined)
    climb.declined = !(await deps.confirm(`The context is nearly full (${tokens} of ${limits.windowTokens} tokens). Compact now?`, signal));
  if (!climb.declined) return true;
  if (!exceedsWindow(session.count(), limits)) return false;
  throw new SanbotError(
    'context_cannot_fit',
    `The next request would not fit (${tokens} of ${limits.modelWindowTokens} tokens), and you chose not to compact`,
    {
      hint: 'Say /compact, or /rollback to an earlier snapshot.',
    },
  );
}

/** `compaction.background`: what the hard limit would make leave is summarised beside the turn, before it comes to that. */
function summariseAhead(session: Session, deps: AgentDeps, limits: Limits): void {
  const { background, enabled } = deps.config.compaction;
  if (!background || !enabled || session.ahead !== undefined || session.context.messages.length < limits.minMessages) return;
  // A summary made ahead is ours, and would take the place of the API's.
  if (asksServer(session, deps)) return;
  const parting = chooseParting({ trigger: 'auto', limits }, session, deps);
  if (parting !== undefined) startAhead({ ...parting, ledger: ledgerOf(parting, session), limits }, session, deps);
}

function noteRefill(session: Session, climb: Climb, limits: Limits): void {
  if (climb.compactedAtStep === undefined || climb.steps - climb.compactedAtStep > REFILL_STEPS) return;
  climb.refills += 1;
  if (climb.refills <= MAX_REFILLS) return;
  const { tokens, systemTokens, toolsTokens } = session.count();
  throw new SanbotError(
    'context_cannot_fit',
    `The context was full again right after ${MAX_REFILLS} compactions in this turn (${tokens} tokens now, ${limits.hardTokens} allowed; system prompt ${systemTokens}, tools ${toolsTokens}), so the turn was stopped`,
    { hint: 'Ask for less at a time (smaller files, narrower searches), or use a model with a larger window.' },
  );
}

function tellSoft(
  reasons: readonly PressureReason[],
  count: ContextCount,
  { limits, deps, climb }: { readonly limits: Limits; readonly deps: AgentDeps; readonly climb: Climb },
): void {
  if (climb.softTold) return;
  climb.softTold = true;
  deps.emit({ type: 'context_high', reasons, tokens: count.tokens, softTokens: limits.softTokens, hardTokens: limits.hardTokens });
}
