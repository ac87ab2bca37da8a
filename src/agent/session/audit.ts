import { type AuditRecord, recordedFields, type SanbotEvent } from '../../domain/event.ts';
import { redactFields } from '../../domain/value/redact.ts';

/**
 * What of an event goes into the audit log; undefined for what was said, which the session's own log holds. Free text is
 * redacted, because a command or an error may carry a secret.
 */
export function auditRecord(event: SanbotEvent, meta: { readonly at: string; readonly sessionId: string }): AuditRecord | undefined {
  if (unaudited.has(event.type)) return undefined;
  const fields: Readonly<Record<string, unknown>> = recordedFields(event);
  const { text: _text, diff: _diff, todo: _todo, ...rest } = fields;
  return { v: 1, at: meta.at, sessionId: meta.sessionId, ...redactFields(rest) };
}

const unaudited: ReadonlySet<SanbotEvent['type']> = new Set([
  'text',
  'thinking',
  'tool_output',
  'files_changed',
  'tool_progress',
  'compaction_step',
] as const);
