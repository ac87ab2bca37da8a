import { factsOf, limitsOf } from '../agent/deps.ts';
import type { ModelRequest } from '../agent/ports.ts';
import { turnRequest } from '../agent/request.ts';
import { reasonOf, type Session } from '../agent/session/session.ts';
import { recoverFromOverflow } from '../agent/turn/recover.ts';
import { storeResult } from '../agent/turn/run-tools.ts';
import { SanbotError } from '../domain/errors.ts';
import type { SanbotEvent } from '../domain/event.ts';
import { isToolUse, textOf, usageTotal } from '../domain/session/message.ts';
import { type MakeReady, startTurn, usesLadder } from './apply-policy.ts';
import type { Step, Transcript } from './import/transcript.ts';
import { judgeAgain, mineAgain } from './measure/acquired-again.ts';
import { createCacheCost } from './measure/cache-cost.ts';
import { createFidelity } from './measure/fidelity.ts';
import { createGrounding } from './measure/grounding.ts';
import { judgeReferences, mineReferences } from './measure/references.ts';
import { watchSnapshots } from './measure/rollback-check.ts';
import { noTally, sumTallies, type Tally } from './measure/tally.ts';
import type { ReplayOutcome, RequestFigures } from './outcome.ts';
import { recordedTokens } from './recorded-tokens.ts';
import { createReplayWorld, type ReplayWish, type ReplayWorld } from './replay-world.ts';

export type OnRequest = (request: ModelRequest, step: number) => void;

/**
 * Takes a recorded conversation through the code of the real loop: before each recorded reply the context is made to fit and the
 * request is built as it would be sent; then the reply and its recorded results are stored, large ones offloaded on arrival.
 */
export async function replay(transcript: Transcript, wish: ReplayWish, onRequest: OnRequest = () => undefined): Promise<ReplayOutcome> {
  const run = startRun(transcript, wish, onRequest);
  let turn = startTurn(wish.policy);
  for (const [index, step] of transcript.steps.entries()) {
    run.world.tick();
    if (step.type === 'user') turn = startTurn(wish.policy);
    if (step.type !== 'reply') addSaid(step, run.world.session);
    else {
      const sent = await makeRequest(run, turn, index);
      if (!sent) turn = startTurn(wish.policy);
      addReply(step, run);
    }
  }
  const { world, figures } = run;
  await run.fidelity.judge(world.session.context, { until: transcript.steps.length, round: roundOf(figures), atEnd: true });
  const { requests, compactions, reasons, dropped, offloads, stuck, references, looks, again } = figures;
  const measured = {
    ...{ requests, compactions, reasons, dropped, offloads, stuck, references, looks, again },
    fidelity: run.fidelity.rounds,
    misses: run.fidelity.misses(),
    grounding: run.grounding.result(),
    rollback: run.checkRollbacks(world.session, world.deps),
    recordedTokens: recordedTokens(transcript, wish.count),
  };
  world.session.close();
  return measured;
}

type Figures = {
  requests: RequestFigures[];
  compactions: number;
  reasons: string[];
  dropped: number;
  offloads: number;
  stuck: string[];
  references: Tally;
  looks: number;
  again: Tally;
  /** What the request before has told already. */
  told: { offloads: number; rounds: number };
};

type Run = {
  readonly world: ReplayWorld;
  readonly wish: ReplayWish;
  readonly figures: Figures;
  readonly fidelity: ReturnType<typeof createFidelity>;
  readonly grounding: ReturnType<typeof createGrounding>;
  readonly references: ReturnType<typeof mineReferences>;
  readonly looks: ReturnType<typeof mineAgain>;
  readonly weigh: ReturnType<typeof createCacheCost>;
  readonly checkRollbacks: ReturnType<typeof watchSnapshots>['check'];
  readonly onRequest: OnRequest;
};

function startRun(transcript: Transcript, wish: ReplayWish, onRequest: OnRequest): Run {
  const figures: Figures = {
    ...{ requests: [], compactions: 0, reasons: [], dropped: 0, offloads: 0, stuck: [] },
    ...{ references: noTally, looks: 0, again: noTally, told: { offloads: 0, rounds: 0 } },
  };
  const made = createReplayWorld(transcript, wish, (event) => note(event, figures));
  const watched = watchSnapshots(made.deps.snapshots);
  return {
    world: { ...made, deps: { ...made.deps, snapshots: watched.snapshots } },
    wish,
    figures,
    fidelity: createFidelity(transcript, made.find),
    grounding: createGrounding(transcript.steps),
    references: mineReferences(transcript, wish.count),
    looks: mineAgain(transcript),
    weigh: createCacheCost(wish.count),
    checkRollbacks: watched.check,
    onRequest,
  };
}

function note(event: SanbotEvent, figures: Figures): void {
  if (event.type === 'compaction_started') figures.reasons.push([...event.reasons].sort().join('+') || event.trigger);
  if (event.type === 'compacted') figures.compactions += 1;
  if (event.type === 'window_slid' || event.type === 'trimmed') figures.dropped += 1;
  if (event.type === 'offloaded') figures.offloads += event.results.length;
}

function addSaid(step: Extract<Step, { type: 'user' | 'notice' }>, session: Session): void {
  session.append({
    type: 'message',
    message: session.message({ role: 'user', origin: step.type, content: [{ type: 'text', text: step.text }] }),
  });
}

/** Counts every time that the past was replaced. */
const roundOf = ({ compactions, dropped }: Figures): number => compactions + dropped;

const nobodyStops = new AbortController().signal;

/** Makes the context fit and weighs the request; false when no request could have been sent. */
async function makeRequest(run: Run, turn: MakeReady, index: number): Promise<boolean> {
  const { world, wish, figures } = run;
  const { session, deps } = world;
  const before = roundOf(figures);
  try {
    await turn(session, deps, nobodyStops);
    const tokens = deps.measure.raw(session.context);
    if (tokens > wish.windowTokens && usesLadder(wish.policy))
      await recoverFromOverflow({ limitTokens: wish.windowTokens, sentTokens: tokens }, session, deps, { attempt: 1, signal: nobodyStops });
    weighRequest(run, tokens, index);
    await judgeUse(run, index);
    return true;
  } catch (error) {
    if (!(error instanceof SanbotError) || error.code !== 'context_cannot_fit') throw error;
    figures.stuck.push(`step ${index + 1}: ${reasonOf(error)}`);
    figures.requests.push({
      tokens: deps.measure.raw(session.context),
      inputTokens: 0,
      cachedTokens: 0,
      overflow: true,
      ...marksOf(figures),
    });
    return false;
  } finally {
    if (roundOf(figures) > before && wish.policy !== 'truncate') await judge(run, index);
  }
}

/** What does not fit before a recovery counts as an overflow, however well it went on. */
function weighRequest({ world, wish, figures, weigh, onRequest }: Run, tokens: number, index: number): void {
  const { session, deps } = world;
  const request = turnRequest({
    context: session.sent,
    model: session.model,
    facts: factsOf(session, deps),
    count: session.count(),
    config: deps.config.model,
  });
  const { reserveTokens } = limitsOf(session, deps);
  figures.requests.push({ tokens, ...weigh(request), overflow: tokens + reserveTokens > wish.windowTokens, ...marksOf(figures) });
  onRequest(request, index);
}

/** What happened since the request before. */
function marksOf(figures: Figures): { readonly offloaded: number; readonly replaced: number } {
  const { offloads, told } = figures;
  const rounds = roundOf(figures);
  figures.told = { offloads, rounds };
  return { offloaded: offloads - told.offloads, replaced: rounds - told.rounds };
}

/** What the recorded reply will use: whether this request has it. */
async function judgeUse({ world, figures, references, looks }: Run, index: number): Promise<void> {
  const { context } = world.session;
  const due = references.get(index);
  if (due !== undefined) figures.references = sumTallies([figures.references, await judgeReferences(due, context, world.find)]);
  const looked = looks.get(index);
  if (looked === undefined || roundOf(figures) === 0) return;
  figures.looks += looked.calls;
  figures.again = sumTallies([figures.again, judgeAgain(looked.again, context)]);
}

async function judge({ world, figures, fidelity, grounding }: Run, index: number): Promise<void> {
  const { context } = world.session;
  await fidelity.judge(context, { until: index, round: roundOf(figures), atEnd: false });
  for (const message of context.messages.filter(({ origin }) => origin === 'summary')) grounding.check(textOf(message.content));
}

/** The recorded reply, with the usage that a provider would have reported for the request of this replay, then its results. */
function addReply(step: Extract<Step, { type: 'reply' }>, { world, figures }: Run): void {
  const { session, deps } = world;
  const calls = step.content.filter(isToolUse);
  const sent = figures.requests.at(-1);
  const message = session.message({
    role: 'assistant',
    origin: 'model',
    content: step.content,
    model: session.model,
    stopReason: calls.length > 0 ? 'tool_use' : 'end_turn',
  });
  const cacheReadTokens = sent?.cachedTokens ?? 0;
  const inputTokens = Math.max(0, (sent?.tokens ?? 0) - cacheReadTokens);
  const usage = { inputTokens, cacheReadTokens, cacheWriteTokens: 0, outputTokens: deps.measure.message(message, 1) };
  const reported = sent !== undefined && sent.inputTokens > 0;
  session.append({ type: 'message', message: reported ? { ...message, usage } : message });
  if (reported) session.learn(usageTotal(usage));
  const limits = limitsOf(session, deps);
  for (const call of calls) {
    const result = step.results.find((each) => each.toolUseId === call.id);
    if (result === undefined) throw new SanbotError('internal', `The recording has no result for the call ${call.id}`);
    storeResult(call, { ok: result.ok, content: result.content, note: '', denied: false, ms: 0 }, session, deps, limits);
  }
}
