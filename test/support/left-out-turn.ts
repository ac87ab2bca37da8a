import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterThisFile } from './clean-up.ts';
import { startFakeApi } from './fake-api.ts';
import { createSandbox } from './sanbot.ts';
import { callsTool, replies } from './scenario.ts';
import { visibleFolder } from './visible-folder.ts';

/** A working folder in which commands of the sandbox run unasked, and a model that asks for these. */
export async function world(commands: readonly string[], settings: object = {}) {
  const base = mkdtempSync(join(visibleFolder ?? tmpdir(), '.left-out-'));
  afterThisFile(() => rmSync(base, { recursive: true, force: true }));
  const cwd = join(base, '项目');
  mkdirSync(cwd);
  const sandbox = createSandbox();
  mkdirSync(sandbox.home, { recursive: true });
  writeFileSync(join(sandbox.home, 'config.json'), JSON.stringify({ permissions: { sandboxedCommands: 'run' }, ...settings }), {
    mode: 0o600,
  });
  const replyTo = (n: number) => {
    const command = commands[n];
    return command === undefined ? replies('Done.') : callsTool('run_command', { command });
  };
  const api = await startFakeApi((_request, n) => replyTo(n), { home: sandbox.home, key: 'test-key' });
  afterThisFile(() => api.close());
  const env = {
    ...{ SANBOT_PROVIDER: 'anthropic', SANBOT_MODEL: 'claude-sonnet-5-5', ANTHROPIC_BASE_URL: api.url, ANTHROPIC_API_KEY: 'test-key' },
    SANBOT_SANDBOX: 'on',
  };
  const say = (...args: readonly string[]) => sandbox.runBinary(['-p', 'go', ...args], { cwd, env });
  const told = (): string => JSON.stringify(api.requests.at(-1)?.body);
  const git = (...args: readonly string[]) =>
    spawnSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b.c', ...args], {
      cwd,
      encoding: 'utf8',
      env: { ...process.env, HOME: base },
    });
  const get = (name: string): string | undefined => (existsSync(join(cwd, name)) ? readFileSync(join(cwd, name), 'utf8') : undefined);
  return { ...sandbox, cwd, env, say, told, git, get, base };
}
