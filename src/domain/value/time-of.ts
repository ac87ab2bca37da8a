/** Returns an ISO date or time, or a span before `now` (30m, 2h, 7d), as a time; undefined for anything else. */
export function timeOf(text: string, now: Date): Date | undefined {
  const [, amount, unit] = /^(\d{1,9})([smhdw])$/.exec(text) ?? [];
  const at =
    amount !== undefined && unit !== undefined
      ? now.getTime() - Number(amount) * (unitMs[unit] ?? 0)
      : /^\d{4}-\d{2}-\d{2}/.test(text)
        ? Date.parse(text)
        : Number.NaN;
  const time = new Date(at);
  return Number.isNaN(time.getTime()) ? undefined : time;
}

const unitMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };
