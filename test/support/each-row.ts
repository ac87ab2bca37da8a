import { expect } from 'vitest';

/** One law on each row of a table, as one test: it fails with the rows where the law does not hold, each by its name and with what was wrong. */
export async function holdsForEach<Row>(rows: readonly Row[], nameOf: (row: Row) => string, law: (row: Row) => unknown): Promise<void> {
  expect(rows).not.toEqual([]);
  const broken: string[] = [];
  for (const row of rows) {
    try {
      await law(row);
    } catch (error) {
      broken.push(`${nameOf(row)}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  expect(broken).toEqual([]);
}
