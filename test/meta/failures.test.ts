import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from '../support/source.ts';

const reasons = readFileSync(join(root, 'test', 'failures.md'), 'utf8');
const explained = [...reasons.matchAll(/^\| ([A-Z]-?\d+[a-e]?) \| \S.{20,} \|$/gm)].map(([, id = '']) => id);

const testFiles = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' }).filter((name) => /\.test\.ts$/.test(name));
const named = new Set(testFiles.flatMap((name) => idsIn(readFileSync(join(root, 'test', name), 'utf8'))));

/** All ids in brackets: `[P3, C-04, C56a]`. */
function idsIn(text: string): readonly string[] {
  return [...text.matchAll(/\[((?:[A-Z]-?\d+[a-e]?)(?:, [A-Z]-?\d+[a-e]?)*)\]/g)].flatMap(([, ids = '']) => ids.split(', '));
}

/** The lists of failures lie beside the checkout where the product is developed; elsewhere there is nothing to compare with. */
const lists = join(root, '..', 'shared');

test('no failure has both a test and a reason to have none, and no reason stands twice', () => {
  expect(explained.filter((id) => named.has(id))).toEqual([]);
  expect(explained).toEqual([...new Set(explained)]);
  expect(explained.length).toBe(reasons.split('\n').filter((line) => /^\| [A-Z]/.test(line)).length);
});

describe.skipIf(!existsSync(lists))('beside the lists of failures (skipped without ../shared)', () => {
  const covered = (id: string): boolean => named.has(id) || explained.includes(id);
  const read = (name: string): string => readFileSync(join(lists, name), 'utf8');

  test('every failure that others reported is named by a test or explained', () => {
    const ids = [...read('failures.md').matchAll(/^(?:- |\| )([PONFSBXC]\d+[a-e]?)\b/gm)].map(([, id = '']) => id);
    expect(ids.length).toBeGreaterThan(270);
    expect(ids.filter((id) => !covered(id))).toEqual([]);
  });

  test('every case of durability, concurrency and bad input with priority 1 is named by a test or explained', () => {
    const ids = [...read('reliability.md').matchAll(/^\| ([DCB]-\d+) \|.*\| 1 \|$/gm)].map(([, id = '']) => id);
    expect(ids.length).toBeGreaterThan(70);
    expect(ids.filter((id) => !covered(id))).toEqual([]);
  });
});
