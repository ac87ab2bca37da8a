import { basename } from 'node:path';
import { probeKinds } from '../../replay/measure/mine.ts';
import { metricsOf, type RatioName, type ReplayRun, relativeCost } from '../../replay/measure/summarise-runs.ts';
import { totalOf } from '../../replay/measure/tally.ts';
import type { ReplayRange } from '../../replay/policy.ts';
import { formatCount, pluralize } from '../../terminal/text/format.ts';
import { type Bar, barChart } from '../page/bar-chart.ts';
import { type PageSection, pageFrame, pageTable } from '../page/frame.ts';
import { type ChartMark, lineChart } from '../page/line-chart.ts';
import { percentText, ratioTexts, runGroups } from './replay-groups.ts';

/** Charts of so many sessions, the longest; the tables have all. */
const MAX_SESSIONS = 12;

/** What a replay measured as one page: a table of all figures, cost by policy, what stayed known by kind, and the context over steps. */
export function replayPage(runs: readonly ReplayRun[], selection: ReplayRange): string {
  const sessions = new Set(runs.map(nameOf)).size;
  return pageFrame({
    title: 'SanBot replay',
    intro: `${pluralize(sessions, 'recorded session')}, taken through SanBot's own code without a model. Figures in brackets: 95 % confidence, drawing sessions anew.`,
    sections: [
      summarySection(runs, selection),
      costSection(runs, selection),
      ...fidelitySections(runs, selection),
      ...contextSections(runs, selection),
    ],
  });
}

const nameOf = ({ file, part }: Pick<ReplayRun, 'file' | 'part'>): string => (part === '' ? basename(file) : `${basename(file)}, ${part}`);

const columns: readonly (readonly [string, RatioName])[] = [
  ['overflow', 'overflow'],
  ['cacheable', 'cacheable'],
  ['facts known', 'known'],
  ['with one look-up', 'reachable'],
  ['files and constraints after five compactions', 'mustKeepAfterFive'],
  ['names used again known', 'referencesKnown'],
  ['with one look-up', 'referencesReachable'],
  ['grounded', 'grounded'],
];

function summarySection(runs: readonly ReplayRun[], selection: ReplayRange): PageSection {
  const rows = runGroups(runs, selection).map(({ windowTokens, policy, groupRuns }) => {
    const figures = metricsOf(groupRuns);
    const ratioText = ratioTexts(groupRuns, figures);
    const rollback = figures.snapshots === 0 ? '-' : `${figures.snapshotsEqual} of ${figures.snapshots}`;
    return [
      `${formatCount(windowTokens)}, ${policy}`,
      formatCount(figures.requests),
      formatCount(figures.compactions),
      formatCount(figures.offloads),
      `${formatCount(figures.cost / 1_000)}k`,
      ...columns.map(([, name]) => ratioText(name)),
      rollback,
    ];
  });
  const head = ['window, policy', 'requests', 'compactions', 'results in files', 'cost', ...columns.map(([name]) => name), 'rollback'];
  return { title: 'All figures', body: pageTable({ caption: 'Windows in tokens; cost in input tokens at cache prices', head, rows }) };
}

function costSection(runs: readonly ReplayRun[], selection: ReplayRange): PageSection {
  const charts = selection.windows.map((windowTokens) => {
    const groups = runGroups(runs, { ...selection, windows: [windowTokens] });
    const first = groups[0];
    const bars = groups.map(({ policy, groupRuns: ownRuns }): Bar => {
      const value = Math.round(metricsOf(ownRuns).cost);
      const { ratio } = relativeCost(ownRuns, first?.groupRuns ?? []);
      const note = `${formatCount(value / 1_000)}k${ratio === undefined || policy === first?.policy ? '' : `, ${ratio.toFixed(2)} times ${first?.policy}`}`;
      return { label: policy, parts: [{ value, tooltip: `${policy}: ${formatCount(value)} tokens` }], note };
    });
    return barChart({ title: `Cost by policy at ${formatCount(windowTokens)} tokens`, partNames: [], bars });
  });
  return {
    title: 'Cost by policy',
    body: `<p>Input tokens at cache prices: read 0.1, written 1.25. Summaries are made by rule and cost nothing.</p>${charts.join('')}`,
  };
}

function fidelitySections(runs: readonly ReplayRun[], selection: ReplayRange): readonly PageSection[] {
  const charts = runGroups(runs, selection).flatMap(({ windowTokens, policy, groupRuns }) => {
    const { kinds } = metricsOf(groupRuns);
    const bars = probeKinds
      .filter((kind) => totalOf(kinds[kind]) > 0)
      .map((kind): Bar => {
        const { inContext, oneLookUp, lost } = kinds[kind];
        const whole = inContext + oneLookUp + lost;
        return {
          label: kind,
          parts: [
            { value: inContext / whole, tooltip: `${kind}: ${formatCount(inContext)} in context` },
            { value: oneLookUp / whole, tooltip: `${kind}: ${formatCount(oneLookUp)} one look-up away` },
            { value: lost / whole, tooltip: `${kind}: ${formatCount(lost)} lost` },
          ],
          note: `${percentText(inContext / whole)} known, ${formatCount(lost)} of ${formatCount(whole)} lost`,
        };
      });
    const title = `What stayed known at ${formatCount(windowTokens)} tokens, ${policy}`;
    return bars.length === 0 ? [] : [barChart({ title, partNames: ['in context', 'one look-up away', 'lost'], bars, maxValue: 1 })];
  });
  if (charts.length === 0) return [];
  return [
    {
      title: 'What stayed known',
      body: `<p>Facts that left the context, looked for after every compaction and at the end.</p>${charts.join('')}`,
    },
  ];
}

function contextSections(runs: readonly ReplayRun[], selection: ReplayRange): readonly PageSection[] {
  const sizes = new Map<string, number>();
  for (const run of runs) if (run.outcome.requests.length > 1) sizes.set(nameOf(run), run.outcome.recordedTokens);
  const longest = [...sizes].sort((x, y) => y[1] - x[1]).slice(0, MAX_SESSIONS);
  const charts = longest.flatMap(([name]) =>
    selection.windows.map((windowTokens) =>
      contextChart(
        name,
        windowTokens,
        runs.filter((run) => nameOf(run) === name && run.windowTokens === windowTokens),
      ),
    ),
  );
  if (charts.length === 0) return [];
  const note =
    longest.length < sizes.size ? `<p>The ${pluralize(longest.length, 'longest session')} of ${formatCount(sizes.size)}.</p>` : '';
  return [{ title: 'The context over steps', body: note + charts.join('') }];
}

function contextChart(name: string, windowTokens: number, runs: readonly ReplayRun[]): string {
  return lineChart({
    title: `${name} at ${formatCount(windowTokens)} tokens`,
    xLabel: 'request',
    yLabel: 'tokens',
    series: runs.map(({ policy, outcome }) => ({ name: policy, ys: outcome.requests.map(({ tokens }) => tokens) })),
    marks: runs.slice(0, 1).flatMap(marksOf),
    markKinds: [`older messages replaced (${runs[0]?.policy})`, `results moved to files (${runs[0]?.policy})`],
    limit: { y: windowTokens, name: 'window' },
  });
}

const marksOf = ({ outcome }: ReplayRun): readonly ChartMark[] =>
  outcome.requests.flatMap(({ tokens, offloaded, replaced }, at) => [
    ...(offloaded > 0
      ? [{ x: at + 1, y: tokens, kind: 1, tooltip: `before request ${at + 1}: ${pluralize(offloaded, 'result')} moved to files` }]
      : []),
    ...(replaced > 0
      ? [{ x: at + 1, y: tokens, kind: 0, tooltip: `before request ${at + 1}: older messages replaced, now ${formatCount(tokens)} tokens` }]
      : []),
  ]);
