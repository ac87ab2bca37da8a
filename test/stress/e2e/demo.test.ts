import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createSandbox } from '../../support/sanbot.ts';

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

test('--keep keeps the folder of the demo, whose session is one like any other', async () => {
  const sandbox = createSandbox();
  // A process of its own takes its folder for temporary files from the environment.
  const { out } = await sandbox.runBinary(['demo', '--keep'], { env: { TMPDIR: sandbox.cwd } });
  const folder = /The folder is kept: (\S+)\. /.exec(out)?.[1] ?? '';
  expect(readFileSync(join(folder, 'project', 'src', 'payments.ts'), 'utf8')).toContain('const TIMEOUT_MS = 8000;');
  const doctor = await sandbox.run(['doctor', '--home', join(folder, 'home')]);
  expect(doctor).toMatchObject({ code: 0 });
  const found = await sandbox.run(['search', '--home', join(folder, 'home'), 'gateway']);
  expect(found.out).toContain('gateway timeout');
});

test('the demo at a terminal breaks rows between words', async () => {
  const sandbox = createSandbox();
  const terminal = await sandbox.runAtTerminal(['demo'], { columns: 50 });
  expect(await terminal.exit).toEqual({ exitCode: 0 });
  const shown = await terminal.waitFor('To begin, run');
  expect(shown.replaceAll(/\s+/g, ' ')).toContain('None of your files are read or changed.');
  const rows = shown.split(/\r?\n/).filter((row) => row.includes(' ') && !row.startsWith('/dev/'));
  expect(rows.filter((row) => row.length > 50)).toEqual([]);
});
