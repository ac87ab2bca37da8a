import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { outputJsonSync } from 'fs-extra/esm';
import { expect, test } from 'vitest';
import { createSandbox, type Sandbox } from '../support/sanbot.ts';

const offline = { SANBOT_PROVIDER: 'offline' };

type Hit = {
  readonly ref: string;
  readonly sessionId: string;
  readonly kind: string;
  readonly tool: string | null;
  readonly snippet: string;
  readonly folder: string | null;
};

const FILLER = 'an ordinary line of a long file in which nothing happens at all\n'.repeat(400);

async function searched(world: Sandbox, ...args: readonly string[]): Promise<readonly Hit[]> {
  const ran = await world.run(['search', ...args, '--json']);
  expect(ran.code, ran.err).toBe(0);
  return JSON.parse(ran.out);
}

test('what was said and seen in one session is found by the person, and by the agent in the next one', async () => {
  const world = createSandbox(offline);
  writeFileSync(join(world.cwd, 'long.txt'), `${FILLER}the gateTimeout is 90 seconds\n${FILLER}`);
  const say = (text: string, ...more: readonly string[]) => world.run(['-p', text, '--permission-mode', 'bypass', ...more]);
  await say('run cat missing-file.conf');
  await say('read long.txt', '--continue');
  await say('我们决定使用关系数据库', '--continue');

  const [deep] = await searched(world, 'gateTimeout');
  expect(deep).toMatchObject({ kind: 'tool', tool: 'read_file', snippet: expect.stringContaining('gateTimeout is 90 seconds') });
  expect(await searched(world, '数据', '--role', 'user')).toMatchObject([{ kind: 'user', tool: null }]);
  const failed = await searched(world, '--errors', 'cat', 'missing');
  expect(failed).toMatchObject([{ tool: 'run_command', snippet: expect.stringContaining('No such file') }]);
  expect(await searched(world, '--session', deep?.sessionId ?? '', '--role', 'user', 'gateTimeout')).toEqual([]);

  const shown = await world.run(['show', deep?.ref ?? '']);
  expect(shown.out).toContain(`${FILLER}the gateTimeout is 90 seconds\n`);
  expect(shown.out).toMatch(/\nbefore: .*\nafter: /);
  expect(await world.run(['show', 'nothing:1'])).toMatchObject({ code: 3, out: '' });
  expect(await world.run(['search', 'x', '--session', 'none'])).toMatchObject({ code: 3, out: '' });
  expect(await world.run(['search', '...'])).toMatchObject({ code: 2, out: '' });
  expect(await world.run(['search', 'zzzyyy'])).toMatchObject({ code: 0, out: '', err: 'sanbot: nothing found\n' });

  const recalled = await world.run(['-p', 'recall gateTimeout']);
  expect(recalled.out).toContain('gateTimeout is 90 seconds');
  expect(recalled.out).toContain(deep?.ref);
  const elsewhere = await world.run(['-p', 'recall gateTimeout', '--group', 'other']);
  expect(elsewhere.out).toContain('Nothing was found');
});

test('an agent is not shown again what stands in its context, also when a compaction kept it, but what left it', async () => {
  const world = createSandbox({ ...offline, SANBOT_COMPACT_PRESERVE_COUNT: '4' });
  outputJsonSync(join(world.home, 'config.json'), { memory: { enabled: false } });
  const say = (text: string) => world.run(['-p', text, '--continue']);
  await world.run(['-p', 'the gateTimeout is 90 seconds']);
  expect((await say('recall gateTimeout')).out).toContain('Nothing was found beside what stands in the context');
  for (const name of ['otter', 'heron', 'teal', 'swift', 'robin', 'finch']) await say(`the birdhouse of the ${name} is ready`);
  const [sessionId = ''] = world.names('sessions');
  expect((await world.run(['compact', '--session', sessionId])).code).toBe(0);
  const early = await say('recall gateTimeout');
  expect(early.out).toContain('the gateTimeout is 90 seconds');
  const birds = (await say('recall birdhouse')).out;
  expect(birds).toContain('otter');
  expect(birds).not.toContain('birdhouse of the finch is ready');
  expect((await searched(world, 'birdhouse finch')).map(({ snippet }) => snippet)).toContainEqual(
    expect.stringContaining('the birdhouse of the finch is ready'),
  );
});

test('a search looks in this project first, labels what is elsewhere, and lists decisions of a time without words', async () => {
  const world = createSandbox(offline);
  const there = join(world.cwd, '..', 'zoo');
  outputJsonSync(join(there, 'x.json'), {});
  await world.run(['-p', 'the otter gate is closed'], { cwd: there });
  await world.run(['-p', 'we decided to paint the gate of the heron']);
  const hits = await searched(world, 'otter', 'gate', '--role', 'user');
  expect(hits.map(({ folder }) => folder)).toEqual([null, there]);
  expect((await searched(world, 'otter', 'gate', '--role', 'user', '--all')).map(({ folder }) => folder)).toEqual([there, null]);
  expect((await world.run(['search', 'otter', '--role', 'user'])).out).toContain(`in ${there}`);
  const decisions = await searched(world, '--decisions', '--role', 'user', '--since', '1h');
  expect(decisions.map(({ snippet }) => snippet)).toEqual([expect.stringContaining('we decided to paint')]);
  expect(await searched(world, '--decisions', '--until', '2020-01-01')).toEqual([]);
  expect(await world.run(['search'])).toMatchObject({ code: 2, out: '' });
});
