import type { AuditRecord } from '../../domain/event.ts';
import { safeLine } from '../text/safe-text.ts';
import { clip } from '../text/text-width.ts';

export type EventsView = { readonly columns: number /** Then its name is left out. */; readonly singleSession: boolean };

/** One record of the audit log in one line: when, which session, what, and its figures. Ends with a newline. */
export function eventsText(record: AuditRecord, { columns, singleSession }: EventsView): string {
  const { v: _version, at, sessionId, type, ...rest } = record;
  const fields = Object.entries(rest)
    .filter(([, value]) => value !== undefined && value !== null)
    .toSorted(([a, aValue], [b, bValue]) => displayOrder(a, aValue) - displayOrder(b, bValue))
    .map(([name, value]) => `${name}=${formatValue(value)}`);
  const line = [at, ...(singleSession ? [] : [sessionId]), typeof type === 'string' ? type : '?', ...fields].join(' ');
  return `${clip(safeLine(line), columns)}\n`;
}

/** What is long or tells a person little stands last, where it may be cut. */
const displayOrder = (name: string, value: unknown): number => (name === 'toolUseId' ? 2 : typeof value === 'object' ? 1 : 0);

/** The record as it stands in the log. */
export const eventsJson = (record: AuditRecord): string => `${JSON.stringify(record)}\n`;

function formatValue(value: unknown): string {
  if (typeof value === 'string') return /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);
  return Array.isArray(value) && value.some((item) => typeof item === 'object') ? `[${value.length}]` : JSON.stringify(value);
}
