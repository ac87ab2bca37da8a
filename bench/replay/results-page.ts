import type { Tally } from '../../src/context/fidelity/fidelity.ts';
import { probeKinds } from '../../src/context/fidelity/mine.ts';
import { type Total, totalsOf } from './figures-json.ts';
import { totalOf } from './measure/fidelity.ts';
import { mustKeep, type RatioName, type ReplayRun, ratios } from './measure/summarise-runs.ts';
import type { Variant } from './replay-file.ts';

/** What a person reads of a replay, in Markdown: SanBot by window, facts by kind, and policies beside each other. */
export function resultsPage(runs: readonly ReplayRun[], variants: readonly Variant[]): string {
  const totals = totalsOf(runs, variants);
  const own = totals.filter(({ policy }) => policy === 'sanbot');
  const policiesAt = new Set(totals.filter(({ policy }) => policy !== 'sanbot').map(({ windowTokens }) => windowTokens));
  const compared = totals.filter(({ windowTokens }) => policiesAt.has(windowTokens));
  const [first] = totals;
  return [
    `${count(new Set(runs.map(({ file }) => file)).size)} files, ${count(first?.sessions ?? 0)} conversations, ${count(first?.requests ?? 0)} requests, replayed offline with SanBot's own code. No model is asked: summaries are made by rule. In brackets: 95 % confidence, drawing sessions anew with replacement (1,000 draws). What the columns mean is in docs/measuring.md.`,
    ...(own.length === 0 ? [] : ['## SanBot by window', byWindow(own), '## Facts by kind, known and with one look-up', byKind(own)]),
    ...(compared.length === 0
      ? []
      : ['## Policies', 'Cost in thousands of input tokens at cache prices (read 0.1, written 1.25).', byPolicy(compared, own)]),
  ].join('\n\n');
}

const count = (n: number): string => Math.round(n).toLocaleString('en-US');
const at = ({ windowTokens }: Variant): string => (windowTokens % 1_000 === 0 ? `${windowTokens / 1_000}k` : count(windowTokens));
/** Rounded down, so that a target that is just missed is not shown as met. */
const tenths = (part: number): string => (Math.floor(part * 1_000) / 10).toFixed(1);
const share = (part: number, whole: number): string => (whole === 0 ? '–' : `${tenths(part / whole)} %`);

/** A ratio with its interval. */
function ratio(total: Total, name: RatioName): string {
  const { part, whole } = ratios[name](total);
  const between = total.between[name];
  return `${share(part, whole)}${between === undefined ? '' : ` (${tenths(between.low)}–${tenths(between.high)})`}`;
}

const known = (tally: Tally): string => share(tally.inContext, totalOf(tally));
const reachable = (tally: Tally): string => share(tally.inContext + tally.oneLookUp, totalOf(tally));

const byWindow = (own: readonly Total[]): string =>
  table(
    [
      ...['window', 'overflow', 'facts known', 'with one look-up', 'mean of the kinds', 'files and constraints after five compactions'],
      ...['names used again known', 'with one look-up', 'grounded', 'cacheable', 'rollback equal'],
    ],
    own.map((total) => [
      at(total),
      ratio(total, 'overflow'),
      ratio(total, 'known'),
      ratio(total, 'reachable'),
      total.meanOfKinds === undefined ? '–' : `${tenths(total.meanOfKinds.known)} %`,
      totalOf(mustKeep(total.afterFive)) === 0 ? '–' : ratio(total, 'mustKeepAfterFive'),
      ratio(total, 'referencesKnown'),
      ratio(total, 'referencesReachable'),
      ratio(total, 'grounded'),
      ratio(total, 'cacheable'),
      `${total.snapshotsEqual} of ${total.snapshots}`,
    ]),
  );

const byKind = (own: readonly Total[]): string =>
  table(
    ['kind', ...own.flatMap((total) => [`${at(total)} known`, `${at(total)} + look-up`])],
    probeKinds.map((kind) => [kind, ...own.flatMap(({ kinds }) => [known(kinds[kind]), reachable(kinds[kind])])]),
  );

const byPolicy = (compared: readonly Total[], own: readonly Total[]): string =>
  table(
    [
      ...[
        'window, policy',
        'sessions that overflow',
        'requests that overflow',
        'compactions',
        'cost',
        'SanBot costs, of this',
        'cacheable',
      ],
      ...['facts known', 'names used again known', 'reads and commands made again', 'of these still in the context'],
    ],
    compared.map((total) => [
      `${at(total)} ${total.policy}`,
      `${total.overflowSessions} of ${total.sessions}`,
      ratio(total, 'overflow'),
      count(total.compactions),
      `${count(total.cost / 1_000)}k`,
      costOf(own, total),
      ratio(total, 'cacheable'),
      known(total.facts),
      known(total.references),
      share(totalOf(total.again), total.looks),
      known(total.again),
    ]),
  );

function costOf(own: readonly Total[], total: Total): string {
  const sanbot = own.find(({ windowTokens }) => windowTokens === total.windowTokens);
  const { ratio: part, between } = sanbot?.costAgainst.find(({ policy }) => policy === total.policy) ?? {};
  if (part === undefined) return '–';
  return `${part.toFixed(2)}${between === undefined ? '' : ` (${between.low.toFixed(2)}–${between.high.toFixed(2)})`}`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map((_, column) => (column === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n');
}
