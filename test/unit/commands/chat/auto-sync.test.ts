import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startSync } from '../../../../src/commands/chat/auto-sync.ts';
import { processEnvironment } from '../../../../src/runtime/environment.ts';
import { readSettings } from '../../../../src/runtime/settings.ts';
import { newFolder } from '../../store/files/world.ts';

const warn = (): never => expect.unreachable();

/** A program that tells through a pipe how it was started, which is read until it ends. */
function world(auto: unknown, { hasTarget = true } = {}) {
  const [home, packageRoot] = [newFolder(), newFolder()];
  mkdirSync(join(packageRoot, 'bin'));
  mkdirSync(join(home, 'sync'));
  if (hasTarget) writeFileSync(join(home, 'sync', 'targets.json'), '{}');
  writeFileSync(join(home, 'config.json'), JSON.stringify({ sync: { auto } }), { mode: 0o600 });
  const pipe = join(packageRoot, 'pipe');
  execFileSync('mkfifo', [pipe]);
  writeFileSync(
    join(packageRoot, 'bin', 'sanbot.js'),
    `require('node:fs').writeFileSync(${JSON.stringify(pipe)}, [process.argv[2], process.env.SANBOT_HOME].join(' '))`,
  );
  const slept: number[] = [];
  const environment = {
    ...processEnvironment(),
    packageRoot,
    homedir: newFolder,
    sleep: async (ms: number, signal: AbortSignal) => {
      slept.push(ms);
      if (slept.length > 1) await new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('ended'))));
    },
  };
  const settings = readSettings({ ...environment, env: {} }, { home });
  return { home, pipe, slept, environment, settings };
}

test('a sync runs once the session has ended, in a process of its own, with the same home', async () => {
  const { home, pipe, slept, environment, settings } = world('end');
  await (await startSync(settings, environment, { warn })).end();
  expect(await readFile(pipe, 'utf8')).toBe(`sync ${home}`);
  expect(slept).toEqual([]);
});

test('with a number it also runs every so many minutes meanwhile', async () => {
  const { home, pipe, slept, environment, settings } = world(15);
  const { end } = await startSync(settings, environment, { warn, repeats: true });
  expect(await readFile(pipe, 'utf8')).toBe(`sync ${home}`);
  expect(slept).toEqual([15 * 60_000, 15 * 60_000]);
  await end();
  expect(await readFile(pipe, 'utf8')).toBe(`sync ${home}`);
});

test.each([
  [null, true],
  ['end', false],
])('nothing runs where sync.auto is %j and a folder was added: %s', async (auto, hasTarget) => {
  const { environment, settings } = world(auto, { hasTarget });
  const spawning = { ...environment, homedir: (): never => expect.unreachable() };
  await (await startSync(settings, spawning, { warn, repeats: true })).end();
});
