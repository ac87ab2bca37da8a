import type { Receipt, SnapshotMeta } from '../../domain/session/snapshot.ts';
import { costOf, factsText } from '../../terminal/slash/compaction-preview.ts';
import { ago, count, counted, size } from '../../terminal/text/figures.ts';
import { safeLine } from '../../terminal/text/safe-text.ts';
import { takenBecause } from '../../terminal/views/history-table.ts';

/** One snapshot, and what became of each part of the context when a compaction followed it. Ends with a newline. */
export function snapshotText(meta: SnapshotMeta, receipt: Receipt | undefined, now: Date): string {
  const id = safeLine(meta.id);
  const lines = [
    `Snapshot ${id}, taken ${ago(meta.at, now)} ${takenBecause[meta.reason]}`,
    `  holds       ${counted(meta.messages, 'message')}, ${count(meta.tokens)} tokens, ${counted(meta.bodies, 'offloaded result')}, ${size(meta.bytes)}`,
    ...(meta.outcome === undefined ? ['  what came of it is not noted'] : [`  then        ${safeLine(meta.outcome.line)}`]),
    ...(receipt === undefined ? withoutReceipt(meta) : receiptLines(receipt, meta)),
    `  read again  sanbot rollback --snapshot ${id} --dry-run; sanbot search WORDS --session ${safeLine(meta.sessionId)}`,
  ];
  return `${lines.join('\n')}\n`;
}

const withoutReceipt = ({ reason }: SnapshotMeta): readonly string[] =>
  reason === 'compaction' ? ['  no receipt: it was not committed, or by another version of SanBot'] : [];

const SHOWN_BODIES = 10;

function receiptLines(receipt: Receipt, { tokens, outcome }: SnapshotMeta): readonly string[] {
  const { kept, summarised, summary, bodies, moreBodies, filesRetired, archive, ledger, memories } = receipt;
  const facts = factsText(ledger);
  const remembered = memories.decisions + memories.facts + memories.preferences + memories.runtime;
  const more = bodies.length - SHOWN_BODIES + moreBodies;
  return [
    `  tokens      ${count(tokens)} -> ${count(outcome?.tokensAfter ?? 0)}`,
    `  kept        ${counted(kept.messages, 'message')} as they were, ${count(kept.tokens)} tokens`,
    `  summarised  ${counted(summarised.messages, 'message')}, ${count(summarised.tokens)} -> ${count(summary.tokens)} tokens; the summary stands for ${counted(summary.standsFor, 'message')} in all`,
    ...(facts === '' ? [] : [`  by rule     ${facts}`]),
    `  memories    ${count(remembered)} added: ${counted(memories.decisions, 'decision')}, ${counted(memories.facts, 'fact')}, ${counted(memories.preferences, 'preference')}, ${count(memories.runtime)} of runtime`,
    `  cost        ${costOf({ usage: receipt.usage, costUsd: receipt.costUsd ?? undefined })}`,
    `  archive     ${archive === null ? 'could not be written' : safeLine(archive)}`,
    `  files       ${bodies.length === 0 ? 'none' : `${counted(bodies.length + moreBodies, 'result')}, ${count(filesRetired)} retired since nothing refers to them now; all can still be read by their path`}`,
    ...bodies
      .slice(0, SHOWN_BODIES)
      .map((body) => `    ${safeLine(body.path)}  ${safeLine(body.tool)}, ${size(body.bytes)}${body.retired ? ', retired' : ''}`),
    ...(more > 0 ? [`    … ${count(more)} more`] : []),
  ];
}

/** The same as JSON: the meta as it is on disk, with the receipt (null where there is none) beside it. */
export function snapshotJson({ outcome, ...meta }: SnapshotMeta, receipt: Receipt | undefined): string {
  const { receipt: _, ...told } = outcome ?? { receipt: undefined };
  return `${JSON.stringify({ ...meta, outcome: outcome === undefined ? null : told, receipt: receipt ?? null }, null, 2)}\n`;
}
