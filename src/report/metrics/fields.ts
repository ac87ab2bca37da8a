import { type Usage, usageSchema } from '../../domain/session/message.ts';

/** Fields of a record whose writer is not known: what is missing or of another type counts as nothing. */
export function numberAt(record: unknown, name: string): number {
  const value = fieldAt(record, name);
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
}

export function stringAt(record: unknown, name: string): string {
  const value = fieldAt(record, name);
  return typeof value === 'string' ? value : '';
}

export function usageAt(record: unknown): Partial<Usage> {
  const usage = usageSchema.safeParse(fieldAt(record, 'usage'));
  return usage.success ? usage.data : {};
}

const fieldAt = (record: unknown, name: string): unknown =>
  typeof record === 'object' && record !== null ? Object.entries(record).find(([key]) => key === name)?.[1] : undefined;
