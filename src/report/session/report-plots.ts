import { count, counted, dollars, duration, size } from '../../terminal/text/figures.ts';
import { areaChart } from '../page/area-chart.ts';
import { barChart } from '../page/bar-chart.ts';
import { type PageSection, pageTable } from '../page/frame.ts';
import { html } from '../page/html.ts';
import { lineChart } from '../page/line-chart.ts';
import type { AuditLife } from './report-events.ts';
import type { LogLife } from './report-log.ts';
import { change, type Report, shortTime, stepsUntil } from './report-view.ts';
import { contextKinds, type Weight } from './report-weight.ts';
import type { Happening } from './report-words.ts';

/** Requests are at 1, 2, 3 …; what stands after the last is one further. */
function pointOf(happening: Happening, { steps }: LogLife): number {
  return stepsUntil(happening.at, steps) + 1;
}

/** Beyond so many times what was used, the window would press the plot flat. */
const WINDOW_SHOWN = 5;

export function context({ log, audit, told }: Report): readonly PageSection[] {
  if (log.now === undefined || log.messagesNow + log.steps.length === 0) return [];
  const points: readonly Weight[] = [...log.steps.map(({ weight }) => weight), log.now];
  const windows = windowsAt(log, audit);
  const window = windows.at(-1) ?? 0;
  const shown =
    windows.length > 0 &&
    Math.max(...[window, ...windows]) <= WINDOW_SHOWN * points.reduce((most, { tokens }) => Math.max(most, tokens), 1);
  const marks = told.happenings.flatMap((happening) =>
    happening.mark === undefined ? [] : [{ x: pointOf(happening, log), y: 0, kind: happening.mark, says: markText(happening) }],
  );
  const chart = areaChart({
    title: 'The context by kind',
    xName: 'request; the last point is the context as it stands',
    yName: 'tokens',
    partNames: contextKinds,
    stacks: points.map((weight, at) => ({
      parts: weight.parts,
      says: stackText(weight, at < log.steps.length ? `request ${count(at + 1)}` : 'as it stands'),
    })),
    marks,
    markKinds: ['older messages summarised or left out', 'results moved to files', 'an earlier state restored, or cleared'],
    limit: shown ? { name: 'window', ys: windows } : undefined,
  });
  const beyond = window > 0 && !shown ? ` The window, ${count(window)} tokens, is far above.` : '';
  const reported = log.steps.filter(({ weight }) => weight.reported).length;
  const how =
    reported === log.steps.length && reported > 0
      ? 'Sums as the provider counted them'
      : reported === 0
        ? 'Sums are estimates'
        : `Sums of ${count(reported)} of ${counted(log.steps.length, 'request')} as the provider counted them, the others estimates`;
  return [
    {
      title: 'Context',
      body: `<p>${html(`${how}; the shares of the kinds are estimates. Marks stand at the first request after what they tell.${beyond}`)}</p>${chart}${weightTable(points)}`,
    },
  ];
}

/** The first, the largest and the last, for those who cannot see the plot. */
function weightTable(points: readonly Weight[]): string {
  const largest = points.reduce((most, { tokens }, at) => (tokens > (points[most]?.tokens ?? 0) ? at : most), 0);
  const shown = [
    ['first request', points[0]],
    ...(largest > 0 && largest < points.length - 1 ? [[`largest: request ${count(largest + 1)}`, points[largest]] as const] : []),
    [largest === points.length - 1 ? 'as it stands, the largest' : 'as it stands', points.at(-1)],
  ] as const;
  const rows = shown.flatMap(([name, weight]) => (weight === undefined ? [] : [[name, count(weight.tokens), ...weight.parts.map(count)]]));
  return pageTable({ caption: 'Tokens by kind', head: ['', 'in all', ...contextKinds], rows });
}

const markText = ({ what, tells, before, after, at }: Happening): string =>
  [`${shortTime(at)} ${what}`, tells, change(before, after)].filter((part) => part !== '').join(', ');

const stackText = ({ tokens, parts }: Weight, name: string): string =>
  `${name}: ${count(tokens)} tokens (${contextKinds.map((kind, at) => `${kind} ${count(parts[at] ?? 0)}`).join(', ')})`;

/** The window that each request was made for, and the newest for the context as it stands; none when no event tells. */
function windowsAt({ steps }: LogLife, { windows }: AuditLife): readonly number[] {
  if (windows.length === 0) return [];
  let next = 0;
  const found = steps.map(({ at }) => {
    while (next + 1 < windows.length && (windows[next + 1]?.at ?? '') <= at) next += 1;
    return windows[next]?.tokens ?? 0;
  });
  return [...found, windows.at(-1)?.tokens ?? 0];
}

/** Tokens and money of each request, where the provider told them. */
export function cost({ log, audit }: Report): readonly PageSection[] {
  const { steps } = log;
  const used = steps.map(({ usage }) => usage);
  const charts: string[] = [];
  if (used.some((usage) => usage !== undefined)) {
    const series = (['cacheReadTokens', 'cacheWriteTokens', 'inputTokens', 'outputTokens'] as const).map((part, at) => ({
      name: ['read from the cache', 'written to the cache', 'not cached', 'reply'][at] ?? part,
      ys: used.map((usage) => usage?.[part] ?? 0),
    }));
    charts.push(
      lineChart({ title: 'Tokens of each request, as reported', xName: 'request', yName: 'tokens', series, marks: [], markKinds: [] }),
    );
  }
  const paid = paidBy(log, audit);
  if (paid.some((usd) => usd > 0))
    charts.push(
      lineChart({
        title: 'Cost so far, summaries included',
        xName: 'request',
        yName: 'dollars',
        series: [{ name: 'cost', ys: paid }],
        marks: [],
        markKinds: [],
        yText: dollars,
      }),
    );
  return charts.length === 0 ? [] : [{ title: 'Cost and cache', body: charts.join('') }];
}

/** What had been paid after each request; a summary counts with the request after it. */
function paidBy({ steps }: LogLife, { costs }: AuditLife): readonly number[] {
  const each = steps.map(() => 0);
  for (const { at, usd, reply } of costs) {
    const step = Math.min(steps.length, Math.max(1, stepsUntil(at, steps) + (reply ? 0 : 1)));
    each[step - 1] = (each[step - 1] ?? 0) + (usd ?? 0);
  }
  let all = 0;
  return each.map((usd) => {
    all += usd;
    return all;
  });
}

/** Calls by tool, most first. */
export function tools({ log, audit }: Report): readonly PageSection[] {
  const tallies = [...log.tools].sort(([a, x], [b, y]) => y.calls - x.calls || (a < b ? -1 : 1));
  if (tallies.length === 0) return [];
  const told = audit.from !== undefined;
  const bars = tallies.map(([tool, { calls, failed, bytes }]) => ({
    label: tool,
    parts: [
      { value: calls - failed, says: `${tool}: ${count(calls - failed)} without an error` },
      { value: failed, says: `${tool}: ${count(failed)} failed` },
    ],
    note: `${counted(calls, 'call')}, ${count(failed)} failed, ${size(bytes)}`,
  }));
  const rows = tallies.map(([tool, { calls, failed, unanswered, bytes }]) => [
    tool,
    count(calls),
    count(failed),
    told ? count(audit.denied.get(tool) ?? 0) : 'not known',
    count(unanswered),
    size(bytes),
    told ? duration(audit.toolMs.get(tool) ?? 0) : 'not known',
  ]);
  const head = ['tool', 'calls', 'failed', 'of these denied', 'without a result', 'results', 'took'];
  const chart = barChart({ title: 'Calls by tool', partNames: ['without an error', 'failed'], bars });
  return [
    {
      title: 'Tools',
      body: chart + pageTable({ caption: 'Calls of each tool, and the size of their results before any went to a file', head, rows }),
    },
  ];
}
