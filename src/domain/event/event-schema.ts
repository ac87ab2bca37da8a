/**
 * The events of the work as schemas: what is written to the audit log and streamed to programs, and how lines of older and newer versions
 * are read. `event.ts` beside this folder has the types that all others use, without a library to load.
 *
 * The kinds of fields stand first, then the events by what they tell of. read-event.ts reads a line of the log, and stream-input.ts has
 * what a program may say in a stream.
 *
 * Types and fields are only ever added. A line that is read never fails for a field, and one that is printed is printed as it was.
 */

import { z } from 'zod';
import { hookEvents } from '../hook/hook.ts';
import { noUsage, type Usage, usageSchema } from '../session/message.ts';

/**
 * The field types of events: their input is what SanBot writes, their output what it reads. A field that is missing or of another type gets
 * an empty value, so that no field makes a line unreadable.
 */
export const amount = z.number().catch(0);
export const text = z.string().catch('');
export const flag = (otherwise: boolean) => z.boolean().catch(otherwise);

/** One of the words that this version writes; words of other versions are read as they are. */
export const word = <const Word extends string>(words: readonly Word[]) =>
  z
    .enum(words)
    .transform((known): string => known)
    .catch(({ value }) => (typeof value === 'string' ? value : ''));

/** A list of such words; items that are not strings are left out. */
export const words = <const Word extends string>(known: readonly Word[]) =>
  z
    .array(z.enum(known))
    .readonly()
    .transform((all): readonly string[] => all)
    .catch(({ value }) => (Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []));

/** A list whose items are read one by one; an unreadable item becomes `nothing`. */
export const list = <Part extends z.ZodRawShape>(part: Part, nothing: z.output<z.ZodObject<Part>>) =>
  z.array(z.object(part).catch(nothing)).readonly().catch([]);

export const usage = usageSchema.catch(noUsage);

/** Left out where the provider compared nothing. */
export const prefixIfCompared = z
  .object({ changed: z.string(), missedTokens: z.number(), planned: z.boolean() })
  .readonly()
  .optional()
  .catch(undefined);

/** Always written; undefined when not known, and JSON then leaves it out. */
export const usageIfKnown: z.ZodType<Usage | undefined, Usage | undefined> = usageSchema.optional().catch(undefined);
export const amountIfKnown: z.ZodType<number | undefined, number | undefined> = z.number().optional().catch(undefined);

/** Why a context counts as too full; several may apply at once. */
export const pressureReasons = ['messages', 'tokens', 'tool_output', 'overflow'] as const;
export const compactionTriggers = ['auto', 'manual', 'overflow'] as const;
/** `edited`: the prepared summary, after the user changed it. */
export const summaryMethods = ['model', 'edited', 'rules', 'rules_degraded', 'hook', 'server'] as const;
export const stopReasons = [
  'end_turn',
  'max_tokens',
  'refusal',
  'interrupted',
  'max_steps',
  'loop',
  'max_cost',
  'max_seconds',
  'failed',
] as const;

const trigger = word(compactionTriggers);
const summaryCost = { usage, costUsd: amountIfKnown };
/** For events that may occur without any request for them. */
const costIfAny = { usage: usageIfKnown.optional(), costUsd: amountIfKnown.optional() };
const change = { tokensBefore: amount, tokensAfter: amount };
const callOutcome = { ok: flag(true), denied: flag(false), bytes: amount, ms: amount, note: text };
const window = { model: text, windowTokens: amount, windowAssumed: flag(false) };
const pressure = { reasons: words(pressureReasons), tokens: amount };

const event = <const Type extends string, Fields extends z.ZodRawShape>(type: Type, fields: Fields) =>
  z.object({ type: z.literal(type), ...fields });

/** All of the audit log, one object per type. Tokens are counts of our one counter, bytes are UTF-8, times are milliseconds. */
export const auditedEventSchema = z.discriminatedUnion('type', [
  event('session_started', { resumed: flag(false), ...window }),
  event('instructions_read', { files: list({ path: text, chars: amount, cut: flag(false) }, { path: '', chars: 0, cut: false }) }),
  event('turn_started', {}),
  event('request', { purpose: word(['turn', 'summary']), tokens: amount, windowTokens: amount }),
  event('retrying', { why: text, attempt: amount, waitMs: amount }),
  /** `prefix`: what the provider found changed at the start of the request, and what it had to read anew for that. */
  event('reply', { stopReason: text, usage: usageIfKnown, costUsd: amountIfKnown, prefix: prefixIfCompared }),
  event('tool_started', { toolUseId: text, tool: text, title: text }),
  event('tool_ended', { toolUseId: text, tool: text, ...callOutcome }),
  /** The text of a file that the user named with @ is in the conversation; `stored`: as a stub, its text in a file of the session. */
  event('file_attached', { path: text, note: text, stored: flag(false) }),
  event('offloaded', {
    when: word(['arrival', 'pressure', 'voluntary']),
    results: list({ toolUseId: text, tool: text, path: text, bytes: amount }, { toolUseId: '', tool: '', path: '', bytes: 0 }),
    ...change,
  }),
  /** Old results were left out of what is sent, and of nothing else, because the provider's cache was cold. */
  event('pruned', { trimmed: amount, cleared: amount, ...change }),
  event('context_high', { ...pressure, softTokens: amount, hardTokens: amount }),
  event('compaction_started', { trigger, ...pressure, messages: amount }),
  event('compacted', {
    ...summaryCost,
    trigger,
    method: word(summaryMethods),
    snapshotId: text,
    ...change,
    messagesBefore: amount,
    messagesKept: amount,
    bodiesRetired: amount,
    memoriesAdded: amount,
    ms: amount,
  }),
  /** Where the facts are that this compaction took out of the messages: still in the context, found by one look-up, or lost. */
  event('compaction_checked', { snapshotId: text, inContext: amount, oneLookUp: amount, lost: amount }),
  event('nothing_to_compact', { messages: amount, tokens: amount }),
  event('compaction_failed', { trigger, why: text, ...costIfAny }),
  event('compaction_cancelled', { trigger, ...costIfAny }),
  /** The summary was shown and rejected; `why` is set when it was not the user who rejected it. */
  event('compaction_discarded', { trigger, why: text.optional(), ...summaryCost }),
  /** A summary was made in the background during the turn, and waits for the hard limit. */
  event('summary_prepared', { messages: amount, ms: amount, ...summaryCost }),
  event('summary_dropped', { why: text, ...summaryCost }),
  event('snapshot_written', { snapshotId: text, reason: text, messages: amount, tokens: amount, bytes: amount }),
  event('memory_extracted', { decisions: amount, facts: amount, preferences: amount, runtime: amount, ...costIfAny }),
  event('trimmed', { messages: amount, ...change, snapshotId: text }),
  event('window_slid', { dropped: amount, ...change, snapshotId: text }),
  event('overflow', { attempt: amount, limitTokens: amountIfKnown, sentTokens: amountIfKnown }),
  event('rolled_back', { snapshotId: text, undoId: text, messages: amount, ...change }),
  /** `messageId`: the user's message; the conversation is back in the state right before it. */
  event('rewound', { messageId: text, undoId: text, messages: amount, ...change }),
  /** A rollback or rewind put aside memories made since the restored state, and restored memories that held in it. */
  event('memory_superseded', { superseded: amount, restored: amount }),
  event('rollback_failed', { snapshotId: text, why: text }),
  event('cleared', { snapshotId: text, messages: amount }),
  event('model_changed', window),
  /** `note`: why it failed; empty when it succeeded. */
  event('hook_ran', { hook: word(hookEvents), command: text, ok: flag(true), note: text, ms: amount }),
  /** A helper was given a task; `continued` one that had ended. */
  event('helper_started', { helper: text, task: text, continued: flag(false) }),
  /** A reply in the conversation of a helper, or a summary of that; what it cost is in no other event. */
  event('helper_step', { helper: text, usage: usageIfKnown, costUsd: amountIfKnown, prefix: prefixIfCompared }),
  /** A call of a helper has ended; `reads`: with a tool that changes nothing. */
  event('helper_called', { helper: text, tool: text, title: text, reads: flag(true), ...callOutcome }),
  /** `totalUsd`: all that it cost in this process, which its steps told one by one. */
  event('helper_ended', { helper: text, stopReason: word(stopReasons), steps: amount, totalUsd: amountIfKnown, ms: amount }),
  /** Commands in the background that were ended since the session was left. */
  event('jobs_ended', { jobs: list({ name: text, command: text }, { name: '', command: '' }) }),
  event('warning', { message: text }),
  /** `code`: why it failed. `contextTokens`: what the next request would hold if it came now. */
  event('turn_ended', {
    stopReason: word(stopReasons),
    code: text.optional(),
    steps: amount,
    usage,
    costUsd: amountIfKnown,
    contextTokens: amountIfKnown.optional(),
    ms: amount,
  }),
  event('session_ended', { messages: amount }),
]);
