import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pathsOf } from '../../../src/store/files/paths.ts';
import { createStore } from '../../../src/store/store.ts';
import { answers, calls, user } from '../../support/build.ts';
import { createSandbox, type Sandbox } from '../../support/sanbot.ts';
import { headerOf, keepFormerVersion } from '../../unit/store/files/world.ts';

const OFFLINE = { SANBOT_PROVIDER: 'offline' };

/** A session in which each prompt was said by a process of its own. */
async function talked(prompts: readonly string[]) {
  const world = createSandbox(OFFLINE);
  writeFileSync(join(world.cwd, '甲.txt'), 'one\n');
  for (const [i, prompt] of prompts.entries()) await say(world, prompt, ...(i === 0 ? [] : ['--continue']));
  const session = world.names('sessions')[0] ?? '';
  return { ...world, session, textOf: (name: string) => readFileSync(join(world.cwd, name), 'utf8') };
}

async function say({ run }: Pick<Sandbox, 'run'>, prompt: string, ...more: readonly string[]): Promise<void> {
  expect(await run(['-p', prompt, '--permission-mode', 'bypass', ...more])).toMatchObject({ code: 0 });
}

const PROMPTS = ['status', 'edit 甲.txt: one => two', 'run sed -i s/two/three/ 甲.txt; echo SECRET-OF-A-FILE > made.txt', 'status'];

test('a file that a command made is among those that a compaction knows, in this process or the next one', async () => {
  const script = "run echo 'rm made.txt; echo x > other.txt' | sh";
  const { run, home, session, records } = await talked([...PROMPTS, script, 'status', 'status']);
  const settings = { compaction: { keepRecentMessages: 2, targetTokens: 1_000 } };
  writeFileSync(join(home, 'config.json'), JSON.stringify(settings), { mode: 0o600 });
  expect(await run(['compact', '--session', session])).toMatchObject({ code: 0 });
  const checkpoint = JSON.stringify(records(`sessions/${session}/log.jsonl`).findLast(({ type }) => type === 'checkpoint'));
  expect(checkpoint).toMatch(/"filesModified":\[[^\]]*"甲\.txt"/);
  expect(checkpoint).toMatch(/"filesModified":\[[^\]]*"other\.txt"/);
  expect(checkpoint).toMatch(/"filesDeleted":\[[^\]]*"made\.txt"/);
});

test('a fork goes back to before it was made, also when its original is deleted', async () => {
  const { run, session, names, textOf, cwd } = await talked(PROMPTS);
  expect(await run(['--resume', session, '--fork', '-p', 'status'])).toMatchObject({ code: 0 });
  const fork = names('sessions').find((name) => name !== session) ?? '';
  expect(await run(['sessions', 'delete', session, '--yes'])).toMatchObject({ code: 0 });
  const back = (to: string) => run(['rollback', '--session', fork, '--to-message', to, '--files', '--yes', '--json']);
  expect(await back('4')).toMatchObject({ code: 0 });
  expect(textOf('甲.txt')).toBe('three\n');
  expect(await back('3')).toMatchObject({ code: 0 });
  expect(textOf('甲.txt')).toBe('two\n');
  expect(await back('2')).toMatchObject({ code: 0 });
  expect(textOf('甲.txt')).toBe('one\n');
  expect(existsSync(join(cwd, '甲.txt'))).toBe(true);
  expect(await run(['doctor'])).toMatchObject({ code: 0 });
});

test('an export has nothing of what files held, and an import of it brings nothing back', async () => {
  const { run, session, cwd, names } = await talked(PROMPTS.slice(0, 2));
  writeFileSync(join(cwd, 'private.txt'), 'SECRET-OF-A-FILE\n');
  await say({ run }, 'run rm private.txt', '--continue');
  const file = join(cwd, 'out.jsonl');
  expect(await run(['export', '--session', session, '-o', file])).toMatchObject({ code: 0 });
  const exported = readFileSync(file, 'utf8');
  for (const held of ['SECRET-OF-A-FILE', Buffer.from('SECRET-OF-A-FILE\n').toString('base64'), hashOf('SECRET-OF-A-FILE\n')])
    expect(exported).not.toContain(held);
  expect(exported).not.toContain('contents-');
  expect(await run(['import', file])).toMatchObject({ code: 0 });
  const copy = names('sessions').find((name) => name !== session) ?? '';
  expect(names(`sessions/${copy}`)).not.toContain('changes');
  const back = JSON.parse((await run(['rollback', '--session', copy, '--to-message', '1', '--files', '--yes', '--json'])).out);
  expect(back.files).toEqual([]);
  expect(existsSync(join(cwd, 'private.txt'))).toBe(false);
});

test('a session of 0.2.0 goes back with its files, and what is edited from now on comes back with them', async () => {
  const world = createSandbox(OFFLINE);
  const { cwd, home, run } = world;
  mkdirSync(home, { mode: 0o700 });
  const store = createStore(
    { home, now: () => new Date(), newId: () => 'id', pid: process.pid, platform: 'linux', probePid: (pid) => void process.kill(pid, 0) },
    { maxSessionBytes: 1e9, warn: () => undefined },
  );
  const { log } = store.sessions.create(headerOf('20261120-101010-abcdef', { cwd }));
  const path = join(cwd, '甲.txt');
  const version = (text: string) => ({ fingerprint: hashOf(text), bytes: Buffer.byteLength(text), mode: 0o640, kept: true });
  log.append({ type: 'message', message: user('edit it') });
  log.append({ type: 'message', message: calls({ id: 't', name: 'edit_file', input: { path: '甲.txt' } }) });
  log.append({ type: 'file', path, tool: 'edit_file', before: version('one\n'), after: version('two\n') });
  log.append({ type: 'message', message: answers({ id: 't' }) });
  log.close();
  for (const text of ['one\n', 'two\n']) keepFormerVersion({ paths: pathsOf(home) }, '20261120-101010-abcdef', Buffer.from(text));
  writeFileSync(path, 'two\n', { mode: 0o640 });
  await say(world, 'edit 甲.txt: two => three', '--continue');
  expect(world.records('sessions/20261120-101010-abcdef/log.jsonl').filter(({ type }) => type === 'file')).toHaveLength(1);
  expect(world.names('sessions/20261120-101010-abcdef/files')).toHaveLength(2);
  const back = JSON.parse(
    (await run(['rollback', '--session', '20261120-101010-abcdef', '--to-message', '1', '--files', '--yes', '--json'])).out || '{}',
  );
  expect(back).toMatchObject({ files: [{ path, outcome: 'restored' }] });
  expect(readFileSync(path, 'utf8')).toBe('one\n');
  expect(await run(['doctor'])).toMatchObject({ code: 0 });
});

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

test('what a rollback brought back stays when a later one goes back to what was said after it', async () => {
  const { run, session, textOf } = await talked(['status', 'edit 甲.txt: one => two']);
  const back = async (to: string) =>
    JSON.parse((await run(['rollback', '--session', session, '--to-message', to, '--files', '--yes', '--json'])).out);
  await back('2');
  expect(textOf('甲.txt')).toBe('one\n');
  await say({ run }, 'status', '--continue');
  expect((await back('2')).files).toEqual([]);
  expect(textOf('甲.txt')).toBe('one\n');
});
