import { durationMs } from './duration.ts';

/** Returns an ISO date or time, or a span before `now` (30m, 2h, 7d), as a time; undefined for anything else. */
export function timeOf(text: string, now: Date): Date | undefined {
  const ago = durationMs(text);
  const isDate = /^\d{4}-\d{2}-\d{2}/.test(text);
  const at = ago !== undefined ? now.getTime() - ago : isDate ? Date.parse(text) : Number.NaN;
  const time = new Date(at);
  return Number.isNaN(time.getTime()) ? undefined : time;
}
