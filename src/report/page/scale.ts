/** Round steps from 0 to at least `most`: 1, 2 or 5 times a power of ten, about `wanted` of them. */
export function ticksTo(most: number, wanted = 5): readonly number[] {
  if (!(most > 0) || !Number.isFinite(most)) return [0, 1];
  const rough = most / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((times) => times * power >= rough) ?? 10) * power;
  const count = Math.ceil(most / step - 1e-9);
  return Array.from({ length: count + 1 }, (_, at) => at * step);
}

/** A place on the drawing, to a tenth. */
export const place = (at: number): string => (Math.round(at * 10) / 10).toString();
