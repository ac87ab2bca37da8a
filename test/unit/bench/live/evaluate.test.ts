import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { evaluate, type Means, type Options } from '../../../../bench/live/evaluate.ts';
import type { Row } from '../../../../bench/live/run.ts';
import { type Cell, estimate } from '../../../../bench/live/ways.ts';
import { afterThisTest } from '../../../support/clean-up.ts';

const price = { input: 3, cacheRead: 0.3, cacheWrite: 3.75, output: 15 };

const rowOf = ({ task, way }: Cell): Row => ({
  ...{ task: task.id, way, stopReason: 'end_turn', steps: 100, usd: 0.5, compactions: way === 'open' ? 0 : 3, offloads: 0, lookUps: 2 },
  ...{ wrong: [], broken: [] },
});

function world(more: Partial<Options> = {}) {
  const out = mkdtempSync(join(tmpdir(), 'sanbot-test-'));
  afterThisTest(() => rmSync(out, { recursive: true, force: true }));
  const options = { out, tasks: 2, seed: 1, yes: false, model: 'claude-sonnet-5-5', version: '1.0.0', price, ...more };
  const said: string[] = [];
  const asked: string[] = [];
  const ran: string[] = [];
  const start = (means: Partial<Means> = {}, changed: Partial<Options> = {}) =>
    evaluate(
      { ...options, ...changed },
      {
        say: (line) => said.push(line),
        ask: async (question) => {
          asked.push(question);
          return 'y';
        },
        run: async (cell) => {
          ran.push(`${cell.task.id} ${cell.way}`);
          return rowOf(cell);
        },
        ...means,
      },
    );
  return { out, said, asked, ran, start, page: () => readFileSync(join(out, 'report.md'), 'utf8') };
}

const runs = ['open', 'files first', 'by summary'].flatMap((way) => [`refactoring-en ${way}`, `refactoring-zh ${way}`]).toSorted();

test('the price is told before the question, and each run has a limit of its own', async () => {
  const { said, asked, start } = world();
  const limits: (number | undefined)[] = [];
  const run: Means['run'] = async (cell, _folder, maxUsd) => {
    limits.push(maxUsd);
    expect(maxUsd).toBe((estimate(cell, price).usd ?? 0) * 4);
    return rowOf(cell);
  };
  const ask = async (question: string) => {
    asked.push(question);
    expect(said.join('\n')).toMatch(
      /^6 runs with claude-sonnet-5-5: about [\d,]+ requests, [\d.]+ million tokens.*\nEstimated: \d+\.\d\d dollars/,
    );
    return 'y';
  };
  expect(await start({ ask, run })).toBe(true);
  expect(asked).toEqual(['Start? [y/N] ']);
  const total = Number(/all of them|Estimated: ([\d.]+)/.exec(said.join('\n'))?.[1]);
  expect(limits.reduce((sum: number, each) => sum + (each ?? 0), 0) / 4).toBeCloseTo(total, 1);
});

test('nothing runs without a yes, nor where nobody can be asked', async () => {
  for (const ask of [async () => 'n', async () => '', undefined]) {
    const { said, ran, out, start } = world();
    expect(await start({ ask })).toBe(false);
    expect(ran).toEqual([]);
    expect(said.at(-1)).toBe(ask === undefined ? 'Nobody can be asked here. --yes starts it.' : 'Nothing was started.');
    expect(readdirSync(out)).toEqual([]);
  }
});

test('--yes starts without a question, but tells the price; one that is not known is told as such', async () => {
  const { said, asked, ran, start } = world({ yes: true, price: undefined });
  expect(await start()).toBe(true);
  expect(asked).toEqual([]);
  expect(said[1]).toMatch(/^The price of this model is not known/);
  expect(ran.toSorted()).toEqual(runs);
});

test('what was interrupted goes on with what is not done, and leaves no folder behind', async () => {
  const { out, ran, said, start, page } = world({ yes: true });
  let folder = '';
  const interrupted: Means['run'] = async (cell, own) => {
    if (ran.length === 3) {
      folder = own;
      throw new Error('Stopped.');
    }
    ran.push(`${cell.task.id} ${cell.way}`);
    return rowOf(cell);
  };
  await expect(start({ run: interrupted })).rejects.toThrow('Stopped.');
  expect(existsSync(folder)).toBe(false);
  expect(page()).toContain('3 of 6 runs');
  // A kill leaves the folder, which may hold a key, and half a file.
  const left = mkdtempSync(join(tmpdir(), 'sanbot-eval-'));
  writeFileSync(join(out, 'running'), left);
  writeFileSync(join(out, 'runs', 'refactoring-zh-open.json.new'), '{"task":');
  expect(await start()).toBe(true);
  expect(existsSync(left)).toBe(false);
  expect(said.join('\n')).toContain('3 runs with claude-sonnet-5-5, 3 are done');
  expect(ran.toSorted()).toEqual(runs);
  expect(page()).toContain('6 of 6 runs');
  // Once more costs nothing, and asks nothing.
  expect(await start({ ask: undefined }, { yes: false })).toBe(true);
  expect(ran).toHaveLength(6);
  expect(readdirSync(out).toSorted()).toEqual(['plan.json', 'report.md', 'runs']);
});

test('a folder that is not ours is never removed, whatever the file says', async () => {
  const { out, start } = world({ yes: true });
  const other = mkdtempSync(join(tmpdir(), 'sanbot-test-'));
  afterThisTest(() => rmSync(other, { recursive: true, force: true }));
  writeFileSync(join(out, 'running'), other);
  expect(await start()).toBe(true);
  expect(existsSync(other)).toBe(true);
});

test('results of another model, seed or version are not mixed in', async () => {
  const { start, ran } = world({ yes: true });
  await start();
  for (const changed of [{ model: 'other' }, { seed: 2 }, { version: '2.0.0' }])
    await expect(start({}, changed)).rejects.toThrow(/holds results of .*--out names another folder/);
  expect(ran).toHaveLength(6);
  // More tasks of the same go on.
  await start({}, { tasks: 3 });
  expect(ran).toHaveLength(9);
});

test('each of the sixty runs has an estimate that is neither nothing nor a fortune', async () => {
  const { ran, start } = world({ yes: true, tasks: 20 });
  await start({
    run: async (cell) => {
      const { steps, usd = 0, tokens } = estimate(cell, price);
      ran.push(cell.task.id);
      expect(steps).toBeGreaterThan(40);
      expect(tokens).toBeGreaterThan(300_000);
      expect(usd).toBeGreaterThan(0.2);
      expect(usd).toBeLessThan(4);
      expect(estimate(cell, undefined).usd).toBeUndefined();
      return rowOf(cell);
    },
  });
  expect(ran).toHaveLength(60);
});
