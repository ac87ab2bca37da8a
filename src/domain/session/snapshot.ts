import { z } from 'zod';
import { usageSchema } from './message.ts';

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
const countSchema = z.int().nonnegative();
const partSchema = z.looseObject({ messages: countSchema, tokens: countSchema });

export const RECEIPT_VERSION = 1;
/** What became of each part of the context at a compaction, and where it can be read again. In the meta of its snapshot. */
export const receiptSchema = z.looseObject({
  v: z.literal(RECEIPT_VERSION),
  /** By whom it was wanted, and how the summary came about. */
  trigger: z.string(),
  method: z.string(),
  /** As they were, behind the summary. */
  kept: partSchema,
  /** Those that the summary stands for since then. */
  summarised: partSchema,
  /** The message in their place: the sections and the ledger. */
  summary: z.looseObject({ tokens: countSchema, standsFor: countSchema }),
  /** Results that were in files already; `retired` when the context no longer refers to them. Their paths still open. */
  bodies: z.array(z.looseObject({ path: z.string(), tool: z.string(), bytes: countSchema, retired: z.boolean() })),
  /** How many more of them there are than `bodies` lists. */
  moreBodies: countSchema,
  filesRetired: countSchema,
  /** The readable page; null when it could not be written. */
  archive: z.string().nullable(),
  /** How many facts of each kind are carried by rule. */
  ledger: z.record(z.string(), countSchema),
  memories: z.looseObject({ decisions: countSchema, facts: countSchema, preferences: countSchema, runtime: countSchema }),
  usage: usageSchema,
  /** Null when no price is known. */
  costUsd: z.number().nonnegative().nullable(),
});

export type Receipt = Readonly<z.infer<typeof receiptSchema>>;
export type MemoryCounts = { readonly decisions: number; readonly facts: number; readonly preferences: number; readonly runtime: number };
/** The receipt in a snapshot's meta; undefined where there is none: snapshots of other changes, of an older or a newer SanBot. */
export function readReceipt(value: unknown): Receipt | undefined {
  const parsed = receiptSchema.safeParse(value);
  return parsed.success ? parsed.data : undefined;
}
