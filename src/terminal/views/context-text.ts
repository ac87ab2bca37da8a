import { type Bilingual, localize } from '../../domain/language.ts';
import { usageTotal } from '../../domain/session/message.ts';
import type { ContextView, CostView } from '../chat/context-port.ts';
import { formatCount, formatPercent, pluralize } from '../text/format.ts';
import { safeLine } from '../text/safe-text.ts';

/** Texts about what fills the window, and what it costs. */
type ContextTexts = {
  readonly heading: (view: ContextView) => string;
  readonly where: string;
  readonly tokens: string;
  readonly ofWindow: string;
  readonly limits: (soft: string, hard: string) => string;
  readonly pinned: (pinned: NonNullable<ContextView['pinned']>) => string;
  readonly pruned: (pruned: NonNullable<ContextView['pruned']>) => string;
  readonly nothingToFree: string;
  readonly freedBy: string;
  readonly freed: (by: string, tokens: string) => string;
  readonly cost: (dollars: string) => string;
};

export const contextViewTexts: Bilingual<ContextTexts> = {
  en: {
    heading: ({ tokens, windowTokens, messages }) =>
      `Context: ${formatCount(tokens)} of ${formatCount(windowTokens)} tokens (${formatPercent(tokens, windowTokens)}), ${pluralize(messages, 'message')}`,
    where: 'where',
    tokens: 'tokens',
    ofWindow: 'of the window',
    limits: (soft, hard) =>
      `Soft limit ${soft}, hard limit ${hard} tokens. At the hard limit old tool results go to files, then the rest is compacted.`,
    pinned: ({ count, tokens, budgetTokens }) =>
      `${pluralize(count, 'pin')}, ${formatCount(tokens)} of the ${formatCount(budgetTokens)} tokens that pins may take: kept word for word.`,
    pruned: ({ results, tokens }) =>
      `Pruned: ${pluralize(results, 'old tool result')} sent only in part until the next compaction, about ${formatCount(tokens)} tokens less; files and history keep all of it.`,
    nothingToFree: 'Nothing worth freeing.',
    freedBy: 'Would be freed by',
    freed: (by, tokens) => `${by}: about ${tokens} tokens`,
    cost: (dollars) => `; with the next request about ${dollars}`,
  },
  zh: {
    heading: ({ tokens, windowTokens, messages }) =>
      `上下文：${formatCount(tokens)} / ${formatCount(windowTokens)} token（${formatPercent(tokens, windowTokens)}），${formatCount(messages)} 条消息`,
    where: '内容',
    tokens: 'token',
    ofWindow: '占窗口',
    limits: (soft, hard) => `软上限 ${soft} token，硬上限 ${hard} token。达到硬上限时，旧的工具结果转存到文件，其余部分压缩。`,
    pinned: ({ count, tokens, budgetTokens }) =>
      `固定 ${formatCount(count)} 条，占 ${formatCount(tokens)} token，最多可占 ${formatCount(budgetTokens)} token：逐字保留。`,
    pruned: ({ results, tokens }) =>
      `已裁剪：${formatCount(results)} 个旧的工具结果在下次压缩前只发送一部分，约少 ${formatCount(tokens)} token；文件和历史保留全部内容。`,
    nothingToFree: '没有值得释放的内容。',
    freedBy: '可以释放：',
    freed: (by, tokens) => `${by}：约 ${tokens} token`,
    cost: (dollars) => `；连同下一次请求约 ${dollars}`,
  },
};

/** The names that programs read, in words of the interface. */
export const contextName = (name: string): string => localize({ en: safeLine(name), zh: namesZh[name] ?? safeLine(name) });

const namesZh: Readonly<Record<string, string>> = {
  'system prompt': '系统提示词',
  'short-term summary': '短期摘要',
  tools: '工具',
  summary: '摘要',
  'your messages': '你的消息',
  replies: '回复',
  'tool results': '工具结果',
  notices: '通知',
  'carried pins': '带入的固定消息',
  'tool results to files': '工具结果转存到文件',
  soul: '人格',
  'group instructions': '组指令',
  memory: '记忆',
  project: '项目',
  'project instructions': '项目指令',
  skills: '技能',
  free: '空闲',
};

type CostTexts = {
  readonly input: string;
  readonly cacheRead: string;
  readonly cacheWrite: string;
  readonly output: string;
  readonly cost: string;
  readonly unknown: string;
  readonly session: string;
  readonly summaries: string;
  readonly earlier: string;
  readonly requests: (view: CostView) => string;
};

export const costTexts: Bilingual<CostTexts> = {
  en: {
    input: 'input',
    cacheRead: 'cache read',
    cacheWrite: 'cache write',
    output: 'output',
    cost: 'cost',
    unknown: 'unknown',
    session: 'session',
    summaries: 'of which summaries',
    earlier: 'of which earlier',
    requests: ({ requests, compactions, usage }) =>
      `${pluralize(requests, 'request')} with reported usage, ${pluralize(compactions, 'compaction')}, ${formatCount(usageTotal(usage))} tokens in all requests together.`,
  },
  zh: {
    input: '输入',
    cacheRead: '缓存读取',
    cacheWrite: '缓存写入',
    output: '输出',
    cost: '费用',
    unknown: '未知',
    session: '会话',
    summaries: '其中摘要',
    earlier: '其中此前',
    requests: ({ requests, compactions, usage }) =>
      `${formatCount(requests)} 次请求报告了用量，${formatCount(compactions)} 次压缩，所有请求共 ${formatCount(usageTotal(usage))} token。`,
  },
};
