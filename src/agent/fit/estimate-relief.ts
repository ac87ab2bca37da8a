import { applyRecord } from '../../context/history/apply-record.ts';
import { newestRequest } from '../../context/history/cut.ts';
import type { Limits } from '../../context/measure/limits.ts';
import { reportedTtl } from '../../context/relief/cache-ttl.ts';
import { priceRelief, type ReliefSizes, type RequestCost } from '../../context/relief/price-relief.ts';
import { summaryOf } from '../../context/summary/compressed-history.ts';
import { type Message, noUsage, type Usage } from '../../domain/session/message.ts';
import { tryContext } from '../compaction/new-context.ts';
import { planCompaction } from '../compaction/plan.ts';
import { canSummariseOnPrefix } from '../compaction/prefix-summary.ts';
import { summaryByRule } from '../compaction/summary-by-rule.ts';
import type { CompactionPlan } from '../compaction/types.ts';
import { type AgentDeps, modelFacts } from '../deps.ts';
import type { Session } from '../session/session.ts';
import { messageSizes, type OffloadBatch, planBatch, tailStart, tokensBehind, tokensSaved } from './offload-results.ts';
import { recordOf, storeBatch } from './store-stub.ts';

type ReliefDeps = Pick<AgentDeps, 'config' | 'model' | 'clock' | 'measure' | 'report' | 'prompts' | 'person'>;

/**
 * What each way to make room would free and cost if it were taken now, by the functions that take it: tokens that leave the context, and
 * dollars with the next request, undefined where no price is known. Exact but for what is not written yet: the paths in stubs, and the
 * summary of a model, which counts as long as the last one or, before the first, as long as it may be.
 */
export function estimateRelief(session: Session, deps: ReliefDeps, limits: Limits) {
  const { context, bodies, model, cwd } = session;
  const settled = { context, bodies, model, cwd, estimate: session.estimate.settled() };
  const batch = planBatch(settled, deps, limits);
  const compaction = expectCompaction(settled, deps, { limits, byRule: summarisesByRule(session, deps) });
  const keepFrom = compaction?.plan.index ?? tailStart(settled, deps.measure, limits);
  const costOf = pricesOf(session, deps);
  const costUsd = costOf && priceRelief(sizesOf(session, deps, { limits, batch, keepFrom, compaction }), costOf);
  return {
    offload: { tokens: freedBy(batch, settled, deps), costUsd: costUsd?.offload },
    compact: { tokens: compaction?.freedTokens ?? 0, costUsd: costUsd?.compact },
  };
}

/** By the very stubs that a batch would leave; nothing is stored. */
function freedBy({ candidates, stubTokens }: OffloadBatch, { context, estimate, bodies }: Settled, { measure }: ReliefDeps): number {
  const save = (body: string) => ({ ref: bodies.refOf(body), path: bodies.path(bodies.refOf(body)) });
  const { stubs } = storeBatch(candidates, { bodies: { ...bodies, save } }, stubTokens);
  if (stubs.length === 0) return 0;
  const after = measure.context(applyRecord(context, recordOf(stubs)), estimate.ratio).tokens;
  return Math.max(0, estimate.count().tokens - after);
}

type Settled = Pick<Session, 'context' | 'estimate' | 'bodies' | 'model' | 'cwd'>;

/** Of /compact without instructions and hooks; undefined where it would do nothing. */
function expectCompaction(settled: Settled, deps: ReliefDeps, { limits, byRule }: { readonly limits: Limits; readonly byRule: boolean }) {
  const { signal } = new AbortController();
  const plan = planCompaction({ trigger: 'manual', reasons: [], instructions: undefined, limits, signal }, settled, deps);
  const empty = plan === undefined ? undefined : tokensWith('', plan, settled, deps);
  if (plan === undefined || empty === undefined) return undefined;
  const text = byRule ? summaryByRule(plan, settled, deps) : plan.earlier?.text;
  const longest = limits.summaryTokens + Math.min(limits.shortSummaryTokens, limits.summaryTokens);
  const tokensAfter = text === undefined ? empty + longest : tokensWith(text, plan, settled, deps);
  if (tokensAfter === undefined || tokensAfter >= plan.tokensBefore) return undefined;
  const summaryTokens = text === undefined ? limits.summaryTokens : deps.measure.text(text, settled.estimate.ratio);
  const { systemTokens, toolsTokens } = settled.estimate.count();
  const keptTokens = messageSizes({ ...settled, context: { ...settled.context, messages: plan.kept } }, deps.measure);
  const kept = keptTokens.reduce((sum, tokens) => sum + tokens, 0);
  const ledgerTokens = Math.max(0, tokensAfter - systemTokens - toolsTokens - kept - summaryTokens);
  return { plan, freedTokens: plan.tokensBefore - tokensAfter, keptTokens: kept, ledgerTokens, summaryTokens, byRule };
}

/** Of the context with this summary; undefined where it would not be smaller, and a compaction would be refused. */
function tokensWith(text: string, plan: CompactionPlan, settled: Settled, deps: ReliefDeps): number | undefined {
  const prepared = tryContext(plan, text, settled, deps);
  return prepared.kind === 'prepared' ? prepared.tokensAfter : undefined;
}

/** Undefined where no price is known. What is written stays in the cache as long as what was written last. */
function pricesOf(session: Session, deps: ReliefDeps): RequestCost | undefined {
  const { costUsd } = modelFacts(session, deps);
  if (costUsd(noUsage) === undefined) return undefined;
  const isHour = reportedTtl(session.sent.messages) === '1h';
  return (usage: Usage): number => costUsd(isHour ? { ...usage, cacheWrite1hTokens: usage.cacheWriteTokens } : usage) ?? 0;
}

/** No model would make the summary. */
function summarisesByRule({ summariser }: Session, { config, model, clock }: Pick<AgentDeps, 'config' | 'model' | 'clock'>): boolean {
  const isAsked = config.compaction.useLLMSummary && (model.canSummarise || model.rulesStandForModel === true);
  return !isAsked || summariser.modelBreaker.isOpen(clock.now().getTime());
}

type SizedPlan = {
  readonly limits: Limits;
  readonly batch: Pick<OffloadBatch, 'candidates'>;
  readonly keepFrom: number;
  /** Where it is known better than by the limits. */
  readonly compaction?: Pick<ReliefSizes['compaction'], 'keptTokens' | 'ledgerTokens' | 'summaryTokens' | 'byRule'> | undefined;
};

function sizesOf(session: Session, deps: ReliefDeps, { limits, batch, keepFrom, compaction }: SizedPlan): ReliefSizes {
  const { messages } = session.context;
  const { candidates } = batch;
  const sizes = messageSizes(session, deps.measure);
  const { tokens, systemTokens, toolsTokens } = session.estimate.count();
  const sum = (from: number, to?: number): number => sizes.slice(from, to).reduce((total, size) => total + size, 0);
  const request = newestRequest(messages);
  const lastReply = messages.findLastIndex(({ origin }) => origin === 'model');
  return {
    tokens,
    baseTokens: systemTokens + toolsTokens,
    newTokens: sum(Math.max(0, lastReply)),
    batch: { removedTokens: tokensSaved(candidates), tokensBehind: tokensBehind(candidates, sizes) },
    compaction: {
      keptTokens: sum(keepFrom) + (request >= 0 && request < keepFrom ? sum(request, request + 1) : 0),
      bodyTokens: Math.round((bodyBytes(messages.slice(0, keepFrom)) / BYTES_PER_TOKEN) * session.estimate.ratio),
      ...summarySizes(session, deps, { limits, sizes }),
      ...compaction,
    },
  };
}

/** Of our own count, in English text and code. */
const BYTES_PER_TOKEN = 4;

const bodyBytes = (messages: readonly Message[]): number =>
  messages.reduce((sum, { stubs = [] }) => sum + stubs.reduce((bytes, { body }) => bytes + body.bytes, 0), 0);

/** As long as the last summary was, where there is one; else as long as the next may be. */
function summarySizes(
  session: Session,
  deps: ReliefDeps,
  { limits, sizes }: { readonly limits: Limits; readonly sizes: readonly number[] },
): Pick<ReliefSizes['compaction'], 'summaryTokens' | 'ledgerTokens' | 'instructionTokens' | 'onPrefix'> {
  const { measure, prompts } = deps;
  const { ratio } = session.estimate;
  const earlier = summaryOf(session.context.messages);
  const { first, update } = prompts.summary();
  const instructionTokens = measure.text(earlier === undefined ? first : update, ratio);
  const onPrefix = canSummariseOnPrefix(session, deps, limits);
  if (earlier === undefined) return { summaryTokens: limits.summaryTokens, ledgerTokens: limits.ledgerTokens, instructionTokens, onPrefix };
  const summaryTokens = measure.text(earlier.text, ratio);
  return { summaryTokens, ledgerTokens: Math.max(0, (sizes[0] ?? 0) - summaryTokens), instructionTokens, onPrefix };
}
