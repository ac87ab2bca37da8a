import { z } from 'zod';
import type { AuditRecord, ReadEvent, SummaryCost } from '../event.ts';
import { amountIfKnown, usage } from './event-fields.ts';
import { auditedEventSchema } from './event-schema.ts';

/** An event of a type that this version does not write: a newer one's, or no event at all. */
export type UnknownEvent = { readonly type: 'unknown'; readonly name: string; readonly fields: Readonly<Record<string, unknown>> };

/**
 * What happened, by a line of the audit log. Lines of older and newer versions are read as far as they are understood: a field that is
 * missing or of another kind counts as nothing (event-fields.ts), one that is not known is passed over, and an event of a type that is
 * not known comes back as it stands. Nothing is written from here: what prints a line prints the line itself, unknown fields and all.
 */
export function readEvent(record: AuditRecord): ReadEvent | UnknownEvent {
  const read = auditedEventSchema.safeParse(record);
  if (read.success) return read.data;
  const { v: _v, at: _at, sessionId: _id, type, ...fields } = record;
  return { type: 'unknown', name: String(type), fields };
}

const costSchema = z.object({ usage, costUsd: amountIfKnown });

/** What a line says was used and paid, whatever its type: what a newer version pays for counts too. */
export const readCost = (record: AuditRecord): SummaryCost => costSchema.parse(record);
