import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSandbox } from '../support/sanbot.ts';

async function usedSandbox() {
  const sandbox = createSandbox({ SANBOT_PROVIDER: 'offline' });
  writeFileSync(join(sandbox.cwd, 'long.txt'), Array.from({ length: 900 }, (_, i) => `line ${i} of a long page`).join('\n'));
  await sandbox.run(['-p', 'read long.txt', '--permission-mode', 'bypass']);
  const id = sandbox.names('sessions')[0] ?? '';
  const files = () => readdirSync(join(sandbox.home, 'sessions', id), { recursive: true, encoding: 'utf8' }).sort();
  const bytes = () => readFileSync(join(sandbox.home, 'sessions', id, 'log.jsonl'));
  const newest = () => sandbox.names('sessions').find((name) => name !== id) ?? '';
  return { ...sandbox, id, files, bytes, newest };
}

const header = (records: readonly Record<string, unknown>[]) => records[0] as { parent?: string; context: { messages: object[] } };

test('--fork goes on in a copy that holds the whole context, and leaves the original as it is, to the byte; its header names it [C109]', async () => {
  const { run, id, files, bytes, newest, records, home, cwd } = await usedSandbox();
  const before = { files: files(), bytes: bytes() };
  expect(await run(['--continue', '--fork', '-p', 'status', '--output-format', 'json'])).toMatchObject({ code: 0 });
  expect({ files: files(), bytes: bytes() }).toEqual(before);
  const fork = newest();
  const own = records(`sessions/${fork}/log.jsonl`);
  const old = records(`sessions/${id}/log.jsonl`);
  expect(own[0]).toMatchObject({ type: 'header', n: 0, sessionId: fork, parent: id, cwd, group: 'main', model: 'offline' });
  const said = old.flatMap((record) => (record.type === 'message' ? [record.message] : []));
  // The stub leads to the copy; what the model said in words stays as it was said.
  const moved = said.map((message) => {
    const text = JSON.stringify(message);
    return text.includes('"origin":"tools"') ? text.replaceAll(join(home, 'sessions', id), join(home, 'sessions', fork)) : text;
  });
  expect(header(own).context.messages.map((message) => JSON.stringify(message))).toEqual(moved);
  expect(await run(['doctor'])).toMatchObject({ code: 0 });
});

test('the stubs of a fork lead to copies of its own, which outlive the original [D-44]', async () => {
  const { run, id, newest, names, home } = await usedSandbox();
  await run(['--resume', id, '--fork', '-p', 'status']);
  const fork = newest();
  const [body] = names(`sessions/${fork}/offloaded`);
  await run(['sessions', 'delete', id, '--yes']);
  const read = await run(['--resume', fork, '-p', `read ${join(home, 'sessions', fork, 'offloaded', body ?? '')} lines 901-901`]);
  expect(read.out).toContain('line 899 of a long page');
});

test('a session that another process has open can be forked [C-04]', async () => {
  const { run, id, newest, home } = await usedSandbox();
  const startTime = readFileSync(`/proc/${process.pid}/stat`, 'latin1').split(') ')[1]?.split(' ')[19];
  const lock = { pid: process.pid, startTime, host: hostname(), nonce: 'abc', since: '2026-01-01T00:00:00.000Z' };
  writeFileSync(join(home, 'sessions', id, 'lock'), JSON.stringify(lock), { mode: 0o600 });
  expect(await run(['--resume', id, '-p', 'status'])).toMatchObject({ code: 6 });
  expect(await run(['--resume', id, '--fork', '-p', 'status'])).toMatchObject({ code: 0 });
  expect(JSON.parse((await run(['sessions', 'show', newest(), '--json'])).out)).toMatchObject({ parent: id, fromUser: 2 });
});

test('--fork without a session to fork is refused, and so is one that is not there', async () => {
  const { run } = createSandbox();
  expect(await run(['--fork', '-p', 'x'])).toMatchObject({ code: 2 });
  expect(await run(['--fork', '--resume', 'nothing', '-p', 'x'])).toMatchObject({ code: 3 });
});
