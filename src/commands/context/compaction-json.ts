import type { CompactedEvent } from '../../domain/event.ts';
import type { CompactionPreview } from '../../terminal/chat/context-port.ts';

/** What `compact --json` prints. Fields are added here, never taken away. `compacted` is false when there was nothing to compact. */
export function compactionJson(event: CompactedEvent | undefined): string {
  if (event === undefined) return `${JSON.stringify({ compacted: false })}\n`;
  const { snapshotId, method, messagesBefore, messagesKept, tokensBefore, tokensAfter, usage, costUsd } = event;
  const fields = { compacted: true, snapshot: snapshotId, method, messagesBefore, messagesKept, tokensBefore, tokensAfter, usage };
  return `${JSON.stringify({ ...fields, costUsd: costUsd ?? null })}\n`;
}

/** What `compact --preview --json` prints; nothing has been compacted. */
export function previewJson({
  text,
  method,
  leaving,
  messagesNow,
  messagesKept,
  tokensNow,
  tokensAfter,
  ...rest
}: CompactionPreview): string {
  const { usage, costUsd, ledger } = rest;
  const figures = {
    method,
    messagesBefore: messagesNow,
    messagesKept,
    tokensBefore: tokensNow,
    tokensAfter,
    usage,
    costUsd: costUsd ?? null,
  };
  return `${JSON.stringify({ compacted: false, preview: { ...figures, summary: text, leaving, ledger } })}\n`;
}
