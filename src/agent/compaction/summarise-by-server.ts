import { checkSummary } from '../../context/summary/summary-check.ts';
import { planSummary } from '../../context/summary/summary-request.ts';
import { AbortedError } from '../../domain/errors.ts';
import { type CompactionBlock, isCompaction, noUsage } from '../../domain/session/message.ts';
import type { ModelReply } from '../../domain/session/model-answer.ts';
import { type AgentDeps, modelFacts } from '../deps.ts';
import { buildRequest, MAX_INSTRUCTION_CHARS } from '../request.ts';
import { errorMessage, type Session } from '../session/session.ts';
import { type Cost, noCost } from '../session/usage.ts';

export type ServerSummaryOptions = {
  /** Where the kept tail begins: all before it is summarised, an earlier summary included. */
  readonly index: number;
  readonly instructions: string | undefined;
  readonly targetTokens: number;
  /** Asked for by the user: then the API is tried however often it failed. */
  readonly manual: boolean;
  readonly signal: AbortSignal;
};

export type ServerSummary =
  | { readonly kind: 'made'; readonly block: CompactionBlock; readonly cost: Cost }
  /** Told already; the own method is the way left. */
  | { readonly kind: 'none'; readonly cost: Cost };

/** Whether compactions ask the API itself (`compaction.method`); a model known to lack it is told once. */
export function usesServerCompaction(session: Session, deps: AgentDeps): boolean {
  const { method, useLLMSummary } = deps.config.compaction;
  if (method === 'own' || !useLLMSummary) return false;
  if (deps.model.canSummarise && modelFacts(session, deps).serverCompaction !== false)
    return !session.summariser.withoutServer.has(session.model);
  if (!session.summariser.withoutServer.has(session.model))
    warnNoServerCompaction(`compaction.method is "server", but ${session.model} has no such compaction.`, session, deps);
  return false;
}

/**
 * Has the API summarise everything before the tail, as it was sent: the model, the system prompt and the tools are those of the
 * turns, so its cache is read and bound thinking holds. Never rejects for a model; what a failed or cancelled try cost is in `cost`.
 */
export async function summariseByServer(options: ServerSummaryOptions, session: Session, deps: AgentDeps): Promise<ServerSummary> {
  if (!usesServerCompaction(session, deps) || (!options.manual && session.summariser.serverBreaker.isOpen(deps.clock.now().getTime())))
    return { kind: 'none', cost: noCost };
  const deadlineSignal = AbortSignal.any([options.signal, deps.clock.deadline(deps.config.compaction.timeoutMs)]);
  const attempt = await requestSummary({ ...options, signal: deadlineSignal }, session, deps);
  if (options.signal.aborted) return { kind: 'none', cost: attempt.cost };
  if (attempt.kind === 'made') {
    session.summariser.serverBreaker.record('worked', deps.clock.now().getTime());
    return attempt;
  }
  if (attempt.lasting) warnNoServerCompaction(`The API does not summarise for ${session.model} (${attempt.why}).`, session, deps);
  else {
    session.summariser.serverBreaker.record('failed', deps.clock.now().getTime());
    const why = deadlineSignal.aborted ? 'the time for a compaction (compaction.timeoutMs) was over' : attempt.why;
    deps.report.emit({ type: 'warning', message: `No summary from the API (${why}). SanBot's own way is taken instead.` });
  }
  return { kind: 'none', cost: attempt.cost };
}

/** Remembered for this process, so that it is neither asked nor told again. */
function warnNoServerCompaction(why: string, session: Session, deps: AgentDeps): void {
  session.summariser.withoutServer.add(session.model);
  deps.report.emit({ type: 'warning', message: `${why} This session is compacted in SanBot's own way.` });
}

type ServerAttempt =
  | Extract<ServerSummary, { kind: 'made' }>
  | { readonly kind: 'failed'; readonly why: string; readonly lasting: boolean; readonly cost: Cost };

const failed = (why: string, lasting = false, cost: Cost = noCost): ServerAttempt => ({ kind: 'failed', why, lasting, cost });

async function requestSummary(options: ServerSummaryOptions, session: Session, deps: AgentDeps): Promise<ServerAttempt> {
  const instructions = instructionsFor(options, session, deps);
  if (instructions.length > MAX_INSTRUCTION_CHARS)
    return failed(`the instructions have ${instructions.length} characters, and it takes ${MAX_INSTRUCTION_CHARS}`);
  const facts = modelFacts(session, deps);
  const context = { ...session.sent, messages: session.sent.messages.slice(0, options.index) };
  const { tokens } = deps.measure.context({ ...context, anchorFloor: context.messages.length }, session.estimate.ratio);
  deps.report.emit({ type: 'compaction_step', step: 'summary', part: 1, parts: 1 });
  deps.report.emit({ type: 'request', purpose: 'summary', tokens, windowTokens: facts.windowTokens });
  try {
    const { targetTokens } = options;
    const { retryCount } = deps.config.compaction;
    const answer = await deps.model.ask(
      buildRequest({ purpose: 'server_summary', model: session.model, facts, context, instructions, targetTokens, retryCount }),
      { signal: options.signal, onText: silent, onThinking: silent, onRetry: (retry) => deps.report.emit({ type: 'retrying', ...retry }) },
    );
    if (answer.kind === 'reply') return readReply(answer, tokens, session, deps);
    if (answer.kind === 'no_compaction') return failed(answer.why, answer.lasting);
    return failed(answer.kind === 'overflow' ? 'what is to be summarised does not fit its window' : 'it refused the conversation as it is');
  } catch (error) {
    return failed(error instanceof AbortedError ? 'it was cancelled' : errorMessage(error).replace(/\.$/, ''));
  }
}

function readReply(reply: ModelReply, sourceTokens: number, session: Session, deps: AgentDeps): ServerAttempt {
  const costUsd = reply.usage === undefined ? 0 : modelFacts(session, deps).costUsd(reply.usage);
  const cost: Cost = { usage: reply.usage ?? noUsage, costUsd };
  const [block] = reply.content;
  if (reply.stopReason !== 'compaction' || reply.content.length !== 1 || block === undefined || !isCompaction(block))
    return failed(`it answered without one, and ended with ${reply.stopReason}`, false, cost);
  const verdict = checkSummary(block.content, {
    stopReason: 'end_turn',
    hasToolCall: false,
    sourceTokens,
    tokens: deps.measure.text(block.content, session.estimate.ratio),
  });
  return verdict.kind === 'good' ? { kind: 'made', block, cost } : failed(verdict.problems.join(' '), false, cost);
}

/** The prompt of our own summaries, for the conversation itself: the same headings, and the same rules for what it says. */
function instructionsFor({ instructions, targetTokens }: ServerSummaryOptions, session: Session, deps: AgentDeps): string {
  const {
    estimate: { ratio },
    bodies,
  } = session;
  const { windowTokens } = modelFacts(session, deps);
  const options = {
    earlier: undefined,
    instructions,
    windowTokens,
    targetTokens,
    count: (text: string) => deps.measure.text(text, 1),
    ratio,
    bodyOf: bodies.read,
  };
  const { system } = planSummary([], { ...options, prompts: deps.prompts.summary() }).request(0, undefined);
  return `${SOURCE_NOTE}\n\n${system}`;
}

const SOURCE_NOTE =
  'The material to be summarised is the whole conversation above, from its start; no tags stand around it. A summary of what came before, at its start, is part of it.';

const silent = () => undefined;
