import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

test.each([
  ['18.20.8', 'en', /^sanbot needs Node 20\.19 or newer, and this is v18\.20\.8\. \S+\n$/],
  ['20.18.3', 'zh', /^sanbot 需要 Node 20\.19 或更新版本，当前为 v20\.18\.3. \S+\n$/],
  ['9.11.2', 'en', /Node 20\.19/],
  ['20.19.0', 'en', /not built/],
  ['22.1.0', 'en', /not built/],
])('a Node %s says in one line which is needed where it is too old', (version, language, told) => {
  const folder = mkdtempSync(join(tmpdir(), 'sanbot-old-node-'));
  afterThisTest(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(join(root, 'bin'), join(folder, 'bin'), { recursive: true });
  const older = join(folder, 'older.cjs');
  const values = JSON.stringify({ versions: { ...process.versions, node: version }, version: `v${version}` });
  writeFileSync(older, `for (const [key, value] of Object.entries(${values})) Object.defineProperty(process, key, { value });`);
  const env = { ...process.env, SANBOT_LANGUAGE: language };
  const ran = spawnSync(process.execPath, ['--require', older, join(folder, 'bin', 'sanbot.js')], { encoding: 'utf8', env });
  expect([ran.status, ran.stdout, ran.stderr]).toEqual([1, '', expect.stringMatching(told)]);
});

test('the Node that is asked for is the one of the package', () => {
  const text = (path: string) => readFileSync(join(root, path), 'utf8');
  const [, major, minor] = /^>=(\d+)\.(\d+)\.0$/.exec(JSON.parse(text('package.json')).engines.node) ?? [];
  expect(text('bin/sanbot.js')).toContain(`LEAST_NODE = [${major}, ${minor}]`);
});
