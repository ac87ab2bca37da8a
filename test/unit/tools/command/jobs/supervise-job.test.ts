import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createJobs, type Jobs } from '../../../../../src/tools/command/jobs/jobs.ts';
import { afterThisTest } from '../../../../support/clean-up.ts';
import { childrenOf, isAlive, processesWith } from '../../../../support/process-table.ts';
import { sampleOf } from '../../../../support/runs.ts';
import { root } from '../../../../support/source.ts';
import { textComes, until } from '../../../../support/until.ts';
import { createWorld, type TestWorld } from '../../world.ts';

const supervisor = join(root, 'dist', 'bundle', 'job-supervisor.js');

/** `file`: what runs in the supervisor's place. */
function jobsOf(world: TestWorld, file = supervisor): Jobs {
  const jobs = createJobs({
    pid: process.pid,
    folder: join(world.home, 'sessions', 's1', 'jobs'),
    supervisor: { node: process.execPath, file },
    env: { PATH: process.env.PATH, OF_THIS_TEST: world.cwd },
    platform: process.platform,
    kill: (pid, signal) => process.kill(pid, signal),
    now: () => new Date(),
  });
  afterThisTest(async () => {
    for (const { name } of jobs.list()) await jobs.stop(name);
  });
  return jobs;
}

const order = (world: TestWorld, command: string, processes = 100) => ({
  ...{ command, keep: false, cwd: world.cwd, shell: '/bin/sh', redactSecrets: true },
  ...{ limits: { processes }, environmentRules: { pass: [], withhold: [] } },
});

/** A supervisor that is killed when it calls one of these for the nth time: before it does it, or when it is done. */
const killedAt = (world: TestWorld, call: string, nth: number, when: 'before' | 'after'): string =>
  world.put(
    'supervisor.cjs',
    `const fs = require('node:fs'); const processes = require('node:child_process');
    const place = ${JSON.stringify(call)} === 'spawn' ? processes : fs;
    const call = place[${JSON.stringify(call)}];
    let count = 0;
    place[${JSON.stringify(call)}] = (...given) => {
      const mine = ++count === ${nth};
      if (mine && ${when === 'before'}) process.kill(process.pid, 'SIGKILL');
      const result = call(...given);
      if (mine) process.kill(process.pid, 'SIGKILL');
      return result;
    };
    require(${JSON.stringify(supervisor)});`,
  );

const moments = [
  ['before', 2],
  ['after', 1],
  ['before', 1],
  ['after', 2],
] as const;
/** Turned by one for each call, so that a sample of them has each call and each moment. */
const points = ['openSync', 'fsyncSync', 'renameSync', 'spawn'].flatMap((call, at) =>
  [...moments.slice(at), ...moments.slice(0, at)].map(([when, nth]) => [when, call, nth] as const),
);

describe('a supervisor that is killed', () => {
  test.each(sampleOf(points))('%s %s number %i leaves nothing that runs, nor what stands in the way', async (when, call, nth) => {
    const world = createWorld();
    await jobsOf(world, killedAt(world, call, nth, when)).start(order(world, 'echo $$ > pid; while :; do sleep 0.05; done'));
    const jobs = jobsOf(world);
    // A process that begins another program has no mark for a moment.
    await until(() => processesWith(`OF_THIS_TEST=${world.cwd}`).length === 0 && jobs.list().every(({ status }) => status.kind === 'lost'));
    const begun = await jobs.start(order(world, 'touch next'));
    await until(() => existsSync(join(world.cwd, 'next')));
    expect(begun).toMatchObject({ name: 'job-2' });
  });

  test('with its guard: what runs is found by its mark, and ended', async () => {
    const world = createWorld();
    const jobs = jobsOf(world);
    await jobs.start(
      order(world, "setsid sh -c 'echo $$ > stray; while :; do sleep 0.05; done' & echo $$ > pid; while :; do sleep 0.05; done"),
    );
    const [stray, shell] = [Number(await textComes(join(world.cwd, 'stray'))), Number(await textComes(join(world.cwd, 'pid')))];
    const path = join(world.home, 'sessions', 's1', 'jobs', '1', 'state.json');
    const { pid } = JSON.parse(readFileSync(path, 'utf8')).supervisor;
    // It cannot put another in its place.
    process.kill(pid, 'SIGSTOP');
    for (const { pid: guard } of childrenOf(pid).filter(({ line }) => line.includes('sanbot-guard'))) process.kill(guard, 'SIGKILL');
    process.kill(pid, 'SIGKILL');
    process.kill(shell, 'SIGKILL');
    await until(() => !isAlive(pid) && !isAlive(shell));
    expect(jobs.list()).toMatchObject([{ status: { kind: 'unwatched' } }]);
    await jobs.stop('job-1');
    expect(isAlive(stray)).toBe(false);
    expect(jobs.list()).toMatchObject([{ status: { kind: 'lost' } }]);
  });
});
