import { checkSummary } from '../../context/summary/summary-check.ts';
import { planSummary } from '../../context/summary/summary-request.ts';
import { AbortedError } from '../../domain/errors.ts';
import { type CompactionBlock, isCompaction, noUsage } from '../../domain/session/message.ts';
import type { ModelReply } from '../../domain/session/model-answer.ts';
import { type AgentDeps, factsOf } from '../deps.ts';
import { compactionRequest, MOST_INSTRUCTION_CHARS } from '../request.ts';
import { reasonOf, type Session } from '../session/session.ts';
import { nothingSpent } from './summarise.ts';
import type { Spent } from './types.ts';

export type ServerSummaryOf = {
  /** Where the kept tail begins: all before it is summarised, an earlier summary included. */
  readonly index: number;
  readonly instructions: string | undefined;
  readonly targetTokens: number;
  /** Asked for by the user: then the API is tried however often it failed. */
  readonly asked: boolean;
  readonly signal: AbortSignal;
};

export type ServerSummary =
  | { readonly kind: 'made'; readonly block: CompactionBlock; readonly spent: Spent }
  /** Told already; the own method is the way left. */
  | { readonly kind: 'none'; readonly spent: Spent };

/** Whether compactions ask the API itself (`compaction.method`); a model known to lack it is told once. */
export function asksServer(session: Session, deps: AgentDeps): boolean {
  const { method, useLLMSummary } = deps.config.compaction;
  if (method === 'own' || !useLLMSummary) return false;
  if (deps.canSummarise && factsOf(session, deps).serverCompaction !== false) return !session.withoutServer.has(session.model);
  if (!session.withoutServer.has(session.model))
    tellWithout(`compaction.method is "server", but ${session.model} has no such compaction.`, session, deps);
  return false;
}

/**
 * Has the API summarise everything before the tail, as it was sent: the model, the system prompt and the tools are those of the
 * turns, so its cache is read and bound thinking holds. Never rejects for a model; what a failed or cancelled try cost is in `spent`.
 */
export async function summariseByServer(of: ServerSummaryOf, session: Session, deps: AgentDeps): Promise<ServerSummary> {
  if (!asksServer(session, deps) || (!of.asked && session.serverBreaker.isOpen(deps.now().getTime())))
    return { kind: 'none', spent: nothingSpent };
  const until = AbortSignal.any([of.signal, deps.deadline(deps.config.compaction.timeoutMs)]);
  const tried = await tryOnce({ ...of, signal: until }, session, deps);
  if (of.signal.aborted) return { kind: 'none', spent: tried.spent };
  if (tried.kind === 'made') {
    session.serverBreaker.note('worked', deps.now().getTime());
    return tried;
  }
  if (tried.lasting) tellWithout(`The API does not summarise for ${session.model} (${tried.why}).`, session, deps);
  else {
    session.serverBreaker.note('failed', deps.now().getTime());
    const why = until.aborted ? 'the time for a compaction (compaction.timeoutMs) was over' : tried.why;
    deps.emit({ type: 'warning', message: `No summary from the API (${why}). SanBot's own way is taken instead.` });
  }
  return { kind: 'none', spent: tried.spent };
}

/** Remembered for this process, so that it is neither asked nor told again. */
function tellWithout(why: string, session: Session, deps: AgentDeps): void {
  session.withoutServer.add(session.model);
  deps.emit({ type: 'warning', message: `${why} This session is compacted in SanBot's own way.` });
}

type Tried =
  | Extract<ServerSummary, { kind: 'made' }>
  | { readonly kind: 'failed'; readonly why: string; readonly lasting: boolean; readonly spent: Spent };

const failed = (why: string, lasting = false, spent: Spent = nothingSpent): Tried => ({ kind: 'failed', why, lasting, spent });

async function tryOnce(of: ServerSummaryOf, session: Session, deps: AgentDeps): Promise<Tried> {
  const instructions = instructionsFor(of, session, deps);
  if (instructions.length > MOST_INSTRUCTION_CHARS)
    return failed(`the instructions have ${instructions.length} characters, and it takes ${MOST_INSTRUCTION_CHARS}`);
  const facts = factsOf(session, deps);
  const context = { ...session.sent, messages: session.sent.messages.slice(0, of.index) };
  const { tokens } = deps.measure.context({ ...context, anchorFloor: context.messages.length }, session.ratio);
  deps.emit({ type: 'compaction_step', step: 'summary', part: 1, parts: 1 });
  deps.emit({ type: 'request', purpose: 'summary', tokens, windowTokens: facts.windowTokens });
  try {
    const request = compactionRequest({ context, model: session.model, facts, instructions, targetTokens: of.targetTokens });
    const answer = await deps.model.ask(
      { ...request, retryCount: deps.config.compaction.retryCount },
      { signal: of.signal, onText: silent, onThinking: silent, onRetry: (retry) => deps.emit({ type: 'retrying', ...retry }) },
    );
    if (answer.kind === 'reply') return readReply(answer, tokens, session, deps);
    if (answer.kind === 'no_compaction') return failed(answer.why, answer.lasting);
    return failed(answer.kind === 'overflow' ? 'what is to be summarised does not fit its window' : 'it refused the conversation as it is');
  } catch (error) {
    return failed(error instanceof AbortedError ? 'it was cancelled' : reasonOf(error).replace(/\.$/, ''));
  }
}

function readReply(reply: ModelReply, sourceTokens: number, session: Session, deps: AgentDeps): Tried {
  const costUsd = reply.usage === undefined ? 0 : factsOf(session, deps).costUsd(reply.usage);
  const spent: Spent = { usage: reply.usage ?? noUsage, costUsd };
  const [block] = reply.content;
  if (reply.stopReason !== 'compaction' || reply.content.length !== 1 || block === undefined || !isCompaction(block))
    return failed(`it answered without one, and ended with ${reply.stopReason}`, false, spent);
  const verdict = checkSummary(block.content, {
    stopReason: 'end_turn',
    hasToolCall: false,
    sourceTokens,
    tokens: deps.measure.text(block.content, session.ratio),
  });
  return verdict.kind === 'good' ? { kind: 'made', block, spent } : failed(verdict.problems.join(' '), false, spent);
}

/** The prompt of our own summaries, for the conversation itself: the same headings, and the same rules for what it says. */
function instructionsFor({ instructions, targetTokens }: ServerSummaryOf, session: Session, deps: AgentDeps): string {
  const { ratio, bodies } = session;
  const { windowTokens } = factsOf(session, deps);
  const wish = { earlier: undefined, instructions, windowTokens, targetTokens, count: deps.count, ratio, bodyOf: bodies.read };
  const { system } = planSummary([], { ...wish, prompts: deps.prompts() }).request(0, undefined);
  return `${MATERIAL}\n\n${system}`;
}

const MATERIAL =
  'The material to be summarised is the whole conversation above, from its start; no tags stand around it. A summary of what came before, at its start, is part of it.';

const silent = () => undefined;
