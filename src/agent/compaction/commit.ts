import { archivePage, archiveTitle } from '../../context/history/archive-page.ts';
import { exceedsWindow } from '../../context/measure/limits.ts';
import { AbortedError, errorReason } from '../../domain/errors.ts';
import type { CompactedEvent, CompactionTrigger } from '../../domain/event.ts';
import { type Bilingual, because } from '../../domain/language.ts';
import { mediaBody, mediaIn } from '../../domain/session/media.ts';
import { type Message, textOf } from '../../domain/session/message.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { type AgentDeps, limitsOf, orWarn, warn } from '../deps.ts';
import { addStartContext } from '../hooks/hooks.ts';
import { flushMemories } from '../memory/remember.ts';
import type { Session } from '../session/session.ts';
import { recordOutcome, retireBodies, takeSnapshot } from '../session/snapshot.ts';
import type { Cost } from '../session/usage.ts';
import { type CommittedCompaction, receiptOf } from './new-context.ts';
import { dropPreparedSummary } from './prepared-summary.ts';
import type { CompactionOptions, CompactionOutcome, CompactionPlan, PreparedCompaction } from './types.ts';

export type PreCompactDecision =
  | { readonly kind: 'blocked'; readonly why: Bilingual }
  /** The user's instructions and what the hooks added to them; a summary, to be used in place of a model's when it passes the same check. */
  | ({ readonly kind: 'go' } & Required<Pick<CompactionPlan, 'instructions' | 'hookSummary'>>);

/**
 * Asks the PreCompact hooks. They may stop a compaction that somebody only wants; one without which the next request could not be
 * sent goes on, and that is told. Rejects only with AbortedError.
 */
export async function runPreCompactHooks(
  { trigger, instructions, signal }: CompactionOptions,
  session: Session,
  deps: Pick<AgentDeps, 'config' | 'model' | 'report' | 'person'>,
): Promise<PreCompactDecision> {
  const payload = { trigger: trigger === 'manual' ? 'manual' : 'auto', custom_instructions: instructions ?? null };
  const { blocked, text, summary } = (await deps.person.runHooks?.('PreCompact', payload, signal)) ?? {};
  if (blocked !== undefined) {
    // Of the present model, also when room is made for another one: then nothing forces the change.
    if (trigger !== 'overflow' && !exceedsWindow(session.estimate.count(), limitsOf(session, deps)))
      return { kind: 'blocked', why: { en: `a PreCompact hook blocked it: ${blocked}`, zh: `一个 PreCompact 钩子阻止了压缩：${blocked}` } };
    warn(deps.report.emit, {
      en: `A PreCompact hook asked not to compact (${blocked}), but the next request would not fit the window: compacting anyway.`,
      zh: `一个 PreCompact 钩子要求不压缩（${blocked}），但下次请求会超出窗口：仍然压缩。`,
    });
  }
  const parts = [instructions, text].filter((part) => part !== undefined);
  return { kind: 'go', instructions: parts.length === 0 ? undefined : parts.join('\n\n'), hookSummary: summary };
}

/** Tells the PostCompact hooks, then lets the SessionStart hooks say again what a summary may have lost. Rejects only with AbortedError. */
async function runPostCompactHooks(
  event: CompactedEvent,
  session: Session,
  { person }: Pick<AgentDeps, 'person'>,
  signal: AbortSignal,
): Promise<void> {
  const { trigger, tokensBefore, tokensAfter, snapshotId } = event;
  const summary = session.context.messages[0];
  await person.runHooks?.(
    'PostCompact',
    {
      trigger: trigger === 'manual' ? 'manual' : 'auto',
      compact_summary: textOf(summary?.content ?? []),
      tokens_before: tokensBefore,
      tokens_after: tokensAfter,
      snapshot_id: snapshotId,
    },
    signal,
  );
  await addStartContext('compact', session, { person }, signal);
}

type CommitDeps = Pick<AgentDeps, 'config' | 'clock' | 'report' | 'person' | 'disk' | 'measure'>;

const CHANGED: Bilingual = { en: 'the conversation has changed since the summary was made', zh: '生成摘要之后对话已经改变' };

/**
 * Makes a prepared compaction the new context, at once and without a pause in which anything else could happen. The order of
 * its writes is the protocol: snapshot, archive, memories, then one checkpoint that commits it; only then bodies are retired and the
 * rest is written. Void when the context is no longer the one it was made for. Throws AbortedError when cancelled before the
 * checkpoint, and store_failed when the disk will not take the snapshot or the checkpoint.
 */
export async function commitCompaction(prepared: PreparedCompaction, session: Session, deps: CommitDeps): Promise<CompactionOutcome> {
  const { trigger, signal, old } = prepared.plan;
  if (session.context !== old) {
    discardCompaction(prepared, deps, CHANGED);
    return { kind: 'failed', why: CHANGED };
  }
  let event: CompactedEvent;
  try {
    event = commit(prepared, session, deps);
  } catch (error) {
    emitCompactionFailure(error, { trigger, cost: prepared.cost }, deps);
    throw error;
  }
  await check(event.snapshotId, prepared, session, deps);
  await runPostCompactHooks(event, session, deps, signal);
  return { kind: 'compacted', event };
}

/** Testimony for the audit log; what goes wrong with it is told and changes nothing. */
async function check(
  snapshotId: string,
  { plan, context }: PreparedCompaction,
  session: Session,
  { report }: Pick<AgentDeps, 'report'>,
): Promise<void> {
  try {
    const compaction = { before: plan.old.messages, after: context, cwd: session.cwd, bodyOf: session.bodies.read };
    const result = await report.checkCompaction?.(compaction);
    if (result !== undefined) report.emit({ type: 'compaction_checked', snapshotId, ...result });
  } catch (error) {
    warn(report.emit, because({ en: 'The compaction was not checked', zh: '未能检查这次压缩' }, errorReason(error)));
  }
}

/** Tells that it will not be; there is nothing to take back. */
export function discardCompaction({ plan, cost }: PreparedCompaction, { report }: Pick<AgentDeps, 'report'>, why?: Bilingual): void {
  report.emit({ type: 'compaction_discarded', trigger: plan.trigger, ...(why === undefined ? {} : { why }), ...cost });
}

/** Tells that a compaction ended before its commit, and what it cost all the same. */
export function emitCompactionFailure(
  error: unknown,
  { trigger, cost }: { readonly trigger: CompactionTrigger; readonly cost: Cost },
  { report }: Pick<AgentDeps, 'report'>,
): void {
  if (error instanceof AbortedError) report.emit({ type: 'compaction_cancelled', trigger, ...cost });
  else report.emit({ type: 'compaction_failed', trigger, why: errorReason(error), ...cost });
}

function commit(prepared: PreparedCompaction, session: Session, deps: CommitDeps): CompactedEvent {
  const { plan, summary, context, tokensAfter, cost } = prepared;
  const { trigger, signal, toSummarise, kept, old, tokensBefore } = plan;
  const startedAt = deps.clock.now().getTime();
  if (signal.aborted) throw new AbortedError();
  deps.report.emit({ type: 'compaction_step', step: 'snapshot', part: 1, parts: 1 });
  const snapshot = takeSnapshot('compaction', session, deps);
  const archivePath = archive(summary.text, session, deps);
  deps.report.emit({ type: 'compaction_step', step: 'memory', part: 1, parts: 1 });
  const memories = flushMemories(toSummarise, session, deps, summary.memories);
  // A checkpoint of an older log does not say it; this one and all that follow do.
  orUndefined(() => session.calls.tally(() => deps.disk.past(session.id)));
  keepMedia(toSummarise, session, deps);
  deps.report.emit({ type: 'compaction_step', step: 'commit', part: 1, parts: 1 });
  if (signal.aborted) throw new AbortedError();
  const isStillFull = tokensAfter > plan.limits.hardTokens;
  const futile = isStillFull ? { futile: { tokens: tokensAfter, model: session.model, freed: true } } : {};
  session.append({ type: 'checkpoint', reason: 'compaction', snapshotId: snapshot.id, ...futile, context });
  dropPreparedSummary({ en: 'another compaction was made', zh: '已进行另一次压缩' }, session, deps);
  const event: CompactedEvent = {
    type: 'compacted',
    trigger,
    method: summary.method,
    snapshotId: snapshot.id,
    tokensBefore,
    tokensAfter,
    messagesBefore: old.messages.length,
    messagesKept: kept.length,
    bodiesRetired: retireBodies(session, deps),
    memoriesAdded: memories.decisions + memories.facts + memories.preferences + memories.runtime,
    ...cost,
    ms: prepared.ms + Math.max(0, deps.clock.now().getTime() - startedAt),
  };
  afterCommit(prepared, { event, archivePath, memories }, session, deps);
  return event;
}

/** The ledger names the files in which images and documents that leave can be seen again. */
function keepMedia(leaving: readonly Message[], session: Session, { report }: Pick<AgentDeps, 'report'>): void {
  const bodies = leaving.flatMap(({ content }) => mediaIn(content).flatMap((block) => mediaBody(block) ?? []));
  const isKept = bodies.every((body) => session.bodies.save(body) !== undefined);
  if (!isKept)
    warn(report.emit, {
      en: "Images are kept in the snapshot only: the session's offload.maxSessionBytes is used up.",
      zh: '图片只保留在快照中：会话的 offload.maxSessionBytes 已用完。',
    });
}

/** Complete and readable, for people; a failure is told and does not stop the compaction, since the snapshot holds it all. */
function archive(
  summary: string,
  session: Session,
  { clock, disk, report }: Pick<AgentDeps, 'clock' | 'disk' | 'report'>,
): string | undefined {
  const { archive: pages } = disk;
  if (pages === undefined) return undefined;
  report.emit({ type: 'compaction_step', step: 'archive', part: 1, parts: 1 });
  const { messages } = session.context;
  const title = archiveTitle(messages, summary);
  return orWarn(report.emit, { en: 'The readable archive was not written', zh: '未写入可读的存档' }, () => {
    const at = clock.now().toISOString();
    const markdown = archivePage({ title, at, sessionId: session.id, messages, bodyOf: session.bodies.read });
    return pages.write({ title, markdown });
  });
}

const methodTexts: Readonly<Record<CompactedEvent['method'], string>> = {
  model: 'summarised by the model',
  edited: 'summarised, then edited by you',
  rules: 'summarised by rules',
  hook: 'summarised by a hook',
  server: 'summarised by the API',
  rules_degraded: 'summarised by rules, degraded: no model answered',
};

/** Everything here is told or derived; the compaction stands whatever becomes of it. */
function afterCommit(prepared: PreparedCompaction, result: CommittedCompaction, session: Session, deps: CommitDeps): void {
  const { clock, disk, report } = deps;
  const { context, plan } = prepared;
  const { event } = result;
  const { snapshotId, tokensAfter } = event;
  const at = clock.now().toISOString();
  const topic = archiveTitle(plan.toSummarise);
  const line = `${methodTexts[event.method]}, ${event.messagesKept} of ${event.messagesBefore} messages kept${topic === '' ? '' : `; topic: ${topic}`}`;
  const receipt = receiptOf(prepared, result, session, deps);
  recordOutcome(snapshotId, { tokensAfter, line, receipt }, session, deps);
  orWarn(report.emit, { en: "The session's summary file was not written", zh: '未写入会话的摘要文件' }, () => {
    const text = textOf(context.messages[0]?.content ?? []);
    disk.memories.writeSessionSummary(session.id, `# Session ${session.id}\n\nUpdated ${at}, snapshot ${snapshotId}.\n\n${text}\n`);
  });
  report.emit(event);
}
