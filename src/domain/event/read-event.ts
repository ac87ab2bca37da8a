import { z } from 'zod';
import type { AuditRecord, ReadEvent, SummaryCost } from '../event.ts';
import { amountIfKnown, usage } from './event-fields.ts';
import { auditedEventSchema } from './event-schema.ts';

/** An event of a type that this version does not write: one of a newer version, or no event at all. */
export type UnknownEvent = { readonly type: 'unknown'; readonly name: string; readonly fields: Readonly<Record<string, unknown>> };

/**
 * Returns the event in a line of the audit log. Lines of older and newer versions are read as far as they are understood: a field that is
 * missing or of another type gets an empty value (event-fields.ts), an unknown field is skipped, and an event of an unknown type is
 * returned as it is. The result is never written: code that prints a line prints the line itself, unknown fields included.
 */
export function readEvent(record: AuditRecord): ReadEvent | UnknownEvent {
  const read = auditedEventSchema.safeParse(record);
  if (read.success) return read.data;
  const { v: _v, at: _at, sessionId: _id, type, ...fields } = record;
  return { type: 'unknown', name: String(type), fields };
}

const costSchema = z.object({ usage, costUsd: amountIfKnown });

/** Returns the usage and cost in a line, whatever its type, so that what a newer version pays for counts too. */
export const readCost = (record: AuditRecord): SummaryCost => costSchema.parse(record);
