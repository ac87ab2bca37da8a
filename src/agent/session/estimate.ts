import { mostTokens } from '../../context/measure/count.ts';
import { type ContextCount, calibrate, MAX_RATIO, type Measure, MIN_RATIO, SEED_RATIO } from '../../context/measure/measure.ts';
import type { SessionContext } from '../../domain/session/context.ts';
import { type Usage, usageTotal } from '../../domain/session/message.ts';

/** The conversation that is estimated, as it stands now. */
type EstimateSubject = { readonly model: string; readonly sent: SessionContext };

export type Overflow = { readonly limitTokens: number | undefined; readonly sentTokens: number | undefined };

/** A request that only grew, and of which the server counts less than so much of what it counted before. */
const TRUNCATION_RATIO = 0.75;
/** No tokenizer of today needs less than so much of our own count for a text of some length; the lowest that is believed is 0.8. */
const LEAST_RATIO = 0.5;
const LEAST_COMPARED_TOKENS = 2_000;
/** What templates add to the messages of one step. */
const STEP_TOKENS = 512;
/** More than any server adds to a request of its own. */
const FIRST_TOKENS = 200_000;
/** Prices of images differ between models, and the one that is assumed may be the lowest. */
const MEDIA_SLACK = 4;

/** Of a smaller request nobody says that it is too long. */
const LEAST_SUSPECTED_SHARE = 0.5;

/**
 * What the next request weighs in the tokens of the model that answers it. It trusts what the provider reported for the past as it
 * stands and estimates the rest by a ratio that it learns from every report, for each model apart. It only measures.
 */
export class TokenEstimate {
  readonly #measure: Measure;
  readonly #subject: EstimateSubject;
  #ratio = SEED_RATIO;
  /** Of the models that answered before, for when one of them does again. */
  readonly #ratios = new Map<string, number>();
  #isCalibrated = false;
  #hasCounted = false;
  /** Usage of messages before this index has been proved wrong by an overflow. */
  #distrustedUntil = 0;
  /** The window that an overflow answer stated for a model; believed over any table. */
  #statedWindow: { readonly model: string; readonly tokens: number } | undefined;
  #truncationReported = false;
  #overflowSuspected = false;
  #inflationReported = false;

  constructor(measure: Measure, subject: EstimateSubject) {
    this.#measure = measure;
    this.#subject = subject;
  }

  get ratio(): number {
    this.#calibrateFromPast();
    return this.#ratio;
  }
  /** As a checkpoint stores it; undefined while nothing is known of the model. */
  get learnedRatio(): number | undefined {
    return this.#ratio === SEED_RATIO ? undefined : this.#ratio;
  }
  /** Of the model that answers now, when an overflow answer said it. */
  get statedWindow(): number | undefined {
    return this.#statedWindow?.model === this.#subject.model ? this.#statedWindow.tokens : undefined;
  }

  /** Tokens of the next request as it stands, by the one counter that serves triggers, figures and display. */
  count(): ContextCount {
    this.#calibrateFromPast();
    this.#hasCounted = true;
    return this.#measure.context(this.trusted(), this.#ratio);
  }

  /** Whether anything was counted: then the tokenizer is loaded, and the next count costs little. */
  get hasCounted(): boolean {
    return this.#hasCounted;
  }

  /** At least what `count` says of the next request, without the tokenizer until that is loaded anyway. */
  most(): ContextCount {
    return this.#hasCounted ? this.count() : this.#measure.most(this.trusted(), this.#mostRatio());
  }

  /** At least what a text weighs, without the tokenizer. */
  mostOf(text: string): number {
    return Math.ceil(this.#mostRatio() * mostTokens(text));
  }

  /** The ratio, or the highest that it can be once the past has been counted. */
  #mostRatio(): number {
    return this.#isCalibrated || this.#reportedPast() === undefined ? this.#ratio : Math.max(MAX_RATIO, this.#ratio);
  }

  /** What is sent, or the whole of it, with an anchor only where the provider's figure holds. */
  trusted(context: SessionContext = this.#subject.sent): SessionContext {
    return { ...context, anchorFloor: Math.max(context.anchorFloor, this.#distrustedUntil) };
  }

  /**
   * To be called before the past changes: then the provider's figure for it measures nothing any more, and the ratio takes over what
   * it told, so that the figures before and after are of one kind.
   */
  settle(): void {
    const { tokens, anchored } = this.count();
    const { text, media } = this.#parts(this.#subject.sent);
    if (anchored && text > 0) this.#ratio = Math.min(MAX_RATIO, Math.max(MIN_RATIO, (tokens - media) / text));
  }

  /** The same estimate as it would be once it is settled: for figures of a past that does not change now. */
  settled(): TokenEstimate {
    const copy = new TokenEstimate(this.#measure, this.#subject);
    copy.#ratio = this.ratio;
    copy.#isCalibrated = true;
    copy.#distrustedUntil = this.#distrustedUntil;
    copy.#statedWindow = this.#statedWindow;
    copy.settle();
    return copy;
  }

  /** Compares what the provider counted with what we would have, and corrects the estimate from now on. */
  calibrate(reportedTokens: number, context: SessionContext = this.#subject.sent): void {
    this.#calibrateFromPast();
    const { text, media } = this.#parts(context);
    this.#ratio = calibrate(this.#ratio, { rawTokens: text, reportedTokens: reportedTokens - media });
  }

  /** An overflow says that the estimate was too low, or the window smaller than told. */
  learnFromOverflow({ limitTokens, sentTokens }: Overflow, windowTokens: number): void {
    const { model, sent } = this.#subject;
    if (limitTokens !== undefined) this.#statedWindow = { model, tokens: limitTokens };
    const { text, media } = this.#parts(sent);
    const leastTokens = sentTokens ?? (limitTokens ?? windowTokens) + 1;
    // A gateway refuses a small request with the same status and no figures: no text has that many tokens, and the session must go on.
    const ratio = Math.min((leastTokens - media) / text, MAX_RATIO);
    if (text > 0 && ratio > this.#ratio) this.#ratio = ratio;
    this.#distrustedUntil = sent.messages.length;
  }

  /** Our own count of the text, to which the ratio applies, and the tokens of the images and documents, to which it does not. */
  #parts(context: SessionContext): { readonly text: number; readonly media: number } {
    const media = this.#measure.media(context);
    return { text: this.#measure.raw(context) - media, media };
  }

  /** The past is another one now, or another model counts it: what was proved wrong of it no longer matters. */
  trustUsage(): void {
    this.#distrustedUntil = 0;
  }

  /** A checkpoint's ratio holds, where it has one. */
  restore(ratio: number | undefined): void {
    this.#ratio = ratio ?? this.#ratio;
  }

  /** Each model has its own tokens: what is known of one is kept for it, and a new one begins anew. */
  changeModel(from: string, to: string): void {
    this.#ratios.set(from, this.#ratio);
    this.#ratio = this.#ratios.get(to) ?? SEED_RATIO;
  }

  /**
   * Some local servers drop the beginning of a request that is longer than their window, and answer as if nothing were wrong. All
   * that shows it is their count: it falls although the past was only appended to, or is far below our own. A server that leaves cached
   * tokens out of its count looks the same, so it is only a suspicion: what it counted, and what it should have counted at least. To be
   * called before the reply is stored.
   */
  detectTruncation(usage: Usage | undefined, model: string) {
    const { messages, anchorFloor } = this.#subject.sent;
    if (usage === undefined || inputTokensOf(usage) === 0 || usage.cacheReadTokens > 0) return undefined;
    const now = inputTokensOf(usage);
    const previous = messages.findLast(
      (message, index) => index >= anchorFloor && message.usage !== undefined && message.model === model,
    )?.usage;
    const before = previous === undefined ? 0 : inputTokensOf(previous);
    if (now < TRUNCATION_RATIO * before) return { now, least: before, from: 'before' as const };
    const raw = this.#measure.raw(this.#subject.sent);
    if (raw >= LEAST_COMPARED_TOKENS && now < LEAST_RATIO * raw) return { now, least: raw, from: 'own_count' as const };
    return undefined;
  }

  /**
   * Whether a server counts more of a request than it can have: some report the sum of all requests of the session, and believing it would
   * compact at every step. No text has more than MAX_RATIO tokens for one of ours, so that is the bound of what came since the newest figure
   * that was believed, which already has whatever the server itself adds to a request; without one it may add FIRST_TOKENS.
   * Returns the figure, and the most that is believed. To be called before the reply is stored.
   */
  detectInflation(usage: Usage | undefined) {
    if (usage === undefined) return undefined;
    const now = inputTokensOf(usage);
    const { sent } = this.#subject;
    const { text, media } = this.#parts(sent);
    const past = this.#reportedPast();
    if (now < LEAST_COMPARED_TOKENS || this.#truncationReported) return undefined;
    const known = past === undefined ? { text: 0, media: 0 } : this.#parts(past.context);
    const before = past?.tokens ?? FIRST_TOKENS;
    // A figure that is too low to be one bounds nothing.
    if (before < LEAST_RATIO * known.text) return undefined;
    const [added, addedMedia] = [Math.max(0, text - known.text), Math.max(0, media - known.media)];
    const most = Math.ceil(before + MAX_RATIO * added + MEDIA_SLACK * addedMedia + STEP_TOKENS);
    return now > most ? { now, most } : undefined;
  }

  /** True once in a session. */
  mayReportInflation(): boolean {
    const isFirst = !this.#inflationReported;
    this.#inflationReported = true;
    return isFirst;
  }

  /** True once in a session. */
  mayReportTruncation(): boolean {
    const isFirst = !this.#truncationReported;
    this.#truncationReported = true;
    return isFirst;
  }

  /**
   * Whether a refusal for which the server gave no reason may mean that the request is too long: one that fills more than half of the window,
   * and the first of the session, so that it is not tried again and again.
   */
  maySuspectOverflow({ tokens, windowTokens }: { readonly tokens: number; readonly windowTokens: number }): boolean {
    if (tokens <= LEAST_SUSPECTED_SHARE * windowTokens) return false;
    const isFirst = !this.#overflowSuspected;
    this.#overflowSuspected = true;
    return isFirst;
  }

  /** What the server counted of the messages so far measures nothing: the ratio alone does. To be called once the reply is stored. */
  distrustUsage(): void {
    this.#distrustedUntil = this.#subject.sent.messages.length;
  }

  /** What an earlier process learned; only when something is counted, so that opening a session counts nothing. */
  #calibrateFromPast(): void {
    if (this.#isCalibrated) return;
    this.#isCalibrated = true;
    const past = this.#reportedPast();
    if (past !== undefined) this.calibrate(past.tokens, past.context);
  }

  /** What the context had in it when its newest usage was reported, and what was reported; undefined without any. */
  #reportedPast(): { readonly tokens: number; readonly context: SessionContext } | undefined {
    const { sent } = this.#subject;
    const last = sent.messages.findLastIndex((message, index) => index >= sent.anchorFloor && message.usage !== undefined);
    const usage = sent.messages[last]?.usage;
    if (usage === undefined || !(usageTotal(usage) > 0)) return undefined;
    return { tokens: usageTotal(usage), context: { ...sent, messages: sent.messages.slice(0, last + 1) } };
  }
}

const inputTokensOf = ({ inputTokens, cacheReadTokens, cacheWriteTokens }: Usage): number =>
  inputTokens + cacheReadTokens + cacheWriteTokens;
