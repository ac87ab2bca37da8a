import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { madeOnce } from '../support/copied-world.ts';
import { createSandbox } from '../support/sanbot.ts';

/** Two turns, a tool's result in a file: a session with something of everything. */
const madeSession = madeOnce(async () => {
  const world = createSandbox({ SANBOT_PROVIDER: 'offline', SANBOT_CONTEXT_WINDOW: '12000' });
  writeFileSync(join(world.cwd, 'long.txt'), Array.from({ length: 900 }, (_, i) => `line ${i} of Großes Wörterbuch, 重构计划`).join('\n'));
  await world.run(['-p', 'we decided to use PostgreSQL (not MySQL) for /srv/db.conf']);
  await world.run(['-p', 'read long.txt', '--continue']);
  return { world };
});

async function usedSandbox() {
  const { world } = await madeSession();
  const say = (prompt: string, ...more: string[]) => world.run(['-p', prompt, '--permission-mode', 'bypass', ...more]);
  return { ...world, say, id: world.names('sessions')[0] ?? '' };
}

test('sanbot sessions rename gives a title that the list shows, and the conversation goes on as before [B-02, S-24]', async () => {
  const { run, say, id, records } = await usedSandbox();
  const renamed = await run(['sessions', 'rename', id, '重构', 'plan\u001b[2J', 'v2']);
  expect({ code: renamed.code, out: renamed.out }).toEqual({ code: 0, out: `Session ${id} is now called "重构 plan [2J v2".\n` });
  await say('status', '--continue');
  expect((await run(['sessions'])).out).toContain('重构 plan [2J v2');
  expect(JSON.parse((await run(['sessions', 'list', '--json'])).out)).toMatchObject([{ sessionId: id, title: '重构 plan [2J v2' }]);
  expect(records(`sessions/${id}/log.jsonl`).filter((record) => record.type === 'title')).toMatchObject([{ title: '重构 plan [2J v2' }]);
  expect(await run(['doctor'])).toMatchObject({ code: 0 });
});

test('sanbot sessions show counts what a session holds', async () => {
  const { run, cwd, id } = await usedSandbox();
  const shown = JSON.parse((await run(['sessions', 'show', id, '--json'])).out);
  expect(shown).toMatchObject({
    sessionId: id,
    cwd,
    group: 'main',
    model: 'offline',
    fromUser: 2,
    toolCalls: 1,
    offloaded: 1,
    open: false,
  });
  expect((await run(['sessions', 'show', id])).out).toMatch(/offloaded {8}1 tool result/);
});

test('sanbot sessions search finds words in any case and script, in messages and in offloaded results', async () => {
  const { run, id } = await usedSandbox();
  const find = async (...text: string[]) => JSON.parse((await run(['sessions', 'search', '--json', ...text])).out);
  expect(await find('postgresql', '(NOT', 'mysql)')).toMatchObject([{ sessionId: id, where: 'user', match: 'PostgreSQL (not MySQL)' }]);
  expect(await find('line 450 of großes')).toMatchObject([{ where: 'body', match: 'line 450 of Großes' }]);
  expect((await find('重构计划')).map((hit: { where: string }) => hit.where)).toContain('body');
  expect(await find('not.ing')).toEqual([]);
  expect((await run(['sessions', 'search', 'nothing of this'])).out).toBe('No message or result contains "nothing of this".\n');
});

test('sanbot sessions delete removes the folder of that session and nothing else, and says what stays', async () => {
  const { run, say, home, id, names } = await usedSandbox();
  await say('status');
  const other = names('sessions').find((name) => name !== id);
  expect(await run(['sessions', 'delete', id])).toMatchObject({ code: 9, out: '' });
  expect(names('sessions')).toContain(id);
  const before = readdirSync(home, { recursive: true, encoding: 'utf8' }).filter((name) => !name.startsWith(join('sessions', id)));
  const deleted = await run(['sessions', 'delete', id, '--yes']);
  expect(deleted.code).toBe(0);
  // The page of the day still says what was asked, and search finds it.
  const [day = ''] = names('memory/daily');
  expect(deleted.out).toContain(`your requests, in ${join(home, 'memory/daily', day)}`);
  expect(deleted.out).toMatch(new RegExp(`^Deleted session ${id} \\(.*\\)\\.\nThese are kept:\n`));
  expect(readdirSync(home, { recursive: true, encoding: 'utf8' })).toEqual(before);
  expect(names('sessions')).toEqual([other]);
  expect(await run(['sessions', 'delete', id, '--yes'])).toMatchObject({ code: 3 });
  expect(await run(['sessions', 'delete', '../groups', '--yes'])).toMatchObject({ code: 3 });
  expect((await run(['search', 'PostgreSQL'])).out).toContain('PostgreSQL');
});

test('a session that another process has open is neither renamed nor deleted [C-04, C-15]', async () => {
  const { run, home, id } = await usedSandbox();
  const start = (await import('node:fs')).readFileSync(`/proc/${process.pid}/stat`, 'latin1').split(') ')[1]?.split(' ')[19];
  const host = (await import('node:os')).hostname();
  const lock = { pid: process.pid, startTime: start, host, nonce: 'abc', since: '2026-01-01T00:00:00.000Z' };
  writeFileSync(join(home, 'sessions', id, 'lock'), JSON.stringify(lock), { mode: 0o600 });
  expect(await run(['sessions', 'rename', id, 'x'])).toMatchObject({ code: 6 });
  expect(await run(['sessions', 'delete', id, '--yes'])).toMatchObject({ code: 6 });
  expect(await run(['sessions', 'show', id])).toMatchObject({ code: 0, out: expect.stringContaining('open now') });
  expect(existsSync(join(home, 'sessions', id, 'log.jsonl'))).toBe(true);
});

test('sanbot sessions with a word that is no command says which was meant', async () => {
  const { run } = createSandbox();
  expect(await run(['sessions', 'lst'])).toMatchObject({ code: 2, err: expect.stringContaining('Did you mean list?') });
  expect(await run(['sessions', 'rename', 'x'])).toMatchObject({ code: 2 });
});
