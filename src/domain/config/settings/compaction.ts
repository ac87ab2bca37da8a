import { z } from 'zod';
import { SNAPSHOT_RETENTION_DAYS } from '../config-text.ts';
import { setting } from './settings.ts';

const ratio = () => z.number().min(0.5).max(0.95);
const tokens = () => z.int().positive();

export const presetNames = ['development', 'production', 'large-context', 'roomy'] as const;

export const compactionSchema = z.strictObject({
  enabled: setting(z.boolean().default(true), {
    en: 'Compact automatically when the context is full. Even when `false`, SanBot recovers if the model reports an overflow.',
    zh: '上下文满时自动压缩。即使为 `false`，模型报告溢出时 SanBot 也会恢复。',
  }),
  preset: setting(z.enum(presetNames).nullable().default(null), {
    en: '`development`, `production`, `large-context` or `roomy`: a [set of values](#presets) for the keys below. Any key that is set explicitly wins over it.',
    zh: '`development`、`production`、`large-context` 或 `roomy`：下列键的一组取值。明确设置的键优先于它。',
  }),
  maxMessages: setting(z.int().min(2).default(80), {
    en: 'Compact above this many messages: yours, and the replies that end a turn. What the model says beside a tool call does not count, nor do calls and results.',
    zh: '消息超过此数时压缩：你的消息，以及结束一轮的回复。模型在工具调用旁说的话、调用和结果都不计入。',
  }),
  softTokenRatio: setting(ratio().default(0.7), {
    en: 'Soft limit: above this share of the window, one line suggests `/compact`.',
    zh: '软上限：超过窗口的这一比例时，用一行建议 `/compact`。',
  }),
  maxTokenRatio: setting(ratio().default(0.8), {
    en: 'Hard limit: above this share of the window, and from three quarters of it on, results go to files; where that would free too little, older messages are compacted above it.',
    zh: '硬上限：超过窗口的这一比例时（自其四分之三起），结果移到文件；若释放得太少，则超过此限制时压缩较早的消息。',
  }),
  softThresholdTokens: setting(tokens().nullable().default(null), {
    en: 'The soft limit in tokens, instead of the ratio.',
    zh: '以 token 计的软上限，代替比例。',
  }),
  hardThresholdTokens: setting(tokens().nullable().default(null), {
    en: 'The hard limit in tokens, instead of the ratio.',
    zh: '以 token 计的硬上限，代替比例。',
  }),
  maxToolOutputBytes: setting(z.int().positive().nullable().default(null), {
    en: 'At most this many bytes of tool output, with what stands for results in files, are in the context: beyond, old results go to files, and what stands for them is shortened. Not set: beyond 51,200, or one for each token of the window if that is more, old results go to files once the provider has forgotten what it cached.',
    zh: '上下文中工具输出（包括文件中结果的占位文字）最多为此字节数：超过时旧结果移到文件，占位文字缩短。未设置：超过 51,200（或窗口每 token 一字节，取较大者）时，一旦服务方的缓存已失效，旧结果移到文件。',
  }),
  softWindow: setting(z.int().nonnegative().default(100_000), {
    en: "The limits apply to this many tokens or to the model's window, whichever is smaller. 0: always to the model's window. A larger value keeps more of the conversation in context and costs more, since every request carries it.",
    zh: '各限制适用于此数量的 token 或模型的窗口，取较小者。0：始终适用于模型的窗口。数值越大，留在上下文中的对话越多，费用也越高，因为每次请求都会带上它。',
  }),
  reserveTokens: setting(z.int().nonnegative().default(16_384), {
    en: 'Tokens kept free for the reply, at most a quarter of the window.',
    zh: '为回复预留的 token，最多为窗口的四分之一。',
  }),
  keepRecentMessages: setting(z.int().nonnegative().default(20), {
    en: 'A compaction keeps at most this many of the newest messages unchanged, fewer where they take more than `keepRecentTokens`.',
    zh: '压缩最多原样保留这么多条最新消息；超过 `keepRecentTokens` 时更少。',
  }),
  keepRecentTokens: setting(z.int().nonnegative().default(8_000), {
    en: 'The most tokens those messages may take.',
    zh: '这些消息最多可占的 token。',
  }),
  minMessagesBeforeCompact: setting(z.int().nonnegative().default(10), {
    en: 'With fewer messages than this, compact automatically only if the next request would not fit otherwise.',
    zh: '消息少于此数时，只有不压缩就放不下下次请求，才自动压缩。',
  }),
  keepSystemPrompt: setting(z.boolean().default(true), {
    en: 'Keep the system prompt identical to the byte across compactions, except its last block. `false`: render it anew. Where the tools have changed, both are taken anew at a compaction.',
    zh: '压缩前后系统提示词保持逐字节相同，最后一块除外。`false`：重新生成。工具有变化时，压缩会更新两者。',
  }),
  useLLMSummary: setting(z.boolean().default(true), {
    en: 'Let a model write the summary. `false`: rules write it.',
    zh: '由模型写摘要。`false`：由规则写。',
  }),
  llmFallbackToRules: setting(z.boolean().default(true), {
    en: 'When no model answers, let rules write the summary and mark it as degraded. `false`: leave the history unchanged.',
    zh: '没有模型应答时，由规则写摘要并标记为降级。`false`：历史保持不变。',
  }),
  targetTokens: setting(tokens().default(8_000), {
    en: 'The most tokens that a summary may take, with the facts that rules add to it. A model is asked for at most three eighths of it.',
    zh: '摘要连同规则附加的事实最多可占的 token。向模型要求的最多为其八分之三。',
  }),
  summaryMaxTokens: setting(tokens().default(500), {
    en: 'Length of the short summary in the system prompt.',
    zh: '系统提示词中简短摘要的长度。',
  }),
  restoreTokens: setting(z.int().nonnegative().nullable().default(null), {
    en: 'The most tokens of results in files that a request for a summary shows again: of failed calls, of files that were changed later, and of what was referred to later. It applies where the summary is asked for at the end of the conversation itself; elsewhere they are all shown. Not set: a tenth of the window.',
    zh: '请求摘要时，最多重新展示多少 token 的文件中结果：失败的调用、之后被更改的文件，以及后来被提到的内容。只适用于在对话末尾请求摘要时；其他情况下全部展示。未设置：窗口的十分之一。',
  }),
  triggerThreshold: setting(z.int().nonnegative().default(25_000), {
    en: 'The least tokens that moving results to files must free at once, at most five sixteenths of the hard limit: it is done from three quarters of that limit on, as soon as it frees so many. Where at the limit it would free fewer, older messages are compacted instead.',
    zh: '把结果移到文件一次至少须释放的 token，最多为硬上限的十六分之五：自硬上限的四分之三起，一旦能释放这么多便执行。到达硬上限时若释放得更少，则改为压缩较早的消息。',
  }),
  model: setting(z.string().min(1).nullable().default(null), {
    en: "The model that writes summaries. Not set: the session's model.",
    zh: '写摘要的模型。未设置：会话的模型。',
  }),
  fallbackModels: setting(z.array(z.string().min(1)).default([]), {
    en: "Models to try in this order when that one fails. The session's model is always the last.",
    zh: '上述模型失败时依次尝试的模型。会话的模型总在最后。',
  }),
  retryCount: setting(z.int().min(0).max(10).default(3), {
    en: 'How often to retry a failed summary, with growing pauses.',
    zh: '摘要失败时重试的次数，间隔逐次加长。',
  }),
  timeoutMs: setting(z.int().positive().default(120_000), {
    en: 'Milliseconds that the models may take for one compaction.',
    zh: '一次压缩中模型可用的毫秒数。',
  }),
  mode: setting(z.enum(['default', 'safeguard']).default('default'), {
    en: '`default`, or `safeguard`: keep 5 messages and aim for half the size.',
    zh: '`default`，或 `safeguard`：保留 5 条消息，目标大小减半。',
  }),
  memoryFlush: setting(z.boolean().default(true), {
    en: 'Save decisions, facts and preferences to `memory/extracted/` before they leave the context.',
    zh: '决策、事实和偏好离开上下文之前，保存到 `memory/extracted/`。',
  }),
  askFirst: setting(z.boolean().default(false), {
    en: 'Ask before an automatic compaction. Where nobody can be asked, it goes ahead.',
    zh: '自动压缩前先询问。无人可问时直接进行。',
  }),
  background: setting(z.boolean().default(false), {
    en: 'From the soft limit on, let the model prepare the summary during the turn, so that you need not wait at the hard limit. The prepared summary is paid for even if it is not used.',
    zh: '从软上限起，让模型在轮次进行中准备摘要，到硬上限时无需等待。准备好的摘要即使没用上也要付费。',
  }),
  snapshotRetentionDays: setting(z.int().nonnegative().default(SNAPSHOT_RETENTION_DAYS), {
    en: 'Delete snapshots older than this. The newest of each session stays.',
    zh: '删除早于此天数的快照。每个会话最新的一个保留。',
  }),
  snapshotMaxBytes: setting(z.int().nonnegative().default(1_073_741_824), {
    en: 'Bytes that all snapshots together may take. The oldest are deleted first.',
    zh: '所有快照合计可占的字节数。最旧的先删除。',
  }),
});
