import { type Usage, usageTotal } from '../../domain/session/message.ts';
import type { ContextView, CostView, MemoryView, ModelView } from '../repl/chat-port.ts';
import { count, counted, dollars, percent } from '../text/figures.ts';
import { safeLine } from '../text/safe-text.ts';
import { table } from '../text/table.ts';
import { clip } from '../text/text-width.ts';
import { MEMORY_IS_OFF, memoryRow } from './memory-text.ts';

/** Where the window goes, as a bar and by kind, the limits, and what would be freed. Ends with a newline. */
export function contextText(view: ContextView, columns: number): string {
  const free = Math.max(0, view.windowTokens - view.tokens);
  const rows = [...view.parts.filter(({ tokens }) => tokens > 0), { name: 'free', tokens: free }].map(({ name, tokens }) => [
    safeLine(name),
    count(tokens),
    percent(tokens, view.windowTokens),
  ]);
  const head = [{ title: 'where' }, { title: 'tokens', align: 'right' }, { title: 'of the window', align: 'right' }] as const;
  const ways = view.freeable.filter(({ tokens }) => tokens > 0).map(({ by, tokens }) => `  ${safeLine(by)}: about ${count(tokens)} tokens`);
  return [
    `Context: ${count(view.tokens)} of ${count(view.windowTokens)} tokens (${percent(view.tokens, view.windowTokens)}), ${counted(view.messages, 'message')}`,
    bar(view, Math.min(60, columns - 2)),
    table(head, rows, columns).trimEnd(),
    `Soft limit ${count(view.softTokens)}, hard limit ${count(view.hardTokens)} tokens: there old tool results go to files, then the rest is compacted.`,
    ...(view.pinned === undefined ? [] : [pinnedText(view.pinned)]),
    ...(view.pruned === undefined ? [] : [prunedLine(view.pruned)]),
    ...(ways.length === 0 ? ['Nothing worth freeing.'] : ['Would be freed by', ...ways]),
    '',
  ].join('\n');
}

const pinnedText = (pinned: NonNullable<ContextView['pinned']>): string =>
  `${counted(pinned.count, 'pin')}, ${count(pinned.tokens)} of the ${count(pinned.budgetTokens)} tokens that pins may take: kept word for word.`;
const prunedLine = ({ results, tokens }: NonNullable<ContextView['pruned']>): string =>
  `Pruned: ${counted(results, 'old tool result')} sent only in part until the next compaction, about ${count(tokens)} tokens less; files and history have all of it.`;

/** Full up to what is used; a mark where the hard limit is. */
function bar({ tokens, windowTokens, hardTokens }: ContextView, width: number): string {
  const cells = Math.max(10, width - 2);
  const at = (n: number): number => Math.min(cells, Math.max(0, Math.round((n / Math.max(1, windowTokens)) * cells)));
  const used = Math.max(at(tokens), tokens > 0 ? 1 : 0);
  const limit = Math.min(cells - 1, at(hardTokens));
  return `[${Array.from({ length: cells }, (_, i) => (i < used ? '█' : i === limit ? '|' : '·')).join('')}]`;
}

/** What the session has used in all; what the context holds now is another figure, and is not in it. */
export function costText(view: CostView, columns: number): string {
  const row = (name: string, usage: Usage, costUsd: number | undefined): readonly string[] => [
    name,
    count(usage.inputTokens),
    count(usage.cacheReadTokens),
    count(usage.cacheWriteTokens),
    count(usage.outputTokens),
    costUsd === undefined ? 'unknown' : dollars(costUsd),
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
      : [row('of it summaries', view.compactionUsage, view.compactionCostUsd)]),
  ];
  const requests = `${counted(view.requests, 'request')} with a use that was reported, ${counted(view.compactions, 'compaction')}, ${count(usageTotal(view.usage))} tokens in all requests together.`;
  return `${table(head, rows, columns)}${requests}\n`;
}

const SHOWN_MEMORIES = 5;

/** What is remembered: each file, how much is in it, and its newest entries with their ids. Ends with a newline. */
export function memoryText({ on, files }: MemoryView, columns: number): string {
  const parts = files.map(({ kind, path, entries }) => {
    const newest = entries.slice(-SHOWN_MEMORIES).map((entry) => clip(`  ${memoryRow(entry)}`, columns));
    const earlier = entries.length - newest.length;
    const more = earlier === 0 ? [] : [`  and ${count(earlier)} earlier: sanbot memory list shows all`];
    return [`${kind}: ${counted(entries.length, 'entry', 'entries')}  ${safeLine(path)}`, ...newest, ...more].join('\n');
  });
  const how = 'sanbot memory show ID says where one comes from, sanbot memory forget ID takes it away; the files may be edited.';
  const end = files.every(({ entries }) => entries.length === 0) ? 'Nothing is remembered yet.' : how;
  return `${[...parts, end, ...(on ? [] : [MEMORY_IS_OFF])].join('\n')}\n`;
}

export function modelText(view: ModelView): string {
  const name = view.offline ? `${safeLine(view.name)} (offline: not a language model)` : safeLine(view.name);
  return `Model: ${name}, window ${count(view.windowTokens)} tokens${view.windowAssumed ? ' (assumed)' : ''}. Another one: /model NAME\n`;
}
