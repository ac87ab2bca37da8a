/**
 * What a person is shown when they ask about something: contexts, costs, histories, sessions, memories, differences. The same views serve
 * a slash command and the command line, so that both say the same.
 *
 * Plain data comes in, and text comes out that is safe for a terminal; or JSON, whose fields are only ever added to, since programs
 * read them. The time and the width of the terminal are arguments, so that a view can be tested as a whole.
 *
 * A view fetches nothing, changes nothing and decides nothing.
 */

import { type Usage, usageTotal } from '../../domain/session/message.ts';
import type { MemoryView } from '../chat/memory-port.ts';
import type { ContextView, CostView, ModelView, NamedModel } from '../chat/model-port.ts';
import { formatCount, formatDollars, formatPercent, pluralize } from '../text/format.ts';
import type { Paint } from '../text/paint.ts';
import { safeLine } from '../text/safe-text.ts';
import { table } from '../text/table.ts';
import { clip, wrap } from '../text/text-width.ts';
import { MEMORY_IS_OFF, memoryRow } from './memory-text.ts';

/** Where the window goes, as a bar and by kind, each kind in its colour; the limits, and what would be freed. Ends with a newline. */
export function contextText(view: ContextView, { columns, paint }: { readonly columns: number; readonly paint: Paint }): string {
  const free = Math.max(0, view.windowTokens - view.tokens);
  const parts = view.parts.filter(({ tokens }) => tokens > 0);
  const rows = [...parts, { name: 'free', tokens: free }].map(({ name, tokens }) => [
    safeLine(name),
    formatCount(tokens),
    formatPercent(tokens, view.windowTokens),
  ]);
  const head = [{ title: 'where' }, { title: 'tokens', align: 'right' }, { title: 'of the window', align: 'right' }] as const;
  const freeableLines = view.freeable
    .filter(({ tokens }) => tokens > 0)
    .map(({ by, tokens, costUsd }) => {
      const cost = costUsd === undefined || costUsd === 0 ? '' : `; with the next request about ${formatDollars(costUsd)}`;
      return `  ${safeLine(by)}: about ${formatCount(tokens)} tokens${cost}`;
    });
  const [title = '', ...rowLines] = table(head, rows, columns).trimEnd().split('\n');
  const painted = rowLines.map((line, place) => (place < parts.length ? paint.kind(place, line) : line));
  return [
    ...wrap(
      `Context: ${formatCount(view.tokens)} of ${formatCount(view.windowTokens)} tokens (${formatPercent(view.tokens, view.windowTokens)}), ${pluralize(view.messages, 'message')}`,
      columns,
    ),
    bar({ ...view, parts }, Math.min(60, columns - 2), paint),
    title,
    ...painted,
    ...[
      `Soft limit ${formatCount(view.softTokens)}, hard limit ${formatCount(view.hardTokens)} tokens. At the hard limit old tool results go to files, then the rest is compacted.`,
      ...(view.pinned === undefined ? [] : [pinnedLine(view.pinned)]),
      ...(view.pruned === undefined ? [] : [prunedLine(view.pruned)]),
    ].flatMap((line) => wrap(line, columns)),
    ...(freeableLines.length === 0 ? ['Nothing worth freeing.'] : ['Would be freed by', ...freeableLines]),
    '',
  ].join('\n');
}

/** What `sanbot context --json` prints. Fields are added here, never taken away. */
export function contextJson(sessionId: string, { name, offline: _offline, pruned, pinned, freeable, ...view }: ContextView): string {
  const priced = freeable.map(({ by, tokens, costUsd }) => ({ by, tokens, costUsd: costUsd ?? null }));
  return `${JSON.stringify({ sessionId, model: name, ...view, freeable: priced, pruned: pruned ?? null, pinned: pinned ?? null })}\n`;
}

const pinnedLine = (pinned: NonNullable<ContextView['pinned']>): string =>
  `${pluralize(pinned.count, 'pin')}, ${formatCount(pinned.tokens)} of the ${formatCount(pinned.budgetTokens)} tokens that pins may take: kept word for word.`;
const prunedLine = ({ results, tokens }: NonNullable<ContextView['pruned']>): string =>
  `Pruned: ${pluralize(results, 'old tool result')} sent only in part until the next compaction, about ${formatCount(tokens)} tokens less; files and history keep all of it.`;

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
  const row = (name: string, usage: Usage, costUsd: number | undefined): readonly string[] => [
    name,
    formatCount(usage.inputTokens),
    formatCount(usage.cacheReadTokens),
    formatCount(usage.cacheWriteTokens),
    formatCount(usage.outputTokens),
    costUsd === undefined ? 'unknown' : formatDollars(costUsd),
  ];
  const head = [
    { title: '' },
    { title: 'input', align: 'right' },
    { title: 'cache read', align: 'right' },
    { title: 'cache write', align: 'right' },
    { title: 'output', align: 'right' },
    { title: 'cost', align: 'right' },
  ] as const;
  const rows = [
    row('session', view.usage, view.costUsd),
    ...(view.compactions === 0 && usageTotal(view.compactionUsage) === 0
      ? []
      : [row('of which summaries', view.compactionUsage, view.compactionCostUsd)]),
  ];
  const requests = `${pluralize(view.requests, 'request')} with reported usage, ${pluralize(view.compactions, 'compaction')}, ${formatCount(usageTotal(view.usage))} tokens in all requests together.`;
  return `${table(head, rows, columns)}${wrap(requests, columns).join('\n')}\n`;
}

const MAX_SHOWN_MEMORIES = 5;

/** What is remembered: each file, how much is in it, and its newest entries with their ids. Ends with a newline. */
export function memoryFilesText({ on, files }: MemoryView, columns: number): string {
  const parts = files.map(({ kind, path, entries }) => {
    const newest = entries.slice(-MAX_SHOWN_MEMORIES).map((entry) => clip(`  ${memoryRow(entry)}`, columns));
    const earlier = entries.length - newest.length;
    const more = earlier === 0 ? [] : [`  and ${formatCount(earlier)} earlier: sanbot memory list shows all`];
    const head = `${kind}: ${pluralize(entries.length, 'entry', 'entries')}  ${safeLine(path)}`;
    return [...wrap(head, columns), ...newest, ...more.flatMap((line) => wrap(line, columns))].join('\n');
  });
  const hint = 'sanbot memory show ID says where one comes from, sanbot memory forget ID removes it; you may also edit the files.';
  const lastLine = files.every(({ entries }) => entries.length === 0) ? 'Nothing is remembered yet.' : hint;
  const ends = [lastLine, ...(on ? [] : [MEMORY_IS_OFF])].flatMap((line) => wrap(line, columns));
  return `${[...parts, ...ends].join('\n')}\n`;
}

/** Who answers, and how large its window is. Ends with a newline. */
export function modelText(view: ModelView): string {
  const name = view.offline ? `${safeLine(view.name)} (offline: not a language model)` : safeLine(view.name);
  return `Model: ${name}, window ${formatCount(view.windowTokens)} tokens${view.windowAssumed ? ' (assumed)' : ''}. To change it: /model NAME\n`;
}

/** A model as one line of a list. */
export const modelChoice = ({ name, isCurrent, windowTokens }: NamedModel): string =>
  [safeLine(name), windowTokens === undefined ? '' : `${formatCount(windowTokens)} tokens`, isCurrent ? '(now)' : '']
    .filter((part) => part !== '')
    .join('  ');

/** The names that can be given to /model. Ends with a newline. */
export const modelNamesText = (models: readonly NamedModel[]): string =>
  models.map((model) => `${model.isCurrent ? '*' : ' '} ${modelChoice({ ...model, isCurrent: false })}\n`).join('');
