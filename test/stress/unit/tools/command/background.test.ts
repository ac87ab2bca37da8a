import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isLive, writeJobState } from '../../../../../src/tools/command/jobs/job-state.ts';
import { createJobs } from '../../../../../src/tools/command/jobs/jobs.ts';
import { identityOf, isRunning } from '../../../../../src/tools/command/processes/process-identity.ts';
import { NO_RULES } from '../../../../../src/tools/command/scrub-env.ts';
import { alive, begin, jobsIn, reopened, stateOf } from '../../../../support/background.ts';

import { textComes, until } from '../../../../support/until.ts';
import { createWorld } from '../../../../unit/tools/world.ts';

const never = new AbortController().signal;
const long = 'echo ready; while :; do sleep 0.05; done';

describe('a command in the background', () => {
  test('is ended with all that it started, and what stays after its end is ended too', async () => {
    const world = await begin(`(setsid sh -c 'echo $$ > stray; exec sleep 300' &); ${long}`);
    const stray = Number(await textComes(join(world.cwd, 'stray')));
    expect((await world.call('stop_command', { job: 'job-1' })).content).toMatch(/^job-1: stopped after/);
    await until(() => !alive(stray));
    expect(alive(stateOf(world).child?.pid)).toBe(false);
    expect((await world.call('stop_command', { job: 'job-1' })).content).toMatch(/^job-1: stopped after/);
    const short = await world.call('run_command', {
      command: '(sleep 300 & echo $! > left); until [ -e go ]; do sleep 0.02; done',
      background: true,
    });
    expect(short.ok).toBe(true);
    world.put('go', '');
    await world.call('read_output', { job: 'job-2', wait_ms: 60_000 });
    expect(alive(Number(world.get('left')))).toBe(false);
  });

  test('is stopped by a time limit where it has one', async () => {
    const world = await begin(long, { timeout_ms: 4_000 });
    expect((await world.call('read_output', { job: 'job-1', wait_ms: 60_000 })).content).toMatch(/^job-1: stopped by its time limit/);
  });
});

describe('a command in the background outlives the process that started it', () => {
  test('and is found again, read, and ended', async () => {
    const world = await begin(long);
    const jobs = reopened(world);
    expect(jobs.list()).toMatchObject([{ name: 'job-1', command: long, status: { kind: 'running' }, keep: false }]);
    expect(await until(() => jobs.output('job-1', 0).pieces[0]?.text)).toBe('ready\n');
    expect(await jobs.stop('job-1')).toMatchObject({ status: { kind: 'ended', how: { kind: 'stopped' } } });
    expect(alive(stateOf(world).child?.pid)).toBe(false);
  });

  test('but not its folder: it is ended when that is removed, also where it is kept', async () => {
    const world = await begin(long, { keep: true });
    const { child, supervisor } = stateOf(world);
    rmSync(world.home, { recursive: true });
    await until(() => !alive(child?.pid) && !alive(supervisor.pid));
  });

  test('is ended when the session is left, unless it is kept', async () => {
    const world = await begin(long);
    await world.call('run_command', { command: long, background: true, keep: true });
    await world.call('run_command', { command: long, background: true });
    reopened(world).keep('job-3');
    await reopened(world).leave();
    expect(
      reopened(world)
        .list()
        .map((job) => [job.name, isLive(job)]),
    ).toEqual([
      ['job-1', false],
      ['job-2', true],
      ['job-3', true],
    ]);
  });

  test('but not its watcher: killed with it, it has ended, and how is not known', async () => {
    const world = await begin(`trap '' PIPE; ${long}`);
    // It prints once it is deaf.
    await until(() => reopened(world).output('job-1', 0).pieces[0]);
    const { supervisor, child } = stateOf(world);
    process.kill(supervisor.pid, 'SIGKILL');
    await until(() => !alive(supervisor.pid) && !alive(child?.pid));
    // The shell is gone before what it started last, a sleep.
    await until(() => !reopened(world).list().some(isLive));
    expect(reopened(world).list()).toMatchObject([{ status: { kind: 'lost' } }]);
    expect((await world.call('read_output', { job: 'job-1' })).content).toContain('has ended, and how is not known');
  });

  test('a process that has got the number of another since is not signalled, nor taken for it', async () => {
    const world = createWorld();
    const signalled: number[] = [];
    const self = identityOf(process.pid, process.platform);
    if (self === undefined) throw new Error('no identity');
    const earlier = { ...self, start: '1' };
    world.put('../../user/.sanbot/sessions/s1/jobs/1/out-0', 'said before\n');
    writeJobState(join(jobsIn(world), '1'), {
      ...{ number: 1, command: 'npm start', startedAt: '2026-01-02T03:04:05.000Z', keep: false, covers: [] },
      ...{ mark: 'RUN_COMMAND_ID=gone', supervisor: earlier, child: earlier },
    });
    const jobs = createJobs({
      pid: process.pid,
      folder: jobsIn(world),
      supervisor: { node: '', file: '' },
      env: {},
      platform: process.platform,
      kill: (pid) => void signalled.push(pid),
      now: () => new Date(),
    });
    expect(jobs.list()).toMatchObject([{ status: { kind: 'lost' } }]);
    await jobs.stop('job-1');
    await jobs.leave();
    expect(signalled).toEqual([]);
    for (const other of [{ boot: 'another' }, { space: 'another' }]) expect(isRunning({ ...self, ...other }, process.platform)).toBe(false);
    expect(isRunning(self, process.platform)).toBe(true);
  });

  test('a state that cannot be read is no job, and a watcher that does not start is told', async () => {
    const world = createWorld();
    world.put('../../user/.sanbot/sessions/s1/jobs/1/state.json', '{"number": 1');
    expect(reopened(world).list()).toEqual([]);
    const broken = createJobs({
      pid: process.pid,
      folder: jobsIn(world),
      supervisor: { node: '/no/such/program', file: 'x' },
      env: {},
      platform: process.platform,
      kill: () => undefined,
      now: () => new Date(),
    });
    const order = { command: 'true', keep: false, cwd: world.cwd, shell: '/bin/sh', redactSecrets: true, limits: { processes: 100 } };
    expect(await broken.start({ ...order, environmentRules: { pass: [...NO_RULES.pass], withhold: [...NO_RULES.withhold] } })).toEqual({
      en: expect.stringMatching(/ENOENT/),
      zh: expect.stringMatching(/^“.*ENOENT.*”$/),
    });
  });
});

describe('a program that looks for a terminal', () => {
  test('and suspends itself is ended and told so, long before its time limit', async () => {
    const world = createWorld();
    const outcome = await world.call('run_command', { command: 'echo before; kill -STOP $$', timeout_ms: 600_000 }, never);
    expect(outcome.content).toMatch(/^suspended itself, as programs do that wait for a terminal/);
    expect(outcome.content).toContain('before');
  });
});
