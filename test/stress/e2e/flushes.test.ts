import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { createSandbox } from '../../support/sanbot.ts';
import { root } from '../../support/source.ts';

const canTrace = spawnSync('strace', ['-qq', '-e', 'trace=none', 'true']).status === 0;

/** What is made durable while the binary runs, by its name in the home; a temporary file has the name of the one that it becomes. */
function flushesOf(world: ReturnType<typeof createSandbox>, args: readonly string[]): readonly string[] {
  const out = join(world.cwd, 'trace');
  const traced = ['-f', '-qq', '-y', '-e', 'trace=fsync,fdatasync', '-o', out, process.execPath, join(root, 'bin', 'sanbot.js'), ...args];
  const run = spawnSync('strace', traced, { cwd: world.cwd, env: world.env, stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' });
  expect(run.status, run.stderr).toBe(0);
  const paths = readFileSync(out, 'utf8').matchAll(/f(?:data)?sync\(\d+<([^>]*)>/g);
  return [...paths].map(([, path = '']) => {
    const [, became] = /^\.(.+)\.\d+\.\w+\.tmp$/.exec(basename(path)) ?? [];
    return became ?? (basename(dirname(path)) === 'sessions' ? 'the folder of the session' : basename(path));
  });
}

test.skipIf(!canTrace)('a turn waits for the disk once for each record, and twice for its lines in the log of the day', async () => {
  const world = createSandbox({ SANBOT_PROVIDER: 'offline' });
  writeFileSync(join(world.cwd, 'a.txt'), 'one line\n');
  await world.run(['-p', 'status']);
  const [id = ''] = world.names('sessions');
  const lines = (): number => world.records(`sessions/${id}/log.jsonl`).length;
  const before = lines();
  const flushes = flushesOf(world, ['--continue', '-p', 'read a.txt']);
  // And once as it is opened: what an earlier process wrote and did not live to flush.
  const ofLog = flushes.filter((name) => name === 'log.jsonl');
  expect(ofLog).toHaveLength(lines() - before + 1);
  const day = flushes.filter((name) => /^\d{4}-\d\d-\d\d\.md$/.test(name) || name === 'daily');
  expect(day).toHaveLength(2);
  // At the end of the session, what it leaves behind: a page and what is known, and their folder for each.
  const memories = flushes.filter((name) => ['runtime.md', 'known.txt', 'extracted'].includes(name));
  expect(memories.length).toBeLessThanOrEqual(4);
  expect(flushes.length).toBe(ofLog.length + day.length + memories.length);
});
