/** Round steps from 0 to at least `max`: 1, 2 or 5 times a power of ten, about `targetCount` of them. */
export function ticksTo(max: number, targetCount = 5): readonly number[] {
  if (!(max > 0) || !Number.isFinite(max)) return [0, 1];
  const rough = max / targetCount;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((times) => times * power >= rough) ?? 10) * power;
  const count = Math.ceil(max / step - 1e-9);
  return Array.from({ length: count + 1 }, (_, at) => at * step);
}

/** A place on the drawing, to a tenth. */
export const coordinate = (at: number): string => (Math.round(at * 10) / 10).toString();
