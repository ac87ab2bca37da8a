import type { Receipt, SnapshotMeta } from '../../domain/session/snapshot.ts';
import { compactionCostText, factsText } from '../../terminal/slash/compaction/compaction-preview.ts';
import { formatCount, formatDollars, formatSize, pluralize, timeAgo } from '../../terminal/text/format.ts';
import { safeLine } from '../../terminal/text/safe-text.ts';
import { snapshotReasonText } from '../../terminal/views/history-table.ts';

/** One snapshot, and what became of each part of the context when a compaction followed it. Ends with a newline. */
export function snapshotText(meta: SnapshotMeta, receipt: Receipt | undefined, now: Date): string {
  const id = safeLine(meta.id);
  const lines = [
    `Snapshot ${id}, taken ${timeAgo(meta.at, now)} ${snapshotReasonText(meta.reason)}`,
    `  holds       ${pluralize(meta.messages, 'message')}, ${formatCount(meta.tokens)} tokens, ${pluralize(meta.bodies, 'offloaded result')}, ${formatSize(meta.bytes)}`,
    ...(meta.outcome === undefined ? ['  what followed was not recorded'] : [`  then        ${safeLine(meta.outcome.line)}`]),
    ...(receipt === undefined ? missingReceiptLines(meta) : receiptLines(receipt, meta)),
    `  read again  sanbot rollback --snapshot ${id} --dry-run; sanbot search WORDS --session ${safeLine(meta.sessionId)}`,
  ];
  return `${lines.join('\n')}\n`;
}

const missingReceiptLines = ({ reason }: SnapshotMeta): readonly string[] =>
  reason === 'compaction' ? ['  no receipt: the compaction was not committed, or another version of SanBot made it'] : [];

const MAX_SHOWN_BODIES = 10;

function receiptLines(receipt: Receipt, { tokens, outcome }: SnapshotMeta): readonly string[] {
  const { kept, summarised, summary, bodies, moreBodies, filesRetired, archive, ledger, memories, skippedOffload } = receipt;
  const facts = factsText(ledger);
  const memoryCount = memories.decisions + memories.facts + memories.preferences + memories.runtime;
  const more = bodies.length - MAX_SHOWN_BODIES + moreBodies;
  return [
    `  tokens      ${formatCount(tokens)} -> ${formatCount(outcome?.tokensAfter ?? 0)}`,
    `  kept        ${pluralize(kept.messages, 'message')} unchanged, ${formatCount(kept.tokens)} tokens`,
    `  summarised  ${pluralize(summarised.messages, 'message')}, ${formatCount(summarised.tokens)} -> ${formatCount(summary.tokens)} tokens; the summary covers ${pluralize(summary.standsFor, 'message')} in all`,
    ...(facts === '' ? [] : [`  by rule     ${facts}`]),
    `  memories    ${formatCount(memoryCount)} added: ${pluralize(memories.decisions, 'decision')}, ${pluralize(memories.facts, 'fact')}, ${pluralize(memories.preferences, 'preference')}, ${pluralize(memories.runtime, 'runtime note')}`,
    `  cost        ${compactionCostText({ usage: receipt.usage, costUsd: receipt.costUsd ?? undefined })}`,
    ...(skippedOffload === undefined ? [] : [`  instead of  ${skippedOffloadText(skippedOffload)}`]),
    `  archive     ${archive === null ? 'could not be written' : safeLine(archive)}`,
    `  files       ${bodies.length === 0 ? 'none' : `${pluralize(bodies.length + moreBodies, 'result')}, ${formatCount(filesRetired)} retired because nothing refers to them any more; all can still be read by their path`}`,
    ...bodies
      .slice(0, MAX_SHOWN_BODIES)
      .map((body) => `    ${safeLine(body.path)}  ${safeLine(body.tool)}, ${formatSize(body.bytes)}${body.retired ? ', retired' : ''}`),
    ...(more > 0 ? [`    … ${formatCount(more)} more`] : []),
  ];
}

/** Dollars per step are cents at most, so they are shown for a hundred steps. */
function skippedOffloadText({ compact, offload }: NonNullable<Receipt['skippedOffload']>): string {
  const cost = ({ costPerStepUsd, costPerStepTokens = 0 }: typeof compact): string =>
    costPerStepUsd === null ? `the work of ${formatCount(costPerStepTokens * 100)} tokens` : formatDollars(costPerStepUsd * 100);
  return `moving results to files, which would have left ${formatCount(offload.tokensAfter)} tokens: ${cost(compact)} instead of ${cost(offload)} for 100 steps, as estimated`;
}

/** The same as JSON: the meta as it is on disk, with the receipt (null where there is none) beside it. */
export function snapshotJson({ outcome, ...meta }: SnapshotMeta, receipt: Receipt | undefined): string {
  const { receipt: _, ...outcomeFields } = outcome ?? { receipt: undefined };
  return `${JSON.stringify({ ...meta, outcome: outcome === undefined ? null : outcomeFields, receipt: receipt ?? null }, null, 2)}\n`;
}
