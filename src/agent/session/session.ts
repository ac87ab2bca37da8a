/**
 * A session is one conversation, from its first message to its last, over as many processes as that takes.
 *
 * In: the records of its log, read back as far as the newest checkpoint, and then whatever happens: messages, stubs in the place of
 * results, checkpoints, another model. Out: those records, one at a time, each on disk before the next is begun, and the context that
 * they add up to.
 *
 * `context` is at every moment what another process would rebuild from the log. A record that the disk refuses is stored first as soon
 * as the disk takes records again, or is forgotten altogether; a stored one is never edited.
 *
 * Three things that only this process knows stand in objects of their own: what requests weigh (estimate.ts), what was used and paid
 * (usage.ts), and how those who summarise are doing (session-state.ts). A session asks no model and decides nothing: what is sent, and when
 * the context is made smaller, is decided in turn/ and fit/.
 */

import { type ContextFold, createContextFold } from '../../context/history/apply-record.ts';
import type { SentLog } from '../../context/history/cache-point.ts';
import { closeOpenCalls, repairPairs } from '../../context/history/pairing.ts';
import { appendPins } from '../../context/history/pins.ts';
import type { Measure } from '../../context/measure/measure.ts';
import { activePruning, applyPruning } from '../../context/offload/prune.ts';
import type { SessionContext } from '../../domain/session/context.ts';
import type { ContentBlock, Message, PruneRecord } from '../../domain/session/message.ts';
import type { CheckpointRecord, FutileCompaction, NewRecord } from '../../domain/session/record.ts';
import { createTurns } from '../../domain/value/turns.ts';
import type { Bodies, OpenedLog, SessionLog } from '../ports/disk.ts';
import type { Clock, NewId } from '../ports/effects.ts';
import { TokenEstimate } from './estimate.ts';
import { createHelperList } from './helper-list.ts';
import { createCallCounter, createPrefixWatch, ReliefMemory, SummariserHealth } from './session-state.ts';
import { createUsageMeter } from './usage.ts';

/** A checkpoint is repeated once this much was appended after the last one, so that opening never reads back further. */
const REPEAT_CHECKPOINT_BYTES = 4 * 1024 * 1024;

/** With these the next request begins otherwise than the one before. */
const CHANGES_PAST: ReadonlySet<NewRecord['type']> = new Set(['checkpoint', 'offload', 'model'] as const);

/** What the person has allowed in a session, for it and its helpers; `grants` for the rest of this session, in memory only. */
const createConsent = () => ({ grants: new Set<string>(), beginnings: new Map<string, number>(), inTurn: createTurns() });
type Consent = ReturnType<typeof createConsent>;

type SessionDeps = {
  readonly now: Clock;
  readonly newId: NewId;
  readonly measure: Measure;
  /** Those of the session that a helper works for: what the person allows one, all of them may. */
  readonly consent?: Consent;
};

/** One conversation, open for writing: its log, and the context that always is what a reader of the log would rebuild. */
export class Session {
  readonly id: string;
  readonly group: string;
  readonly cwd: string;
  readonly bodies: Bodies;
  readonly estimate: TokenEstimate;
  readonly usage = createUsageMeter();
  readonly summariser = new SummariserHealth();
  readonly relief = new ReliefMemory();
  readonly consent: Consent;
  /** The helpers that work for it in this process. */
  readonly aliveHelpers = new Set<string>();
  readonly helpers = createHelperList(this.aliveHelpers);
  readonly calls: ReturnType<typeof createCallCounter>;
  /** What the provider may have in its cache, as far as this process sent it. */
  sentLog: SentLog | undefined;
  readonly prefix = createPrefixWatch();
  readonly #log: SessionLog;
  readonly #deps: Pick<SessionDeps, 'now' | 'newId'>;
  #fold: ContextFold;
  #model: string;
  #endpoint: string | undefined;
  #changedFrom: string | undefined;
  #lastRecord = 0;
  #unsaved: NewRecord[] = [];
  /** What was pruned since the last reply; the next one carries it into the log. */
  #pruning: PruneRecord | undefined;
  #sent: { readonly of: SessionContext; readonly pruned: PruneRecord | undefined; readonly context: SessionContext } | undefined;

  constructor(openedLog: OpenedLog, bodies: Bodies, deps: SessionDeps) {
    this.id = openedLog.header.sessionId;
    this.group = openedLog.header.group;
    this.cwd = openedLog.header.cwd;
    this.bodies = bodies;
    this.#log = openedLog.log;
    this.#deps = deps;
    this.#model = openedLog.header.model;
    this.#endpoint = openedLog.header.endpoint;
    this.#fold = createContextFold(openedLog.header.context);
    this.estimate = new TokenEstimate(deps.measure, this);
    this.consent = deps.consent ?? createConsent();
    this.calls = createCallCounter(openedLog.header, openedLog.records);
    for (const record of openedLog.records) this.#apply(record, record.n);
    this.#repair();
  }

  get context(): SessionContext {
    return this.#fold.context();
  }
  /** The context as the next request sends it: without what is pruned, else the same. */
  get sent(): SessionContext {
    const { context, pruned } = this;
    if (this.#sent?.of !== context || this.#sent.pruned !== pruned)
      this.#sent = { of: context, pruned, context: applyPruning(context, pruned) };
    return this.#sent.context;
  }
  get pruned(): PruneRecord | undefined {
    return this.#pruning ?? activePruning(this.context);
  }
  get model(): string {
    return this.#model;
  }
  /** Where it is asked; undefined as in the records. */
  get endpoint(): string | undefined {
    return this.#endpoint;
  }
  /** The number of the last record of the log, as far as this process knows. */
  get lastRecord(): number {
    return this.#lastRecord;
  }
  /** The snapshot from before the newest change of the context, as far as the log was read back. */
  get changedFrom(): string | undefined {
    return this.#changedFrom;
  }

  /** Stores records and makes them part of the context; what the disk refuses is kept, as `flush` says. */
  append(...records: readonly [NewRecord, ...NewRecord[]]): void {
    this.#unsaved.push(...records);
    this.flush();
  }

  /** Stores what the disk refused before. When it refuses again, throws store_failed and keeps it for the next call. */
  flush(): void {
    while (this.#unsaved[0] !== undefined) {
      const record = this.#unsaved[0];
      const { n } = this.#log.append(record.type === 'checkpoint' ? this.#complete(record) : record);
      this.#unsaved.shift();
      this.#apply(record, n);
      this.calls.apply(record);
      if (CHANGES_PAST.has(record.type)) this.prefix.expectChange();
      if (record.type === 'checkpoint' || record.type === 'offload') {
        this.estimate.trustUsage();
        this.#pruning = undefined;
      }
      if (record.type === 'message' && record.message.pruned !== undefined) this.#pruning = undefined;
    }
    if (this.#log.bytesSinceCheckpoint() > REPEAT_CHECKPOINT_BYTES)
      this.#log.append(this.#complete({ type: 'checkpoint', reason: 'repeat', context: this.context }));
  }

  /** Stored with the context that it was in vain for: the next process would pay for it again. */
  rememberFutile(futile: FutileCompaction, { paid }: { readonly paid: boolean }): void {
    this.relief.futile = futile;
    this.relief.paid = paid;
    // What costs nothing is found out once more.
    if (paid) this.#log.append(this.#complete({ type: 'checkpoint', reason: 'repeat', context: this.context }));
  }

  /** The next process reads back only as far as the newest checkpoint. */
  #complete(checkpoint: CheckpointRecord): CheckpointRecord {
    const ratio = this.estimate.learnedRatio;
    const helpers = this.helpers.all();
    const calls = this.calls.known();
    const futile = checkpoint.reason === 'repeat' && this.relief.paid ? this.relief.futile : checkpoint.futile;
    return {
      ...{ ...checkpoint, model: this.#model, ...withEndpoint(this.#endpoint) },
      ...(ratio === undefined ? {} : { ratio }),
      ...(helpers.length === 0 ? {} : { helpers }),
      ...(calls === undefined ? {} : { calls }),
      ...(futile === undefined ? {} : { futile }),
    };
  }

  #apply(record: NewRecord, n: number): void {
    this.#lastRecord = n;
    this.#fold.apply(record);
    this.helpers.apply(record, n);
    if (record.type === 'model') {
      this.estimate.changeModel(this.#model, record.model);
      this.#model = record.model;
      this.#endpoint = record.endpoint;
    }
    if (record.type !== 'checkpoint') return;
    this.relief.futile = record.futile;
    this.relief.paid = true;
    this.#changedFrom = record.snapshotId ?? this.#changedFrom;
    if (record.model !== undefined) [this.#model, this.#endpoint] = [record.model, record.endpoint];
    this.estimate.restore(record.ratio);
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
    const isReply = fields.origin === 'model';
    const pruned = isReply && this.#pruning !== undefined ? { pruned: this.#pruning } : {};
    const from = isReply ? withEndpoint(this.#endpoint) : {};
    return { id: this.#deps.newId(), at: this.#deps.now().toISOString(), ...fields, ...from, ...pruned };
  }

  /** From the next request on these are sent only in part, until the past changes otherwise. */
  prune(pruned: PruneRecord): void {
    this.prefix.expectChange();
    this.#pruning = pruned;
  }

  /** Gives an answer to calls that never got one, so that the history is valid. Returns how many there were. */
  closeOpenCalls(): number {
    this.flush();
    const content: readonly ContentBlock[] = closeOpenCalls(this.context.messages);
    if (content.length > 0) this.append({ type: 'message', message: this.message({ role: 'user', origin: 'interrupted', content }) });
    return content.length;
  }

  switchModel(model: string, endpoint?: string): void {
    if (model === this.#model && endpoint === this.#endpoint) return;
    this.append({ type: 'model', model, ...withEndpoint(endpoint) });
    this.estimate.trustUsage();
  }

  /** As its log. */
  settled = async (signal: AbortSignal): Promise<void> => this.#log.settled?.(signal);

  close(): void {
    this.summariser.prepared?.stop();
    this.#log.close();
  }

  /** Damage in the middle of a log may have taken half of a pair; what is left of it can't be sent [D-08, C61], or a pinned message. Stored with what comes next. */
  #repair(): void {
    const stamp = { id: this.#deps.newId(), at: this.#deps.now().toISOString() };
    const messages = appendPins(repairPairs(this.context.messages), this.context.pins ?? [], stamp);
    if (messages === this.context.messages) return;
    const context = { ...this.context, messages, anchorFloor: messages.length };
    this.#fold = createContextFold(context);
    this.#unsaved.push({ type: 'checkpoint', reason: 'mended', context });
  }
}

const withEndpoint = (endpoint: string | undefined): { readonly endpoint?: string } => (endpoint === undefined ? {} : { endpoint });
