import { chooseCut } from '../context/cut.ts';
import type { Limits } from '../context/limits.ts';
import { type OffloadCandidate, planOffload, stubText, voluntaryPays } from '../context/offload.ts';
import type { StubRef } from '../domain/message.ts';
import { type AgentDeps, limitsOf } from './deps.ts';
import type { Session } from './session.ts';

type Batch = { readonly when: 'pressure' | 'voluntary'; readonly limits: Limits; readonly candidates: readonly OffloadCandidate[] };

/**
 * Offloads what the plan names, in one batch: every body is on disk before the one record that puts the stubs in its place.
 * Returns how many tokens the context lost; 0 when nothing could be offloaded.
 */
export function offloadUnderPressure(session: Session, deps: AgentDeps, limits: Limits): number {
  if (!deps.config.offload.enabled) return 0;
  const candidates = candidatesFor(session, deps, { limits, targetTokens: limits.lowWaterTokens });
  return performBatch({ when: 'pressure', limits, candidates }, session, deps);
}

/**
 * Old results beyond `maxToolOutputBytes` leave only when that pays at cached prices: at once on a cold cache, else when as
 * many steps as this turn already took would earn it back.
 */
export function offloadWhenItPays(session: Session, deps: AgentDeps, turn: { readonly steps: number; readonly cacheCold: boolean }): void {
  const limits = limitsOf(session, deps);
  const count = session.count();
  if (!deps.config.offload.enabled || count.toolOutputBytes <= limits.maxToolOutputBytes) return;
  const share = limits.maxToolOutputBytes / 2 / count.toolOutputBytes;
  const candidates = candidatesFor(session, deps, { limits, targetTokens: Math.floor(count.tokens * share) }).filter(
    ({ messageIndex }) => messageIndex < tailStart(session, deps, limits),
  );
  const first = candidates.reduce((least, { messageIndex }) => Math.min(least, messageIndex), session.context.messages.length);
  const removedTokens = candidates.reduce((sum, { savesTokens }) => sum + savesTokens, 0);
  const behind = session.context.messages.slice(first).reduce((sum, message) => sum + deps.measure.message(message, session.ratio), 0);
  const tokensBehind = Math.max(0, behind - removedTokens);
  if (removedTokens === 0 || !voluntaryPays({ removedTokens, tokensBehind, expectedSteps: turn.steps, cacheCold: turn.cacheCold })) return;
  performBatch({ when: 'voluntary', limits, candidates }, session, deps);
}

function candidatesFor(
  session: Session,
  deps: AgentDeps,
  plan: { readonly limits: Limits; readonly targetTokens: number },
): readonly OffloadCandidate[] {
  const { limits, targetTokens } = plan;
  const keepFrom = tailStart(session, deps, limits);
  return planOffload(session.context, {
    measure: deps.measure,
    ratio: session.ratio,
    limits,
    config: deps.config.offload,
    keepFrom,
    targetTokens,
  });
}

function tailStart(session: Session, deps: AgentDeps, limits: Limits): number {
  const { messages } = session.context;
  const sizes = messages.map((message) => deps.measure.message(message, session.ratio));
  const choice = chooseCut(messages, { sizes, keepTokens: limits.keepTokens, keepMessages: limits.keepMessages });
  return choice.kind === 'cut' ? choice.index : 0;
}

function performBatch({ when, limits, candidates }: Batch, session: Session, deps: AgentDeps): number {
  const tokensBefore = session.count().tokens;
  const stubs: { readonly ref: StubRef; readonly text: string }[] = [];
  const results: { readonly toolUseId: string; readonly tool: string; readonly path: string; readonly bytes: number }[] = [];
  for (const { toolUseId, tool, ok, content } of candidates) {
    const saved = session.bodies.save(content);
    if (saved === undefined) {
      deps.emit({ type: 'warning', message: "Old results stay in the context: the session's offload.maxSessionBytes is used up." });
      break;
    }
    const text = stubText({ path: saved.path, tool, ok, ref: saved.ref, body: content }, limits);
    if (text === undefined) continue;
    stubs.push({ ref: { toolUseId, tool, body: saved.ref }, text });
    results.push({ toolUseId, tool, path: saved.path, bytes: saved.ref.bytes });
  }
  if (stubs.length === 0) return 0;
  session.append({ type: 'offload', stubs });
  const tokensAfter = session.count().tokens;
  deps.emit({ type: 'offloaded', when, results, tokensBefore, tokensAfter });
  return Math.max(0, tokensBefore - tokensAfter);
}
