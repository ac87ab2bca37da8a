/** A page of 1.4 MB that its parser takes more than a minute for. */
export const endlessPage = (): string => `${'<b><i>'.repeat(240)}${'x'.repeat(1_000)}${'<span>a</span>'.repeat(100_000)}`;

/** An object in an object in an object. */
export function nested(levels: number): Readonly<Record<string, unknown>> {
  let value: Readonly<Record<string, unknown>> = {};
  for (let level = 1; level < levels; level++) value = { a: value };
  return value;
}
