import { applyRecord } from '../../context/history/apply-record.ts';
import { chooseCut } from '../../context/history/cut.ts';
import { type Limits, withSmallStubs, worthwhileTokens } from '../../context/measure/limits.ts';
import type { Measure } from '../../context/measure/measure.ts';
import { fromCheapestStart, voluntaryOffloadPays } from '../../context/offload/batch-price.ts';
import { mediaName, mediaStubText } from '../../context/offload/media-stub.ts';
import { type OffloadCandidate, planOffload } from '../../context/offload/offload.ts';
import { stubText } from '../../context/offload/stub.ts';
import { growthPerStep } from '../../context/relief/growth.ts';
import { mediaBody } from '../../domain/session/media.ts';
import type { StubRef } from '../../domain/session/message.ts';
import type { OffloadRecord } from '../../domain/session/record.ts';
import { type AgentDeps, warn } from '../deps.ts';
import type { Session } from '../session/session.ts';

type OffloadDeps = Pick<AgentDeps, 'config' | 'measure'>;

/** What is planned from. */
export type Measured = Pick<Session, 'context' | 'estimate'>;

/** Results that leave the context together; `limits` say how much of each stays in its stub. */
export type OffloadBatch = {
  readonly when: 'pressure' | 'voluntary';
  readonly limits: Limits;
  readonly candidates: readonly OffloadCandidate[];
};

/**
 * Plans which results leave a full context. What the model has just asked for and not yet seen stays, unless the context would be over the
 * hard limit with it; so do the oldest results where the batch is cheaper without them and does as well.
 */
export function planPressureBatch(session: Measured, deps: OffloadDeps, baseLimits: Limits): OffloadBatch {
  const limits = withSmallStubs(baseLimits);
  if (!deps.config.offload.enabled) return { when: 'pressure', limits, candidates: [] };
  const candidates = candidatesFor(session, deps, { limits, targetTokens: limits.lowWaterTokens });
  const seenCandidates = seenOf(candidates, session);
  const { tokens } = session.estimate.count();
  const selection = tokens - tokensSaved(seenCandidates) <= limits.hardTokens ? seenCandidates : candidates;
  const target = [limits.lowWaterTokens, worthwhileTokens(limits)].find((threshold) => tokens - tokensSaved(selection) <= threshold);
  const sizes = messageSizes(session, deps.measure);
  const batch = target === undefined ? selection : fromCheapestStart(selection, { sizes, minTokens: tokens - target });
  return { when: 'pressure', limits, candidates: batch };
}

/** Everything that a batch may take, however small the context is: what files would free at most. */
export function planLargestBatch(session: Measured, deps: OffloadDeps, baseLimits: Limits): OffloadBatch {
  const limits = withSmallStubs(baseLimits);
  const candidates = deps.config.offload.enabled ? candidatesFor(session, deps, { limits, targetTokens: 0 }) : [];
  return { when: 'pressure', limits, candidates: seenOf(candidates, session) };
}

/** Without what the model has just asked for and not yet seen. */
function seenOf(candidates: readonly OffloadCandidate[], { context }: Measured): readonly OffloadCandidate[] {
  const unseenFrom = context.messages.findLastIndex((message) => message.origin === 'model');
  return candidates.filter(({ messageIndex }) => messageIndex < unseenFrom);
}

/** Plans and offloads at once. Returns how many tokens the context lost; 0 when nothing could be offloaded. */
export const offloadUnderPressure = (session: Session, deps: OffloadDeps & Pick<AgentDeps, 'report'>, limits: Limits): number =>
  performBatch(planPressureBatch(session, deps, limits), session, deps);

export const tokensSaved = (batch: readonly OffloadCandidate[]): number => batch.reduce((sum, { savesTokens }) => sum + savesTokens, 0);

/** Tokens of the messages from the first one that a batch changes on, as they are once it is done. */
export function tokensBehind(candidates: readonly OffloadCandidate[], sizes: readonly number[]): number {
  const first = candidates.reduce((min, { messageIndex }) => Math.min(min, messageIndex), sizes.length);
  return Math.max(0, sizes.slice(first).reduce((sum, size) => sum + size, 0) - tokensSaved(candidates));
}

export const messageSizes = ({ context, estimate }: Measured, measure: Measure): readonly number[] =>
  measure.messages(context.messages, estimate.ratio);

/** A batch that does not pay is planned again once there is so much more tool output, so that planning stays cheap at every step. */
const REPLAN_GROWTH = 9 / 8;

/**
 * Old results beyond `maxToolOutputBytes` leave only when that pays at cached prices: at once on a cold cache, else when it is earned back
 * in the steps that are left until the context is full.
 */
export function offloadIfWorthwhile(
  session: Session,
  deps: OffloadDeps & Pick<AgentDeps, 'report'>,
  turn: { readonly limits: Limits; readonly cacheCold: boolean },
): void {
  const { limits, cacheCold } = turn;
  const { relief } = session;
  const { toolOutputBytes } = session.estimate.count();
  if (!deps.config.offload.enabled || toolOutputBytes <= limits.maxToolOutputBytes) return;
  const planned = relief.plannedAtBytes;
  if (!cacheCold && planned !== undefined && toolOutputBytes >= planned && toolOutputBytes < planned * REPLAN_GROWTH) return;
  relief.plannedAtBytes = toolOutputBytes;
  const candidates = planVoluntary(session, deps, limits);
  const sizes = messageSizes(session, deps.measure);
  const batch = { removedTokens: tokensSaved(candidates), tokensBehind: tokensBehind(candidates, sizes) };
  const growth = growthPerStep(session.context.messages, sizes);
  const room = Math.max(0, limits.hardTokens - session.estimate.count().tokens);
  const expectedSteps = growth === undefined ? 0 : room / growth;
  if (voluntaryOffloadPays({ ...batch, expectedSteps, cacheCold })) performBatch({ when: 'voluntary', limits, candidates }, session, deps);
}

/** What stands before the tail, until half of `maxToolOutputBytes` is left. */
function planVoluntary(session: Measured, deps: OffloadDeps, limits: Limits): readonly OffloadCandidate[] {
  const from = tailStart(session, deps.measure, limits);
  const target = { limits, targetTokens: Number.POSITIVE_INFINITY, targetBytes: limits.maxToolOutputBytes / 2 };
  return candidatesFor(session, deps, target).filter(({ messageIndex }) => messageIndex < from);
}

type Target = { readonly limits: Limits; readonly targetTokens: number; readonly targetBytes?: number };

function candidatesFor(session: Measured, { measure, config }: OffloadDeps, target: Target): readonly OffloadCandidate[] {
  const keepFrom = tailStart(session, measure, target.limits);
  return planOffload(session.context, { measure, ratio: session.estimate.ratio, config: config.offload, keepFrom, ...target });
}

/** Where the tail begins that a compaction would keep. */
export function tailStart(session: Measured, measure: Measure, limits: Limits): number {
  const { messages } = session.context;
  const sizes = messageSizes(session, measure);
  const choice = chooseCut(messages, { sizes, keepTokens: limits.keepTokens, keepMessages: limits.keepMessages });
  return choice.kind === 'cut' ? choice.index : 0;
}

/** Every body is on disk before the one record that puts the stubs in its place. Returns how many tokens the context lost. */
export function performBatch(
  { when, limits, candidates }: OffloadBatch,
  session: Session,
  { measure, report }: Pick<AgentDeps, 'measure' | 'report'>,
): number {
  session.estimate.settle();
  const tokensBefore = session.estimate.count().tokens;
  const stubs: StoredStub[] = [];
  for (const candidate of candidates) {
    const stub = storeAsStub(candidate, session, limits);
    if (stub === 'full') {
      warn(report.emit, {
        en: "Old results stay in the context: the session's offload.maxSessionBytes is used up.",
        zh: '旧结果留在上下文中：会话的 offload.maxSessionBytes 已用完。',
      });
      break;
    }
    if (stub !== undefined) stubs.push(stub);
  }
  if (stubs.length === 0) return 0;
  const record: OffloadRecord = { type: 'offload', stubs: stubs.map(({ ref, text }) => ({ ref, text })) };
  // What was pruned is sent whole again once the past has changed.
  if (session.pruned !== undefined && measure.context(applyRecord(session.context, record), session.estimate.ratio).tokens >= tokensBefore)
    return 0;
  session.append(record);
  const tokensAfter = session.estimate.count().tokens;
  report.emit({ type: 'offloaded', when, results: stubs.map(offloadedResult), tokensBefore, tokensAfter });
  return Math.max(0, tokensBefore - tokensAfter);
}

/** A stub whose body is in the file at `path`. */
export type StoredStub = { readonly ref: StubRef; readonly path: string; readonly text: string };

/** As events name what has become a file. */
export const offloadedResult = ({ ref: { toolUseId, tool, body }, path }: Omit<StoredStub, 'text'>) => ({
  ...{ toolUseId, tool, path },
  bytes: body.bytes,
});

type StubbedResult = Pick<OffloadCandidate, 'toolUseId' | 'tool' | 'ok' | 'content'> & {
  readonly [Key in 'media' | 'source']?: OffloadCandidate[Key] | undefined;
};

/** Stores a body; undefined when its stub would not be smaller, and `full` when the session's cap is reached. */
export function storeAsStub(
  { toolUseId, tool, ok, content, media, source: from }: StubbedResult,
  { bodies }: Pick<Session, 'bodies'>,
  limits: Limits,
): StoredStub | 'full' | undefined {
  const saved = bodies.save(media === undefined ? content : (mediaBody(media.block) ?? ''));
  if (saved === undefined) return 'full';
  const { path } = saved;
  const source = from === undefined ? {} : { source: from };
  const ref = { toolUseId, tool, body: saved.ref, ...source };
  if (media !== undefined) {
    const what = mediaName(media);
    const text = mediaStubText({ path, what, sha256: saved.ref.sha256, ...source });
    return { ref: { ...ref, media: { message: media.messageId, at: media.at, what } }, path, text };
  }
  const text = stubText({ path, tool, ok, ref: saved.ref, body: content, ...source }, limits);
  return text === undefined ? undefined : { ref, path, text };
}
