import { z } from 'zod';
import { expecting } from '../../language.ts';
import { durationMs } from '../../value/duration.ts';
import { setting } from './settings.ts';

export const offloadSchema = z.strictObject({
  enabled: setting(z.boolean().default(true), { en: 'Keep large tool results in files.', zh: '把大的工具结果放在文件中。' }),
  maxToolResultChars: setting(z.int().min(500).nullable().default(null), {
    en: 'A longer result goes to a file as soon as it arrives. Not set: 10,000 characters, or one for every ten tokens of the window if that is more. In a small window the limit is lower: a character for every four tokens of the window.',
    zh: '更长的结果一到达就移到文件。未设置：10,000 个字符，或窗口每十个 token 一个字符，取较大者。小窗口的上限更低：窗口每四个 token 一个字符。',
  }),
  headKeepRatio: setting(z.number().min(0).max(1).default(0.3), {
    en: 'How much of that length the model sees from the beginning. Beginning and end together are at most 3 % of the window.',
    zh: '模型能看到开头部分占该长度的比例。开头和结尾合计最多为窗口的 3%。',
  }),
  tailKeepRatio: setting(z.number().min(0).max(1).default(0.3), { en: 'How much it sees from the end.', zh: '能看到结尾部分的比例。' }),
  allow: setting(z.array(z.string()).default(['*']), {
    en: 'Tools whose results may go to files. `*` stands for any characters.',
    zh: '结果可以移到文件的工具。`*` 代表任意字符。',
  }),
  deny: setting(z.array(z.string()).default([]), {
    en: 'Tools whose results may not. Wins over `allow`.',
    zh: '结果不可移到文件的工具。优先于 `allow`。',
  }),
  maxSessionBytes: setting(z.int().nonnegative().default(1_073_741_824), {
    en: 'Bytes that the files of one session may take. Beyond that, results stay in the context.',
    zh: '一个会话的文件可占的字节数。超出后结果留在上下文中。',
  }),
});

export const pruningSchema = z.strictObject({
  mode: setting(z.enum(['off', 'cache-ttl']).default('cache-ttl'), {
    en: '`cache-ttl`: prune once the last request is older than `ttl` and the context is above the soft limit. `off`: never.',
    zh: '`cache-ttl`：上次请求早于 `ttl` 且上下文高于软上限时修剪。`off`：从不。',
  }),
  ttl: setting(
    z
      .string()
      .refine(
        (text) => durationMs(text) !== undefined,
        expecting({ en: 'a time such as "90s", "5m" or "1h"', zh: '"90s"、"5m" 或 "1h" 这样的时长' }),
      )
      .default('5m'),
    {
      en: 'How long the provider caches a prompt: `90s`, `5m`, `1h`. Longer where the provider reports that it keeps it longer.',
      zh: '服务方缓存提示词的时长：`90s`、`5m`、`1h`。服务方报告保留更久时，以更久的为准。',
    },
  ),
  keepLastAssistants: setting(z.int().nonnegative().default(3), {
    en: "The results of this many of the model's last messages are not pruned.",
    zh: '模型最近这么多条消息以来的结果不修剪。',
  }),
  maxToolResultChars: setting(z.int().min(500).default(4_000), {
    en: 'A longer old result is first cut to its beginning and end.',
    zh: '更长的旧结果先截成开头和结尾。',
  }),
  headKeepRatio: setting(z.number().min(0).max(1).default(0.3), {
    en: 'How much of that length is kept from the beginning.',
    zh: '开头保留该长度的比例。',
  }),
  tailKeepRatio: setting(z.number().min(0).max(1).default(0.3), { en: 'How much is kept from the end.', zh: '结尾保留的比例。' }),
  placeholder: setting(
    z
      .string()
      .refine((text) => text.trim() !== '', expecting({ en: 'some text', zh: '文字' }))
      .default('[Old tool result content cleared]'),
    { en: 'Replaces a whole result, the oldest first, when cutting was not enough.', zh: '截短仍不够时，代替整个结果，从最旧的开始。' },
  ),
  tools: setting(z.strictObject({ allow: z.array(z.string()).default(['*']), deny: z.array(z.string()).default([]) }).prefault({}), {
    en: 'Tools whose results may be pruned. `*` stands for any characters, and `deny` wins.',
    zh: '结果可以修剪的工具。`*` 代表任意字符，`deny` 优先。',
  }),
});
