import { z } from 'zod';
import type { Receipt } from './receipt.ts';

export const snapshotReasons = ['compaction', 'rollback', 'clear', 'window', 'model'] as const;
export type SnapshotReason = (typeof snapshotReasons)[number];

/** What became of the context for which a snapshot was taken; written into its meta once the change is committed. */
export const outcomeSchema = z.looseObject({
  at: z.string(),
  messages: z.int().nonnegative(),
  tokensAfter: z.int().nonnegative(),
  /** One line: what the change was, for the list. */
  line: z.string(),
  /** The snapshot a rollback restored. */
  restored: z.string().optional(),
  /** What a compaction did; `readReceipt` reads it, so that one of a newer version makes no snapshot unreadable. */
  receipt: z.unknown().optional(),
});

export const snapshotMetaSchema = z.looseObject({
  v: z.int().positive(),
  id: z.string(),
  sessionId: z.string(),
  group: z.string(),
  at: z.string(),
  reason: z.enum(snapshotReasons),
  model: z.string(),
  messages: z.int().nonnegative(),
  bodies: z.int().nonnegative(),
  tokens: z.int().nonnegative(),
  /** Of the .jsonl file. */
  bytes: z.int().nonnegative(),
  sha256: z.string(),
  outcome: outcomeSchema.optional(),
});

export type SnapshotOutcome = {
  readonly at: string;
  readonly messages: number;
  readonly tokensAfter: number;
  readonly line: string;
  readonly restored?: string | undefined;
  readonly receipt?: Receipt | undefined;
};
export type SnapshotMeta = Readonly<z.infer<typeof snapshotMetaSchema>>;
