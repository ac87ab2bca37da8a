import { z } from 'zod';
import { usageSchema } from './message.ts';

const amount = z.int().nonnegative();
const part = z.looseObject({ messages: amount, tokens: amount });

export const RECEIPT_VERSION = 1;

/** What became of each part of the context at a compaction, and where it can be read again. In the meta of its snapshot. */
export const receiptSchema = z.looseObject({
  v: z.literal(RECEIPT_VERSION),
  /** By whom it was wanted, and how the summary came about. */
  trigger: z.string(),
  method: z.string(),
  /** As they were, behind the summary. */
  kept: part,
  /** Those that the summary stands for since then. */
  summarised: part,
  /** The message in their place: the sections and the ledger. */
  summary: z.looseObject({ tokens: amount, standsFor: amount }),
  /** Results that were in files already; `retired` when the context no longer refers to them. Their paths still open. */
  bodies: z.array(z.looseObject({ path: z.string(), tool: z.string(), bytes: amount, retired: z.boolean() })),
  /** How many more of them there are than `bodies` lists. */
  moreBodies: amount,
  filesRetired: amount,
  /** The readable page; null when it could not be written. */
  archive: z.string().nullable(),
  /** How many facts of each kind are carried by rule. */
  ledger: z.record(z.string(), amount),
  memories: z.looseObject({ decisions: amount, facts: amount, preferences: amount, runtime: amount }),
  usage: usageSchema,
  /** Null when no price is known. */
  costUsd: z.number().nonnegative().nullable(),
});

export type Receipt = Readonly<z.infer<typeof receiptSchema>>;
export type AddedMemories = { readonly decisions: number; readonly facts: number; readonly preferences: number; readonly runtime: number };

/** The receipt in a snapshot's meta; undefined where there is none: snapshots of other changes, of an older or a newer SanBot. */
export function readReceipt(value: unknown): Receipt | undefined {
  const read = receiptSchema.safeParse(value);
  return read.success ? read.data : undefined;
}
