import { z } from 'zod';
import type { AuditRecord, ReadEvent, SummaryCost } from '../event.ts';
import type { Miss } from '../session/model-answer.ts';
import { amountIfKnown, auditedEventSchema, prefixIfCompared, usage } from './event-schema.ts';

/** An event of a type that this version does not write: one of a newer version, or no event at all. */
export type UnknownEvent = { readonly type: 'unknown'; readonly name: string; readonly fields: Readonly<Record<string, unknown>> };

/**
 * The event in a line of the audit log, as far as it is understood. The result is never written: who prints a line prints the line itself,
 * unknown fields included.
 */
export function readEvent(record: AuditRecord): ReadEvent | UnknownEvent {
  const read = auditedEventSchema.safeParse(record);
  if (read.success) return read.data;
  const { v: _v, at: _at, sessionId: _id, type, ...fields } = record;
  return { type: 'unknown', name: String(type), fields };
}

const costSchema = z.object({ usage, costUsd: amountIfKnown, prefix: prefixIfCompared });

/** Returns the usage and cost in a line, and what was missed in the cache, whatever its type, so that what a newer version pays for counts too. */
export const readCost = (record: AuditRecord): SummaryCost & { readonly prefix?: Miss | undefined } => costSchema.parse(record);
