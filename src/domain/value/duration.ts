const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** Returns the milliseconds of a time such as "90s", "5m" or "1h"; undefined for any other text. */
export function durationMs(text: string): number | undefined {
  const [, amount = '', unit = ''] = /^(\d{1,9})(ms|s|m|h|d|w)$/.exec(text.trim()) ?? [];
  const ms = unitMs[unit];
  return ms === undefined ? undefined : Number(amount) * ms;
}

/** Returns an ISO date or time, or a span before `now` (30m, 2h, 7d), as a time; undefined for anything else. */
export function timeOf(text: string, now: Date): Date | undefined {
  const ago = durationMs(text);
  const isDate = /^\d{4}-\d{2}-\d{2}/.test(text);
  const at = ago !== undefined ? now.getTime() - ago : isDate ? Date.parse(text) : Number.NaN;
  const time = new Date(at);
  return Number.isNaN(time.getTime()) ? undefined : time;
}
