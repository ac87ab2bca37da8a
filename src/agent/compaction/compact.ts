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
import { askBeforeCompaction } from '../hooks.ts';
import type { Session } from '../session/session.ts';
import { awaitAhead, type ReadyAhead } from './ahead.ts';
import { commitCompaction, tellUnfinished } from './commit-compaction.ts';
import { chooseParting, ledgerOf, partAt } from './parting.ts';
import { addSpent, nothingSpent, summarise } from './summarise.ts';
import { summariseByServer } from './summarise-by-server.ts';
import type { Compaction, CompactionOutcome, NotCompacted, Parting, PreparedCompaction, Spent } from './types.ts';

/**
 * Replaces older messages by a summary: prepares it, then commits it. Until the checkpoint of the commit nothing of the context has
 * changed, so a crash, a failure or a cancel before it leaves the old one. Rejects with AbortedError when cancelled, and with
 * store_failed when the disk will not take the snapshot or the checkpoint.
 */
export async function compact(wish: Compaction, session: Session, deps: AgentDeps): Promise<CompactionOutcome> {
  const prepared = await prepareCompaction(wish, session, deps);
  return prepared.kind === 'prepared' ? commitCompaction(prepared, session, deps) : prepared;
}

/** Makes the summary and the context that would follow. Writes nothing but what the disk refused before. Rejects with AbortedError. */
export async function prepareCompaction(wish: Compaction, session: Session, deps: AgentDeps): Promise<PreparedCompaction | NotCompacted> {
  session.append();
  session.settleRatio();
  const { messages } = session.context;
  const tokens = session.count().tokens;
  const parting = chooseParting(wish, session, deps);
  if (parting === undefined) {
    if (wish.trigger === 'manual') deps.emit({ type: 'nothing_to_compact', messages: messages.length, tokens });
    return { kind: 'nothing' };
  }
  deps.emit({ type: 'compaction_started', trigger: wish.trigger, reasons: wish.reasons, tokens, messages: messages.length });
  const bill: Bill = { spent: nothingSpent };
  try {
    const asked = await askBeforeCompaction(wish, session, deps);
    const outcome = asked.kind === 'blocked' ? asked : await prepare({ ...wish, ...asked }, parting, session, { ...deps, bill });
    if (outcome.kind === 'failed' || outcome.kind === 'blocked')
      deps.emit({ type: 'compaction_failed', trigger: wish.trigger, why: outcome.why, ...bill.spent });
    return outcome;
  } catch (error) {
    tellUnfinished(error, { trigger: wish.trigger, spent: bill.spent }, deps);
    throw error;
  }
}

type Bill = { spent: Spent };

type Paying = AgentDeps & { readonly bill: Bill };

async function prepare(wish: Compaction, whole: Parting, session: Session, deps: Paying): Promise<PreparedCompaction | NotCompacted> {
  const { signal } = wish;
  const started = deps.now().getTime();
  const before = { wish, old: session.context, tokensBefore: session.count().tokens };
  const plain = wish.instructions === undefined && wish.given === undefined;
  const ahead = plain ? await awaitAhead(whole, signal, session, deps) : undefined;
  if (signal.aborted) throw new AbortedError();
  const early = ahead === undefined ? undefined : smallEnough(ahead, before, session, deps);
  const made = early ?? (await summariseRest(wish, { whole, ahead }, session, deps));
  if (made.kind === 'failed') return made;
  const ms = Math.max(0, deps.now().getTime() - started);
  return withContext({ ...before, ...made, spent: deps.bill.spent, ms }, session, deps);
}

type Made = {
  readonly kind: 'made';
  readonly parting: Parting;
  readonly ledger: Ledger;
  readonly text: string;
  readonly block?: CompactionBlock;
  readonly method: SummaryMethod;
};

/** A summary that was made beside the turn is enough by itself when all that came after it can stay. */
function smallEnough(ahead: ReadyAhead, before: Before, session: Session, deps: AgentDeps): Made | undefined {
  const parting = partAt(ahead.index, before.old.messages);
  if (parting === undefined) return undefined;
  const made: Made = { kind: 'made', parting, ledger: ledgerOf(parting, session), text: ahead.text, method: 'model' };
  const context = newContext({ ...before, ...made }, session, deps);
  return ahead.isWhole || deps.measure.context(context, session.ratio).tokens <= before.wish.limits.softTokens ? made : undefined;
}

type Rest = { readonly whole: Parting; readonly ahead: ReadyAhead | undefined };

/** Summarises what leaves, or what of it a summary made beside the turn does not cover yet. */
async function summariseRest(
  { trigger, instructions, limits, signal, given }: Compaction,
  { whole, ahead }: Rest,
  session: Session,
  deps: Paying,
): Promise<Made | Extract<NotCompacted, { kind: 'failed' }>> {
  const ledger = ledgerOf(whole, session);
  const wish = { instructions, targetTokens: limits.summaryTokens, asked: trigger === 'manual', signal };
  if (given === undefined && ahead === undefined) {
    const { spent, ...byServer } = await summariseByServer({ ...wish, index: whole.index }, session, deps);
    pay(spent, session, deps);
    if (signal.aborted) throw new AbortedError();
    if (byServer.kind === 'made')
      return { kind: 'made', parting: whole, ledger, text: byServer.block.content, block: byServer.block, method: 'server' };
  }
  const made = await summarise(
    {
      ...wish,
      material: ahead === undefined ? whole.material : whole.material.slice(ahead.material.length),
      kept: whole.kept,
      earlier: ahead === undefined ? whole.earlier : { text: ahead.text, ledger, messages: 0 },
      ledger,
      given,
      bodyOf: session.bodies.read,
    },
    session,
    deps,
  );
  pay(made.spent, session, deps);
  if (signal.aborted) throw new AbortedError();
  if (made.kind === 'failed') return { kind: 'failed', why: made.why };
  return { kind: 'made', parting: whole, ledger, text: made.text, method: made.method };
}

function pay(spent: Spent, session: Session, deps: Paying): void {
  deps.bill.spent = addSpent(deps.bill.spent, spent);
  if (usageTotal(spent.usage) > 0) session.book('compaction', spent.usage, spent.costUsd);
}

type Before = Pick<PreparedCompaction, 'wish' | 'old' | 'tokensBefore'>;
type WithoutContext = Omit<PreparedCompaction, 'kind' | 'context' | 'tokensAfter'>;

/** Accepted only when it makes the context smaller. */
export function withContext(parts: WithoutContext, session: Session, deps: AgentDeps): PreparedCompaction | NotCompacted {
  const { old, tokensBefore } = parts;
  const context = newContext(parts, session, deps);
  const tokensAfter = deps.measure.context(context, session.ratio).tokens;
  // Both by the same measure: what a provider reported for the old past says nothing about the new one.
  if (tokensAfter >= tokensBefore || deps.measure.raw(context) >= deps.measure.raw(old))
    return { kind: 'failed', why: `the summary would not make the context smaller (${tokensBefore} -> ${tokensAfter} tokens)` };
  return { ...parts, kind: 'prepared', context, tokensAfter };
}

type NewContext = Pick<PreparedCompaction, 'wish' | 'old' | 'parting' | 'ledger' | 'text' | 'block'>;

/** The summary, the pins whose messages leave, then what is kept, without thinking blocks: they are bound to a past that is no longer there. */
function newContext(
  { wish: { limits }, old, parting, ledger, text, block }: NewContext,
  session: Session,
  deps: AgentDeps,
): SessionContext {
  const count = (words: string) => deps.measure.text(words, session.ratio);
  const summary = compressedHistory({
    id: deps.newId(),
    at: deps.now().toISOString(),
    text,
    block,
    ledger,
    messages: (parting.earlier?.messages ?? 0) + parting.material.length,
    ledgerTokens: limits.ledgerTokens,
    count,
    mode: deps.mode,
  });
  const pins = { id: `${summary.id}-pins`, at: summary.at };
  const messages = withPins([summary, ...withoutThinking(parting.kept)], old.pins ?? [], pins);
  return {
    ...old,
    system: deps.config.compaction.keepSystemPrompt ? old.system : deps.renderSystem(),
    shortTermSummary: shortTermSummary(text, { tokens: limits.shortSummaryTokens, count }),
    messages,
    anchorFloor: messages.length,
  };
}
