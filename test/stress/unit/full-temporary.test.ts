import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { probeSandbox, type Sandbox } from '../../../src/tools/command/sandbox/sandbox.ts';
import { createSessionTemporary } from '../../../src/tools/command/sandbox/temporary/session-temporary.ts';
import { afterThisTest } from '../../support/clean-up.ts';
import { createWorld } from '../../unit/tools/world.ts';

const works = spawnSync('bwrap', ['--ro-bind', '/', '/', '--unshare-all', '--proc', '/proc', '--dev', '/dev', 'true']).status === 0;

test.skipIf(!works)('a command that fills the temporary folder is ended, and one that empties it is not', async () => {
  const where = mkdtempSync('/tmp/sanbot-probe-');
  afterThisTest(() => rmSync(where, { recursive: true, force: true }));
  const name = basename(where).replace('probe', 'full');
  let found: Promise<Sandbox | undefined> | undefined;
  const { call } = createWorld((sessionFolder) => {
    const temporary = createSessionTemporary(join(sessionFolder, 'temporary'), () => false);
    found ??= probeSandbox({ env: process.env, platform: process.platform, cwd: where }).then((probe) =>
      probe.kind === 'works' ? probe.sandbox : undefined,
    );
    const sandbox = async (): Promise<Sandbox | undefined> => {
      const one = await found;
      temporary.use(one !== undefined);
      return one;
    };
    return { temporary, sandbox };
  });
  const full = await call('run_command', {
    command: `fallocate -l 600M /tmp/${name}-a; fallocate -l 600M /tmp/${name}-b; sleep 300`,
    timeout_ms: 30_000,
  });
  expect(full).toMatchObject({ ok: false, note: { en: 'temporary folder full' } });
  expect(full.content).toMatch(/^put more than 1 GiB into the temporary folder of the session \(\/tmp\)/);
  const grows = `fallocate -l 50M /tmp/${name}-c; sleep 1; fallocate -l 50M /tmp/${name}-d; sleep 300`;
  await call('run_command', { command: grows, background: true });
  expect((await call('read_output', { job: 'job-1', wait_ms: 30_000 })).content).toMatch(
    /^job-1: stopped after \d+ s: it put too much into \/tmp/,
  );
  const emptied = await call('run_command', { command: `ls /tmp; sleep 5; rm /tmp/${name}-*; echo emptied` });
  expect(emptied.content).toMatch(/^exit 0\n(?:.*\n)*emptied\n$/);
});
