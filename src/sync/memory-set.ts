import { z } from 'zod';

/** When something was said, by clocks that may differ: a later one is always greater than all that its writer knew. */
const stampShape = { ms: z.int().nonnegative(), count: z.int().nonnegative(), writer: z.string() };
const stampSchema = z.object(stampShape);
export type Stamp = Readonly<z.infer<typeof stampSchema>>;

const opShape = { ...stampShape, group: z.string(), page: z.string(), id: z.string() };

const memoryOpSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('memory'), ...opShape, line: z.string() }),
  z.object({ type: z.literal('strike'), ...opShape }),
]);

/** An entry of a page of memories was written, or struck out. */
export type MemoryOp = Readonly<z.infer<typeof memoryOpSchema>>;

export function parseMemoryOp(value: unknown): MemoryOp | undefined {
  const parsed = memoryOpSchema.safeParse(value);
  return parsed.success ? parsed.data : undefined;
}

export const compareStamps = (a: Stamp, b: Stamp): number =>
  a.ms - b.ms || a.count - b.count || (a.writer < b.writer ? -1 : a.writer > b.writer ? 1 : 0);

/** A stamp after `last`, also when the clock went back. */
export function stampAfter(last: Stamp | undefined, nowMs: number, writer: string): Stamp {
  if (last === undefined || nowMs > last.ms) return { ms: nowMs, count: 0, writer };
  return { ms: last.ms, count: last.count + 1, writer };
}

export type LiveEntry = { readonly group: string; readonly page: string; readonly id: string; readonly line: string };

/**
 * What holds of all that was ever written, the same whatever the order in which it came: of each entry the newest word, in the order in which
 * entries were first written. Contradicting entries are different ones, and both stay.
 */
export function memorySet(ops: Iterable<MemoryOp>) {
  const newest = new Map<string, MemoryOp>();
  const first = new Map<string, Stamp>();
  let last: Stamp | undefined;
  for (const op of ops) {
    const key = JSON.stringify([op.group, op.page, op.id]);
    const known = newest.get(key);
    if (known === undefined || compareStamps(known, op) < 0) newest.set(key, op);
    const begun = first.get(key);
    if (op.type === 'memory' && (begun === undefined || compareStamps(op, begun) < 0)) first.set(key, op);
    if (last === undefined || compareStamps(last, op) < 0) last = op;
  }
  const live = [...newest].flatMap(([key, op]): readonly (LiveEntry & { readonly since: Stamp })[] =>
    op.type === 'memory' ? [{ group: op.group, page: op.page, id: op.id, line: op.line, since: first.get(key) ?? op }] : [],
  );
  return { last, live: live.sort((a, b) => compareStamps(a.since, b.since)) as readonly LiveEntry[] };
}
