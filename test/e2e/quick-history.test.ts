import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSandbox, type Sandbox } from '../support/sanbot.ts';

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

test('what stands in the way of the list is told in the same words', async () => {
  const world = createSandbox();
  expect(await bothWays(world, { SANBOT_HOME: 'relative' })).toMatchObject({ code: 2, out: '' });
  mkdirSync(join(world.home, '..'), { recursive: true });
  rmSync(world.home, { recursive: true, force: true });
  writeFileSync(world.home, 'a file');
  expect(await bothWays(world)).toMatchObject({ code: 2, out: '' });
});
