import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSandbox, type Sandbox } from '../../support/sanbot.ts';
import { headerOf, said, storeOf } from '../../unit/store/files/world.ts';

/** With an option, the whole program answers. */
const WHOLE = ['history', '--no-color'];

async function bothWays({ runBinary }: Sandbox, env: Readonly<Record<string, string>> = {}) {
  const [quick, whole] = [await runBinary(['history'], { env }), await runBinary(WHOLE, { env })];
  expect(quick).toEqual(whole);
  return quick;
}

test('the list of sessions is told without the program as the program tells it', async () => {
  const world = createSandbox({ SANBOT_PROVIDER: 'offline' });
  expect(await bothWays(world)).toMatchObject({ code: 0, out: expect.stringContaining('No sessions yet') });
  await world.run(['-p', '修复解析器 and more']);
  await world.run(['-p', 'another']);
  // What was just used is told in seconds, which go by between the two ways.
  for (const id of world.names('sessions')) utimesSync(join(world.home, 'sessions', id, 'log.jsonl'), 1_767_000_000, 1_767_000_000);
  expect((await bothWays(world)).out).toMatch(/修复解析器 and more.*2 sessions\./s);
  expect((await bothWays(world, { SANBOT_LANGUAGE: 'zh' })).out).toContain('2 个会话');
  writeFileSync(join(world.home, 'config.json'), '{"ui": {"language": "zh"}}');
  expect((await bothWays(world)).out).toContain('2 个会话');
});

test('what the kept list says is shown as what was read of the logs', async () => {
  const world = createSandbox({ SANBOT_PROVIDER: 'offline' });
  const { sessions } = storeOf({ home: world.home }).store;
  for (let i = 0; i < 60; i++) {
    const { log } = sessions.create(headerOf(`s${i}`, { cwd: i % 9 === 0 ? '/home/dev/项目' : '/home/dev' }));
    log.append(said(['a short title', '修复 "解析器" \\\\n', `${'long '.repeat(30)}end`, 'odd \u001b[2J end'][i % 4] ?? ''));
    log.close();
    for (const name of ['log.jsonl', '']) utimesSync(join(world.home, 'sessions', `s${i}`, name), 1_767_000_000, 1_767_000_000 + i);
  }
  utimesSync(join(world.home, 'sessions'), 1_767_000_000, 1_767_000_000);
  const fromLogs = await world.runBinary(['history']);
  expect(fromLogs.out).toContain('60 sessions.');
  expect(world.names('.')).toContain('session-list.json');
  expect(await bothWays(world)).toEqual(fromLogs);
  expect((await bothWays(world, { SANBOT_LANGUAGE: 'zh' })).out).toContain('60 个会话');
});

test('what stands in the way of the list is told in the same words', async () => {
  const world = createSandbox();
  expect(await bothWays(world, { SANBOT_HOME: 'relative' })).toMatchObject({ code: 2, out: '' });
  mkdirSync(join(world.home, '..'), { recursive: true });
  rmSync(world.home, { recursive: true, force: true });
  writeFileSync(world.home, 'a file');
  expect(await bothWays(world)).toMatchObject({ code: 2, out: '' });
});
