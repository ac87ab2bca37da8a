import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript-syntax';
import { expect, test } from 'vitest';
import { drawFaults } from '../mutants/draw.ts';
import { type Fault, faultsIn } from '../mutants/faults.ts';
import { filesFor, holds, judge, type Verdict } from '../mutants/judge.ts';
import { keptLines } from '../mutants/kept-lines.ts';
import { reportOf } from '../mutants/report.ts';
import { type Numbered, placeOf, withNotes, withSwitches } from '../mutants/switches.ts';
import { afterThisFile } from '../support/clean-up.ts';

const folder = mkdtempSync(join(tmpdir(), 'sanbot-mutants-'));
afterThisFile(() => rmSync(folder, { recursive: true }));

const FEE = `export function fee(days: number, isMember = false): number {
  if (days > 3 && !isMember) return price(days, 2);
  return 0;
}
const price = (days: number, each: number): number => (days - 1) * each;
`;
const numbered = (faults: readonly Fault[]): readonly Numbered[] => faults.map((fault, index) => ({ ...fault, id: index + 1 }));
const faultsOfFee = numbered(faultsIn('src/shop/fee.ts', FEE));

let loads = 0;
/** A source as a process of its own would load it: what switches and notes hold for a process is as before afterwards. */
async function load(text: string): Promise<(days: number, isMember?: boolean) => unknown> {
  const path = join(folder, `${++loads}.mjs`);
  writeFileSync(path, ts.transpile(text, { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext }));
  return (await import(/* @vite-ignore */ pathToFileURL(path).href)).fee;
}

async function loadAlone(text: string): ReturnType<typeof load> {
  const own = { fault: Reflect.get(globalThis, 'fault$'), reached: Reflect.get(globalThis, 'reached$') };
  Reflect.deleteProperty(globalThis, 'fault$');
  Reflect.deleteProperty(globalThis, 'reached$');
  try {
    return await load(text);
  } finally {
    Reflect.set(globalThis, 'fault$', own.fault);
    Reflect.set(globalThis, 'reached$', own.reached);
  }
}

const active = join(folder, 'active');
const put = (id: number): void => writeFileSync(active, String(id));
const switched = withSwitches(FEE, faultsOfFee, active);
/** Runs the tests of `fee`, which never ask for exactly three days. */
const slot = {
  firstRed: async ([file = '']: readonly string[]) => {
    const fee = await loadAlone(switched);
    return fee(5) === 8 && fee(1) === 0 && fee(5, true) === 0 ? undefined : ({ by: file, how: 'red' } as const);
  },
};

test('a fault is killed by the test that sees it, and one that no test sees is listed with its place', async () => {
  const reach = { file: 'test/unit/shop/fee.test.ts', hash: '', ms: 5, places: [0, 1, 2] };
  const other = { file: 'test/unit/a.test.ts', hash: '', ms: 1, places: [0] };
  const bench = { slot, put, greens: new Map() };
  const drawn = faultsOfFee.filter(({ kind }) => kind === 'comparison');
  const verdicts: Verdict[] = [];
  for (const fault of drawn) verdicts.push(await judge(fault, filesFor(fault.file, placeOf(fault, FEE, 0), [other, reach]), bench));
  expect(drawn.map(({ change }, index) => [change, verdicts[index]?.outcome])).toEqual([
    ['days > 3 → days >= 3', 'survived'],
    ['days > 3 → days <= 3', 'killed'],
  ]);
  const { text, isReached } = reportOf(drawn, verdicts);
  expect(text.split('\n')).toContain('     1        1  50.0 % src/shop');
  expect(text.split('\n').filter((line) => line.includes('fee.ts'))).toEqual([
    expect.stringContaining('src/shop/fee.ts:2 comparison: days > 3 → days >= 3'),
  ]);
  expect(isReached).toBe(false);
});

test('a test that is red without a fault sees none, and a fault that no test reaches has survived', async () => {
  const fault = faultsOfFee.find(({ change }) => change === 'days > 3 → days <= 3') ?? throws('this');
  const firstRed = async (files: readonly string[]) =>
    files[0] === 'test/broken.test.ts' ? ({ by: files[0], how: 'red' } as const) : slot.firstRed(files);
  const bench = { slot: { firstRed }, put, greens: new Map() };
  const broken = { file: 'test/broken.test.ts', hash: '', ms: 5, places: [0] };
  expect(await judge(fault, [broken], bench)).toMatchObject({ outcome: 'unreached', files: 0 });
  const files = [broken, { ...broken, file: 'test/fee.test.ts' }];
  expect(await judge(fault, files, bench)).toMatchObject({ outcome: 'killed', by: 'test/fee.test.ts', files: 1 });
});

test('the files that mirror the source are asked first, then the quickest; others that do not reach it never', () => {
  const reach = (file: string, ms: number, places = [5]) => ({ file, hash: '', ms, places });
  const far = reach('test/e2e/shop.test.ts', 900);
  const near = reach('test/unit/shop/price.test.ts', 40);
  const same = reach('test/unit/shop/fee.test.ts', 700);
  const quick = reach('test/unit/a.test.ts', 3);
  const files = filesFor('src/shop/fee.ts', 5, [far, near, same, quick, reach('test/unit/shop/none.test.ts', 1, [4])]);
  expect(files).toEqual([same, near, quick, far]);
});

test('a survivor is asked about again when a test that reaches it changes or is added, a fault that was killed when its killer changes', async () => {
  const reach = (name: string, hash: string) => ({ file: `test/unit/shop/${name}.test.ts`, hash, ms: 5, places: [0] });
  const files = [reach('fee', 'a'), reach('other', 'a')];
  const verdictOn = (change: string) =>
    judge(faultsOfFee.find((fault) => fault.change === change) ?? throws(change), files, { slot, put, greens: new Map() });
  const survived = await verdictOn('days > 3 → days >= 3');
  const killed = await verdictOn('days > 3 → days <= 3');
  const later = {
    same: files,
    other: [reach('fee', 'a'), reach('other', 'b')],
    added: [...files, reach('new', 'a')],
    gone: files.slice(1),
  };
  expect(Object.entries(later).map(([what, now]) => [what, holds(survived, now), holds(killed, now)])).toEqual([
    ['same', true, true],
    ['other', false, true],
    ['added', false, true],
    ['gone', false, false],
  ]);
});

test('a switch turns on its fault alone, also inside another', async () => {
  const asks = [[1], [3], [4], [9], [4, true]] as const;
  const answers = (fee: Awaited<ReturnType<typeof load>>): readonly unknown[] => asks.map(([days, isMember]) => fee(days, isMember));
  for (const fault of faultsOfFee) {
    const instead = fault.instead.map((part) => (typeof part === 'string' ? part : FEE.slice(...part))).join('');
    put(fault.id);
    const alone = `${FEE.slice(0, fault.start)}${instead}${FEE.slice(fault.end)}`;
    expect([fault.change, answers(await loadAlone(switched))]).toEqual([fault.change, answers(await loadAlone(alone))]);
  }
  put(0);
  expect(answers(await loadAlone(switched))).toEqual([0, 0, 6, 16, 0]);
  expect(switched.split('\n')).toHaveLength(FEE.split('\n').length);
});

test('a place is noted when it is reached, and not before', async () => {
  const notes = join(folder, 'reached');
  const fee = await loadAlone(withNotes(FEE, 7, notes));
  const reached = () => readFileSync(notes, 'utf8').trim().split('\n').map(Number);
  const placeBy = (change: string): number => placeOf(faultsOfFee.find((fault) => fault.change === change) ?? throws(change), FEE, 7);
  fee(1);
  expect(reached()).toContain(placeBy('3 → 4'));
  expect(reached()).not.toContain(placeBy('1 → 2'));
  fee(5);
  expect(reached()).toContain(placeBy('1 → 2'));
});

const throws = (change: string): never => {
  throw new Error(`${change} is not proposed`);
};

test('each kind is proposed, and nothing that cannot matter', () => {
  const changes = (text: string): readonly string[] => faultsIn('src/a.ts', text).map(({ kind, change }) => `${kind}: ${change}`);
  expect(changes("type Size = 1 | 2;\nimport { a } from './a.ts';\nconst text = { en: a(1, 2), zh: a > 1 ? '一' : '二' };")).toEqual([]);
  expect(changes('const LIMIT_MS = 30_000;\nconst MOST = 8 * 1024 * 1024;\nconst most = Math.max(a, b);')).toEqual([]);
  expect(changes('const ids = namesIn(folder).sort();\nconst files = ids.sort();\nconst double = 2 * ids.length;')).toEqual([
    'call: ids.sort() → ids',
    'constant: 2 → 3',
    'constant: 2 → 1',
  ]);
  expect(changes('const b = Buffer.concat([a, { ...(c === undefined ? {} : { c }) }]);')).toEqual([
    'branch: c === undefined ? {} : { c } → {}',
    'comparison: c === undefined → c !== undefined',
  ]);
  expect(changes('const order = a < b ? -1 : 1;')).toEqual([
    'branch: a < b ? -1 : 1 → -1',
    'branch: a < b ? -1 : 1 → 1',
    'comparison: a < b → a >= b',
    'constant: 1 → 0',
    'constant: 1 → 0',
  ]);
  expect(changes('async function f() {\n  await g(a, b);\n  if (a.trim() === b) return;\n  return await h();\n}')).toEqual([
    'call: await g(a, b); → (nothing)',
    'await: await g(a, b) → g(a, b)',
    'arguments: g(a, b) → g(b, a)',
    'branch: a.trim() === b → false',
    'comparison: a.trim() === b → a.trim() !== b',
    'call: a.trim() → a',
    'return: return; → (nothing)',
    'return: return await h(); → (await h());',
  ]);
});

test('a seed draws the same faults each time, as many of a file as it has lines', () => {
  const file = (name: string, lines: number) => faultsIn(name, 'one(1, a < b);\n'.repeat(lines));
  const all = [...file('src/a.ts', 30), ...file('src/b.ts', 10)];
  const drawn = drawFaults(all, { seed: 7, count: 8 });
  expect(drawFaults(all, { seed: 7, count: 8 })).toEqual(drawn);
  expect(drawFaults(all, { seed: 8, count: 8 })).not.toEqual(drawn);
  expect(drawn.map((fault) => fault.file)).toEqual([...Array(6).fill('src/a.ts'), ...Array(2).fill('src/b.ts')]);
});

test('a result that was cut off is asked for again, and those before and after it are kept', () => {
  const path = join(folder, 'kept', 'results.jsonl');
  keptLines<number>(path).add(1);
  writeFileSync(path, '1\n{"cut');
  const kept = keptLines<number>(path);
  expect(kept.all()).toEqual([1]);
  kept.add(2);
  expect(keptLines<number>(path).all()).toEqual([1, 2]);
});
