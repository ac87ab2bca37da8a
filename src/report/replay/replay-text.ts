import { basename } from 'node:path';
import { type Bilingual, localize, sameInBoth } from '../../domain/language.ts';
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
export function importNotes(name: string, transcripts: readonly Transcript[]): readonly Bilingual[] {
  const sums = new Map<string, number>();
  for (const { leftOut } of transcripts) for (const { kind, count: n } of leftOut) sums.set(kind, (sums.get(kind) ?? 0) + n);
  const kinds = [...sums].map(([kind, n]) => `${n} ${kind}`).join(', ');
  const damaged = transcripts.flatMap((transcript) => transcript.damaged);
  const file = safeLine(name);
  return [
    ...(kinds === '' ? [] : [{ en: `${file}: left out: ${safeLine(kinds)}`, zh: `${file}：略去：${safeLine(kinds)}` }]),
    ...damaged.map((damage) => ({ en: `${file}: damaged: ${safeLine(damage)}`, zh: `${file}：损坏：${safeLine(damage)}` })),
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
    section(
      localize({ en: `${formatCount(windowTokens)} tokens, ${policy}`, zh: `${formatCount(windowTokens)} token，${policy}` }),
      groupRuns,
      tableColumns,
    ),
  );
  return `${[...comparison, ...sections, legend()].join('\n')}\n`;
}

/** Narrower than this the figures would not stand in columns; a terminal wraps or scrolls them. */
const MIN_COLUMNS = 112;

const legend = (): string =>
  localize({
    en: `overflow   requests that with the reserve for their reply are above the window
cost       input tokens in thousands at cache prices (read 0.1, written 1.25); summaries are made by rule and cost nothing
cacheable  part of all input tokens that stood at the start of the request before
known      facts that left the context, looked for after every compaction and at the end: still in context
+look-up   the same, or found by one sanbot search whose words are not in the answer
( to )     with 95 % confidence, drawing sessions anew`,
    zh: `溢出    连同回答的预留超过窗口的请求
费用    按缓存价格计的输入 token，单位为千（读 0.1，写 1.25）；摘要按规则生成，不计费用
可缓存  所有输入 token 中与上一个请求开头相同的部分
已知    离开上下文的事实，每次压缩后和结束时查找：仍在上下文中
+查找   同上，或通过一次 sanbot search 找到（搜索词不在答案中）
（至）  95 % 置信区间，对会话重抽样`,
  });

const fileColumns: Bilingual<readonly string[]> = {
  en: ['requests', 'overflow', 'compacted', 'offloaded', 'cost', 'cacheable', 'facts', 'known', '+look-up', 'rollback'],
  zh: ['请求', '溢出', '压缩', '转存', '费用', '可缓存', '事实', '已知', '+查找', '回滚'],
};

const factColumns: Bilingual<readonly string[]> = {
  en: ['looked for', 'known', '+look-up', 'lost'],
  zh: ['查找', '已知', '+查找', '丢失'],
};

function section(title: string, runs: readonly ReplayRun[], columns: number): string {
  const names = [...new Set(runs.map((run) => run.file))];
  const rows = names.map((name): [string, RunMetrics] => [safeLine(basename(name)), metricsOf(runs.filter((run) => run.file === name))]);
  const allFigures = metricsOf(runs);
  if (names.length > 1) rows.push([localize({ en: 'all', zh: '全部' }), allFigures]);
  const stuck = runs.flatMap((run) => run.outcome.stuck.map((why) => `${safeLine(basename(run.file))}: ${safeLine(localize(why))}`));
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
  const head = [{ title: '', minWidth: 14 }, ...localize(fileColumns).map(rightAligned)];
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
  const rounds = Array.from(
    { length: LAST_ROUND },
    (_, at) => `${at + 1}.${at + 1 === LAST_ROUND ? localize({ en: ' on', zh: ' 起' }) : ''}`,
  );
  const head = [{ title: localize({ en: 'facts', zh: '事实' }) }, ...[...localize(factColumns), ...rounds].map(rightAligned)];
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
  return [
    localize({
      en: `mean of the kinds of facts: ${percent(means.known, 1)} known, ${percent(means.reachable, 1)} with one look-up`,
      zh: `各类事实的平均值：${percent(means.known, 1)} 已知，加一次查找为 ${percent(means.reachable, 1)}`,
    }),
  ];
}

function summaryLines(figures: RunMetrics, runs: readonly ReplayRun[]): string {
  const withInterval = ratioTexts(runs, figures);
  const mustKeepFacts = mustKeep(figures.afterFive);
  const lines: readonly Bilingual[] = [
    ...(figures.compactions === 0 ? [] : [reasonsText(frequencyText(runs.flatMap((run) => run.outcome.reasons)))]),
    {
      en: `sessions with an overflow: ${figures.overflowSessions} of ${figures.sessions}`,
      zh: `发生溢出的会话：${figures.overflowSessions}/${figures.sessions}`,
    },
    {
      en: `facts known: ${withInterval('known')}, with one look-up: ${withInterval('reachable')}`,
      zh: `已知的事实：${withInterval('known')}，加一次查找：${withInterval('reachable')}`,
    },
    ...meanLine(figures).map(sameInBoth),
    mustKeepText(totalOf(mustKeepFacts), withInterval('mustKeepAfterFive')),
    {
      en: `names used again after more than 16,000 tokens: known ${withInterval('referencesKnown')}, with one look-up ${withInterval('referencesReachable')}, of ${formatCount(totalOf(figures.references))}`,
      zh: `超过 16,000 token 后再次用到的名称：已知 ${withInterval('referencesKnown')}，加一次查找 ${withInterval('referencesReachable')}，共 ${formatCount(totalOf(figures.references))} 个`,
    },
    repeatLine(figures),
    {
      en: `identifiers in summaries that are in the source: ${withInterval('grounded')} of ${formatCount(figures.identifiers)}`,
      zh: `摘要中能在原文找到的标识符：${formatCount(figures.identifiers)} 个中的 ${withInterval('grounded')}`,
    },
  ];
  return `${lines.map(localize).join('\n')}\n`;
}

const reasonsText = (reasons: string): Bilingual => ({ en: `compacted because of: ${reasons}`, zh: `压缩原因：${reasons}` });

const mustKeepText = (looks: number, share: string): Bilingual =>
  looks === 0
    ? { en: 'files and constraints after five compactions: none to look for', zh: '五次压缩后的文件和约束：没有可查找的' }
    : {
        en: `files and constraints after five compactions: ${share} of ${pluralize(looks, 'look')}`,
        zh: `五次压缩后的文件和约束：${formatCount(looks)} 次查找中的 ${share}`,
      };

function repeatLine({ looks, again }: RunMetrics): Bilingual {
  const total = totalOf(again);
  const [share, all] = [percent(total, looks), formatCount(looks)];
  const base = {
    en: `reads and commands after a compaction that repeat an earlier one: ${share} of ${all}`,
    zh: `压缩后重复之前的读取和命令：${all} 次中的 ${share}`,
  };
  if (total === 0) return base;
  const named = percent(again.oneLookUp, total);
  return {
    en: `${base.en}; what they returned before stood in the context in ${known(again)}, or was named there in ${named}`,
    zh: `${base.zh}；其先前的结果有 ${known(again)} 仍在上下文中，有 ${named} 在其中被提及`,
  };
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
