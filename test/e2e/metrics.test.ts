import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { binary, createSandbox } from '../support/sanbot.ts';

test('metrics of a session that was compacted and rolled back are told against their targets, as table, JSON and for Prometheus', async () => {
  const sandbox = createSandbox({ SANBOT_PROVIDER: 'offline', SANBOT_CONTEXT_WINDOW: '10000' });
  expect((await sandbox.run(['metrics'])).out).toBe('Nothing has been recorded yet.\n');
  const lines = Array.from({ length: 120 }, (_, i) => `const value${i} = compute(${i}, 'of line ${i}');`).join('\n');
  for (const part of [1, 2, 3, 4, 5, 6]) writeFileSync(join(sandbox.cwd, `part${part}.ts`), `// ${part}\n${lines}\n`);
  for (const part of [1, 2, 3, 4, 5, 6]) {
    const { code } = await sandbox.run([...(part === 1 ? [] : ['--continue']), '-p', `read part${part}.ts`]);
    expect(code).toBe(0);
  }
  const [sessionId = ''] = sandbox.names('sessions');
  expect((await sandbox.run(['compact', '--session', sessionId])).code).toBe(0);
  const history = JSON.parse((await sandbox.run(['history', '--session', sessionId, '--json'])).out);
  const [first] = history;
  expect((await sandbox.run(['rollback', '--snapshot', first.id, '--yes'])).code).toBe(0);

  const figures = JSON.parse((await sandbox.run(['metrics', '--json'])).out);
  expect(figures).toMatchObject({ sessions: 1, requests: 12, overflows: 0, rollbacks: 1, failedRollbacks: 0 });
  expect(figures.compactions).toBeGreaterThan(0);
  expect(figures.tokensAfterCompact).toBeLessThan(figures.tokensBeforeCompact);
  const checked = sandbox.records('context/events.jsonl').filter((record) => record.type === 'compaction_checked');
  expect(checked).toHaveLength(figures.compactions);
  const table = (await sandbox.run(['metrics', '--session', sessionId])).out;
  expect(table).toMatch(/sessions that broke off +0\.0 % +0 of 1 +< 5 % +met\n/);
  expect(table).toMatch(/rollbacks that succeeded +100\.0 % +1 of 1 +>= 100 % +met\n/);
  expect((await sandbox.run(['metrics', '--prometheus'])).out).toContain('\nsanbot_requests_total 12\n');
});

test('metrics and events of a session that never was are refused, and those of one that was deleted are shown', async () => {
  const sandbox = createSandbox({ SANBOT_PROVIDER: 'offline' });
  for (const command of ['metrics', 'events'])
    expect(await sandbox.run([command, '--session', 'nope'])).toMatchObject({ code: 3, out: '', err: expect.stringContaining('nope') });
  await sandbox.run(['-p', 'status']);
  const [id = ''] = sandbox.names('sessions');
  expect(await sandbox.run(['sessions', 'delete', id, '--yes'])).toMatchObject({ code: 0 });
  expect((await sandbox.run(['metrics', '--session', id, '--json'])).out).toContain('"sessions": 1');
  expect((await sandbox.run(['events', '--session', id])).out).toContain('session_started');
  expect(await sandbox.run(['metrics', '--session', id, '--since', '2999-01-01'])).toMatchObject({ code: 0 });
});

test('sanbot events --follow shows what another SanBot does, until Ctrl-C', async () => {
  const sandbox = createSandbox({ SANBOT_PROVIDER: 'offline' });
  const watcher = spawn(process.execPath, [binary, 'events', '--follow', '--type', 'turn_ended', '--json'], {
    env: sandbox.env,
    cwd: sandbox.cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: watcher.stdout })[Symbol.asyncIterator]();
  const ended = new Promise((resolve) => watcher.once('close', resolve));
  // It may begin after the first turn; the second one it sees while it follows.
  for (const prompt of ['status', 'status']) {
    await sandbox.run(['-p', prompt]);
    expect(JSON.parse((await lines.next()).value)).toMatchObject({ type: 'turn_ended', stopReason: 'end_turn' });
  }
  watcher.kill('SIGINT');
  expect(await ended).toBe(0);
});
