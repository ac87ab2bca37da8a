/**
 * What a person is shown when they ask about something: contexts, costs, histories, sessions, memories, differences. The same views serve
 * a slash command and the command line, so that both say the same.
 *
 * Plain data comes in, and text comes out that is safe for a terminal; or JSON, whose fields are only ever added to, since programs
 * read them. The time and the width of the terminal are arguments, so that a view can be tested as a whole.
 *
 * A view fetches nothing, changes nothing and decides nothing.
 */

import { type Bilingual, localize } from '../../domain/language.ts';
import { type Usage, usageTotal } from '../../domain/session/message.ts';
import type { ContextView, CostView, ModelView, NamedModel } from '../chat/context-port.ts';
import { formatCount, formatDollars, formatPercent, pluralize } from '../text/format.ts';
import { missText, unplanned } from '../text/miss-text.ts';
import type { Drawing, Paint } from '../text/paint.ts';
import { safeLine } from '../text/safe-text.ts';
import { table } from '../text/table.ts';
import { wrap } from '../text/text-width.ts';

/** All of it is measured by the hard limit: there room is made, however large the window is. Ends with a newline. */
export function contextText(view: ContextView, { columns, paint }: Drawing): string {
  const { tokens: used, hardTokens } = view;
  const parts = view.parts.filter(({ tokens }) => tokens > 0);
  const rows = [...parts, { name: 'free', tokens: Math.max(0, hardTokens - used) }].map(({ name, tokens }) => [
    contextName(name),
    formatCount(tokens),
    formatPercent(tokens, hardTokens),
  ]);
  const head = [
    { title: { en: 'where', zh: '内容' } },
    { title: { en: 'tokens', zh: 'token' }, align: 'right' },
    { title: { en: 'of the limit', zh: '占上限' }, align: 'right' },
  ] as const;
  const heading = localize({
    en: `Context: ${formatCount(used)} of ${formatCount(hardTokens)} tokens (${formatPercent(used, hardTokens)}), ${pluralize(view.messages, 'message')}`,
    zh: `上下文：${formatCount(used)} / ${formatCount(hardTokens)} token（${formatPercent(used, hardTokens)}），${formatCount(view.messages)} 条消息`,
  });
  const [title = '', ...rowLines] = table(head, rows, columns).trimEnd().split('\n');
  const painted = rowLines.map((line, place) => (place < parts.length ? paint.kind(place, line) : line));
  return [
    ...wrap(heading, columns),
    bar({ ...view, parts }, Math.min(60, columns - 2), paint),
    title,
    ...painted,
    ...limitTexts(view).flatMap((line) => wrap(line, columns)),
    ...freeableLines(view, columns),
    '',
  ].join('\n');
}

function limitTexts({ softTokens, hardTokens, windowTokens, pinned, plan, pruned }: ContextView): readonly string[] {
  const [soft, hard, window] = [formatCount(softTokens), formatCount(hardTokens), formatCount(windowTokens)];
  const texts: readonly (Bilingual | undefined)[] = [
    {
      en: `Soft limit ${soft} (|), hard limit ${hard} of the window's ${window} tokens. At the hard limit old tool results go to files, then the rest is compacted.`,
      zh: `软上限 ${soft}（|），硬上限 ${hard}，窗口 ${window} token。达到硬上限时，旧的工具结果转存到文件，其余部分压缩。`,
    },
    pinned && {
      en: `${pluralize(pinned.count, 'pin')}, ${formatCount(pinned.tokens)} of the ${formatCount(pinned.budgetTokens)} tokens that pins may take: kept word for word.`,
      zh: `固定 ${formatCount(pinned.count)} 条，占 ${formatCount(pinned.tokens)} token，最多可占 ${formatCount(pinned.budgetTokens)} token：逐字保留。`,
    },
    plan && {
      en: `One of them is the accepted plan, ${formatCount(plan.tokens)} tokens, ${plan.done} of ${pluralize(plan.tasks, 'task')} done: it ends with the last, or by /plan done.`,
      zh: `其中之一是已接受的计划，${formatCount(plan.tokens)} token，任务完成 ${plan.done} / ${plan.tasks}：最后一项完成或 /plan done 时结束。`,
    },
    pruned && {
      en: `Pruned: ${pluralize(pruned.results, 'old tool result')} sent only in part until the next compaction, about ${formatCount(pruned.tokens)} tokens less; files and history keep all of it.`,
      zh: `已裁剪：${formatCount(pruned.results)} 个旧的工具结果在下次压缩前只发送一部分，约少 ${formatCount(pruned.tokens)} token；文件和历史保留全部内容。`,
    },
  ];
  return texts.flatMap((text) => (text === undefined ? [] : [localize(text)]));
}

function freeableLines({ freeable }: ContextView, columns: number): readonly string[] {
  const lines = freeable
    .filter(({ tokens }) => tokens > 0)
    .flatMap(({ by, tokens, costUsd }) => {
      const price = costUsd === undefined || costUsd === 0 ? undefined : formatDollars(costUsd);
      const [name, count] = [contextName(by), formatCount(tokens)];
      const text = localize({
        en: `${name}: about ${count} tokens${price === undefined ? '' : `; with the next request about ${price}`}`,
        zh: `${name}：约 ${count} token${price === undefined ? '' : `；连同下一次请求约 ${price}`}`,
      });
      return wrap(text, columns - 2).map((line) => `  ${line}`);
    });
  if (lines.length === 0) return wrap(localize({ en: 'Nothing worth freeing.', zh: '没有值得释放的内容。' }), columns);
  return [...wrap(localize({ en: 'Would be freed by', zh: '可以释放：' }), columns), ...lines];
}

const contextName = (name: string): string => localize({ en: safeLine(name), zh: namesZh[name] ?? safeLine(name) });

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

/** What `sanbot context --json` prints. Fields are added here, never taken away. */
export function contextJson(
  sessionId: string,
  { name, offline: _offline, missing: _missing, pruned, pinned, freeable, ...view }: ContextView,
): string {
  const priced = freeable.map(({ by, tokens, costUsd }) => ({ by, tokens, costUsd: costUsd ?? null }));
  return `${JSON.stringify({ sessionId, model: name, ...view, freeable: priced, pruned: pruned ?? null, pinned: pinned ?? null })}\n`;
}

function bar({ tokens, softTokens, hardTokens, parts }: ContextView, width: number, paint: Paint): string {
  const cells = Math.max(10, width - 2);
  const cellOf = (n: number): number => Math.min(cells, Math.max(0, Math.round((n / Math.max(1, hardTokens)) * cells)));
  const usedCells = Math.max(cellOf(tokens), tokens > 0 ? 1 : 0);
  const limitCell = Math.min(cells - 1, cellOf(softTokens));
  let end = 0;
  const used = parts.map(({ tokens: size }, place) => {
    const from = Math.min(cellOf(end), usedCells);
    end += size;
    const to = place === parts.length - 1 ? usedCells : Math.min(cellOf(end), usedCells);
    return to > from ? paint.kind(place, '█'.repeat(to - from)) : '';
  });
  const rest = Array.from({ length: cells - usedCells }, (_, i) => (i + usedCells === limitCell ? '|' : '·'));
  return `[${used.join('')}${rest.join('')}]`;
}

/** What the session has used in all; what the context holds now is another figure, and is not in it. */
export function sessionCostText(view: CostView, columns: number): string {
  const { requests, usage, compactions, compactionUsage, earlier } = view;
  const row = (name: Bilingual, used: Usage, costUsd: number | undefined): readonly string[] => [
    localize(name),
    formatCount(used.inputTokens),
    formatCount(used.cacheReadTokens),
    formatCount(used.cacheWriteTokens),
    formatCount(used.outputTokens),
    costUsd === undefined ? localize({ en: 'unknown', zh: '未知' }) : formatDollars(costUsd),
  ];
  const head = [
    { title: '' },
    { title: { en: 'input', zh: '输入' }, align: 'right' },
    { title: { en: 'cache read', zh: '缓存读取' }, align: 'right' },
    { title: { en: 'cache write', zh: '缓存写入' }, align: 'right' },
    { title: { en: 'output', zh: '输出' }, align: 'right' },
    { title: { en: 'cost', zh: '费用' }, align: 'right' },
  ] as const;
  const rows = [
    row({ en: 'session', zh: '会话' }, usage, view.costUsd),
    ...(compactions === 0 && usageTotal(compactionUsage) === 0
      ? []
      : [row({ en: 'of which summaries', zh: '其中摘要' }, compactionUsage, view.compactionCostUsd)]),
    ...(earlier === undefined ? [] : [row({ en: 'of which earlier', zh: '其中此前' }, earlier.usage, earlier.costUsd)]),
  ];
  const total = formatCount(usageTotal(usage));
  const sum = localize({
    en: `${pluralize(requests, 'request')} with reported usage, ${pluralize(compactions, 'compaction')}: ${total} tokens in all.`,
    zh: `${formatCount(requests)} 次请求报告了用量，${formatCount(compactions)} 次压缩，所有请求共 ${total} token。`,
  });
  return `${table(head, rows, columns)}${[sum, ...missLines(view.misses)].flatMap((line) => wrap(line, columns)).join('\n')}\n`;
}

/** What was meant apart from what was not. */
function missLines(misses: CostView['misses'] = []): readonly string[] {
  const meant = missText(misses.filter(({ planned }) => planned));
  const texts = [
    missText(unplanned(misses)),
    meant && { en: `After a compaction or another planned change: ${meant.en}`, zh: `压缩等计划内的变化之后：${meant.zh}` },
  ];
  return texts.flatMap((text) => (text === undefined ? [] : [localize({ en: `${text.en}.`, zh: `${text.zh}。` })]));
}

export const noModelText: Bilingual = {
  en: 'There is no model yet: leave and run sanbot setup, or set ANTHROPIC_API_KEY. /help lists the commands.',
  zh: '还没有模型：请退出并运行 sanbot setup，或设置 ANTHROPIC_API_KEY。/help 列出命令。',
};

export function modelText(view: ModelView): string {
  if (view.missing === true) return `${localize(noModelText)}\n`;
  const [name, window] = [safeLine(view.name), formatCount(view.windowTokens)];
  return localize({
    en: `Model: ${name}${view.offline ? ' (offline: not a language model)' : ''}, window ${window} tokens${view.windowAssumed ? ' (assumed)' : ''}. To change it: /model NAME\n`,
    zh: `模型：${name}${view.offline ? '（离线：不是语言模型）' : ''}，窗口 ${window} token${view.windowAssumed ? '（假定值）' : ''}。更换：/model NAME\n`,
  });
}

export const modelChoice = ({ name, isCurrent, windowTokens }: NamedModel): string =>
  [safeLine(name), tokensText(windowTokens), isCurrent ? localize({ en: '(now)', zh: '（当前）' }) : '']
    .filter((part) => part !== '')
    .join('  ');

const tokensText = (tokens: number | undefined): string =>
  tokens === undefined ? '' : localize({ en: `${formatCount(tokens)} tokens`, zh: `${formatCount(tokens)} token` });

export const modelNamesText = (models: readonly NamedModel[]): string =>
  models.map((model) => `${model.isCurrent ? '*' : ' '} ${modelChoice({ ...model, isCurrent: false })}\n`).join('');
