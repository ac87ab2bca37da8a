import type { AuditRecord } from '../domain/event.ts';
import { safeLine } from './safe-text.ts';
import { clip } from './text-width.ts';

/** One record of the audit log in one line: when, which session, what, and its figures. Ends with a newline. */
export function eventsText(record: AuditRecord, columns: number): string {
  const { v: _version, at, sessionId, type, ...rest } = record;
  const fields = Object.entries(rest).flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [`${name}=${shown(value)}`],
  );
  const line = [at, sessionId, typeof type === 'string' ? type : '?', ...fields].join(' ');
  return `${clip(safeLine(line), columns)}\n`;
}

/** The record as it stands in the log. */
export const eventsJson = (record: AuditRecord): string => `${JSON.stringify(record)}\n`;

function shown(value: unknown): string {
  if (typeof value === 'string') return /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);
  return Array.isArray(value) && value.some((item) => typeof item === 'object') ? `[${value.length}]` : JSON.stringify(value);
}
