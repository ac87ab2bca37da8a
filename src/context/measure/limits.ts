import { type Config, presets } from '../../domain/config/config.ts';
import type { PressureReason } from '../../domain/event.ts';
import type { ContextCount } from './measure.ts';

const SOFT_SHARE = 7 / 8;
const STUB_SHARE = 0.03;
const SAFEGUARD_MESSAGES = 5;
/** With these shares, tail, summary and ledger leave more than half of the hard limit for the prompt and for further work. */
const KEEP_SHARE = 1 / 5;
const SUMMARY_SHARE = 1 / 4;

/** What a model writes is paid for at the price of output; the ledger costs nothing and is exact, so it gets the larger part. */
const LEDGER_SHARE = 1 / 2;
const MAX_NARRATIVE_SHARE = 3 / 8;
/** A narrative of this length, where the target allows it, and a quarter of a larger target. */
const NARRATIVE_TOKENS = 2_000;
const NARRATIVE_SHARE = 1 / 4;
/** A tail of nearly `maxMessages` would reach the limit again at once. */
const KEEP_MESSAGES_SHARE = 3 / 4;
const SHORT_SUMMARY_SHARE = 1 / 16;
const RESTORE_SHARE = 1 / 10;
/** What a batch must free, of the hard limit and of what prompt and tools leave: 25,000 of 80,000, and of 70,000. */
const TRIGGER_SHARE = 5 / 16;
const TRIGGER_SHARE_OF_ROOM = 3 / 8;
/** In the smallest windows less is enough: a result or two, and not a compaction every other step. */
const SMALL_TRIGGER_SHARE = 1 / 10;
const FEW_TOKENS = 400;
/**
 * Of the tail of a compaction, what a batch leaves alone. With 4,000 tokens, batches of 25,000 and stubs of 250 the long haul of
 * bench/cost.mjs costs 8.20 dollars, and six recorded sessions show 95.1 % of what they refer to again (bench/replay.mjs).
 */
const BATCH_KEEP_SHARE = 1 / 2;
/** 200 of these for names; with 120, 92.9 % of the references are shown, and the long haul costs as much. */
const SMALL_STUB_TOKENS = 250;
/** From here on a batch is made as soon as it frees enough. At 7/8, the long haul costs 8.69 dollars in place of 8.20. */
const BATCH_SHARE = 3 / 4;
/** A small stub shows less than one on arrival in the smallest window too. */
const SMALL_STUB_SHARE = 1 / 3;
/** Characters of one result per token of the window: at one token per character, the most that Chinese takes, a quarter of the window. */
const RESULT_CHARS_PER_TOKEN = 1 / 4;
const MIN_RESULT_CHARS = 200;
/** The limits of results where the settings have none: these, or more in a larger window. */
const TOOL_OUTPUT_BYTES = 51_200;
const RESULT_CHARS = 10_000;
/** A quarter of a window of prose, at four bytes a token; two fifths of one of code, at two and a half. */
const TOOL_OUTPUT_BYTES_PER_TOKEN = 1;
const LARGE_RESULT_CHARS_PER_TOKEN = 1 / 10;
/** The share of what prompt and tools leave that the tail may have in any case, even in the smallest window. */
const MIN_KEEP_SHARE = 1 / 8;

/** Every threshold of context management for one model's window; the last word of each name is its unit. */
export type Limits = Readonly<ReturnType<typeof usualLimits>>;

type Settings = Pick<Config, 'compaction' | 'offload'>;

/** What a request for a summary has beside the conversation: its instructions, by our own count for Claude. */
const REQUEST_TOKENS = 1_500;
/** Of a window: a request must still fit when counts are slightly wrong. */
export const WINDOW_MARGIN = 0.95;
/** In a smaller window the conversation needs the room more, and most requests for a summary find it where they do not show the tail. */
const LEAST_WINDOW_TOKENS = 16_000;

/** What a model may think in a window: where it is small, an eighth of it. */
export const thinkingRoom = (thinkingTokens: number, windowTokens: number): number =>
  Math.min(thinkingTokens, Math.floor(windowTokens / 8));

/** Whole numbers except for the two ratios, none negative, in the right order, in a window of some hundred tokens at least. */
export function limitsFor(settings: Settings, windowTokens: number, thinkingTokens = 0): Limits {
  const limits = usualLimits(settings, windowTokens, thinkingTokens);
  return settings.compaction.mode === 'safeguard' ? safeguardLimits(limits) : limits;
}

function usualLimits({ compaction, offload }: Settings, modelWindowTokens: number, thinkingTokens: number) {
  const windowTokens = Math.max(
    1,
    Math.floor(compaction.softWindow === 0 ? modelWindowTokens : Math.min(modelWindowTokens, compaction.softWindow)),
  );
  const reserveTokens = Math.min(compaction.reserveTokens, Math.floor(windowTokens / 4));
  const { ceilingTokens, hardTokens, softTokens } = thresholds(compaction, {
    modelWindowTokens,
    windowTokens,
    reserveTokens,
    thinkingTokens,
  });
  const maxToolOutputBytes = compaction.maxToolOutputBytes ?? Math.max(TOOL_OUTPUT_BYTES, windowTokens * TOOL_OUTPUT_BYTES_PER_TOKEN);
  const maxResultChars = offload.maxToolResultChars ?? Math.max(RESULT_CHARS, Math.floor(windowTokens * LARGE_RESULT_CHARS_PER_TOKEN));
  return {
    modelWindowTokens,
    /** What the thresholds apply to: the smaller of the model's window and `softWindow`. */
    windowTokens,
    reserveTokens,
    /** The most that the window, the reserve and a request for a summary allow, whatever threshold is set. */
    ceilingTokens,
    hardTokens,
    softTokens,
    /** True when a preset set the thresholds: they are for the messages alone until `limitsWithBase` adds the system prompt and the tools. */
    ofMessagesOnly: compaction.preset !== null && presets[compaction.preset].hardThresholdTokens !== undefined,
    batchTokens: Math.floor(hardTokens * BATCH_SHARE),
    /** What a batch that has to make room goes down to, and a compaction beside a large prompt. */
    lowWaterTokens: Math.floor(hardTokens / 2),
    keepMessages: capAt(compaction.keepRecentMessages, compaction.maxMessages * KEEP_MESSAGES_SHARE),
    keepTokens: capAt(compaction.keepRecentTokens, hardTokens * KEEP_SHARE),
    maxMessages: compaction.maxMessages,
    softMessages: Math.floor(compaction.maxMessages * SOFT_SHARE),
    maxToolOutputBytes,
    softToolOutputBytes: Math.floor(maxToolOutputBytes * SOFT_SHARE),
    minMessages: compaction.minMessagesBeforeCompact,
    triggerTokens: capAt(compaction.triggerThreshold, hardTokens * TRIGGER_SHARE),
    /** What the summary's own sections may take, and the ledger beside them: together at most `targetTokens`. */
    ...splitTarget(capAt(compaction.targetTokens, hardTokens * SUMMARY_SHARE), windowTokens),
    shortSummaryTokens: Math.max(1, capAt(compaction.summaryMaxTokens, hardTokens * SHORT_SUMMARY_SHARE)),
    /** How much of offloaded bodies a summary on the session's own prefix is shown beside it. */
    restoreTokens: compaction.restoreTokens ?? Math.floor(windowTokens * RESTORE_SHARE),
    stubTokens: Math.max(1, Math.floor(windowTokens * STUB_SHARE)),
    /** What the stub of a batch shows below its first two lines. */
    smallStubTokens: Math.max(1, capAt(SMALL_STUB_TOKENS, windowTokens * STUB_SHARE * SMALL_STUB_SHARE)),
    /** A longer result does not enter the context; a page of a body that is read back is at most this long. */
    resultChars: Math.min(maxResultChars, Math.max(MIN_RESULT_CHARS, Math.floor(windowTokens * RESULT_CHARS_PER_TOKEN))),
    headRatio: offload.headKeepRatio,
    tailRatio: offload.tailKeepRatio,
  };
}

/** The limits of `mode: safeguard` and of overflow recovery: each step leaves about half of what it usually leaves. */
export const safeguardLimits = (limits: Limits): Limits => ({
  ...limits,
  lowWaterTokens: Math.floor(limits.hardTokens / 4),
  keepMessages: Math.min(limits.keepMessages, SAFEGUARD_MESSAGES),
  keepTokens: Math.floor(limits.keepTokens / 2),
  summaryTokens: Math.max(1, Math.floor(limits.summaryTokens / 2)),
  ledgerTokens: Math.max(1, Math.floor(limits.ledgerTokens / 2)),
  summaryRoomTokens: Math.max(1, Math.ceil(limits.summaryRoomTokens / 2)),
  shortSummaryTokens: Math.max(1, Math.floor(limits.shortSummaryTokens / 2)),
});

/** What a batch of results leaves alone: less than a compaction, since what it moves can be read again. */
export const withBatchTail = (limits: Limits): Limits => ({ ...limits, keepTokens: Math.floor(limits.keepTokens * BATCH_KEEP_SHARE) });

/**
 * Adapts the limits to a prompt and tools of `baseTokens`, so that in a small window the next compaction is not due right after one.
 * Summary and ledger come first and the tail gets what they leave: a token of theirs keeps more facts (28 recorded sessions, windows of 4k
 * to 32k).
 */
export function limitsWithBase(limits: Limits, baseTokens: number): Limits {
  const shift = limits.ofMessagesOnly ? baseTokens : 0;
  const hardTokens = Math.min(limits.ceilingTokens, limits.hardTokens + shift);
  const budget = Math.max(0, hardTokens - baseTokens);
  const midpoint = baseTokens + Math.floor(budget / 2);
  const lowWaterTokens = Math.min(
    hardTokens,
    Math.max(Math.min(limits.lowWaterTokens + shift, midpoint), baseTokens + Math.floor(budget / 4)),
  );
  // A context at the low-water mark must not count as too full at once, unless the user set a soft threshold that low.
  const minSoftTokens = limits.lowWaterTokens <= limits.softTokens ? lowWaterTokens : 0;
  const targetTokens = capAt(limits.ledgerTokens / LEDGER_SHARE, budget / 3);
  return {
    ...limits,
    ...splitTarget(targetTokens, limits.windowTokens),
    ofMessagesOnly: false,
    hardTokens,
    batchTokens: Math.floor(hardTokens * BATCH_SHARE),
    softTokens: Math.max(0, Math.min(Math.max(limits.softTokens + shift, minSoftTokens), hardTokens - 1)),
    lowWaterTokens,
    keepTokens: capAt(limits.keepTokens, Math.max(budget * MIN_KEEP_SHARE, lowWaterTokens - baseTokens - targetTokens)),
    shortSummaryTokens: Math.max(1, capAt(limits.shortSummaryTokens, budget / 24)),
    triggerTokens: capAt(limits.triggerTokens, Math.max(budget * SMALL_TRIGGER_SHARE, budget * TRIGGER_SHARE_OF_ROOM - FEW_TOKENS)),
  };
}

type Window = Pick<Limits, 'modelWindowTokens' | 'windowTokens' | 'reserveTokens'> & { readonly thinkingTokens: number };

function thresholds(compaction: Config['compaction'], size: Window) {
  const { windowTokens: window, reserveTokens } = size;
  const mostTokens = Math.max(1, Math.min(Math.floor(compaction.maxTokenRatio * window), window - reserveTokens));
  const ceilingTokens = Math.max(1, Math.min(mostTokens, summarisableTokens(compaction, size, mostTokens)));
  const hardTokens = Math.min(compaction.hardThresholdTokens ?? ceilingTokens, ceilingTokens);
  const bySoftRatio = Math.floor(compaction.softTokenRatio * window);
  const proportional = Math.floor((hardTokens * compaction.softTokenRatio) / compaction.maxTokenRatio);
  const soft = compaction.softThresholdTokens ?? Math.min(bySoftRatio, proportional);
  return { ceilingTokens, hardTokens, softTokens: Math.max(0, Math.min(soft, hardTokens - 1)) };
}

/** How long a conversation may be at whose end its own model is to be asked for a summary. What comes in one step beyond it need not be shown. */
function summarisableTokens(compaction: Config['compaction'], { modelWindowTokens, thinkingTokens }: Window, hardTokens: number): number {
  if (!compaction.useLLMSummary || compaction.model !== null || modelWindowTokens < LEAST_WINDOW_TOKENS) return hardTokens;
  const { summaryTokens } = splitTarget(capAt(compaction.targetTokens, hardTokens * SUMMARY_SHARE), 0);
  const besideTokens = REQUEST_TOKENS + summaryTokens * REPLY_SHARE + thinkingRoom(thinkingTokens, modelWindowTokens);
  return Math.floor(modelWindowTokens * WINDOW_MARGIN - besideTokens);
}

/** One that is cut says less: the reply may be a little longer than all of the target, while what is wished for is short. */
export const REPLY_SHARE = 1.2;
const REPLY_SHARE_OF_WINDOW = 1 / 10;

function splitTarget(tokens: number, windowTokens: number) {
  const summaryTokens = Math.max(
    1,
    Math.floor(Math.min(tokens * MAX_NARRATIVE_SHARE, Math.max(tokens * NARRATIVE_SHARE, NARRATIVE_TOKENS))),
  );
  const roomTokens = Math.min(tokens * REPLY_SHARE, windowTokens * REPLY_SHARE_OF_WINDOW);
  return {
    summaryTokens,
    /** The most that the reply of a model may take; `summaryTokens` is what it is asked for. */
    summaryRoomTokens: Math.ceil(Math.max(summaryTokens * REPLY_SHARE, roomTokens)),
    ledgerTokens: Math.max(1, Math.floor(tokens * LEDGER_SHARE)),
  };
}

const capAt = (value: number, max: number): number => Math.min(value, Math.floor(max));

export type Pressure = { readonly level: 'none' | 'soft' | 'hard'; readonly reasons: readonly PressureReason[] };

/** How full a context is, and why. Bytes of tool output never call for a compaction, which would be due again at once. */
export function judgePressure(count: Pick<ContextCount, 'tokens' | 'saidMessages' | 'toolOutputBytes'>, limits: Limits): Pressure {
  const hard: PressureReason[] = [];
  if (count.saidMessages > limits.maxMessages) hard.push('messages');
  if (count.tokens > limits.hardTokens) hard.push('tokens');
  if (hard.length > 0) return { level: 'hard', reasons: hard };

  const soft: PressureReason[] = [];
  if (count.saidMessages > limits.softMessages) soft.push('messages');
  if (count.tokens > limits.softTokens) soft.push('tokens');
  if (count.toolOutputBytes > limits.softToolOutputBytes) soft.push('tool_output');
  return { level: soft.length > 0 ? 'soft' : 'none', reasons: soft };
}

/** True when the next request, with room for its reply, would not fit the model's window, so that something must go. */
export const exceedsWindow = (count: ContextCount, limits: Limits): boolean => count.tokens > sendableTokens(limits);
export const sendableTokens = (limits: Limits): number => limits.modelWindowTokens - limits.reserveTokens;
