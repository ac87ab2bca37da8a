import { applyRecord } from '../../context/history/apply-record.ts';
import { closeOpenCalls, repairPairs } from '../../context/history/pairing.ts';
import { appendPins } from '../../context/history/pins.ts';
import { type ContextCount, calibrate, MAX_RATIO, type Measure, MIN_RATIO, SEED_RATIO } from '../../context/measure/measure.ts';
import { activePruning, applyPruning } from '../../context/offload/prune.ts';
import { SanbotError } from '../../domain/errors.ts';
import type { SessionContext } from '../../domain/session/context.ts';
import type { ContentBlock, Message, PruneRecord, Usage } from '../../domain/session/message.ts';
import { usageTotal } from '../../domain/session/message.ts';
import type { CheckpointRecord, NewRecord } from '../../domain/session/record.ts';
import type { PreparedSummary } from '../compaction/types.ts';
import type { Bodies, Clock, NewId, OpenedLog, SessionLog } from '../ports.ts';
import { createBreaker } from './breaker.ts';
import { addRequestUsage, noSessionUsage, type SessionUsage } from './usage.ts';

/** A checkpoint is repeated once this much was appended after the last one, so that opening never reads back further. */
const REPEAT_CHECKPOINT_BYTES = 4 * 1024 * 1024;

export type SessionDeps = { readonly now: Clock; readonly newId: NewId; readonly measure: Measure };

/** One conversation, open for writing. `context` always is what a reader of the log would rebuild. */
export class Session {
  readonly id: string;
  readonly group: string;
  readonly cwd: string;
  readonly bodies: Bodies;
  readonly grants = new Set<string>();
  /** A summary that is being made beside the turn, or is ready. */
  preparedSummary: PreparedSummary | undefined;
  /** Of the models that summarise: after three tries in a row without a summary of theirs, rules make it for a quarter of an hour. */
  readonly summaryBreaker = createBreaker({ failures: 3, restMs: 15 * 60_000 });
  /** Of the API's own summaries, which failed in passing. */
  readonly serverBreaker = createBreaker({ failures: 2, restMs: 15 * 60_000 });
  /** Models whose API does not summarise, as far as this process has been told. */
  readonly modelsWithoutServerCompaction = new Set<string>();
  readonly #log: SessionLog;
  readonly #deps: SessionDeps;
  #context: SessionContext;
  #model: string;
  #changedFrom: string | undefined;
  #ratio = SEED_RATIO;
  /** Of the models that answered before, for when one of them does again. */
  readonly #ratios = new Map<string, number>();
  #isCalibrated = false;
  #unsaved: NewRecord[] = [];
  /** What was pruned since the last reply; the next one carries it into the log. */
  #pruning: PruneRecord | undefined;
  #sent: { readonly of: SessionContext; readonly pruned: PruneRecord | undefined; readonly context: SessionContext } | undefined;
  /** Usage of messages before this index has been proved wrong by an overflow. */
  #distrustedUntil = 0;
  #spent = noSessionUsage;
  /** The window that an overflow answer stated for a model; believed over any table. */
  #statedWindow: { readonly model: string; readonly tokens: number } | undefined;

  constructor(openedLog: OpenedLog, bodies: Bodies, deps: SessionDeps) {
    this.id = openedLog.header.sessionId;
    this.group = openedLog.header.group;
    this.cwd = openedLog.header.cwd;
    this.bodies = bodies;
    this.#log = openedLog.log;
    this.#deps = deps;
    this.#model = openedLog.header.model;
    this.#context = openedLog.header.context;
    for (const record of openedLog.records) this.#apply(record);
    this.#repair();
  }

  get context(): SessionContext {
    return this.#context;
  }
  /** The context as the next request sends it: without what is pruned, else the same. */
  get sent(): SessionContext {
    const { pruned } = this;
    if (this.#sent?.of !== this.#context || this.#sent.pruned !== pruned)
      this.#sent = { of: this.#context, pruned, context: applyPruning(this.#context, pruned) };
    return this.#sent.context;
  }
  get pruned(): PruneRecord | undefined {
    return this.#pruning ?? activePruning(this.#context);
  }
  get model(): string {
    return this.#model;
  }
  get ratio(): number {
    this.#calibrateFromPast();
    return this.#ratio;
  }
  /** The snapshot from before the newest change of the context, as far as the log was read back. */
  get changedFrom(): string | undefined {
    return this.#changedFrom;
  }
  /** Used and paid since this process opened the session. */
  get spent(): SessionUsage {
    return this.#spent;
  }
  get statedWindow(): number | undefined {
    return this.#statedWindow?.model === this.#model ? this.#statedWindow.tokens : undefined;
  }

  /** Tokens of the next request as it stands, by the one counter that serves triggers, figures and display. */
  count(): ContextCount {
    this.#calibrateFromPast();
    const anchorFloor = Math.max(this.sent.anchorFloor, this.#distrustedUntil);
    return this.#deps.measure.context({ ...this.sent, anchorFloor }, this.#ratio);
  }

  /**
   * To be called before the past changes: then the provider's figure for it measures nothing any more, and the ratio takes over what
   * it told, so that the figures before and after are of one kind.
   */
  settleRatio(): void {
    const { tokens, anchored } = this.count();
    const raw = this.#deps.measure.raw(this.sent);
    if (anchored && raw > 0) this.#ratio = Math.min(MAX_RATIO, Math.max(MIN_RATIO, tokens / raw));
  }

  /**
   * Stores records and makes them part of the context. When the disk refuses, throws store_failed and keeps them:
   * the next call stores them first, so nothing that happened is forgotten.
   */
  append(...records: readonly NewRecord[]): void {
    this.#unsaved.push(...records);
    while (this.#unsaved[0] !== undefined) {
      const record = this.#unsaved[0];
      this.#log.append(record.type === 'checkpoint' ? this.#complete(record) : record);
      this.#unsaved.shift();
      this.#apply(record);
      if (record.type === 'checkpoint' || record.type === 'offload') {
        this.#distrustedUntil = 0;
        this.#pruning = undefined;
      }
      if (record.type === 'message' && record.message.pruned !== undefined) this.#pruning = undefined;
    }
    if (this.#log.bytesSinceCheckpoint() > REPEAT_CHECKPOINT_BYTES)
      this.#log.append(this.#complete({ type: 'checkpoint', reason: 'repeat', context: this.#context }));
  }

  /** The next process reads back only as far as the newest checkpoint. */
  #complete(checkpoint: CheckpointRecord): CheckpointRecord {
    return { ...checkpoint, model: this.#model, ...(this.#ratio === SEED_RATIO ? {} : { ratio: this.#ratio }) };
  }

  #apply(record: NewRecord): void {
    this.#context = applyRecord(this.#context, record);
    if (record.type === 'model') this.#useModel(record.model);
    if (record.type !== 'checkpoint') return;
    this.#changedFrom = record.snapshotId ?? this.#changedFrom;
    this.#model = record.model ?? this.#model;
    this.#ratio = record.ratio ?? this.#ratio;
  }

  /** Each model has its own tokens: what is known of one is kept for it, and a new one begins anew. */
  #useModel(model: string): void {
    this.#ratios.set(this.#model, this.#ratio);
    this.#ratio = this.#ratios.get(model) ?? SEED_RATIO;
    this.#model = model;
  }

  /** Like append, for what has no consequence yet: when the disk refuses it, it is as if it had never been asked for. */
  appendOrDiscard(record: NewRecord): void {
    try {
      this.append(record);
    } catch (error) {
      this.#unsaved = this.#unsaved.filter((pending) => pending !== record);
      throw error;
    }
  }

  message(fields: Pick<Message, 'role' | 'origin' | 'content'> & Partial<Message>): Message {
    const pruned = fields.origin === 'model' && this.#pruning !== undefined ? { pruned: this.#pruning } : {};
    return { id: this.#deps.newId(), at: this.#deps.now().toISOString(), ...fields, ...pruned };
  }

  /** From the next request on these are sent only in part, until the past changes otherwise. */
  prune(pruned: PruneRecord): void {
    this.#pruning = pruned;
  }

  /** Gives an answer to calls that never got one, so that the history is valid. Returns how many there were. */
  closeOpenCalls(): number {
    this.append();
    const content: readonly ContentBlock[] = closeOpenCalls(this.#context.messages);
    if (content.length > 0) this.append({ type: 'message', message: this.message({ role: 'user', origin: 'interrupted', content }) });
    return content.length;
  }

  switchModel(model: string): void {
    if (model === this.#model) return;
    this.append({ type: 'model', model });
    this.#distrustedUntil = 0;
  }

  /** Notes what one request, or the requests of one compaction, used and cost; `costUsd` undefined when no price is known. */
  recordUsage(purpose: 'turn' | 'compaction', usage: Usage | undefined, costUsd: number | undefined): void {
    if (usage !== undefined) this.#spent = addRequestUsage(this.#spent, purpose, { usage, costUsd });
  }

  /** Compares what the provider counted with what we would have, and corrects the estimate from now on. */
  calibrateRatio(reportedTokens: number, context: SessionContext = this.sent): void {
    this.#calibrateFromPast();
    this.#ratio = calibrate(this.#ratio, { rawTokens: this.#deps.measure.raw(context), reportedTokens });
  }

  /** An overflow says that the estimate was too low, or the window smaller than told. */
  learnFromOverflow(
    overflow: { readonly limitTokens: number | undefined; readonly sentTokens: number | undefined },
    windowTokens: number,
  ): void {
    if (overflow.limitTokens !== undefined) this.#statedWindow = { model: this.#model, tokens: overflow.limitTokens };
    const sentTokens = overflow.sentTokens ?? (overflow.limitTokens ?? windowTokens) + 1;
    const raw = this.#deps.measure.raw(this.sent);
    if (raw > 0 && sentTokens / raw > this.#ratio) this.#ratio = sentTokens / raw;
    this.#distrustedUntil = this.#context.messages.length;
  }

  close(): void {
    this.preparedSummary?.stop();
    this.#log.close();
  }

  /** Damage in the middle of a log may have taken half of a pair; what is left of it can't be sent [D-08, C61], or a pinned message. Stored with what comes next. */
  #repair(): void {
    const stamp = { id: this.#deps.newId(), at: this.#deps.now().toISOString() };
    const messages = appendPins(repairPairs(this.#context.messages), this.#context.pins ?? [], stamp);
    if (messages === this.#context.messages) return;
    this.#context = { ...this.#context, messages, anchorFloor: messages.length };
    this.#unsaved.push({ type: 'checkpoint', reason: 'mended', context: this.#context });
  }

  /** What an earlier process learned about the estimate; only when something is counted, so that opening a session counts nothing. */
  #calibrateFromPast(): void {
    if (this.#isCalibrated) return;
    this.#isCalibrated = true;
    const { messages, anchorFloor } = this.sent;
    const last = messages.findLastIndex((message, index) => index >= anchorFloor && message.usage !== undefined);
    const usage = messages[last]?.usage;
    if (usage !== undefined && usageTotal(usage) > 0)
      this.calibrateRatio(usageTotal(usage), { ...this.sent, messages: messages.slice(0, last + 1) });
  }
}

/** The text of an error as a reason in one line. */
export const errorMessage = (error: unknown): string =>
  error instanceof SanbotError || error instanceof Error ? error.message : String(error);
