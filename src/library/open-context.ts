import { commitCompaction, discardCompaction } from '../agent/compaction/commit.ts';
import { prepareCompaction } from '../agent/compaction/compact.ts';
import type { PreparedCompaction } from '../agent/compaction/types.ts';
import { limitsOf, modelFacts, withWish } from '../agent/deps.ts';
import { createFit } from '../agent/fit/fit.ts';
import { turnRequest } from '../agent/request.ts';
import { lastChange } from '../agent/rollback/rewind.ts';
import { findSnapshot, type RollbackResult, rollBack } from '../agent/rollback/rollback.ts';
import { storeReply } from '../agent/turn/handle-reply.ts';
import { userMessage } from '../agent/turn/person-input.ts';
import { recoverFromOverflow } from '../agent/turn/recover.ts';
import { storeResult } from '../agent/turn/run-tools.ts';
import { pairingProblems, toWire } from '../context/history/pairing.ts';
import { judgePressure } from '../context/measure/limits.ts';
import { AbortedError, SanbotError } from '../domain/errors.ts';
import { sameInBoth } from '../domain/language.ts';
import { calledTool } from '../domain/session/called-tool.ts';
import { isText, isToolResult, isToolUse, type ToolResultBlock, type ToolUseBlock, textOf } from '../domain/session/message.ts';
import type { SnapshotMeta } from '../domain/session/snapshot.ts';
import { blocksOf, type ContextAgent, type ContextWorld, openContextAgent, stopReasonOf, usageOf } from './context-agent.ts';
import type {
  CompactionCheck,
  CompactionResult,
  CompactOptions,
  Context,
  ContextRequest,
  ContextRollback,
  ContextSettings,
  InputMessage,
} from './context-types.ts';

const never = new AbortController().signal;

export type SessionWithDeps = Pick<ContextAgent, 'session' | 'deps'>;

/** A context over the agent's own session: what it does is what a turn does between the message of a user and the request to the model. */
export function openContext(settings: ContextSettings, world: ContextWorld): Context {
  const agent = openContextAgent(settings, world);
  const { session, bodies, snapshots } = agent;
  const turn = { fit: createFit(), overflows: 0 };
  return {
    add: (...messages) => {
      for (const message of messages) addMessage(message, agent, () => Object.assign(turn, { fit: createFit(), overflows: 0 }));
    },
    request: (signal = never) =>
      orInterrupted(async () => {
        requireSendable(agent);
        await turn.fit.makeFit(session, agent.deps, signal);
        return requestOf(agent);
      }),
    overflowed: (limitTokens, signal = never) =>
      orInterrupted(() => {
        turn.overflows += 1;
        const overflow = { limitTokens, sentTokens: undefined };
        return recoverFromOverflow(overflow, session, agent.deps, { attempt: turn.overflows, signal });
      }),
    check: () => checkOf(agent),
    compact: (options = {}) => orInterrupted(() => compactContext(options, agent)),
    undo: () => undoLast(agent, snapshots.list()),
    snapshots: () => snapshots.list().map(({ id, at, reason, messages, tokens }) => ({ id, at, reason, messages, tokens })),
    rollBack: (id) => rollbackOf(rollBack(findSnapshot(id, snapshots), session, agent.deps)),
    read: bodies.readPath,
  };
}

/** What a signal ends is an error of the library, as all others are. */
export async function orInterrupted<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AbortedError)) throw error;
    throw new SanbotError('interrupted', { en: 'It was cancelled', zh: '已取消' }, undefined, error);
  }
}

function addMessage(message: InputMessage, { session, deps }: ContextAgent, beginTurn: () => void): void {
  const content = blocksOf(message.content);
  if (message.role === 'assistant') {
    const usage = message.usage && usageOf(message.usage);
    const reply = { kind: 'reply', content, stopReason: stopReasonOf(message, content), model: session.model, usage } as const;
    storeReply(reply, session, deps, []);
    return;
  }
  for (const result of content.filter(isToolResult)) addResult(result, { session, deps });
  const said = content.filter((block) => !isToolResult(block));
  if (said.length === 0) return;
  beginTurn();
  session.closeOpenCalls();
  const attachments = said.filter((block) => !isText(block));
  session.appendOrDiscard({ type: 'message', message: userMessage(textOf(said), attachments, session, deps) });
}

function addResult(result: ToolResultBlock, { session, deps }: SessionWithDeps): void {
  const call = callOf(result.tool_use_id, session.context.messages);
  const parts = typeof result.content === 'string' ? blocksOf(result.content) : (result.content ?? []);
  const media = parts.filter((block) => !isText(block));
  const outcome = { ok: result.is_error !== true, content: textOf(parts), note: sameInBoth(''), denied: false, ms: 0 };
  storeResult(calledTool(call), { ...outcome, ...(media.length > 0 && { media }) }, session, deps, limitsOf(session, deps));
}

function callOf(id: string, messages: ContextAgent['session']['context']['messages']): ToolUseBlock {
  for (const { content } of messages.toReversed()) {
    const call = content.filter(isToolUse).find((block) => block.id === id);
    if (call !== undefined) return call;
  }
  throw new SanbotError('usage', { en: `There is no call ${id} that this result answers`, zh: `没有该结果所回答的调用 ${id}` });
}

/** What is missing is the caller's to add. */
function requireSendable({ session }: ContextAgent): void {
  const problems = pairingProblems(toWire(session.context.messages)).join('; ');
  if (problems === '') return;
  throw new SanbotError('usage', { en: `This is not a request yet: ${problems}`, zh: `还不能作为请求：${problems}` });
}

function requestOf({ session, deps }: ContextAgent): ContextRequest {
  const { system, tools, messages, maxOutputTokens } = turnRequest(session, deps, modelFacts(session, deps));
  return { system, tools, messages, maxOutputTokens };
}

export function checkOf({ session, deps }: SessionWithDeps): CompactionCheck {
  const limits = limitsOf(session, deps);
  const count = session.estimate.count();
  const { level } = judgePressure(count, limits);
  const threshold = level === 'hard' ? limits.hardTokens : limits.softTokens;
  return { shouldCompact: level !== 'none', currentTokens: count.tokens, threshold, urgency: level };
}

/** As `/compact` does it. */
export async function compactContext(options: CompactOptions, agent: SessionWithDeps): Promise<CompactionResult> {
  const { session } = agent;
  const { instructions, targetTokens, preserveCount, preview = false, signal = never } = options;
  const deps = withWish(agent.deps, { instructions, targetTokens, keepMessages: preserveCount });
  const wish = { trigger: 'manual', reasons: [], instructions, limits: limitsOf(session, deps), signal } as const;
  const prepared = await prepareCompaction(wish, session, deps);
  if (prepared.kind === 'nothing') return prepared;
  if (prepared.kind !== 'prepared') return { kind: 'failed', why: prepared.why.en };
  if (preview) {
    discardCompaction(prepared, deps);
    return { kind: 'previewed', ...resultOf(prepared), snapshotId: '' };
  }
  const outcome = await commitCompaction(prepared, session, deps);
  if (outcome.kind === 'nothing') return outcome;
  if (outcome.kind !== 'compacted') return { kind: 'failed', why: outcome.why.en };
  return { kind: 'compacted', ...resultOf(prepared), snapshotId: outcome.event.snapshotId };
}

const resultOf = ({ plan, summary, context, tokensAfter }: PreparedCompaction) => ({
  compactedMessages: toWire(context.messages),
  summary: summary.text,
  method: summary.method,
  originalCount: plan.old.messages.length,
  retainedCount: plan.kept.length,
  tokensBeforeCompaction: plan.tokensBefore,
  tokensAfterCompaction: tokensAfter,
});

export const rollbackOf = ({ restored, undo, messages, tokens }: RollbackResult): ContextRollback => ({
  ...{ restoredId: restored, undoId: undo, messages, tokens },
});

/** Undefined where nothing has changed. */
export function undoLast({ session, deps }: SessionWithDeps, changes: readonly SnapshotMeta[]): ContextRollback | undefined {
  const last = lastChange(changes, session);
  return last && rollbackOf(rollBack(findSnapshot(last.id, deps.disk.snapshots), session, deps));
}
