import { withoutThinking } from '../../context/history/apply-record.ts';
import { withPins } from '../../context/history/pins.ts';
import { compressedHistory } from '../../context/summary/compressed-history.ts';
import { shortTermSummary } from '../../context/summary/short-summary.ts';
import { AbortedError } from '../../domain/errors.ts';
import type { SummaryMethod } from '../../domain/event.ts';
import type { SessionContext } from '../../domain/session/context.ts';
import type { Ledger } from '../../domain/session/ledger.ts';
import { type CompactionBlock, usageTotal } from '../../domain/session/message.ts';
import type { AgentDeps } from '../deps.ts';
import { runPreCompactHooks } from '../hooks.ts';
import type { Session } from '../session/session.ts';
import { addCosts, type Cost, noCost } from '../session/usage.ts';
import { commitCompaction, emitCompactionFailure } from './commit-compaction.ts';
import { awaitPreparedSummary, type ReadySummary } from './prepared-summary.ts';
import { chooseSplit, ledgerOf, splitAt } from './split.ts';
import { summarise } from './summarise.ts';
import { summariseByServer } from './summarise-by-server.ts';
import type { CompactionOptions, CompactionOutcome, NoCompaction, PreparedCompaction, Split } from './types.ts';

/**
 * Replaces older messages by a summary: prepares it, then commits it. Until the checkpoint of the commit nothing of the context has
 * changed, so a crash, a failure or a cancel before it leaves the old one. Rejects with AbortedError when cancelled, and with
 * store_failed when the disk will not take the snapshot or the checkpoint.
 */
export async function compact(options: CompactionOptions, session: Session, deps: AgentDeps): Promise<CompactionOutcome> {
  const prepared = await prepareCompaction(options, session, deps);
  return prepared.kind === 'prepared' ? commitCompaction(prepared, session, deps) : prepared;
}

/** Makes the summary and the context that would follow. Writes nothing but what the disk refused before. Rejects with AbortedError. */
export async function prepareCompaction(
  options: CompactionOptions,
  session: Session,
  deps: AgentDeps,
): Promise<PreparedCompaction | NoCompaction> {
  session.flush();
  session.estimate.settle();
  const { messages } = session.context;
  const tokens = session.estimate.count().tokens;
  const split = chooseSplit(options, session, deps);
  if (split === undefined) {
    if (options.trigger === 'manual') deps.report.emit({ type: 'nothing_to_compact', messages: messages.length, tokens });
    return { kind: 'nothing' };
  }
  deps.report.emit({ type: 'compaction_started', trigger: options.trigger, reasons: options.reasons, tokens, messages: messages.length });
  const meter: CostMeter = { total: noCost };
  try {
    const decision = await runPreCompactHooks(options, session, deps);
    const outcome = decision.kind === 'blocked' ? decision : await prepare({ ...options, ...decision }, split, session, { ...deps, meter });
    if (outcome.kind === 'failed' || outcome.kind === 'blocked')
      deps.report.emit({ type: 'compaction_failed', trigger: options.trigger, why: outcome.why, ...meter.total });
    return outcome;
  } catch (error) {
    emitCompactionFailure(error, { trigger: options.trigger, cost: meter.total }, deps);
    throw error;
  }
}

type CostMeter = { total: Cost };

type MeteredDeps = AgentDeps & { readonly meter: CostMeter };

async function prepare(
  options: CompactionOptions,
  split: Split,
  session: Session,
  deps: MeteredDeps,
): Promise<PreparedCompaction | NoCompaction> {
  const { signal } = options;
  const startedAt = deps.clock.now().getTime();
  const start = { options, old: session.context, tokensBefore: session.estimate.count().tokens };
  const canUsePrepared = options.instructions === undefined && options.hookSummary === undefined;
  const ready = canUsePrepared ? await awaitPreparedSummary(split, signal, session, deps) : undefined;
  if (signal.aborted) throw new AbortedError();
  const fromPrepared = ready === undefined ? undefined : tryReadySummary(ready, start, session, deps);
  const result = fromPrepared ?? (await summariseRemainder(options, { split, ready }, session, deps));
  if (result.kind === 'failed') return result;
  const ms = Math.max(0, deps.clock.now().getTime() - startedAt);
  return withContext({ ...start, ...result, cost: deps.meter.total, ms }, session, deps);
}

type NewSummary = {
  readonly kind: 'made';
  readonly split: Split;
  readonly ledger: Ledger;
  readonly text: string;
  readonly block?: CompactionBlock;
  readonly method: SummaryMethod;
};

/** A summary that was made beside the turn is enough by itself when all that came after it can stay. */
function tryReadySummary(ready: ReadySummary, start: CompactionStart, session: Session, deps: AgentDeps): NewSummary | undefined {
  const split = splitAt(ready.index, start.old.messages);
  if (split === undefined) return undefined;
  const summary: NewSummary = { kind: 'made', split, ledger: ledgerOf(split, session), text: ready.text, method: 'model' };
  const context = newContext({ ...start, ...summary }, session, deps);
  return ready.coversAll || deps.measure.context(context, session.estimate.ratio).tokens <= start.options.limits.softTokens
    ? summary
    : undefined;
}

type RemainderInput = { readonly split: Split; readonly ready: ReadySummary | undefined };

/** Summarises what leaves, or what of it a summary made beside the turn does not cover yet. */
async function summariseRemainder(
  { trigger, instructions, limits, signal, hookSummary }: CompactionOptions,
  { split, ready }: RemainderInput,
  session: Session,
  deps: MeteredDeps,
): Promise<NewSummary | Extract<NoCompaction, { kind: 'failed' }>> {
  const ledger = ledgerOf(split, session);
  const options = { instructions, targetTokens: limits.summaryTokens, manual: trigger === 'manual', signal };
  if (hookSummary === undefined && ready === undefined) {
    const { cost, ...byServer } = await summariseByServer({ ...options, index: split.index }, session, deps);
    chargeMeter(cost, session, deps);
    if (signal.aborted) throw new AbortedError();
    if (byServer.kind === 'made')
      return { kind: 'made', split, ledger, text: byServer.block.content, block: byServer.block, method: 'server' };
  }
  const result = await summarise(
    {
      ...options,
      toSummarise: ready === undefined ? split.toSummarise : split.toSummarise.slice(ready.messages.length),
      kept: split.kept,
      earlier: ready === undefined ? split.earlier : { text: ready.text, ledger, messages: 0 },
      ledger,
      hookSummary,
      bodyOf: session.bodies.read,
    },
    session,
    deps,
  );
  chargeMeter(result.cost, session, deps);
  if (signal.aborted) throw new AbortedError();
  if (result.kind === 'failed') return { kind: 'failed', why: result.why };
  return { kind: 'made', split, ledger, text: result.text, method: result.method };
}

function chargeMeter(cost: Cost, session: Session, deps: MeteredDeps): void {
  deps.meter.total = addCosts(deps.meter.total, cost);
  if (usageTotal(cost.usage) > 0) session.usage.record('compaction', cost.usage, cost.costUsd);
}

type CompactionStart = Pick<PreparedCompaction, 'options' | 'old' | 'tokensBefore'>;
type WithoutContext = Omit<PreparedCompaction, 'kind' | 'context' | 'tokensAfter'>;

/** Accepted only when it makes the context smaller. */
export function withContext(parts: WithoutContext, session: Session, deps: AgentDeps): PreparedCompaction | NoCompaction {
  const { old, tokensBefore } = parts;
  const context = newContext(parts, session, deps);
  const tokensAfter = deps.measure.context(context, session.estimate.ratio).tokens;
  // Both by the same measure: what a provider reported for the old past says nothing about the new one.
  if (tokensAfter >= tokensBefore || deps.measure.raw(context) >= deps.measure.raw(old))
    return { kind: 'failed', why: `the summary would not make the context smaller (${tokensBefore} -> ${tokensAfter} tokens)` };
  return { ...parts, kind: 'prepared', context, tokensAfter };
}

type NewContext = Pick<PreparedCompaction, 'options' | 'old' | 'split' | 'ledger' | 'text' | 'block'>;

/** The summary, the pins whose messages leave, then what is kept, without thinking blocks: they are bound to a past that is no longer there. */
function newContext(
  { options: { limits }, old, split, ledger, text, block }: NewContext,
  session: Session,
  deps: AgentDeps,
): SessionContext {
  const count = (words: string) => deps.measure.text(words, session.estimate.ratio);
  const summary = compressedHistory({
    id: deps.clock.newId(),
    at: deps.clock.now().toISOString(),
    text,
    block,
    ledger,
    messages: (split.earlier?.messages ?? 0) + split.toSummarise.length,
    ledgerTokens: limits.ledgerTokens,
    count,
    mode: deps.person.mode,
  });
  const pins = { id: `${summary.id}-pins`, at: summary.at };
  const messages = withPins([summary, ...withoutThinking(split.kept)], old.pins ?? [], pins);
  return {
    ...old,
    system: deps.config.compaction.keepSystemPrompt ? old.system : deps.prompts.system(),
    shortTermSummary: shortTermSummary(text, { tokens: limits.shortSummaryTokens, count }),
    messages,
    anchorFloor: messages.length,
  };
}
