import { join } from 'node:path';
import { expect } from 'vitest';
import { type JobState, readJobState } from '../../src/tools/command/jobs/job-state.ts';
import { createJobs, type Jobs } from '../../src/tools/command/jobs/jobs.ts';
import { identityOf } from '../../src/tools/command/processes/process-identity.ts';
import { createWorld, type TestWorld } from '../unit/tools/world.ts';
import { afterThisTest } from './clean-up.ts';
import { root } from './source.ts';

export const jobsIn = (world: TestWorld): string => join(world.home, 'sessions', 's1', 'jobs');

export const stateOf = (world: TestWorld, number = 1): JobState => {
  const state = readJobState(join(jobsIn(world), String(number)));
  if (state === undefined) throw new Error('no state');
  return state;
};

/** As another process of SanBot finds the jobs of a session. */
export const reopened = (world: TestWorld): Jobs =>
  createJobs({
    pid: process.pid,
    folder: jobsIn(world),
    supervisor: { node: process.execPath, file: join(root, 'dist', 'bundle', 'job-supervisor.js') },
    env: { PATH: process.env.PATH },
    platform: process.platform,
    kill: (pid, signal) => process.kill(pid, signal),
    now: () => new Date(),
  });

export const alive = (pid: number | undefined): boolean => pid !== undefined && identityOf(pid, process.platform) !== undefined;

export async function begin(command: string, more: object = {}): Promise<TestWorld> {
  const world = createWorld();
  afterThisTest(async () => {
    for (const { name } of reopened(world).list()) await reopened(world).stop(name);
  });
  expect(await world.call('run_command', { command, background: true, ...more })).toMatchObject({
    ok: true,
    note: expect.objectContaining({ en: 'job-1' }),
  });
  return world;
}
