import { basename } from 'node:path';
import { probeKinds } from '../../replay/measure/mine.ts';
import { intervalsOf, metricsOf, type RatioName, type ReplayRun, ratios, relativeCost } from '../../replay/measure/summarise-runs.ts';
import { totalOf } from '../../replay/measure/tally.ts';
import type { ReplayRange } from '../../replay/policy.ts';
import { count, counted } from '../../terminal/text/figures.ts';
import { type Bar, barChart } from '../page/bar-chart.ts';
import { type PageSection, pageFrame, pageTable } from '../page/frame.ts';
import { lineChart, type Mark } from '../page/line-chart.ts';

/** Charts of so many sessions, the longest; the tables have all. */
const MOST_SESSIONS = 12;

type Wish = ReplayRange;

/** What a replay measured as one page: a table of all figures, cost by policy, what stayed known by kind, and the context over steps. */
export function replayPage(runs: readonly ReplayRun[], wish: Wish): string {
  const sessions = new Set(runs.map(nameOf)).size;
  return pageFrame({
    title: 'SanBot replay',
    lead: `${counted(sessions, 'recorded session')}, taken through SanBot's own code without a model. Figures in brackets: 95 % confidence, drawing sessions anew.`,
    sections: [summary(runs, wish), costs(runs, wish), ...fidelity(runs, wish), ...contexts(runs, wish)],
  });
}

const nameOf = ({ file, part }: Pick<ReplayRun, 'file' | 'part'>): string => (part === '' ? basename(file) : `${basename(file)}, ${part}`);

const groupsOf = (runs: readonly ReplayRun[], { windows, policies }: Wish) =>
  windows.flatMap((windowTokens) =>
    policies.map((policy) => ({
      windowTokens,
      policy,
      those: runs.filter((run) => run.windowTokens === windowTokens && run.policy === policy),
    })),
  );

const tenths = (part: number): string => `${(Math.floor(part * 1_000) / 10).toFixed(1)} %`;

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

function summary(runs: readonly ReplayRun[], wish: Wish): PageSection {
  const rows = groupsOf(runs, wish).map(({ windowTokens, policy, those }) => {
    const of = metricsOf(those);
    const between = intervalsOf(those);
    const told = columns.map(([, name]) => {
      const { part, whole } = ratios[name](of);
      const found = between[name];
      if (whole === 0) return '-';
      return `${tenths(part / whole)}${found === undefined ? '' : ` (${tenths(found.low)} to ${tenths(found.high)})`}`;
    });
    const rollback = of.snapshots === 0 ? '-' : `${of.snapshotsEqual} of ${of.snapshots}`;
    return [
      `${count(windowTokens)}, ${policy}`,
      count(of.requests),
      count(of.compactions),
      count(of.offloads),
      `${count(of.cost / 1_000)}k`,
      ...told,
      rollback,
    ];
  });
  const head = ['window, policy', 'requests', 'compactions', 'results in files', 'cost', ...columns.map(([name]) => name), 'rollback'];
  return { title: 'All figures', body: pageTable({ caption: 'Windows in tokens; cost in input tokens at cache prices', head, rows }) };
}

function costs(runs: readonly ReplayRun[], wish: Wish): PageSection {
  const charts = wish.windows.map((windowTokens) => {
    const those = groupsOf(runs, { ...wish, windows: [windowTokens] });
    const first = those[0];
    const bars = those.map(({ policy, those: of }): Bar => {
      const value = Math.round(metricsOf(of).cost);
      const { ratio } = relativeCost(of, first?.those ?? []);
      const note = `${count(value / 1_000)}k${ratio === undefined || policy === first?.policy ? '' : `, ${ratio.toFixed(2)} times ${first?.policy}`}`;
      return { label: policy, parts: [{ value, says: `${policy}: ${count(value)} tokens` }], note };
    });
    return barChart({ title: `Cost by policy at ${count(windowTokens)} tokens`, partNames: [], bars });
  });
  return {
    title: 'Cost by policy',
    body: `<p>Input tokens at cache prices: read 0.1, written 1.25. Summaries are made by rule and cost nothing.</p>${charts.join('')}`,
  };
}

function fidelity(runs: readonly ReplayRun[], wish: Wish): readonly PageSection[] {
  const charts = groupsOf(runs, wish).flatMap(({ windowTokens, policy, those }) => {
    const { kinds } = metricsOf(those);
    const bars = probeKinds
      .filter((kind) => totalOf(kinds[kind]) > 0)
      .map((kind): Bar => {
        const { inContext, oneLookUp, lost } = kinds[kind];
        const whole = inContext + oneLookUp + lost;
        return {
          label: kind,
          parts: [
            { value: inContext / whole, says: `${kind}: ${count(inContext)} in context` },
            { value: oneLookUp / whole, says: `${kind}: ${count(oneLookUp)} one look-up away` },
            { value: lost / whole, says: `${kind}: ${count(lost)} lost` },
          ],
          note: `${tenths(inContext / whole)} known, ${count(lost)} of ${count(whole)} lost`,
        };
      });
    const title = `What stayed known at ${count(windowTokens)} tokens, ${policy}`;
    return bars.length === 0 ? [] : [barChart({ title, partNames: ['in context', 'one look-up away', 'lost'], bars, full: 1 })];
  });
  if (charts.length === 0) return [];
  return [
    {
      title: 'What stayed known',
      body: `<p>Facts that left the context, looked for after every compaction and at the end.</p>${charts.join('')}`,
    },
  ];
}

function contexts(runs: readonly ReplayRun[], wish: Wish): readonly PageSection[] {
  const size = new Map<string, number>();
  for (const run of runs) if (run.outcome.requests.length > 1) size.set(nameOf(run), run.outcome.recordedTokens);
  const shown = [...size].sort((x, y) => y[1] - x[1]).slice(0, MOST_SESSIONS);
  const charts = shown.flatMap(([name]) =>
    wish.windows.map((windowTokens) =>
      chart(
        name,
        windowTokens,
        runs.filter((run) => nameOf(run) === name && run.windowTokens === windowTokens),
      ),
    ),
  );
  if (charts.length === 0) return [];
  const told = shown.length < size.size ? `<p>The ${counted(shown.length, 'longest session')} of ${count(size.size)}.</p>` : '';
  return [{ title: 'The context over steps', body: told + charts.join('') }];
}

function chart(name: string, windowTokens: number, runs: readonly ReplayRun[]): string {
  return lineChart({
    title: `${name} at ${count(windowTokens)} tokens`,
    xName: 'request',
    yName: 'tokens',
    series: runs.map(({ policy, outcome }) => ({ name: policy, ys: outcome.requests.map(({ tokens }) => tokens) })),
    marks: runs.slice(0, 1).flatMap(marksOf),
    markKinds: [`older messages replaced (${runs[0]?.policy})`, `results moved to files (${runs[0]?.policy})`],
    limit: { y: windowTokens, name: 'window' },
  });
}

const marksOf = ({ outcome }: ReplayRun): readonly Mark[] =>
  outcome.requests.flatMap(({ tokens, offloaded, replaced }, at) => [
    ...(offloaded > 0
      ? [{ x: at + 1, y: tokens, kind: 1, says: `before request ${at + 1}: ${counted(offloaded, 'result')} moved to files` }]
      : []),
    ...(replaced > 0
      ? [{ x: at + 1, y: tokens, kind: 0, says: `before request ${at + 1}: older messages replaced, now ${count(tokens)} tokens` }]
      : []),
  ]);
