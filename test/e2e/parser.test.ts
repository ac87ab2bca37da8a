import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { afterThisTest } from '../support/clean-up.ts';
import { startFakeApi } from '../support/fake-api.ts';
import { endlessPage } from '../support/hostile.ts';
import { binary, createSandbox } from '../support/sanbot.ts';
import { callsTool } from '../support/scenario.ts';
import { until } from '../support/until.ts';

/** A SanBot in a process of its own that reads a page which its parser does not master. */
async function startReading() {
  let isSent = false;
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end(endlessPage(), () => {
      isSent = true;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterThisTest(() => void server.close());
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const world = createSandbox();
  mkdirSync(world.home, { mode: 0o700 });
  writeFileSync(join(world.home, 'config.json'), JSON.stringify({ permissions: { allow: [{ tool: 'fetch_url', host }] } }), {
    mode: 0o600,
  });
  const api = await startFakeApi(() => callsTool('fetch_url', { url: `http://${host}/` }), { home: world.home });
  afterThisTest(() => api.close());
  const env = { ...world.env, ANTHROPIC_BASE_URL: api.url, ANTHROPIC_API_KEY: 'test-key', SANBOT_MODEL: 'claude-sonnet-5-5' };
  const child = spawn(process.execPath, [binary, '-p', 'Read it.'], { cwd: world.cwd, env, stdio: 'ignore' });
  afterThisTest(() => void child.kill('SIGKILL'));
  const closed = once(child, 'close');
  const parser = await until(() => parserOf(child.pid ?? 0));
  await until(() => isSent);
  await until(() => ticksOf(parser) > PARSING_TICKS);
  return { child, closed, parser };
}

/** What it takes to start and to load is less. */
const PARSING_TICKS = 30;

const stat = (pid: number): readonly string[] =>
  readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
const ticksOf = (pid: number): number => Number(stat(pid)[11]);

function parserOf(parent: number): number | undefined {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).find((pid) => {
    try {
      return Number(stat(pid)[1]) === parent && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('parser.js');
    } catch {
      return false;
    }
  });
}

function isGone(pid: number): boolean {
  try {
    return stat(pid)[0] === 'Z';
  } catch {
    return true;
  }
}

test.runIf(process.platform === 'linux').each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)(
  'a page that its parser does not master keeps nobody: %s ends SanBot, and the parser with it',
  async (signal) => {
    const { child, closed, parser } = await startReading();
    child.kill(signal);
    expect(await closed).toEqual(signal === 'SIGKILL' ? [null, 'SIGKILL'] : [expect.any(Number), null]);
    await until(() => isGone(parser));
  },
);
