import { z } from 'zod';
import type { Parsed } from '../value/parsed.ts';
import { usageSchema } from './message.ts';

export const snapshotReasons = ['compaction', 'rollback', 'clear', 'window', 'model'] as const;

export type SnapshotReason = (typeof snapshotReasons)[number];

const outcomeShape = {
  at: z.string(),
  messages: z.int().nonnegative(),
  tokensAfter: z.int().nonnegative(),
  line: z.string(),
  restored: z.string().optional(),
  /** What a compaction did. Read with `readReceipt`, so that a receipt of a newer version does not make the snapshot unreadable. */
  receipt: z.unknown().optional(),
};

/** What became of the context that a snapshot was taken of; written into the snapshot's meta once the change is committed. */
export type SnapshotOutcome = Omit<Parsed<typeof outcomeShape>, 'receipt'> & { readonly receipt?: Receipt | undefined };

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
  bytes: z.int().nonnegative(),
  sha256: z.string(),
  outcome: z.looseObject(outcomeShape).optional(),
});

export type SnapshotMeta = Readonly<z.infer<typeof snapshotMetaSchema>>;
const countSchema = z.int().nonnegative();
const partSchema = z.looseObject({ messages: countSchema, tokens: countSchema });

const reliefSchema = z.looseObject({
  tokensAfter: countSchema,
  readableTokens: countSchema,
  costPerStepUsd: z.number().nonnegative(),
});

const memoriesShape = { decisions: countSchema, facts: countSchema, preferences: countSchema, runtime: countSchema };

export const RECEIPT_VERSION = 1;
/** What became of each part of the context at a compaction, and where it can be read again. Part of the snapshot's meta. */
const receiptSchema = z.looseObject({
  v: z.literal(RECEIPT_VERSION),
  trigger: z.string(),
  method: z.string(),
  /** Messages kept as they were, after the summary. */
  kept: partSchema,
  /** Messages that this compaction replaced by the summary. */
  summarised: partSchema,
  /** The message in their place: the sections and the ledger. */
  summary: z.looseObject({ tokens: countSchema, standsFor: countSchema }),
  /** Results that were already in files; `retired` when the context no longer refers to them. Their paths still open. */
  bodies: z.array(z.looseObject({ path: z.string(), tool: z.string(), bytes: countSchema, retired: z.boolean() })),
  /** How many more bodies there are than `bodies` lists. */
  moreBodies: countSchema,
  filesRetired: countSchema,
  /** The readable page of the archive; null when it could not be written. */
  archive: z.string().nullable(),
  /** How many facts of each kind are carried by rule. */
  ledger: z.record(z.string(), countSchema),
  memories: z.looseObject(memoriesShape),
  usage: usageSchema,
  /** Null when no price is known. */
  costUsd: z.number().nonnegative().nullable(),
  /** Of 0.2.0, which compacted where it estimated that to cost less than moving results to files. */
  skippedOffload: z.looseObject({ compact: reliefSchema, offload: reliefSchema }).optional().catch(undefined),
});

export type Receipt = Readonly<z.infer<typeof receiptSchema>>;
export type MemoryCounts = Parsed<typeof memoriesShape>;
/** Undefined where there is none: other changes, or an older or newer SanBot. */
export function readReceipt(value: unknown): Receipt | undefined {
  const parsed = receiptSchema.safeParse(value);
  return parsed.success ? parsed.data : undefined;
}
