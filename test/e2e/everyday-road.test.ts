import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { afterThisTest } from '../support/clean-up.ts';
import { startFakeApi } from '../support/fake-api.ts';
import { createSandbox } from '../support/sanbot.ts';
import { callsTool, replies } from '../support/scenario.ts';

const IDENTITY = '-c user.name=Dev -c user.email=dev@example.com';

test('a bug in a small repository: tests in the background, a page read, a fix that is shown, and a commit', async () => {
  const world = createSandbox();
  writeFileSync(join(world.cwd, 'total.js'), 'exports.total = (items) => items.reduce((sum, item) => sum + item);\n');
  writeFileSync(
    join(world.cwd, 'test.js'),
    "const { total } = require('./total.js');\nif (total([]) !== 0) process.exit(1);\nconsole.log('all good');\n",
  );
  const git = (...args: readonly string[]) => execFileSync('git', [...IDENTITY.split(' '), ...args], { cwd: world.cwd, encoding: 'utf8' });
  git('init', '-q');
  git('add', '.');
  git('commit', '-q', '-m', 'first');

  const page = createServer((_request, response) => response.end('reduce without a start value throws on an empty list.'));
  await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve));
  afterThisTest(() => void page.close());
  const host = `127.0.0.1:${(page.address() as AddressInfo).port}`;

  mkdirSync(world.home, { mode: 0o700 });
  const steps = [
    callsTool('run_command', { command: 'node test.js', background: true }),
    callsTool('read_output', { job: 'job-1', wait_ms: 20_000 }),
    callsTool('fetch_url', { url: `http://${host}/reduce` }),
    callsTool('read_file', { path: 'total.js' }),
    callsTool('edit_file', { path: 'total.js', old_string: 'sum + item)', new_string: 'sum + item, 0)' }),
    callsTool('run_command', { command: 'node test.js' }),
    callsTool('run_command', { command: `git ${IDENTITY} commit -qam "Start a total at nothing"` }),
    replies('Fixed and committed.'),
  ];
  const api = await startFakeApi(steps, { home: world.home });
  afterThisTest(() => api.close());
  const env = { ANTHROPIC_BASE_URL: api.url, ANTHROPIC_API_KEY: 'test-key', SANBOT_MODEL: 'claude-sonnet-5-5' };
  const terminal = await world.runAtTerminal([], { env });
  await terminal.waitFor('> ');
  terminal.send('total([]) throws. Find out why, fix it, and commit.\r');
  const allow = async (question: string, key: string): Promise<void> => {
    await terminal.waitFor(question);
    await terminal.waitFor('other keys are kept');
    terminal.send(key);
  };
  await allow('Run it?', 'y');
  const asked = await terminal.waitFor('a server on this machine, which only a lasting rule opens');
  expect(asked.replaceAll(/\s+/g, ' ')).toContain(`● Fetch http://${host}/reduce Look closely: `);
  await allow('Allow it?', 'a');
  for (const question of ['Make this change?', 'Run it?', 'Run it?']) await allow(question, 'y');
  await terminal.waitFor('Fixed and committed.');
  terminal.send('/jobs\r');
  expect(await terminal.waitFor(/job-1 {2}exit 1 after \d+ (?:s|min) {2}node test\.js[\s\S]*> $/)).not.toContain('/jobs stop');
  terminal.send('/quit\r');
  await terminal.exit;
  api.done();

  const { permissions } = JSON.parse(readFileSync(join(world.home, 'config.json'), 'utf8'));
  expect(permissions).toEqual({ allow: [{ tool: 'fetch_url', host }] });
  const told = (n: number): string => JSON.stringify(api.requests[n]?.request.messages.at(-1));
  expect(told(2)).toContain('exit 1');
  expect(told(3)).toContain('reduce without a start value');
  expect(told(6)).toContain('all good');
  expect(readFileSync(join(world.cwd, 'total.js'), 'utf8')).toContain('sum + item, 0)');
  expect(git('log', '--format=%s')).toBe('Start a total at nothing\nfirst\n');
  expect(git('status', '--porcelain')).toBe('');
});
