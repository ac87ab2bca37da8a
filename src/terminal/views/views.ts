/**
 * What a person is shown when they ask about something: contexts, costs, histories, sessions, memories, differences. The same views serve
 * a slash command and the command line, so that both say the same.
 *
 * Plain data comes in, and text comes out that is safe for a terminal; or JSON, whose fields are only ever added to, since programs
 * read them. The time and the width of the terminal are arguments, so that a view can be tested as a whole.
 *
 * A view fetches nothing, changes nothing and decides nothing.
 */

import { localize } from '../../domain/language.ts';
import { type Usage, usageTotal } from '../../domain/session/message.ts';
import type { ContextView, CostView, ModelView, NamedModel } from '../chat/context-port.ts';
import type { MemoryView } from '../chat/memory-port.ts';
import { formatCount, formatDollars, formatPercent, pluralize } from '../text/format.ts';
import type { Paint } from '../text/paint.ts';
import { safeLine } from '../text/safe-text.ts';
import { table } from '../text/table.ts';
import { clip, wrap } from '../text/text-width.ts';
import { contextName, contextViewTexts, costTexts } from './context-text.ts';
import { memoryIsOffText, memoryRow } from './memory-text.ts';

/** Where the window goes, as a bar and by kind, each kind in its colour; the limits, and what would be freed. Ends with a newline. */
export function contextText(view: ContextView, { columns, paint }: { readonly columns: number; readonly paint: Paint }): string {
  const free = Math.max(0, view.windowTokens - view.tokens);
  const parts = view.parts.filter(({ tokens }) => tokens > 0);
  const rows = [...parts, { name: 'free', tokens: free }].map(({ name, tokens }) => [
    contextName(name),
    formatCount(tokens),
    formatPercent(tokens, view.windowTokens),
  ]);
  const text = localize(contextViewTexts);
  const head = [{ title: text.where }, { title: text.tokens, align: 'right' }, { title: text.ofWindow, align: 'right' }] as const;
  const freeableLines = view.freeable
    .filter(({ tokens }) => tokens > 0)
    .flatMap(({ by, tokens, costUsd }) => {
      const cost = costUsd === undefined || costUsd === 0 ? '' : text.cost(formatDollars(costUsd));
      return wrap(`${text.freed(contextName(by), formatCount(tokens))}${cost}`, columns - 2).map((line) => `  ${line}`);
    });
  const [title = '', ...rowLines] = table(head, rows, columns).trimEnd().split('\n');
  const painted = rowLines.map((line, place) => (place < parts.length ? paint.kind(place, line) : line));
  return [
    ...wrap(text.heading(view), columns),
    bar({ ...view, parts }, Math.min(60, columns - 2), paint),
    title,
    ...painted,
    ...[
      text.limits(formatCount(view.softTokens), formatCount(view.hardTokens)),
      ...(view.pinned === undefined ? [] : [text.pinned(view.pinned)]),
      ...(view.pruned === undefined ? [] : [text.pruned(view.pruned)]),
    ].flatMap((line) => wrap(line, columns)),
    ...(freeableLines.length === 0 ? wrap(text.nothingToFree, columns) : [...wrap(text.freedBy, columns), ...freeableLines]),
    '',
  ].join('\n');
}

/** What `sanbot context --json` prints. Fields are added here, never taken away. */
export function contextJson(sessionId: string, { name, offline: _offline, pruned, pinned, freeable, ...view }: ContextView): string {
  const priced = freeable.map(({ by, tokens, costUsd }) => ({ by, tokens, costUsd: costUsd ?? null }));
  return `${JSON.stringify({ sessionId, model: name, ...view, freeable: priced, pruned: pruned ?? null, pinned: pinned ?? null })}\n`;
}

/** Full up to what is used, by kind; a mark where the hard limit is. */
function bar({ tokens, windowTokens, hardTokens, parts }: ContextView, width: number, paint: Paint): string {
  const cells = Math.max(10, width - 2);
  const cellOf = (n: number): number => Math.min(cells, Math.max(0, Math.round((n / Math.max(1, windowTokens)) * cells)));
  const usedCells = Math.max(cellOf(tokens), tokens > 0 ? 1 : 0);
  const limitCell = Math.min(cells - 1, cellOf(hardTokens));
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
  const text = localize(costTexts);
  const row = (name: string, usage: Usage, costUsd: number | undefined): readonly string[] => [
    name,
    formatCount(usage.inputTokens),
    formatCount(usage.cacheReadTokens),
    formatCount(usage.cacheWriteTokens),
    formatCount(usage.outputTokens),
    costUsd === undefined ? text.unknown : formatDollars(costUsd),
  ];
  const head = [
    { title: '' },
    { title: text.input, align: 'right' },
    { title: text.cacheRead, align: 'right' },
    { title: text.cacheWrite, align: 'right' },
    { title: text.output, align: 'right' },
    { title: text.cost, align: 'right' },
  ] as const;
  const rows = [
    row(text.session, view.usage, view.costUsd),
    ...(view.compactions === 0 && usageTotal(view.compactionUsage) === 0
      ? []
      : [row(text.summaries, view.compactionUsage, view.compactionCostUsd)]),
    ...(view.earlier === undefined ? [] : [row(text.earlier, view.earlier.usage, view.earlier.costUsd)]),
  ];
  return `${table(head, rows, columns)}${wrap(text.requests(view), columns).join('\n')}\n`;
}

const MAX_SHOWN_MEMORIES = 5;

/** What is remembered: each file, how much is in it, and its newest entries with their ids. Ends with a newline. */
export function memoryFilesText({ on, files }: MemoryView, columns: number): string {
  const parts = files.map(({ kind, path, entries }) => {
    const newest = entries.slice(-MAX_SHOWN_MEMORIES).map((entry) => clip(`  ${memoryRow(entry)}`, columns));
    const earlier = entries.length - newest.length;
    const more =
      earlier === 0
        ? []
        : [
            localize({
              en: `  and ${formatCount(earlier)} earlier: sanbot memory list shows all`,
              zh: `  以及更早的 ${formatCount(earlier)} 条：sanbot memory list 显示全部`,
            }),
          ];
    const count = localize({ en: `: ${pluralize(entries.length, 'entry', 'entries')}`, zh: `：${formatCount(entries.length)} 条` });
    const head = `${kind}${count}  ${safeLine(path)}`;
    return [...wrap(head, columns), ...newest, ...more.flatMap((line) => wrap(line, columns))].join('\n');
  });
  const isEmpty = files.every(({ entries }) => entries.length === 0);
  const ends = [localize(isEmpty ? memoryTexts.none : memoryTexts.hint), ...(on ? [] : [memoryIsOffText()])].flatMap((line) =>
    wrap(line, columns),
  );
  return `${[...parts, ...ends].join('\n')}\n`;
}

const memoryTexts = {
  none: { en: 'Nothing is remembered yet.', zh: '还没有记住任何内容。' },
  hint: {
    en: 'sanbot memory show ID says where one comes from, sanbot memory forget ID removes it; you may also edit the files.',
    zh: 'sanbot memory show ID 说明一条的来源，sanbot memory forget ID 删除它；你也可以直接编辑文件。',
  },
};

/** Who answers, and how large its window is. Ends with a newline. */
export function modelText(view: ModelView): string {
  const [name, window] = [safeLine(view.name), formatCount(view.windowTokens)];
  return localize({
    en: `Model: ${name}${view.offline ? ' (offline: not a language model)' : ''}, window ${window} tokens${view.windowAssumed ? ' (assumed)' : ''}. To change it: /model NAME\n`,
    zh: `模型：${name}${view.offline ? '（离线：不是语言模型）' : ''}，窗口 ${window} token${view.windowAssumed ? '（假定值）' : ''}。更换：/model NAME\n`,
  });
}

/** A model as one line of a list. */
export const modelChoice = ({ name, isCurrent, windowTokens }: NamedModel): string =>
  [safeLine(name), tokensText(windowTokens), isCurrent ? localize({ en: '(now)', zh: '（当前）' }) : '']
    .filter((part) => part !== '')
    .join('  ');

const tokensText = (tokens: number | undefined): string =>
  tokens === undefined ? '' : localize({ en: `${formatCount(tokens)} tokens`, zh: `${formatCount(tokens)} token` });

/** The names that can be given to /model. Ends with a newline. */
export const modelNamesText = (models: readonly NamedModel[]): string =>
  models.map((model) => `${model.isCurrent ? '*' : ' '} ${modelChoice({ ...model, isCurrent: false })}\n`).join('');
