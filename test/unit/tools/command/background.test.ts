import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { createJobs } from '../../../../src/tools/command/jobs/jobs.ts';
import { NO_RULES } from '../../../../src/tools/command/scrub-env.ts';
import { alive, begin, jobsIn, reopened, stateOf } from '../../../support/background.ts';
import { afterThisTest } from '../../../support/clean-up.ts';

import { textComes, until } from '../../../support/until.ts';
import { createWorld } from '../world.ts';

describe('a command in the background', () => {
  test('comes back at once with a name, and its output is read as it comes', async () => {
    const world = await begin('echo one; until [ -e go ]; do sleep 0.02; done; echo two');
    const folder = join(jobsIn(world), '1');
    await until(() => reopened(world).output('job-1', 0).pieces[0] !== undefined);
    expect((await world.call('read_output', { job: 'job-1' })).content).toMatch(/^job-1: running for \d+ s\none\n$/);
    expect((await world.call('read_output', { job: 'job-1' })).content).toMatch(/\n\(nothing new\)$/);
    world.put('go', '');
    expect((await world.call('read_output', { job: 'job-1', wait_ms: 60_000 })).content).toMatch(/^job-1: exit 0 after \d+ s\ntwo\n$/);
    expect((await world.call('read_output', { job: 'job-1', offset: 0 })).content).toMatch(/\none\ntwo\n$/);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  });

  test('leaves no password that it was given in its files', async () => {
    const world = await begin(
      'echo PGPASSWORD=Heron-4711; : mysql -pHeron-4711; PGPASSWORD=Heron-4711 true; until [ -e go ]; do sleep 0.02; done',
    );
    world.put('go', '');
    await until(() => stateOf(world).end !== undefined);
    const folder = join(jobsIn(world), '1');
    const kept = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
    expect(kept.join('')).toContain('[redacted');
    expect(kept.join('')).not.toContain('4711');
  });

  test('asks as any command does, and says that it stays', async () => {
    const world = createWorld();
    const plan = await world.ready('run_command', { command: 'npm start', background: true });
    expect(plan).toMatchObject({ access: 'run', title: 'run_command (background) npm start', command: { text: 'npm start' } });
    expect(plan.preview).toBe('npm start\n[in the background, until it ends or the session is left]');
    expect((await world.ready('run_command', { command: 'npm start', background: true, keep: true })).preview).toContain(
      'goes on when the session is left',
    );
    expect(await world.refusal('run_command', { command: 'ls', keep: true })).toMatch(/set background too/);
    expect(existsSync(jobsIn(world))).toBe(false);
  });

  test('that fails at once is told at once, with what it printed', async () => {
    const world = createWorld();
    const start = () => world.call('run_command', { command: 'echo no such thing >&2; exit 3', background: true });
    // A busy machine may need longer for it than the look that is taken at once.
    let outcome = await start();
    for (let again = 0; outcome.ok && again < 20; again++) outcome = await start();
    expect(outcome).toMatchObject({
      ok: false,
      content: expect.stringMatching(/^job-\d+ has ended already: exit 3 after \d+ s\nno such thing$/),
    });
  });

  test('prints no keys, also where one is halved, into its file, and none are in its environment [S-20, S-30]', async () => {
    const key = `sk-ant-api03-${'aB3dE5fG7h'.repeat(9)}AA`;
    const world = createWorld({ env: { PATH: process.env.PATH, SERVICE_TOKEN: 'tok' } });
    const [first, rest] = [key.slice(0, 30), key.slice(30)];
    await world.call('run_command', {
      command: `printf ${first}; sleep 0.1; echo ${rest}; echo "token:$SERVICE_TOKEN."`,
      background: true,
    });
    const { content } = await world.call('read_output', { job: 'job-1', wait_ms: 60_000, offset: 0 });
    expect(content).toMatch(/\[redacted/);
    expect(content).toContain('token:.');
    const folder = join(jobsIn(world), '1');
    const printed = readdirSync(folder)
      .filter((name) => name.startsWith('out-'))
      .map((name) => readFileSync(join(folder, name), 'utf8'));
    expect(printed.join('')).not.toContain(first.slice(0, 20));
  });

  test('keeps the beginning and the newest of a long output, bounded on disk, and says what it did not keep', async () => {
    const world = createWorld();
    await world.call('run_command', { command: 'seq 1 1000000', background: true });
    const { content } = await world.call('read_output', { job: 'job-1', wait_ms: 60_000 });
    expect(content).toMatch(/earlier output is left out here: read_output with offset=0 shows it/);
    expect(content.endsWith('999999\n1000000\n')).toBe(true);
    expect(content.length).toBeLessThanOrEqual(10_000);
    const folder = join(jobsIn(world), '1');
    const bytes = readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
    expect(bytes).toBeLessThan(5 * 1024 * 1024);
    const first = (await world.call('read_output', { job: 'job-1', offset: 0 })).content;
    expect(first).toMatch(/\n1\n2\n3\n/);
    const next = Number(/go on with offset=(\d+)\]$/.exec(first)?.[1]);
    const last = Number(/(\d+)\n\[go on/.exec(first)?.[1]);
    expect((await world.call('read_output', { job: 'job-1', offset: next })).content).toMatch(new RegExp(`\\n${last + 1}\\n`));
    expect((await world.call('read_output', { job: 'job-1', offset: 600_000 })).content).toMatch(/bytes were not kept\]/);
  });

  test('goes on behind a gap where the page before it ended, and loses and repeats nothing', async () => {
    const world = createWorld();
    await world.call('run_command', { command: 'echo over', background: true });
    await world.call('read_output', { job: 'job-1', wait_ms: 60_000 });
    const folder = join(jobsIn(world), '1');
    const lines = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => `line ${from + at} 行\n`).join('');
    const parts = [lines(1_000, 1_020), lines(2_000, 2_020), lines(3_000, 4_000)] as const;
    const starts = [0, 700_000, 1_400_000] as const;
    for (const [at, part] of parts.entries()) writeFileSync(join(folder, `out-${starts[at]}`), part);
    let [shown, offset]: [string, number | undefined] = ['', 0];
    while (offset !== undefined) {
      const { content } = await world.call('read_output', { job: 'job-1', offset });
      shown += content.slice(content.indexOf('\n') + 1).replace(/\[go on with offset=\d+\]$/, '');
      const [, next] = /\[go on with offset=(\d+)\]$/.exec(content) ?? [];
      offset = next === undefined ? undefined : Number(next);
    }
    const gapAfter = (at: 0 | 1) => `[${700_000 - Buffer.byteLength(parts[at])} bytes were not kept]\n`;
    expect(shown).toBe(`${parts[0]}${gapAfter(0)}${parts[1]}${gapAfter(1)}${parts[2]}`);
  });

  test('shows of a line that it wrote over the last state, and its offsets count what was printed', async () => {
    const world = createWorld();
    const progress = (n: number) => `for i in 1 2 3; do printf '\\rstep ${n}: %d of 3' $i; done; echo`;
    await world.call('run_command', { command: `${progress(1)}; seq 1 4000; ${progress(2)}`, background: true });
    const newest = (await world.call('read_output', { job: 'job-1', wait_ms: 60_000 })).content;
    expect(newest).toMatch(/^job-1: exit 0 .*\n\[of lines that it wrote over \(\\r\) the last state is below; 4 earlier ones left out\]\n/);
    expect(newest.endsWith('\n4000\nstep 2: 3 of 3\n')).toBe(true);
    const page = (await world.call('read_output', { job: 'job-1', offset: 0 })).content;
    expect(page).toMatch(/; 2 earlier ones left out\]\nstep 1: 3 of 3\n1\n2\n/);
    const [, last, next] = /\n(\d+)\n\[go on with offset=(\d+)\]$/.exec(page) ?? [];
    expect((await world.call('read_output', { job: 'job-1', offset: Number(next) })).content).toMatch(
      new RegExp(`^job-1: .*\\n\\[of lines .*\\]\\n${Number(last) + 1}\\n[\\s\\S]*\\nstep 2: 3 of 3\\n$`),
    );
  });

  test('that is not there is told, with those that are', async () => {
    const world = createWorld();
    expect(await world.refusal('read_output', { job: 'job-1' })).toBe(
      'read_output: there is no background command job-1; none was started in this session',
    );
    for (const job of ['../../etc', 'job-x', '1', 'job-', `job-${'9'.repeat(40)}`])
      expect(await world.refusal('stop_command', { job })).toMatch(/there is no background command/);
    expect(await world.refusal('read_output', { job: 'job-1', wait_ms: -1 })).toMatch(/at least 0/);
  });
});

describe('a command that is put into the background while it runs', () => {
  const started = async (command: string) => {
    const kept = createWorld();
    const jobs = reopened(kept);
    const world = createWorld({ jobs });
    afterThisTest(async () => void (await jobs.leave()));
    const abort = new AbortController();
    const outcome = (await world.ready('run_command', { command, timeout_ms: 60_000 })).run(abort.signal);
    await until(() => jobs.foreground.newest()?.newest(100).includes('one'));
    return { world, jobs, abort, outcome, folder: join(jobsIn(kept), '1') };
  };

  test('goes on as a job with all that it prints, whatever becomes of the turn, and its end is known', async () => {
    const { world, jobs, abort, outcome, folder } = await started(
      'echo PGPASSWORD=Heron-4711; echo one; until [ -e go ]; do sleep 0.02; done; sleep 30 & echo $! > pid; echo two; exit 3',
    );
    expect(jobs.foreground.newest()?.toBackground()).toBeUndefined();
    const { ok, content, job, note } = await outcome;
    expect({ ok, job, note: note.en }).toEqual({ ok: true, job: 'job-1', note: 'in the background as job-1' });
    expect(content).toMatch(/^The user put it into the background\. job-1 runs .*stop_command ends it\. .*\nPGPASSWORD=\[redacted.*\none$/);
    expect(jobs.foreground.newest()).toBeUndefined();
    expect(jobs.keep('job-1')).toBe(false);
    abort.abort();
    expect((await world.call('read_output', { job: 'job-1' })).content).toMatch(/^job-1: running for \d+ s\nPGPASSWORD=.*\none\n$/);
    world.put('go', '');
    expect((await world.call('read_output', { job: 'job-1', wait_ms: 60_000 })).content).toMatch(/^job-1: exit 3 after \d+ s\ntwo\n$/);
    expect(alive(Number(world.get('pid')))).toBe(false);
    const files = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
    expect(files.join('')).not.toContain('4711');
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  });

  test('is stopped as any other, and with the session', async () => {
    const { world, jobs, outcome } = await started('echo $$ > pid; echo one; sleep 60');
    jobs.foreground.newest()?.toBackground();
    await outcome;
    expect((await jobs.leave()).map(({ name }) => name)).toEqual(['job-1']);
    expect(jobs.find('job-1')?.status).toMatchObject({ kind: 'ended', how: { kind: 'stopped' } });
    expect(alive(Number(world.get('pid')))).toBe(false);
  });
});

test('a watcher that does not answer is ended, so that it does not begin the command later', async () => {
  const world = createWorld();
  world.put('silent.sh', 'echo $$ > pid; exec sleep 600\n');
  const jobs = createJobs({
    pid: process.pid,
    folder: jobsIn(world),
    supervisor: { node: '/bin/sh', file: join(world.cwd, 'silent.sh') },
    env: { PATH: process.env.PATH },
    platform: process.platform,
    kill: () => undefined,
    now: () => new Date(),
  });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  afterThisTest(() => void vi.useRealTimers());
  const order = { command: 'true', keep: false, cwd: world.cwd, shell: '/bin/sh', redactSecrets: true, limits: { processes: 100 } };
  const started = jobs.start({ ...order, environmentRules: { pass: [...NO_RULES.pass], withhold: [...NO_RULES.withhold] } });
  const pid = Number(await textComes(join(world.cwd, 'pid')));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await started).toMatchObject({ en: 'the process that was to watch over it did not answer' });
  await until(() => !alive(pid));
});

describe('a program that looks for a terminal', () => {
  test('gets no pager and no editor, and is told what to do instead', async () => {
    const world = createWorld();
    await world.call('run_command', { command: 'git init -q . && git config user.email a@b && git config user.name a' });
    world.put('a.txt', 'one\n');
    const commit = await world.call('run_command', { command: 'git add a.txt && git commit' });
    expect(commit).toMatchObject({ ok: false });
    expect(commit.content).toMatch(/it wanted a terminal or an answer, and there is neither/);
    expect(commit.content).toContain('There is no editor here');
    const shown = await world.call('run_command', { command: 'echo "$PAGER $GIT_PAGER $EDITOR $GIT_TERMINAL_PROMPT"' });
    expect(shown.content).toBe('exit 0\ncat cat false 0\n');
  });

  test('keeps the editor that the settings pass on', async () => {
    const world = createWorld({ env: { PATH: process.env.PATH, EDITOR: 'mine' }, environmentRules: { pass: ['EDITOR'], withhold: [] } });
    expect((await world.call('run_command', { command: 'echo "$EDITOR"' })).content).toBe('exit 0\nmine\n');
  });

  test('and reads its answers from where it writes, as editors do without one, finds the end at once', async () => {
    const world = createWorld();
    const outcome = await world.call('run_command', {
      command: 'for from in 1 2; do read -r line <&$from || echo "nothing at $from" >&2; done',
      timeout_ms: 20_000,
    });
    expect(outcome.content).toBe('exit 0\nnothing at 1\nnothing at 2\n');
    await world.call('run_command', { command: 'read -r line <&2; echo over > over', background: true });
    expect((await world.call('read_output', { job: 'job-1', wait_ms: 20_000 })).content).toContain('exit 0');
    expect(world.get('over')).toBe('over\n');
  });
});
