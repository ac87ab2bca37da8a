import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { evalLive, type Surroundings } from '../../../../../bench/live/command.ts';
import { runCell } from '../../../../../bench/live/run.ts';
import type { Task } from '../../../../../bench/live/task.ts';
import { makeTasks } from '../../../../../bench/live/tasks.ts';
import { estimate, MIN_COMPACTIONS, ways } from '../../../../../bench/live/ways.ts';
import { afterThisTest } from '../../../../support/clean-up.ts';
import { startFakeApi } from '../../../../support/fake-api.ts';
import { solver } from '../../../../support/live-task.ts';
import { binary, createSandbox, type Sandbox } from '../../../../support/sanbot.ts';
import { callsTool, fails, replies, type Script } from '../../../../support/scenario.ts';
import { isDrawn } from '../../../../support/share.ts';
import { root } from '../../../../support/source.ts';

const MODEL = 'claude-sonnet-5-5';
const price = { input: 2, cacheRead: 0.1, cacheWrite: 2.5, output: 10 };
const tasks = makeTasks(1);
const taskOf = (id: string): Task => {
  const task = tasks.find((each) => each.id === id);
  if (task === undefined) throw new Error(`no task ${id}`);
  return task;
};

async function world(script: Script) {
  const sandbox = createSandbox();
  const folder = mkdtempSync(join(sandbox.cwd, 'run-'));
  const api = await startFakeApi(script, { home: join(folder, 'home'), key: 'test-key' });
  afterThisTest(() => api.close());
  const env = { ...sandbox.env, ANTHROPIC_BASE_URL: api.url, ANTHROPIC_API_KEY: 'test-key', SANBOT_MODEL: MODEL };
  const stop = new AbortController();
  return {
    sandbox,
    folder,
    api,
    env,
    stop,
    program: { path: binary, model: undefined, catalogue: undefined, maxUsd: 10, env, signal: stop.signal },
  };
}

const LEAST = [1, 32];
const cells = tasks.flatMap((task) => ways.map((way) => ({ task, way })));
for (const [at, { task, way }] of cells.entries())
  test.runIf(LEAST.includes(at) || isDrawn(at))(`${task.id}, ${way}: done by the program, and as far as it has to go`, async () => {
    const { folder, api, program } = await world(solver(task));
    const row = await runCell({ task, way }, folder, program);
    api.done();
    expect(row).toMatchObject({ task: task.id, way, stopReason: 'end_turn', wrong: [], broken: [], lookUps: 0 });
    if (way === 'open') expect(row.compactions).toBe(0);
    else expect(row.compactions).toBeGreaterThanOrEqual(MIN_COMPACTIONS);
    expect(row.offloads > 0).toBe(way === 'files first');
    // The script thinks nothing and says little, and the true price is told to be within half and twice the estimate.
    const { usd = 0, steps } = estimate({ task, way }, price);
    expect((row.usd ?? 0) / usd).toBeGreaterThan(0.3);
    expect((row.usd ?? 0) / usd).toBeLessThan(1.5);
    expect(row.steps).toBeLessThan(steps);
  });

test('look-ups are counted, and what went wrong is told', async () => {
  const task = taskOf('logs-en');
  const seen = solver(task);
  let stored = '';
  let asked = 0;
  const { folder, api, program } = await world((request, n) => {
    stored ||= /Tool result is at: ([^"\\]+)/.exec(JSON.stringify(request.messages))?.[1] ?? '';
    if (request.purpose === 'turn' && stored !== '' && asked < 2) {
      asked += 1;
      return asked === 1 ? callsTool('recall', { query: 'balance' }) : callsTool('read_file', { path: stored, limit: 3 });
    }
    const step = seen(request, n);
    return JSON.stringify(step).includes('write_file') ? replies('I give up.') : step;
  });
  const row = await runCell({ task, way: 'files first' }, folder, program);
  api.done();
  expect(row).toMatchObject({ lookUps: 2, wrong: ['finding.json'], broken: ['the last message'] });
});

test('commands and helpers are refused, so that the model does the work itself', async () => {
  const task = taskOf('trail-zh');
  let n = 0;
  const { folder, api, program } = await world(() => {
    n += 1;
    return n === 1 ? callsTool('run_command', { command: 'touch made-by-command' }) : replies('?');
  });
  const row = await runCell({ task, way: 'open' }, folder, program);
  api.done();
  expect(row.broken).toEqual(['the last message']);
  expect(existsSync(join(folder, 'work', 'made-by-command'))).toBe(false);
});

test('a refused key is no result, and a stop ends the program', async () => {
  const task = taskOf('trail-en');
  const { folder, program, stop } = await world(() => fails('model_key', 'no such key'));
  await expect(runCell({ task, way: 'open' }, folder, { ...program, env: { ...program.env, ANTHROPIC_API_KEY: 'wrong' } })).rejects.toThrow(
    /trail-en, open: sanbot ended with 4/,
  );
  stop.abort(new Error('Stopped.'));
  await expect(runCell({ task, way: 'open' }, mkdtempSync(`${folder}-`), program)).rejects.toThrow('Stopped.');
});

/** The command as a person starts it, whose settings name the key and the model. */
function command({ home, cwd }: Sandbox, env: NodeJS.ProcessEnv, url: string) {
  mkdirSync(home, { recursive: true });
  const own = { name: MODEL, apiKey: 'test-key', baseUrl: url };
  writeFileSync(join(home, 'config.json'), `// mine\n${JSON.stringify({ model: own, compaction: { softWindow: 50_000 } })}`);
  const said: string[] = [];
  const { ANTHROPIC_API_KEY: _, ANTHROPIC_BASE_URL: __, SANBOT_MODEL: ___, ...rest } = env;
  const start = (argv: readonly string[], more: Partial<Surroundings> = {}) =>
    evalLive(['--out', join(cwd, 'out'), ...argv], {
      ...{ root, env: rest, signal: new AbortController().signal, say: (line: string) => said.push(line), ask: undefined },
      ...more,
    });
  return { said, start, out: join(cwd, 'out') };
}

test('the command asks with the settings of the user, stops in the middle of a run, and goes on', async () => {
  const stop = new AbortController();
  let script: Script = (_request, n) => {
    if (n === 2) stop.abort(new Error('Stopped.'));
    return callsTool('list_files', { path: `${n}` });
  };
  const { sandbox, api, env } = await world((request, n) => script(request, n));
  const { said, start, out } = command(sandbox, env, api.url);
  expect(await start(['--tasks', '1'])).toBe(9);
  expect(said.at(-1)).toBe('Nobody can be asked here. --yes starts it.');
  expect(api.requests).toHaveLength(0);
  await expect(start(['--tasks', '1', '--yes'], { signal: stop.signal })).rejects.toThrow('Stopped.');
  expect(readdirSync(join(out, 'runs'))).toEqual([]);
  const [task = taskOf('refactoring-en')] = tasks;
  const solvers = ways.map(() => solver(task));
  let done = -1;
  script = (request, n) => {
    if (request.purpose === 'turn' && request.messages.length === 1) done += 1;
    return (solvers[done] ?? solver(task))(request, n);
  };
  expect(await start(['--tasks', '1', '--yes'])).toBe(0);
  const page = readFileSync(join(out, 'report.md'), 'utf8');
  expect(page).toContain(`${MODEL}, seed 1: 3 of 3 runs.`);
  expect(page).toMatch(/\| open \| 1 \| 1 \| 0 \|/);
  expect(page).toMatch(/\| by summary \| 1 \| 1 \| 0 \|/);
  expect(page).not.toContain('What went wrong');
  // Nothing of it is in the home of the user, and the key is nowhere else.
  expect(sandbox.names('sessions')).toEqual([]);
  for (const path of readdirSync(out, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(?:json|md)$/.test(name)))
    expect([path, readFileSync(join(out, path), 'utf8').includes('test-key')]).toEqual([path, false]);
});

test('options that make no sense are refused before anything is asked', async () => {
  const { sandbox, api, env } = await world(() => replies('?'));
  const { start } = command(sandbox, env, api.url);
  await expect(start(['--tasks', '21'])).rejects.toThrow('--tasks takes a number from 1 to 20, not 21');
  await expect(start(['--seed', 'x'])).rejects.toThrow('--seed takes a number from 1 to 1000000, not x');
  await expect(start(['--model', 'x'])).rejects.toThrow(/Unknown option/);
});
