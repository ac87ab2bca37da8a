/**
 * `sanbot compact` and `sanbot rollback`: changes of a session's context from outside a conversation, for a person or for a program.
 *
 * In come the id of a session or snapshot and what to do with it. Out goes what changed and how to undo it, as text or as JSON.
 *
 * They do what /compact and /rollback do in a conversation, by the same functions of agent/compaction and agent/rollback, under the lock of the
 * session. Both show first what would change, and both leave a snapshot of the state before.
 *
 * They refuse to act on a session that is open elsewhere, and to act unasked: a rollback without a terminal needs --yes, and a preview of a
 * compaction without one is discarded.
 */

import { compact, prepareCompaction } from '../../agent/compaction/compact.ts';
import { limitsOf, withWish } from '../../agent/deps.ts';
import { AbortedError, SanbotError } from '../../domain/errors.ts';
import type { CompactedEvent, SanbotEvent } from '../../domain/event.ts';
import { type Bilingual, because, sameInBoth } from '../../domain/language.ts';
import { type CompactionWish, MIN_TARGET_TOKENS } from '../../domain/session/context.ts';
import { OFFLINE_MODEL } from '../../model/catalog.ts';
import { openConversation } from '../../runtime/conversation/conversation.ts';
import type { Conversation } from '../../runtime/conversation/types.ts';
import type { HomeOptions } from '../../runtime/home.ts';
import type { IoStreams } from '../../runtime/io-streams.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { buildUnattendedRuntime } from '../../runtime/runtime.ts';
import { readSettings } from '../../runtime/settings.ts';
import type { CompactionPreview, PendingCompaction } from '../../terminal/chat/context-port.ts';
import { pickOnTerminal } from '../../terminal/input/confirm.ts';
import { eventLine, initialEventState } from '../../terminal/screen/event-line.ts';
import { compactionPreviewText, reviewChoices, reviewCompaction } from '../../terminal/slash/compaction/compaction-preview.ts';
import { formatCount, pluralize } from '../../terminal/text/format.ts';
import { canAsk } from '../answer.ts';
import { editText } from '../chat/editor.ts';
import { pendingCompaction } from '../chat/pending-compaction.ts';
import { type CommandContext, parseWholeNumber } from '../command.ts';
import { chooseSession } from '../sessions/choose-session.ts';

export type CompactSessionOptions = HomeOptions & {
  readonly session?: string;
  readonly preview?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
  readonly instructions?: string;
  readonly target?: string;
  readonly keep?: string;
  readonly model?: string;
};

export async function compactSession(options: CompactSessionOptions, context: CommandContext): Promise<void> {
  const { environment, io } = context;
  const stop = new AbortController();
  let compactedEvent: CompactedEvent | undefined;
  const show = (event: SanbotEvent): void => {
    if (event.type === 'compacted') compactedEvent = event;
    printEvent(event, options, io);
  };
  const runtime = await buildUnattendedRuntime(environment, { settings: readSettings(environment, options), show, warn: io.warn });
  const sessionId = chooseSession(options.session, runtime.store, context);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) environment.onSignal(signal, () => stop.abort());
  const wish = {
    ...(options.target !== undefined && { targetTokens: parseWholeNumber('--target', options.target, MIN_TARGET_TOKENS) }),
    ...(options.keep !== undefined && { keepMessages: parseWholeNumber('--keep', options.keep, 1) }),
    ...(options.model !== undefined && { model: runtime.models.fullName(options.model) }),
  };
  const conversation = openConversation(runtime, sessionId);
  try {
    const isDone = await runCompaction(withSummariser(conversation, runtime, wish), options, context, stop.signal);
    if (isDone && options.json) io.out(compactionJson(compactedEvent));
  } catch (error) {
    if (error instanceof AbortedError)
      throw new SanbotError('interrupted', { en: 'Cancelled; the session is unchanged', zh: '已取消；会话没有变化' }, undefined, error);
    throw error;
  } finally {
    conversation.close();
  }
}

/** False where a preview was shown and nothing is left to tell. */
async function runCompaction(
  { session, deps }: Conversation,
  options: CompactSessionOptions,
  context: CommandContext,
  signal: AbortSignal,
): Promise<boolean> {
  const { instructions } = options;
  // A process that was killed in the middle of a call left it open, and so it cannot be sent.
  session.closeOpenCalls();
  const request = { trigger: 'manual' as const, reasons: [], instructions, limits: limitsOf(session, deps), signal };
  const outcome = await (options.preview ? prepareCompaction : compact)(request, session, deps);
  throwIfFailed(outcome);
  return outcome.kind !== 'prepared' || reviewPrepared(pendingCompaction(outcome, session, deps), options, context);
}

const NOTHING: Bilingual = { en: 'Nothing was compacted', zh: '没有压缩任何内容' };

function throwIfFailed(outcome: { readonly kind: string; readonly why?: Bilingual }): void {
  if (outcome.kind === 'blocked') throw new SanbotError('refused', because(NOTHING, outcome.why ?? sameInBoth('')));
  if (outcome.kind === 'failed') throw new SanbotError('model_failed', because(NOTHING, outcome.why ?? sameInBoth('')));
}

async function reviewPrepared(
  pending: PendingCompaction,
  options: CompactSessionOptions,
  { environment, io }: CommandContext,
): Promise<boolean> {
  if (canAsk(environment, options) && !options.yes) {
    const ask = async (question: string) => (await pickOnTerminal(question, reviewChoices(), environment)) ?? 'discard';
    await reviewCompaction(pending, { show: io.out, columns: () => io.columns, ask, edit: (text) => editText(environment, text) });
    return false;
  }
  if (options.json && !options.yes) io.out(previewJson(pending.view()));
  if (!options.json) io.out(compactionPreviewText(pending.view(), io.columns));
  if (options.yes) {
    await pending.commit();
    return true;
  }
  pending.discard();
  io.warn({
    en: 'This was only a preview. To commit without being asked: --preview --yes',
    zh: '这只是预览。要不经询问直接提交：--preview --yes',
  });
  return false;
}

function printEvent(event: SanbotEvent, { json }: CompactSessionOptions, io: IoStreams): void {
  if (event.type === 'compaction_started')
    io.warn({
      en: `compacting ${pluralize(event.messages, 'message')}, ${formatCount(event.tokens)} tokens (Ctrl-C cancels)`,
      zh: `正在压缩 ${formatCount(event.messages)} 条消息，${formatCount(event.tokens)} token（Ctrl-C 取消）`,
    });
  const line = eventLine(initialEventState, event);
  if (line === undefined || (json && event.type !== 'warning')) return;
  (event.type === 'warning' ? io.err : io.out)(`${line.text}\n`);
}

/** A session that was held offline, compacted where there is a model: the session's own could not summarise. */
function withSummariser(conversation: Conversation, runtime: Runtime, wish: CompactionWish): Conversation {
  const { session } = conversation;
  // The mode of this command says nothing about the conversation.
  const deps = withWish({ ...conversation.deps, person: { ...conversation.deps.person, repeatsMode: false } }, wish);
  if (runtime.offline || session.model !== OFFLINE_MODEL) return { ...conversation, deps };
  const compaction = { ...deps.config.compaction, model: deps.config.compaction.model ?? runtime.modelName };
  return { ...conversation, deps: { ...deps, config: { ...deps.config, compaction } } };
}

/** What `compact --json` prints. Fields are added here, never taken away. `compacted` is false when there was nothing to compact. */
function compactionJson(event: CompactedEvent | undefined): string {
  if (event === undefined) return `${JSON.stringify({ compacted: false })}\n`;
  const { snapshotId, method, messagesBefore, messagesKept, tokensBefore, tokensAfter, usage, costUsd } = event;
  const fields = { compacted: true, snapshot: snapshotId, method, messagesBefore, messagesKept, tokensBefore, tokensAfter, usage };
  return `${JSON.stringify({ ...fields, costUsd: costUsd ?? null })}\n`;
}

function previewJson({
  text,
  byRule,
  method,
  leaving,
  messagesNow,
  messagesKept,
  tokensNow,
  tokensAfter,
  ...rest
}: CompactionPreview): string {
  const { usage, costUsd, ledger } = rest;
  const figures = {
    method,
    messagesBefore: messagesNow,
    messagesKept,
    tokensBefore: tokensNow,
    tokensAfter,
    usage,
    costUsd: costUsd ?? null,
  };
  return `${JSON.stringify({ compacted: false, preview: { ...figures, summary: text, byRule, leaving, ledger } })}\n`;
}
