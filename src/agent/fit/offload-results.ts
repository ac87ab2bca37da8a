import { applyRecord } from '../../context/history/apply-record.ts';
import { chooseCut } from '../../context/history/cut.ts';
import { type Limits, withSmallStubs, worthwhileTokens } from '../../context/measure/limits.ts';
import type { Measure } from '../../context/measure/measure.ts';
import { fromCheapestStart, type OffloadCandidate, planOffload, voluntaryOffloadPays } from '../../context/offload/offload.ts';
import { stubText } from '../../context/offload/stub.ts';
import type { StubRef } from '../../domain/session/message.ts';
import type { OffloadRecord } from '../../domain/session/record.ts';
import type { AgentDeps } from '../deps.ts';
import type { Session } from '../session/session.ts';

type OffloadDeps = Pick<AgentDeps, 'config' | 'measure' | 'report'>;

type Batch = { readonly when: 'pressure' | 'voluntary'; readonly limits: Limits; readonly candidates: readonly OffloadCandidate[] };

/**
 * Offloads what the plan names, in one batch: every body is on disk before the one record that puts the stubs in its place.
 * What the model has just asked for and not yet seen stays, unless the context would be over the hard limit with it; so do the oldest
 * results where the batch is cheaper without them and does as well.
 * Returns how many tokens the context lost; 0 when nothing could be offloaded.
 */
export function offloadUnderPressure(session: Session, deps: OffloadDeps, baseLimits: Limits): number {
  if (!deps.config.offload.enabled) return 0;
  const limits = withSmallStubs(baseLimits);
  const candidates = candidatesFor(session, deps, { limits, targetTokens: limits.lowWaterTokens });
  const unseenFrom = session.context.messages.findLastIndex((message) => message.origin === 'model');
  const seenCandidates = candidates.filter(({ messageIndex }) => messageIndex < unseenFrom);
  const { tokens } = session.estimate.count();
  const selection = tokens - tokensSaved(seenCandidates) <= limits.hardTokens ? seenCandidates : candidates;
  const target = [limits.lowWaterTokens, worthwhileTokens(limits)].find((threshold) => tokens - tokensSaved(selection) <= threshold);
  const sizes = session.context.messages.map((message) => deps.measure.message(message, session.estimate.ratio));
  const batch = target === undefined ? selection : fromCheapestStart(selection, { sizes, minTokens: tokens - target });
  return performBatch({ when: 'pressure', limits, candidates: batch }, session, deps);
}

const tokensSaved = (batch: readonly OffloadCandidate[]): number => batch.reduce((sum, { savesTokens }) => sum + savesTokens, 0);

/**
 * Old results beyond `maxToolOutputBytes` leave only when that pays at cached prices: at once on a cold cache, else when as
 * many steps as this turn already took would earn it back.
 */
export function offloadIfWorthwhile(
  session: Session,
  deps: OffloadDeps,
  turn: { readonly limits: Limits; readonly steps: number; readonly cacheCold: boolean },
): void {
  const { limits } = turn;
  const { toolOutputBytes } = session.estimate.count();
  if (!deps.config.offload.enabled || toolOutputBytes <= limits.maxToolOutputBytes) return;
  const { messages } = session.context;
  const from = tailStart(session, deps.measure, limits);
  const targetBytes = limits.maxToolOutputBytes / 2;
  const candidates = candidatesFor(session, deps, { limits, targetTokens: Number.POSITIVE_INFINITY, targetBytes }).filter(
    ({ messageIndex }) => messageIndex < from,
  );
  const first = candidates.reduce((min, { messageIndex }) => Math.min(min, messageIndex), messages.length);
  const removedTokens = tokensSaved(candidates);
  const laterTokens = messages.slice(first).reduce((sum, message) => sum + deps.measure.message(message, session.estimate.ratio), 0);
  const tokensBehind = Math.max(0, laterTokens - removedTokens);
  if (!voluntaryOffloadPays({ removedTokens, tokensBehind, expectedSteps: turn.steps, cacheCold: turn.cacheCold })) return;
  performBatch({ when: 'voluntary', limits, candidates }, session, deps);
}

type Target = { readonly limits: Limits; readonly targetTokens: number; readonly targetBytes?: number };

function candidatesFor(session: Session, { measure, config }: OffloadDeps, target: Target): readonly OffloadCandidate[] {
  const keepFrom = tailStart(session, measure, target.limits);
  return planOffload(session.context, { measure, ratio: session.estimate.ratio, config: config.offload, keepFrom, ...target });
}

function tailStart(session: Session, measure: Measure, limits: Limits): number {
  const { messages } = session.context;
  const sizes = messages.map((message) => measure.message(message, session.estimate.ratio));
  const choice = chooseCut(messages, { sizes, keepTokens: limits.keepTokens, keepMessages: limits.keepMessages });
  return choice.kind === 'cut' ? choice.index : 0;
}

function performBatch(
  { when, limits, candidates }: Batch,
  session: Session,
  { measure, report }: Pick<AgentDeps, 'measure' | 'report'>,
): number {
  session.estimate.settle();
  const tokensBefore = session.estimate.count().tokens;
  const stubs: { readonly ref: StubRef; readonly text: string }[] = [];
  const results: { readonly toolUseId: string; readonly tool: string; readonly path: string; readonly bytes: number }[] = [];
  for (const { toolUseId, tool, ok, content, source: path } of candidates) {
    const saved = session.bodies.save(content);
    if (saved === undefined) {
      report.emit({ type: 'warning', message: "Old results stay in the context: the session's offload.maxSessionBytes is used up." });
      break;
    }
    const source = path === undefined ? {} : { source: path };
    const text = stubText({ path: saved.path, tool, ok, ref: saved.ref, body: content, ...source }, limits);
    if (text === undefined) continue;
    stubs.push({ ref: { toolUseId, tool, body: saved.ref, ...source }, text });
    results.push({ toolUseId, tool, path: saved.path, bytes: saved.ref.bytes });
  }
  if (stubs.length === 0) return 0;
  const record: OffloadRecord = { type: 'offload', stubs };
  // What was pruned is sent whole again once the past has changed.
  if (session.pruned !== undefined && measure.context(applyRecord(session.context, record), session.estimate.ratio).tokens >= tokensBefore)
    return 0;
  session.append(record);
  const tokensAfter = session.estimate.count().tokens;
  report.emit({ type: 'offloaded', when, results, tokensBefore, tokensAfter });
  return Math.max(0, tokensBefore - tokensAfter);
}
