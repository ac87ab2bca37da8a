import { type Bilingual, localize, sameInBoth } from '../../domain/language.ts';
import type { Receipt, SnapshotMeta } from '../../domain/session/snapshot.ts';
import { compactionCostText, factsText } from '../../terminal/slash/compaction/compaction-preview.ts';
import { formatCount, formatDollars, formatSize, pluralize, timeAgo } from '../../terminal/text/format.ts';
import { safeLine } from '../../terminal/text/safe-text.ts';
import { padEnd } from '../../terminal/text/text-width.ts';
import { outcomeText, snapshotReasonText } from '../../terminal/views/history-table.ts';

export function snapshotText(meta: SnapshotMeta, receipt: Receipt | undefined, now: Date): string {
  const id = safeLine(meta.id);
  const lines = [
    localize({
      en: `Snapshot ${id}, taken ${timeAgo(meta.at, now)} ${snapshotReasonText(meta.reason)}`,
      zh: `快照 ${id}，${timeAgo(meta.at, now)}${snapshotReasonText(meta.reason)}`,
    }),
    row('holds', {
      en: `${pluralize(meta.messages, 'message')}, ${formatCount(meta.tokens)} tokens, ${pluralize(meta.bodies, 'offloaded result')}, ${formatSize(meta.bytes)}`,
      zh: `${formatCount(meta.messages)} 条消息，${formatCount(meta.tokens)} token，${formatCount(meta.bodies)} 个转存结果，${formatSize(meta.bytes)}`,
    }),
    meta.outcome === undefined
      ? localize({ en: '  what followed was not recorded', zh: '  没有记录后续情况' })
      : row('later', sameInBoth(safeLine(outcomeText(meta.outcome.line)))),
    ...(receipt === undefined ? missingReceiptLines(meta) : receiptLines(receipt, meta)),
    row('again', sameInBoth(`sanbot rollback --snapshot ${id} --dry-run; sanbot search WORDS --session ${safeLine(meta.sessionId)}`)),
  ];
  return `${lines.join('\n')}\n`;
}

const rowNames = {
  holds: { en: 'holds', zh: '内容' },
  later: { en: 'then', zh: '随后' },
  again: { en: 'read again', zh: '重新查看' },
  tokens: { en: 'tokens', zh: 'token' },
  kept: { en: 'kept', zh: '保留' },
  summarised: { en: 'summarised', zh: '摘要' },
  byRule: { en: 'by rule', zh: '按规则' },
  memories: { en: 'memories', zh: '记忆' },
  cost: { en: 'cost', zh: '费用' },
  instead: { en: 'instead of', zh: '替代' },
  archive: { en: 'archive', zh: '存档' },
  files: { en: 'files', zh: '文件' },
} as const;

const NAME_WIDTH = 12;

const row = (name: keyof typeof rowNames, text: Bilingual): string => `  ${padEnd(localize(rowNames[name]), NAME_WIDTH)}${localize(text)}`;

const missingReceiptLines = ({ reason }: SnapshotMeta): readonly string[] =>
  reason === 'compaction'
    ? [
        localize({
          en: '  no receipt: the compaction was not committed, or another version of SanBot made it',
          zh: '  没有回执：压缩未提交，或由其他版本的 SanBot 完成',
        }),
      ]
    : [];

const MAX_SHOWN_BODIES = 10;

function receiptLines(receipt: Receipt, { tokens, outcome }: SnapshotMeta): readonly string[] {
  const { kept, summarised, summary, bodies, moreBodies, filesRetired, archive, ledger, memories, skippedOffload } = receipt;
  const facts = factsText(ledger);
  const more = bodies.length - MAX_SHOWN_BODIES + moreBodies;
  return [
    row('tokens', sameInBoth(`${formatCount(tokens)} -> ${formatCount(outcome?.tokensAfter ?? 0)}`)),
    row('kept', {
      en: `${pluralize(kept.messages, 'message')} unchanged, ${formatCount(kept.tokens)} tokens`,
      zh: `${formatCount(kept.messages)} 条消息不变，${formatCount(kept.tokens)} token`,
    }),
    row('summarised', {
      en: `${pluralize(summarised.messages, 'message')}, ${formatCount(summarised.tokens)} -> ${formatCount(summary.tokens)} tokens; the summary covers ${pluralize(summary.standsFor, 'message')} in all`,
      zh: `${formatCount(summarised.messages)} 条消息，${formatCount(summarised.tokens)} -> ${formatCount(summary.tokens)} token；摘要共涵盖 ${formatCount(summary.standsFor)} 条消息`,
    }),
    ...(facts === '' ? [] : [row('byRule', sameInBoth(facts))]),
    row('memories', memoriesText(memories)),
    row('cost', sameInBoth(compactionCostText({ usage: receipt.usage, costUsd: receipt.costUsd ?? undefined }))),
    ...(skippedOffload === undefined ? [] : [row('instead', skippedOffloadText(skippedOffload))]),
    row('archive', archive === null ? { en: 'could not be written', zh: '无法写入' } : sameInBoth(safeLine(archive))),
    row('files', filesText(bodies.length + moreBodies, filesRetired)),
    ...bodies.slice(0, MAX_SHOWN_BODIES).map((body) => `    ${safeLine(body.path)}  ${bodyText(body)}`),
    ...(more > 0 ? [localize({ en: `    … ${formatCount(more)} more`, zh: `    … 还有 ${formatCount(more)} 个` })] : []),
  ];
}

function memoriesText({ decisions, facts, preferences, runtime }: Receipt['memories']): Bilingual {
  const count = formatCount(decisions + facts + preferences + runtime);
  return {
    en: `${count} added: ${pluralize(decisions, 'decision')}, ${pluralize(facts, 'fact')}, ${pluralize(preferences, 'preference')}, ${pluralize(runtime, 'runtime note')}`,
    zh: `新增 ${count} 条：${decisions} 条决策，${facts} 条事实，${preferences} 条偏好，${runtime} 条运行环境`,
  };
}

const filesText = (results: number, retired: number): Bilingual =>
  results === 0
    ? { en: 'none', zh: '无' }
    : {
        en: `${pluralize(results, 'result')}, ${formatCount(retired)} retired because nothing refers to them any more; all can still be read by their path`,
        zh: `${formatCount(results)} 个结果，其中 ${formatCount(retired)} 个因不再被引用而退役；都仍可按路径读取`,
      };

function bodyText({ tool, bytes, retired }: Receipt['bodies'][number]): string {
  const about = `${safeLine(tool)}, ${formatSize(bytes)}`;
  return retired ? localize({ en: `${about}, retired`, zh: `${about}，已退役` }) : about;
}

/** Dollars per step are cents at most, so they are shown for a hundred steps. */
function skippedOffloadText({ compact, offload }: NonNullable<Receipt['skippedOffload']>): Bilingual {
  const cost = ({ costPerStepUsd }: typeof compact): string => formatDollars(costPerStepUsd * 100);
  const [now, other, left] = [cost(compact), cost(offload), formatCount(offload.tokensAfter)];
  return {
    en: `moving results to files, which would have left ${left} tokens: ${now} instead of ${other} for 100 steps, as estimated`,
    zh: `将结果转存到文件（会剩下 ${left} token）：估计每 100 步为 ${now}，而不是 ${other}`,
  };
}

export function snapshotJson({ outcome, ...meta }: SnapshotMeta, receipt: Receipt | undefined): string {
  const { receipt: _, ...outcomeFields } = outcome ?? { receipt: undefined };
  return `${JSON.stringify({ ...meta, outcome: outcome === undefined ? null : outcomeFields, receipt: receipt ?? null }, null, 2)}\n`;
}
