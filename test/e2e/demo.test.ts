import { existsSync, readdirSync } from 'node:fs';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createSandbox } from '../support/sanbot.ts';

// Where its rows break depends on how long the path of the folder is that the program makes.
beforeEach(() => void vi.stubEnv('TMPDIR', '/tmp'));
afterEach(() => void vi.unstubAllEnvs());

test('the demo shows offload, compaction, snapshot, memory, history and rollback, and leaves nothing behind', async () => {
  const sandbox = createSandbox();
  const { code, out } = await sandbox.run(['demo']);
  expect(code).toBe(0);
  expect(out).toMatch(/Offloaded 1 result \(\d+ KB\) to a file/);
  expect(out).toMatch(/Compacted [\d,]+ -> [\d,]+ tokens/);
  expect(out).toMatch(/Remembered, in memory\/extracted\/:\n {2}- .*retries in src\/payments\.ts/);
  expect(out).toMatch(/what: snapshot|snapshot {2}/);
  expect(out).toContain('Every message is back, byte for byte.\n');
  const folder = /a made-up job in (\S+)\. /.exec(out)?.[1] ?? '';
  expect(folder).toMatch(/sanbot-demo-/);
  expect(existsSync(folder)).toBe(false);
  expect(existsSync(sandbox.home)).toBe(false);
  expect(readdirSync(sandbox.cwd)).toEqual([]);
});
