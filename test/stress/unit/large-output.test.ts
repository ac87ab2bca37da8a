import { expect, test } from 'vitest';
import { createWorld, type TestWorld } from '../../unit/tools/world.ts';

const run = (world: TestWorld, command: string, more: object = {}) => world.call('run_command', { command, ...more });

test('endless output is bounded in memory and stopped in time, and the true size is told [B-12]', async () => {
  const world = createWorld();
  // As long as this machine takes for so much.
  for (let timeout_ms = 500, printed = 0; printed < 9_000_000; timeout_ms *= 2) {
    const before = process.memoryUsage().rss;
    const outcome = await run(world, 'yes 数据', { timeout_ms });
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
    expect(outcome.ok).toBe(false);
    expect(outcome.content).toMatch(/^timed out /);
    expect(Buffer.byteLength(outcome.content)).toBeLessThan(8.5 * 1024 * 1024);
    const [, size = '', left = ''] = /\n\[it printed (\d+) bytes, (\d+) of them are left out below\]\n/.exec(outcome.content) ?? [];
    if (size !== '') expect(outcome.content).toContain(`\n[${left} of ${size} bytes left out here]\n`);
    printed = Number(size);
  }
});

test('a hundred megabytes in one line keep their beginning and their end [B-12]', async () => {
  const world = createWorld();
  const { content } = await run(world, 'printf start; head -c 100000000 /dev/zero | tr "\\0" x; printf end');
  expect(content).toMatch(/^exit 0\n\[it printed 100000008 bytes, 91611400 of them are left out below\]\nstartx/);
  expect(content.endsWith('xend')).toBe(true);
});
