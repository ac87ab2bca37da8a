import { type Bilingual, localize } from '../../domain/language.ts';
import { formatCount, formatDollars, formatSize, pluralize } from '../../terminal/text/format.ts';
import { missText, unplanned } from '../../terminal/text/miss-text.ts';
import { safeLine } from '../../terminal/text/safe-text.ts';
import { table } from '../../terminal/text/table.ts';
import { compareWithTargets, type Metrics, type PhaseMetrics, ratio, type TargetName } from './collect.ts';

export type MetricsFilter = { readonly session: string | undefined; readonly since: Date | undefined };

export function metricsText(metrics: Metrics, { columns, session, since }: MetricsFilter & { readonly columns: number }): string {
  if (metrics.from === undefined || metrics.until === undefined) {
    const of = session === undefined ? undefined : safeLine(session);
    const from = since === undefined ? undefined : `${minute(since.toISOString())} UTC`;
    return localize({
      en: `Nothing has been recorded${of === undefined ? '' : ` of session ${of}`}${from === undefined ? ' yet' : ` since ${from}`}.\n`,
      zh: `${from === undefined ? '' : `自 ${from} 以来，`}${of === undefined ? '' : `会话 ${of} `}没有任何记录。\n`,
    });
  }
  const heading = localize({
    en: `${minute(metrics.from)} to ${minute(metrics.until)} UTC, ${pluralize(metrics.sessions, 'session')}`,
    zh: `${minute(metrics.from)} 至 ${minute(metrics.until)} UTC，${formatCount(metrics.sessions)} 个会话`,
  });
  const targets = table(
    [
      { title: localize({ en: 'measured', zh: '指标' }), minWidth: 20 },
      { title: localize({ en: 'share', zh: '占比' }), align: 'right' },
      { title: localize({ en: 'count', zh: '数量' }), align: 'right' },
      { title: localize({ en: 'target', zh: '目标' }), align: 'right' },
      { title: '' },
    ],
    compareWithTargets(metrics).map(({ name, means, part, whole, value, target, want, met }) => [
      localize({ en: means, zh: meansInChinese[name] }),
      shareText(value),
      whole === 0
        ? '-'
        : localize({ en: `${formatCount(part)} of ${formatCount(whole)}`, zh: `${formatCount(part)}/${formatCount(whole)}` }),
      `${want === 'below' ? '<' : '>='} ${target * 100} %`,
      verdict(met),
    ]),
    columns,
  );
  const work = table(
    [
      { title: localize({ en: 'turns', zh: '轮次' }), minWidth: 10 },
      { title: localize({ en: 'count', zh: '数量' }), align: 'right' },
      { title: localize({ en: 'ended well', zh: '正常结束' }), align: 'right' },
      { title: localize({ en: 'calls made again', zh: '重复调用' }), align: 'right' },
    ],
    [
      workRow(localize({ en: 'before the first compaction', zh: '首次压缩之前' }), metrics.beforeCompaction),
      workRow(localize({ en: 'after it', zh: '首次压缩之后' }), metrics.afterCompaction),
    ],
    columns,
  );
  return `${heading}\n\n${targets}\n${table(
    [
      { title: localize({ en: 'figure', zh: '项目' }), minWidth: 12 },
      { title: '', minWidth: 20 },
    ],
    [...contextRows(metrics), ...usageRows(metrics)].map(localize),
    columns,
  )}\n${work}`;
}

function verdict(met: boolean | undefined): string {
  if (met === undefined) return localize({ en: 'not measured yet', zh: '尚未测得' });
  return met ? localize({ en: 'met', zh: '达标' }) : localize({ en: 'MISSED', zh: '未达标' });
}

const meansInChinese: Readonly<Record<TargetName, string>> = {
  overflow_rate: '因放不下而中断的会话',
  fidelity_in_context: '压缩后仍在上下文中的事实',
  fidelity_one_look_up: '在上下文中或一次查找可得的事实',
  rollback_success: '成功的回滚',
};

type Row = Bilingual<readonly [label: string, text: string]>;

function contextRows(metrics: Metrics): readonly Row[] {
  const { compactions, degradedCompactions, failedCompactions, meanUtilization, mostUtilization } = metrics;
  const [all, byRule, failed] = [compactions, degradedCompactions, failedCompactions].map(formatCount);
  const [mean, most] = [meanUtilization, mostUtilization].map(shareText);
  const [inContext, oneLookUp, lost] = [metrics.factsInContext, metrics.factsOneLookUp, metrics.factsLost].map(formatCount);
  const [before, after] = [metrics.tokensBeforeCompact, metrics.tokensAfterCompact].map((sum) => formatCount(sum / compactions));
  const [requests, overflows] = [metrics.requests, metrics.overflows].map(formatCount);
  const [rollbacks, failedRollbacks] = [metrics.rollbacks, metrics.failedRollbacks].map(formatCount);
  return [
    {
      en: ['requests', `${requests}, of these ${overflows} did not fit`],
      zh: ['请求', `${requests} 次，其中 ${overflows} 次放不下`],
    },
    {
      en: ['context', `${mean} of the window on average, ${most} at most`],
      zh: ['上下文', `平均占窗口的 ${mean}，最多 ${most}`],
    },
    {
      en: ['compactions', `${all}, of these ${byRule} by rule because no model answered; ${failed} more failed`],
      zh: ['压缩', `${all} 次，其中 ${byRule} 次因模型没有回答而按规则进行；另有 ${failed} 次失败`],
    },
    ...(compactions === 0
      ? []
      : [{ en: ['each', `${before} -> ${after} tokens on average`], zh: ['每次', `平均 ${before} -> ${after} token`] } as const]),
    {
      en: ['facts', `${inContext} still in context after a compaction, ${oneLookUp} one look-up away, ${lost} lost`],
      zh: ['事实', `压缩后 ${inContext} 条仍在上下文中，${oneLookUp} 条一次查找可得，${lost} 条丢失`],
    },
    {
      en: ['rollbacks', `${rollbacks}; ${failedRollbacks} more failed`],
      zh: ['回滚', `${rollbacks} 次；另有 ${failedRollbacks} 次失败`],
    },
  ];
}

function usageRows(metrics: Metrics): readonly Row[] {
  const input = metrics.inputTokens + metrics.cacheWriteTokens + metrics.cacheReadTokens;
  const [offloaded, output] = [formatSize(metrics.offloadedBytes), formatSize(metrics.toolBytes)];
  const [inputTokens, outputTokens, memories] = [input, metrics.outputTokens, metrics.memories].map(formatCount);
  const cached = shareText(metrics.cacheReadTokens / input);
  const dollars = formatDollars(metrics.costUsd);
  const [none, noneZh] = ['no usage was reported', '没有报告用量'];
  return [
    {
      en: ['to files', `${pluralize(metrics.offloadedResults, 'result')}: ${offloaded} of ${output} of tool output`],
      zh: ['转存到文件', `${formatCount(metrics.offloadedResults)} 个结果：工具输出 ${output} 中的 ${offloaded}`],
    },
    { en: ['memories', `${memories} extracted`], zh: ['记忆', `提取了 ${memories} 条`] },
    {
      en: ['input', input === 0 ? none : `${inputTokens} tokens, ${cached} from the cache`],
      zh: ['输入', input === 0 ? noneZh : `${inputTokens} token，${cached} 来自缓存`],
    },
    ...cacheRow(metrics),
    {
      en: ['output', metrics.outputTokens === 0 ? none : `${outputTokens} tokens`],
      zh: ['输出', metrics.outputTokens === 0 ? noneZh : `${outputTokens} token`],
    },
    {
      en: ['cost', metrics.costUsd === 0 ? '-' : `${dollars}, where the price is known`],
      zh: ['费用', metrics.costUsd === 0 ? '-' : `${dollars}（仅计价格已知的部分）`],
    },
  ];
}

/** Only where the provider has said anything of it. */
function cacheRow({ compared, unplannedChanges, misses }: Metrics): readonly Row[] {
  if (compared === 0) return [];
  const [requests, changed] = [compared, unplannedChanges].map(formatCount);
  const count = pluralize(unplannedChanges, 'unplanned miss', 'unplanned misses');
  const why = missText(unplanned(misses));
  const meant = formatCount(misses.reduce((sum, { planned, missedTokens }) => sum + (planned ? missedTokens : 0), 0));
  return [
    {
      en: ['cache', `${count} in ${requests} requests${why === undefined ? '' : `: ${why.en}`}; planned: ${meant} tokens`],
      zh: ['缓存', `${requests} 次请求中 ${changed} 次计划外未命中${why === undefined ? '' : `：${why.zh}`}；计划内：${meant} token`],
    },
  ];
}

const workRow = (when: string, { turns, endedWell, calls, repeatedCalls }: PhaseMetrics): readonly string[] => [
  when,
  formatCount(turns),
  shareText(ratio(endedWell, turns)),
  shareText(ratio(repeatedCalls, calls)),
];

const minute = (iso: string): string => iso.slice(0, 16).replace('T', ' ');

/** With one decimal: a target of 95 % is not met by 94.6 %. */
const shareText = (share: number | undefined): string => (share === undefined ? '-' : `${(Math.floor(share * 1_000) / 10).toFixed(1)} %`);
