import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { HookRun } from '../../../../src/domain/hook/hook-answer.ts';
import { runHook } from '../../../../src/tools/command/run-hook.ts';
import { NO_RULES } from '../../../../src/tools/command/scrub-env.ts';
import { textComes } from '../../../support/until.ts';

const made: string[] = [];
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const isRun = (ran: Awaited<ReturnType<typeof runHook>>): ran is HookRun => typeof ran === 'object' && 'stdout' in ran;

function hookWorld(env: Readonly<Record<string, string>> = {}) {
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'sanbot-hook-')));
  made.push(cwd);
  const world = {
    cwd,
    environmentRules: NO_RULES,
    env: { PATH: process.env.PATH, ...env },
    platform: process.platform,
    newId: () => randomUUID().replaceAll('-', ''),
    kill: (pid: number, signal: NodeJS.Signals | 0) => process.kill(pid, signal),
  };
  const run = (command: string, more: { timeoutMs?: number; signal?: AbortSignal; input?: Record<string, unknown> } = {}) =>
    runHook(command, { context: world, input: {}, timeoutMs: 20_000, signal: new AbortController().signal, ...more });
  return { cwd, run };
}

test('a hook gets its input as one JSON text, in the working folder; its two outputs stay apart', async () => {
  const { cwd, run } = hookWorld();
  expect(await run('pwd >&2; cat; exit 3', { input: { trigger: 'auto', 文: '字' } })).toEqual({
    code: 3,
    stdout: '{"trigger":"auto","文":"字"}\n',
    stderr: `${cwd}\n`,
  });
});

test('a hook has no credentials in its environment [S-30]', async () => {
  const { run } = hookWorld({ ANTHROPIC_API_KEY: 'sk-ant-1', GITHUB_TOKEN: 'ghp_2', MY_PASSWORD: 'three', LANG: 'C.UTF-8' });
  const ran = await run('env');
  const text = isRun(ran) ? ran.stdout : ran;
  expect(text).toContain('LANG=C.UTF-8');
  expect(text).not.toMatch(/sk-ant-1|ghp_2|three/);
});

test('one that takes too long is stopped with all that it started', async () => {
  const { cwd, run } = hookWorld();
  const child = join(cwd, 'child');
  // As long as this machine takes to start it.
  for (let timeoutMs = 400; !existsSync(child) || readFileSync(child, 'utf8') === ''; timeoutMs *= 2) {
    const ran = await run('(trap "" TERM; sh -c \'echo $$ > child; exec sleep 1000\') & wait', { timeoutMs });
    expect(ran).toMatchObject({ en: `it took longer than ${timeoutMs} ms and was stopped` });
  }
  const pid = Number(readFileSync(child, 'utf8'));
  const alive = () => {
    try {
      process.kill(pid, 0);
      return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
    } catch {
      return false;
    }
  };
  expect(alive()).toBe(false);
});

test('an abort stops it at once and says so', async () => {
  const { cwd, run } = hookWorld();
  const stop = new AbortController();
  const running = run('echo yes > begun; sleep 1000', { signal: stop.signal });
  await textComes(join(cwd, 'begun'));
  stop.abort();
  expect(await running).toBe('aborted');
});

test('one that prints without end fills no memory, one that reads nothing breaks no pipe, one that leaves work behind is not waited for', async () => {
  const { run } = hookWorld();
  const much = await run('head -c 3000000 /dev/zero | tr "\\0" x');
  expect(isRun(much) ? much.stdout.length : much).toBe(256 * 1024);
  expect(await run('exec 0<&-; true', { input: { text: 'y'.repeat(500_000) } })).toMatchObject({ code: 0 });
  expect(await run('sleep 1000 & echo $! > left; echo done')).toMatchObject({ code: 0, stdout: 'done\n' });
  const { cwd, run: again } = hookWorld();
  await again('sleep 1000 & echo $! > left');
  process.kill(Number(readFileSync(join(cwd, 'left'), 'utf8')), 'SIGKILL');
});

test('a command that is none fails with what the shell says', async () => {
  const { run } = hookWorld();
  expect(await run('no-such-command-here')).toMatchObject({ code: 127 });
});
