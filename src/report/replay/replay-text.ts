import { basename } from 'node:path';
import type { Transcript } from '../../replay/import/transcript.ts';
import { probeKinds } from '../../replay/measure/mine.ts';
import { LAST_ROUND, meansOfKinds, metricsOf, mustKeep, type ReplayRun, type RunMetrics } from '../../replay/measure/summarise-runs.ts';
import { type Tally, totalOf } from '../../replay/measure/tally.ts';
import type { ReplayRange } from '../../replay/policy.ts';
import { formatCount, pluralize } from '../../terminal/text/format.ts';
import { safeLine } from '../../terminal/text/safe-text.ts';
import { type Column, table } from '../../terminal/text/table.ts';
import { percent, ratioTexts, runGroups } from './replay-groups.ts';

/** What was not taken over from a file, one line each; nothing is left out in silence. */
export function importNotes(name: string, transcripts: readonly Transcript[]): readonly string[] {
  const sums = new Map<string, number>();
  for (const { leftOut } of transcripts) for (const { kind, count: n } of leftOut) sums.set(kind, (sums.get(kind) ?? 0) + n);
  const kinds = [...sums].map(([kind, n]) => `${n} ${kind}`).join(', ');
  const damaged = transcripts.flatMap((transcript) => transcript.damaged);
  const file = safeLine(name);
  return [
    ...(kinds === '' ? [] : [`${file}: left out: ${safeLine(kinds)}`]),
    ...damaged.map((damage) => `${file}: damaged: ${safeLine(damage)}`),
  ];
}

/** For each window and policy a table of the files and one of the facts; before them, when there are several, one that compares. */
export function replayText(runs: readonly ReplayRun[], range: ReplayRange, columns: number): string {
  const groups = runGroups(runs, range);
  const tableColumns = Math.max(columns, MIN_COLUMNS);
  const rows = groups.map(({ windowTokens, policy, groupRuns }): [string, RunMetrics] => {
    const window = windowTokens % 1_000 === 0 ? `${formatCount(windowTokens / 1_000)}k` : formatCount(windowTokens);
    return [`${window} ${policy}`, metricsOf(groupRuns)];
  });
  const comparison = groups.length > 1 ? [filesTable(rows, tableColumns)] : [];
  const sections = groups.map(({ windowTokens, policy, groupRuns }) =>
    section(`${formatCount(windowTokens)} tokens, ${policy}`, groupRuns, tableColumns),
  );
  return `${[...comparison, ...sections, LEGEND].join('\n')}\n`;
}

/** Narrower than this the figures would not stand in columns; a terminal wraps or scrolls them. */
const MIN_COLUMNS = 112;

const LEGEND = `overflow   requests that with the reserve for their reply are above the window
cost       input tokens in thousands at cache prices (read 0.1, written 1.25); summaries are made by rule and cost nothing
cacheable  part of all input tokens that stood at the start of the request before
known      facts that left the context, looked for after every compaction and at the end: still in context
+look-up   the same, or found by one sanbot search whose words are not in the answer
( to )     with 95 % confidence, drawing sessions anew`;

function section(title: string, runs: readonly ReplayRun[], columns: number): string {
  const names = [...new Set(runs.map((run) => run.file))];
  const rows = names.map((name): [string, RunMetrics] => [safeLine(basename(name)), metricsOf(runs.filter((run) => run.file === name))]);
  const allFigures = metricsOf(runs);
  if (names.length > 1) rows.push(['all', allFigures]);
  const stuck = runs.flatMap((run) => run.outcome.stuck.map((why) => `${safeLine(basename(run.file))}: ${safeLine(why)}`));
  return [
    `== ${title}`,
    filesTable(rows, columns),
    factsTable(allFigures, columns),
    summaryLines(allFigures, runs),
    ...stuck.slice(0, 10),
  ].join('\n');
}

const rightAligned = (title: string): Column => ({ title, align: 'right' });

function filesTable(rows: readonly (readonly [string, RunMetrics])[], columns: number): string {
  const head = [
    { title: '', minWidth: 14 },
    ...['requests', 'overflow', 'compacted', 'offloaded', 'cost', 'cacheable', 'facts', 'known', '+look-up', 'rollback'].map(rightAligned),
  ];
  const cells = rows.map(([name, figures]) => [
    name,
    formatCount(figures.requests),
    formatCount(figures.overflowRequests),
    figures.dropped === 0 ? formatCount(figures.compactions) : `${formatCount(figures.compactions)}+${formatCount(figures.dropped)}`,
    formatCount(figures.offloads),
    formatCount(figures.cost / 1_000),
    percent(figures.cachedTokens, figures.inputTokens),
    formatCount(totalOf(figures.facts)),
    known(figures.facts),
    reachable(figures.facts),
    figures.snapshots === 0 ? '-' : `${figures.snapshotsEqual}/${figures.snapshots}`,
  ]);
  return table(head, cells, columns);
}

function factsTable(figures: RunMetrics, columns: number): string {
  const rounds = Array.from({ length: LAST_ROUND }, (_, at) => `${at + 1}.${at + 1 === LAST_ROUND ? ' on' : ''}`);
  const head = [{ title: 'facts' }, ...['looked for', 'known', '+look-up', 'lost', ...rounds].map(rightAligned)];
  const cells = probeKinds.map((kind) => {
    const tally = figures.kinds[kind];
    return [
      kind,
      formatCount(totalOf(tally)),
      known(tally),
      reachable(tally),
      formatCount(tally.lost),
      ...figures.rounds.map((kinds) => known(kinds[kind])),
    ];
  });
  return table(head, cells, columns);
}

/** Nearly all facts are names: the mean of the kinds says what the share of all facts hides. */
function meanLine({ kinds }: RunMetrics): readonly string[] {
  const means = meansOfKinds(kinds);
  if (means === undefined) return [];
  return [`mean of the kinds of facts: ${percent(means.known, 1)} known, ${percent(means.reachable, 1)} with one look-up`];
}

function summaryLines(figures: RunMetrics, runs: readonly ReplayRun[]): string {
  const withInterval = ratioTexts(runs, figures);
  const mustKeepFacts = mustKeep(figures.afterFive);
  return [
    ...(figures.compactions === 0 ? [] : [`compacted because of: ${frequencyText(runs.flatMap((run) => run.outcome.reasons))}`]),
    `sessions with an overflow: ${figures.overflowSessions} of ${figures.sessions}`,
    `facts known: ${withInterval('known')}, with one look-up: ${withInterval('reachable')}`,
    ...meanLine(figures),
    totalOf(mustKeepFacts) === 0
      ? 'files and constraints after five compactions: none to look for'
      : `files and constraints after five compactions: ${withInterval('mustKeepAfterFive')} of ${pluralize(totalOf(mustKeepFacts), 'look')}`,
    `names used again after more than 16,000 tokens: known ${withInterval('referencesKnown')}, with one look-up ${withInterval('referencesReachable')}, of ${formatCount(totalOf(figures.references))}`,
    repeatLine(figures),
    `identifiers in summaries that are in the source: ${withInterval('grounded')} of ${formatCount(figures.identifiers)}`,
    '',
  ].join('\n');
}

function repeatLine({ looks, again }: RunMetrics): string {
  const total = totalOf(again);
  const baseText = `reads and commands after a compaction that repeat an earlier one: ${percent(total, looks)} of ${formatCount(looks)}`;
  return total === 0
    ? baseText
    : `${baseText}; what they returned before stood in the context in ${known(again)}, or was named there in ${percent(again.oneLookUp, total)}`;
}

/** "tokens 12, messages+tokens 3", the most frequent first. */
function frequencyText(words: readonly string[]): string {
  const times = new Map<string, number>();
  for (const word of words) times.set(word, (times.get(word) ?? 0) + 1);
  return [...times]
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .map(([word, n]) => `${word} ${formatCount(n)}`)
    .join(', ');
}

const known = (tally: Tally): string => percent(tally.inContext, totalOf(tally));
const reachable = (tally: Tally): string => percent(tally.inContext + tally.oneLookUp, totalOf(tally));
