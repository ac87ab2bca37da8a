import fc from 'fast-check';
import { compactionTriggers, pressureReasons, stopReasons, summaryMethods } from '../../src/domain/event/event-schema.ts';
import type { ReadEvent, SanbotEvent } from '../../src/domain/event.ts';
import { hookEvents } from '../../src/domain/hook/hook.ts';
import { sameInBoth } from '../../src/domain/language.ts';

const amount = fc.nat();
const text = fc.constantFrom('', 'some words', '<b>&amp;', 'src/app.ts', '重构', 'a\u2028b\r\nc', '20260304-050607-abcdef');
const inBoth = text.map(sameInBoth);
const money = fc.option(fc.double({ min: 0, max: 9, noNaN: true }), { nil: undefined });
const usage = fc.record({ inputTokens: amount, cacheReadTokens: amount, cacheWriteTokens: amount, outputTokens: amount });
const change = { tokensBefore: amount, tokensAfter: amount };
const cost = { usage, costUsd: money };
const trigger = fc.constantFrom(...compactionTriggers);
const reasons = fc.subarray([...pressureReasons]);

/** Events as they are written, by type. */
export const eventsByType: { readonly [Type in ReadEvent['type']]: fc.Arbitrary<Extract<SanbotEvent, { readonly type: Type }>> } = {
  session_started: fc.record({
    type: fc.constant('session_started'),
    resumed: fc.boolean(),
    model: text,
    windowTokens: amount,
    windowAssumed: fc.boolean(),
  }),
  instructions_read: fc.record({
    type: fc.constant('instructions_read'),
    files: fc.array(fc.record({ path: text, chars: amount, cut: fc.boolean() })),
  }),
  turn_started: fc.record({ type: fc.constant('turn_started') }),
  request: fc.record({
    type: fc.constant('request'),
    purpose: fc.constantFrom('turn', 'summary'),
    tokens: amount,
    windowTokens: amount,
  }),
  retrying: fc.record({ type: fc.constant('retrying'), why: inBoth, attempt: amount, waitMs: amount }),
  reply: fc.record({
    type: fc.constant('reply'),
    text,
    stopReason: text,
    usage: fc.option(usage, { nil: undefined }),
    costUsd: money,
  }),
  tool_started: fc.record({ type: fc.constant('tool_started'), toolUseId: text, tool: text, title: text }),
  tool_ended: fc.record({
    type: fc.constant('tool_ended'),
    toolUseId: text,
    tool: text,
    ok: fc.boolean(),
    denied: fc.boolean(),
    bytes: amount,
    ms: amount,
    note: inBoth,
  }),
  offloaded: fc.record({
    type: fc.constant('offloaded'),
    when: fc.constantFrom('arrival', 'pressure', 'voluntary'),
    results: fc.array(fc.record({ toolUseId: text, tool: text, path: text, bytes: amount })),
    ...change,
  }),
  pruned: fc.record({ type: fc.constant('pruned'), trimmed: amount, cleared: amount, ...change }),
  context_high: fc.record({ type: fc.constant('context_high'), reasons, tokens: amount, softTokens: amount, hardTokens: amount }),
  compaction_started: fc.record({ type: fc.constant('compaction_started'), trigger, reasons, tokens: amount, messages: amount }),
  compacted: fc.record({
    type: fc.constant('compacted'),
    trigger,
    method: fc.constantFrom(...summaryMethods),
    snapshotId: text,
    ...change,
    messagesBefore: amount,
    messagesKept: amount,
    bodiesRetired: amount,
    memoriesAdded: amount,
    ms: amount,
    ...cost,
  }),
  compaction_checked: fc.record({
    type: fc.constant('compaction_checked'),
    snapshotId: text,
    inContext: amount,
    oneLookUp: amount,
    lost: amount,
  }),
  nothing_to_compact: fc.record({ type: fc.constant('nothing_to_compact'), messages: amount, tokens: amount }),
  compaction_failed: fc.record(
    { type: fc.constant('compaction_failed'), trigger, why: inBoth, ...cost },
    { requiredKeys: ['type', 'trigger', 'why'] },
  ),
  compaction_cancelled: fc.record({ type: fc.constant('compaction_cancelled'), trigger, ...cost }, { requiredKeys: ['type', 'trigger'] }),
  compaction_discarded: fc.record(
    { type: fc.constant('compaction_discarded'), trigger, why: inBoth, ...cost },
    { requiredKeys: ['type', 'trigger', 'usage', 'costUsd'] },
  ),
  summary_prepared: fc.record({ type: fc.constant('summary_prepared'), messages: amount, ms: amount, ...cost }),
  summary_dropped: fc.record({ type: fc.constant('summary_dropped'), why: inBoth, ...cost }),
  snapshot_written: fc.record({
    type: fc.constant('snapshot_written'),
    snapshotId: text,
    reason: text,
    messages: amount,
    tokens: amount,
    bytes: amount,
  }),
  memory_extracted: fc.record(
    { type: fc.constant('memory_extracted'), decisions: amount, facts: amount, preferences: amount, runtime: amount, ...cost },
    { requiredKeys: ['type', 'decisions', 'facts', 'preferences', 'runtime'] },
  ),
  trimmed: fc.record({ type: fc.constant('trimmed'), messages: amount, ...change, snapshotId: text }),
  window_slid: fc.record({ type: fc.constant('window_slid'), dropped: amount, ...change, snapshotId: text }),
  overflow: fc.record({
    type: fc.constant('overflow'),
    attempt: amount,
    limitTokens: fc.option(amount, { nil: undefined }),
    sentTokens: fc.option(amount, { nil: undefined }),
  }),
  rolled_back: fc.record({ type: fc.constant('rolled_back'), snapshotId: text, undoId: text, messages: amount, ...change }),
  rewound: fc.record({ type: fc.constant('rewound'), messageId: text, undoId: text, messages: amount, ...change }),
  memory_superseded: fc.record({ type: fc.constant('memory_superseded'), superseded: amount, restored: amount }),
  rollback_failed: fc.record({ type: fc.constant('rollback_failed'), snapshotId: text, why: inBoth }),
  cleared: fc.record({ type: fc.constant('cleared'), snapshotId: text, messages: amount }),
  model_changed: fc.record({ type: fc.constant('model_changed'), model: text, windowTokens: amount, windowAssumed: fc.boolean() }),
  helper_started: fc.record({ type: fc.constant('helper_started'), helper: text, task: text, continued: fc.boolean() }),
  helper_step: fc.record({ type: fc.constant('helper_step'), helper: text, usage: fc.option(usage, { nil: undefined }), costUsd: money }),
  file_attached: fc.record({ type: fc.constant('file_attached'), path: fc.string(), note: inBoth, stored: fc.boolean() }),
  helper_called: fc.record({
    type: fc.constant('helper_called'),
    ...{ helper: text, tool: text, title: text, note: inBoth, bytes: amount, ms: amount },
    ...{ reads: fc.boolean(), ok: fc.boolean(), denied: fc.boolean() },
  }),
  helper_ended: fc.record({
    type: fc.constant('helper_ended'),
    helper: text,
    stopReason: fc.constantFrom(...stopReasons),
    ...{ steps: amount, totalUsd: money, ms: amount },
  }),
  jobs_ended: fc.record({ type: fc.constant('jobs_ended'), jobs: fc.array(fc.record({ name: text, command: text }), { maxLength: 3 }) }),
  hook_ran: fc.record({
    type: fc.constant('hook_ran'),
    hook: fc.constantFrom(...hookEvents),
    command: text,
    ok: fc.boolean(),
    note: inBoth,
    ms: amount,
  }),
  warning: fc.record({ type: fc.constant('warning'), message: inBoth }),
  turn_ended: fc.record({
    type: fc.constant('turn_ended'),
    stopReason: fc.constantFrom(...stopReasons),
    steps: amount,
    ...cost,
    contextTokens: fc.option(amount, { nil: undefined }),
    ms: amount,
  }),
  session_ended: fc.record({ type: fc.constant('session_ended'), messages: amount }),
};
