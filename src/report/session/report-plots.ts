import { formatCount, formatDollars, formatDuration, formatSize, pluralize } from '../../terminal/text/format.ts';
import { areaChart, lineChart } from '../page/charts.ts';
import { escapeHtml, type PageSection, pageTable } from '../page/frame.ts';
import type { AuditSummary } from './report-events.ts';
import type { TimelineEntry } from './report-labels.ts';
import type { LogSummary } from './report-log.ts';
import { type ContextSize, contextKinds } from './report-size.ts';
import { changeText, type Report, shortTime, stepsUntil } from './report-tables.ts';

/** Beyond so many times what was used, the window would press the plot flat. */
const MAX_WINDOW_RATIO = 5;

export function contextSections({ log, audit, timeline }: Report): readonly PageSection[] {
  if (log.now === undefined || log.messagesNow + log.steps.length === 0) return [];
  const points: readonly ContextSize[] = [...log.steps.map(({ size }) => size), log.now];
  const windows = windowSizes(log, audit);
  const window = windows.at(-1) ?? 0;
  const showsWindow =
    windows.length > 0 &&
    Math.max(...[window, ...windows]) <= MAX_WINDOW_RATIO * points.reduce((max, { tokens }) => Math.max(max, tokens), 1);
  // Requests are at 1, 2, 3 …; what stands after the last is one further.
  const marks = timeline.entries.flatMap((entry) =>
    entry.mark === undefined ? [] : [{ x: stepsUntil(entry.at, log.steps) + 1, kind: entry.mark, tooltip: markText(entry) }],
  );
  const chart = areaChart({
    title: 'The context by kind',
    xLabel: 'request; the last point is the context as it stands',
    yLabel: 'tokens',
    partNames: contextKinds,
    stacks: points.map((size, at) => ({
      parts: size.parts,
      tooltip: stackText(size, at < log.steps.length ? `request ${formatCount(at + 1)}` : 'as it stands'),
    })),
    marks,
    markKinds: ['older messages summarised or left out', 'results moved to files', 'an earlier state restored, or cleared'],
    limit: showsWindow ? { name: 'window', ys: windows } : undefined,
  });
  const windowNote = window > 0 && !showsWindow ? ` The window, ${formatCount(window)} tokens, is far above.` : '';
  const reportedCount = log.steps.filter(({ size }) => size.reported).length;
  const sourceText =
    reportedCount === log.steps.length && reportedCount > 0
      ? 'Sums as the provider counted them'
      : reportedCount === 0
        ? 'Sums are estimates'
        : `Sums of ${formatCount(reportedCount)} of ${pluralize(log.steps.length, 'request')} as the provider counted them, the others estimates`;
  return [
    {
      title: 'Context',
      body: `<p>${escapeHtml(`${sourceText}; the shares of the kinds are estimates. Each mark stands at the first request after its event.${windowNote}`)}</p>${chart}${sizeTable(points)}`,
    },
  ];
}

/** The first, the largest and the last, for those who cannot see the plot. */
function sizeTable(points: readonly ContextSize[]): string {
  const largest = points.reduce((max, { tokens }, at) => (tokens > (points[max]?.tokens ?? 0) ? at : max), 0);
  const namedSizes = [
    ['first request', points[0]],
    ...(largest > 0 && largest < points.length - 1 ? [[`largest: request ${formatCount(largest + 1)}`, points[largest]] as const] : []),
    [largest === points.length - 1 ? 'as it stands, the largest' : 'as it stands', points.at(-1)],
  ] as const;
  const rows = namedSizes.flatMap(([name, size]) =>
    size === undefined ? [] : [[name, formatCount(size.tokens), ...size.parts.map(formatCount)]],
  );
  return pageTable({ caption: 'Tokens by kind', head: ['', 'in all', ...contextKinds], rows });
}

const markText = ({ what, details: tells, before, after, at }: TimelineEntry): string =>
  [`${shortTime(at)} ${what}`, tells, changeText(before, after)].filter((part) => part !== '').join(', ');

const stackText = ({ tokens, parts }: ContextSize, name: string): string =>
  `${name}: ${formatCount(tokens)} tokens (${contextKinds.map((kind, at) => `${kind} ${formatCount(parts[at] ?? 0)}`).join(', ')})`;

/** The window that each request was made for, and the newest for the context as it stands; none when no event tells. */
function windowSizes({ steps }: LogSummary, { windows }: AuditSummary): readonly number[] {
  if (windows.length === 0) return [];
  let next = 0;
  const sizes = steps.map(({ at }) => {
    while (next + 1 < windows.length && (windows[next + 1]?.at ?? '') <= at) next += 1;
    return windows[next]?.tokens ?? 0;
  });
  return [...sizes, windows.at(-1)?.tokens ?? 0];
}

export function costSections({ log, audit }: Report): readonly PageSection[] {
  const { steps } = log;
  const usages = steps.map(({ usage }) => usage);
  const charts: string[] = [];
  if (usages.some((usage) => usage !== undefined)) {
    const series = (['cacheReadTokens', 'cacheWriteTokens', 'inputTokens', 'outputTokens'] as const).map((part, at) => ({
      name: ['read from the cache', 'written to the cache', 'not cached', 'reply'][at] ?? part,
      ys: usages.map((usage) => usage?.[part] ?? 0),
    }));
    charts.push(lineChart({ title: 'Tokens of each request, as reported', xLabel: 'request', yLabel: 'tokens', series }));
  }
  const cumulativeCosts = cumulativeCost(log, audit);
  if (cumulativeCosts.some((usd) => usd > 0))
    charts.push(
      lineChart({
        title: 'Cost so far, summaries included',
        xLabel: 'request',
        yLabel: 'dollars',
        series: [{ name: 'cost', ys: cumulativeCosts }],
        formatY: formatDollars,
      }),
    );
  return charts.length === 0 ? [] : [{ title: 'Cost and cache', body: charts.join('') }];
}

/** What had been paid after each request; a summary counts with the request after it. */
function cumulativeCost({ steps }: LogSummary, { costs }: AuditSummary): readonly number[] {
  const each = steps.map(() => 0);
  for (const { at, usd, reply } of costs) {
    const step = Math.min(steps.length, Math.max(1, stepsUntil(at, steps) + (reply ? 0 : 1)));
    each[step - 1] = (each[step - 1] ?? 0) + (usd ?? 0);
  }
  let total = 0;
  return each.map((usd) => {
    total += usd;
    return total;
  });
}

export function toolSections({ log, audit }: Report): readonly PageSection[] {
  const tallies = [...log.tools].sort(([a, x], [b, y]) => y.calls - x.calls || (a < b ? -1 : 1));
  if (tallies.length === 0) return [];
  const hasAudit = audit.from !== undefined;
  const rows = tallies.map(([tool, { calls, failed, unanswered, bytes }]) => [
    tool,
    formatCount(calls),
    formatCount(failed),
    hasAudit ? formatCount(audit.denied.get(tool) ?? 0) : 'not known',
    formatCount(unanswered),
    formatSize(bytes),
    hasAudit ? formatDuration(audit.toolMs.get(tool) ?? 0) : 'not known',
  ]);
  const head = ['tool', 'calls', 'failed', 'of these denied', 'without a result', 'results', 'took'];
  return [
    {
      title: 'Tools',
      body: pageTable({ caption: 'Calls of each tool, and the size of their results before any went to a file', head, rows }),
    },
  ];
}
