import { withoutThinking } from '../../context/history/apply-record.ts';
import { type Limits, safeguardLimits, sendableTokens } from '../../context/measure/limits.ts';
import { type ContextCount, SEED_RATIO } from '../../context/measure/measure.ts';
import { toolChanges } from '../../context/prompt/prompt-changes.ts';
import { ModelUnavailable, SanbotError } from '../../domain/errors.ts';
import type { Bilingual } from '../../domain/language.ts';
import { noUsage } from '../../domain/session/message.ts';
import { groupDigits } from '../../domain/value/size-text.ts';
import { compact } from '../compaction/compact.ts';
import { type Base, withBase } from '../compaction/new-context.ts';
import { type AgentDeps, limitsIn, warn, windowTooSmall } from '../deps.ts';
import { offloadUnderPressure } from '../fit/offload-results.ts';
import { pinCost } from '../memory/pins.ts';
import { findSnapshot, rollBack } from '../rollback/rollback.ts';
import type { Session } from '../session/session.ts';
import { takeSnapshot } from '../session/snapshot.ts';

/** Each pass summarises what the pass before left, for half as much from the second on. */
const MAX_PASSES = 4;

/**
 * From here on another model answers. When the conversation does not fit its window, the present model makes room first, in as many
 * passes as it takes: the new one could not even read what it would have to summarise [C24, C114]. For a smaller window, system prompt and
 * tools take the form that it has room for. When that does not succeed or is stopped, the conversation is put back as it was and the model
 * stays: throws context_cannot_fit with the figures, or AbortedError.
 */
export async function changeModel(name: string, session: Session, deps: AgentDeps, signal: AbortSignal): Promise<void> {
  await deps.model.fetchFacts?.(name, signal);
  if (name !== session.model) await shrinkToFit(name, session, deps, signal);
  session.switchModel(name, deps.model.endpointOf?.(name));
  const facts = deps.model.facts(name);
  deps.report.emit({ type: 'model_changed', model: name, windowTokens: facts.windowTokens, windowAssumed: facts.assumed });
}

/**
 * The session's model cannot answer now, however often it was asked: from here on the fallback does, which is told with what it costs to read
 * the conversation anew. False where there is none, or the failure is another one. Rejects as `changeModel` does.
 */
export async function fallBack(error: unknown, session: Session, deps: AgentDeps, signal: AbortSignal): Promise<boolean> {
  const { fallback, facts } = deps.model;
  if (!(error instanceof ModelUnavailable) || fallback === undefined || fallback === session.model) return false;
  const { tokens } = session.estimate.count();
  const costUsd = facts(fallback).costUsd({ ...noUsage, inputTokens: tokens });
  const price = costUsd === undefined ? '' : `, $${costUsd.toFixed(2)}`;
  const { message } = error.shown;
  warn(deps.report.emit, {
    en: `${message.en} From here on ${fallback} answers (--fallback-model), which reads the conversation anew: about ${groupDigits(tokens)} tokens${price}.`,
    zh: `${message.zh} 此后由 ${fallback} 应答（--fallback-model），它要重新读取会话：约 ${groupDigits(tokens)} token${price}。`,
  });
  await changeModel(fallback, session, deps, signal);
  return true;
}

async function shrinkToFit(name: string, session: Session, deps: AgentDeps, signal: AbortSignal): Promise<void> {
  const base = smallerBase(name, session, deps);
  const count = (): ContextCount => estimateWith(base, session, deps);
  const limits = limitsIn(deps.model.facts(name), session, deps, count());
  const target = Math.min(limits.hardTokens, sendableTokens(limits));
  const fits = (): boolean => count().tokens <= target;
  if (fits()) return takeBase(base, session, deps);
  const problem =
    windowTooSmall(session, deps, limits, { tools: base?.tools ?? session.context.tools, count: count() }) ??
    pinProblem(limits, session, deps, count());
  if (problem !== undefined) throw cannotSwitch(name, session, problem);
  const snapshot = takeSnapshot('model', session, deps);
  try {
    offloadUnderPressure(session, deps, limits);
    for (let pass = 0; pass < MAX_PASSES && !fits(); pass++) {
      const passLimits = pass === 0 ? limits : safeguardLimits(limits);
      const outcome = await compact(
        { trigger: 'manual', reasons: ['tokens'], instructions: undefined, limits: passLimits, signal, forModel: name },
        session,
        deps,
      );
      if (outcome.kind === 'blocked')
        throw cannotSwitch(name, session, {
          en: `It was not made smaller: ${outcome.why.en}.`,
          zh: `没有缩小：${outcome.why.zh}。`,
        });
      if (outcome.kind !== 'compacted' && pass > 0) break;
    }
    if (!fits()) throw cannotSwitch(name, session, tooLarge(count().tokens, { target, limits }));
    takeBase(base, session, deps);
  } catch (error) {
    rollBack(findSnapshot(snapshot.id, deps.disk.snapshots), session, deps);
    throw error;
  }
}

/** The system prompt and the tools in the form for a window that is smaller, where that is another form; else undefined. */
function smallerBase(name: string, session: Session, { model, prompts }: AgentDeps): Base | undefined {
  if (model.facts(name).windowTokens >= model.facts(session.model).windowTokens) return undefined;
  const base = prompts.base(name);
  return toolChanges(prompts.base(session.model).tools, base.tools) === undefined ? undefined : base;
}

/** In a checkpoint of its own where no compaction has taken it: what another model thought is not sent to this one anyway. */
function takeBase(base: Base | undefined, session: Session, deps: AgentDeps): void {
  if (base === undefined || toolChanges(session.context.tools, base.tools) === undefined) return;
  const { context } = session;
  const next = withBase({ ...context, messages: withoutThinking(context.messages) }, base, deps, false);
  session.append({ type: 'checkpoint', reason: 'window', context: { ...next, anchorFloor: next.messages.length } });
}

/** As the other model may count, of which nothing is known yet: by the estimate alone, or what the present one reports where that is more. */
function estimateWith(base: Base | undefined, session: Session, { measure }: Pick<AgentDeps, 'measure'>): ContextCount {
  const { context } = session;
  const { ratio } = session.estimate;
  const reported = session.estimate.count();
  const estimate = measure.context({ ...context, ...base, anchorFloor: context.messages.length }, Math.max(ratio, SEED_RATIO));
  return base === undefined ? { ...reported, tokens: Math.max(reported.tokens, estimate.tokens) } : estimate;
}

function pinProblem(
  limits: Limits,
  session: Session,
  deps: Pick<AgentDeps, 'config' | 'model' | 'measure'>,
  { systemTokens, toolsTokens }: ContextCount,
): Bilingual | undefined {
  const { tokens, budgetTokens } = pinCost(session, deps, { limits, baseTokens: systemTokens + toolsTokens });
  if (tokens <= budgetTokens) return undefined;
  return {
    en: `Pins take ${groupDigits(tokens)} tokens, and in its window of ${groupDigits(limits.modelWindowTokens)} they may take ${groupDigits(budgetTokens)}.`,
    zh: `固定的消息占 ${groupDigits(tokens)} token，而在它 ${groupDigits(limits.modelWindowTokens)} token 的窗口中最多可占 ${groupDigits(budgetTokens)}。`,
  };
}

const tooLarge = (tokens: number, { target, limits }: { readonly target: number; readonly limits: Limits }): Bilingual => ({
  en: `Its window has ${groupDigits(limits.modelWindowTokens)} tokens, of which a request may have ${groupDigits(target)}, and the conversation could not be made smaller than ${groupDigits(tokens)}.`,
  zh: `它的窗口有 ${groupDigits(limits.modelWindowTokens)} token，请求最多可用 ${groupDigits(target)}，而会话无法缩小到 ${groupDigits(tokens)} 以下。`,
});

const cannotSwitch = (name: string, session: Session, why: Bilingual): SanbotError =>
  new SanbotError(
    'context_cannot_fit',
    {
      en: `The model stays ${session.model}: the conversation does not fit into ${name}. ${why.en}`,
      zh: `模型仍为 ${session.model}：会话放不进 ${name}。${why.zh}`,
    },
    {
      en: 'Nothing was changed. /pins and /context show what takes the room; /new starts a conversation that any model can hold.',
      zh: '没有做任何更改。/pins 和 /context 显示空间被什么占用；/new 新建任何模型都放得下的会话。',
    },
  );
