import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { afterThisTest } from '../../support/clean-up.ts';
import { root } from '../../support/source.ts';

test('a checkout that was not built says so in one line', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sanbot-not-built-'));
  afterThisTest(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(join(root, 'bin'), join(folder, 'bin'), { recursive: true });
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, 'bin', 'sanbot.js')], { encoding: 'utf8' });
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toMatch(/^sanbot: not built: run npm ci in its folder\..*\n$/);
});
