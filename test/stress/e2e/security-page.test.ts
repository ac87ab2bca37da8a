import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { afterThisTest } from '../../support/clean-up.ts';
import { startFakeApi } from '../../support/fake-api.ts';
import { binary, createSandbox } from '../../support/sanbot.ts';
import { callsTool, replies } from '../../support/scenario.ts';

// Promises of docs/security.md that no other test is about.

/** What is looked for in it is no number: checksums, ids and ports may contain any. */
const KEY = 'sk-ant-api03-qzxv-a-key-of-the-test';

const hasStrace = spawnSync('strace', ['-qq', '-e', 'trace=none', 'true']).status === 0;

test.skipIf(!hasStrace)('a turn connects to the endpoint that was chosen and to nothing else, and opens no port (strace)', async () => {
  const world = createSandbox();
  writeFileSync(join(world.cwd, 'a.txt'), 'the text');
  const api = await startFakeApi([callsTool('read_file', { path: 'a.txt' }), replies('done')], { home: world.home });
  afterThisTest(() => api.close());
  const log = join(world.cwd, '..', 'strace.log');
  const traced = ['-f', '-qq', '-e', 'trace=connect,bind,listen,sendto,sendmsg', '-o', log, process.execPath, binary, '-p', 'go'];
  const child = spawn('strace', traced, {
    cwd: world.cwd,
    env: { ...world.env, ANTHROPIC_BASE_URL: api.url, ANTHROPIC_API_KEY: KEY },
    stdio: 'ignore',
  });
  expect(await new Promise((resolve) => child.on('close', resolve))).toBe(0);
  api.done();
  const own = `sin_port=htons(${new URL(api.url).port}), sin_addr=inet_addr("127.0.0.1")`;
  const calls = readFileSync(log, 'utf8')
    .split('\n')
    .filter((line) => /\b(?:connect|bind|listen|sendto|sendmsg)\(/.test(line) && /sin6?_port|listen\(/.test(line));
  expect(calls.filter((line) => line.includes(own)).length).toBeGreaterThan(0);
  expect(calls.filter((line) => !line.includes(own))).toEqual([]);
});
