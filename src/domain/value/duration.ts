const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** Returns the milliseconds of a time such as "90s", "5m" or "1h"; undefined for any other text. */
export function durationMs(text: string): number | undefined {
  const [, amount = '', unit = ''] = /^(\d{1,9})(ms|s|m|h|d|w)$/.exec(text.trim()) ?? [];
  const ms = unitMs[unit];
  return ms === undefined ? undefined : Number(amount) * ms;
}
