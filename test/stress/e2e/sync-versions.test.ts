import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSandbox } from '../../support/sanbot.ts';
import { filesWith } from '../../support/synced-homes.ts';

const SECRET = 'hunter2-long-secret';
const OFFLINE = { SANBOT_PROVIDER: 'offline' };

/** Two machines that have a folder under the same path, and sync.files in the settings of both. */
function twoMachines() {
  const [a, other] = [createSandbox(OFFLINE), createSandbox(OFFLINE)];
  const b = { ...other, run: ((args, more) => other.run(args, { cwd: a.cwd, ...more })) as typeof other.run };
  for (const { home } of [a, b]) takesVersions(home);
  return [a, b] as const;
}

function takesVersions(home: string): void {
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'config.json'), JSON.stringify({ sync: { files: true } }), { mode: 0o600 });
}

test('versions of files go to an encrypted folder only, are found on the other machine, and are purged and deleted everywhere', async () => {
  const [a, b] = twoMachines();
  const [plain, secret] = [join(a.home, '..', 'plain'), join(a.home, '..', 'secret')];
  const text = (): string => readFileSync(join(a.cwd, '甲.txt'), 'utf8');
  writeFileSync(join(a.cwd, '甲.txt'), 'one\n');
  writeFileSync(join(a.cwd, 'old.env'), `PASSWORD=${SECRET}\n`);
  const says = ['read 甲.txt', 'edit 甲.txt: one => two', 'run rm old.env'];
  for (const [i, prompt] of says.entries())
    expect((await a.run(['-p', prompt, '--permission-mode', 'bypass', ...(i === 0 ? [] : ['--continue'])])).code).toBe(0);
  const [id = ''] = a.names('sessions');
  expect(existsSync(join(a.cwd, 'old.env'))).toBe(false);

  await a.run(['sync', 'add', plain]);
  await a.run(['sync', 'add', secret, '--encrypt']);
  const dry = await a.run(['sync', '--dry-run']);
  expect(dry.out).toMatch(
    /versions of files stay here: it is not encrypted.*\n.*secret: would send[^\n]*\n[^\n]* of it versions of files\)\n$/s,
  );
  const [first, second] = JSON.parse((await a.run(['sync', '--dry-run', '--json'])).out);
  expect(first).toMatchObject({ folder: plain, keepsVersions: true });
  expect(second.sessions).toEqual([{ session: id, bytes: first.sessions[0].bytes + second.sessions[0].files, files: expect.any(Number) }]);
  expect(a.names('sync/journals')).toEqual([]);
  const sent = await a.run(['sync']);
  expect(sent).toMatchObject({
    code: 0,
    err: '',
    out: expect.stringMatching(/plain: sent.*\n {2}versions of files stay here.*\n.*secret: sent/),
  });
  expect((await a.run(['sync', '--dry-run'])).out).toMatch(/plain: nothing to send\n.*\n.*secret: nothing to send\n$/);
  expect(filesWith(plain, SECRET)).toEqual([]);
  expect(filesWith(plain, 'files_')).toEqual([]);
  expect(a.names('sync/journals').filter((name) => name.includes('~files_'))).toHaveLength(1);

  await b.run(['sync', 'key', '--import'], { stdin: (await a.run(['sync', 'key'])).out });
  await b.run(['sync', 'add', secret]);
  expect(await b.run(['sync'])).toMatchObject({ code: 0, err: '' });
  const listed = (await b.run(['changes', '--session', id])).out;
  expect(listed).toMatch(/2 .*\$ rm old\.env\n1 .*甲\.txt/);
  expect((await b.run(['changes', '--session', id, '--restore', '2', '--yes'])).out).toContain('restored  old.env\n');
  expect(readFileSync(join(a.cwd, 'old.env'), 'utf8')).toContain(SECRET);
  const back = await b.run(['rollback', '--session', id, '--to-message', '2', '--files', '--yes', '--json']);
  expect(JSON.parse(back.out).files).toMatchObject([{ path: join(a.cwd, '甲.txt'), outcome: 'restored' }]);
  expect(text()).toBe('one\n');
  expect(await b.run(['doctor', '--no-endpoint'])).toMatchObject({ code: 0 });
  expect((await b.run(['sync'])).code).toBe(0);
  expect((await a.run(['sync'])).code).toBe(0);

  expect(filesWith(b.home, SECRET).length).toBeGreaterThan(0);
  expect((await a.run(['purge', '--match', SECRET, '--yes'])).code).toBe(0);
  for (const home of [b, a]) expect((await home.run(['sync'])).err).toBe('');
  for (const { home } of [a, b]) expect(filesWith(home, SECRET)).toEqual([]);
  expect((await b.run(['sessions', 'delete', id, '--everywhere', '--yes'])).code).toBe(0);
  expect((await a.run(['sync'])).out).toContain(`deleted here what was deleted elsewhere: ${id}`);
  for (const home of [a, b]) expect(home.names('sync/journals').filter((name) => name.includes(id))).toEqual([]);
});

test('on the other machine /rewind takes the files back too, which were changed on the first', async () => {
  const [a, b] = [createSandbox(OFFLINE), createSandbox(OFFLINE)];
  for (const { home } of [a, b]) takesVersions(home);
  const secret = join(a.home, '..', 'secret');
  const [edited, removed] = [join(b.cwd, '甲.txt'), join(b.cwd, 'old.txt')];
  writeFileSync(edited, 'one\n');
  writeFileSync(removed, 'the old text\n');
  const says = ['read 甲.txt', 'edit 甲.txt: one => two', 'run rm old.txt'];
  for (const [i, prompt] of says.entries())
    await a.run(['-p', prompt, '--permission-mode', 'bypass', ...(i === 0 ? [] : ['--continue'])], { cwd: b.cwd });
  const [id = ''] = a.names('sessions');
  await a.run(['sync', 'add', secret, '--encrypt']);
  await a.run(['sync']);
  await b.run(['sync', 'key', '--import'], { stdin: (await a.run(['sync', 'key'])).out });
  await b.run(['sync', 'add', secret]);
  expect(await b.run(['sync'])).toMatchObject({ code: 0, err: '' });
  const terminal = await b.runAtTerminal(['--resume', id]);
  await terminal.waitFor(/> $/);
  terminal.send('/rewind 2\r');
  const shown = await terminal.waitFor('1 Conversation and 2 files');
  for (const text of ['+ the old text', '1 - two', '1 + one']) expect(shown).toContain(text);
  terminal.send('1');
  await terminal.waitFor(/> edit 甲\.txt: one => two$/);
  expect([edited, removed].map((path) => readFileSync(path, 'utf8'))).toEqual(['one\n', 'the old text\n']);
});

test('a home that was joined is otherwise as it was, and what came into another stands where its own would: for a SanBot that knows of no sync', async () => {
  const [a, b] = [createSandbox(OFFLINE), createSandbox(OFFLINE)];
  for (const { home } of [a, b]) takesVersions(home);
  writeFileSync(join(b.cwd, '甲.txt'), 'one\n');
  for (const [i, prompt] of ['read 甲.txt', 'edit 甲.txt: one => two', 'remember that the port is 5433'].entries())
    await a.run(['-p', prompt, '--permission-mode', 'bypass', ...(i === 0 ? [] : ['--continue'])], { cwd: b.cwd });
  const before = filesOf(a.home);
  const secret = join(a.home, '..', 'secret');
  await a.run(['sync', 'add', secret, '--encrypt']);
  await a.run(['sync']);
  expect(filesOf(a.home)).toEqual(before);
  await b.run(['sync', 'key', '--import'], { stdin: (await a.run(['sync', 'key'])).out });
  await b.run(['sync', 'add', secret]);
  expect(await b.run(['sync'])).toMatchObject({ code: 0, err: '' });
  const [there, here] = [before, filesOf(b.home)].map((files) => new Map(files));
  for (const [path] of there ?? []) if (path.startsWith('sessions/')) expect([path, here?.has(path)]).toEqual([path, true]);
  const added = [...(here?.keys() ?? [])].filter((path) => there?.has(path) === false);
  expect(added).toEqual([]);
});

/** What stands in a home beside what sync keeps for itself. */
const filesOf = (home: string): readonly (readonly [string, string])[] =>
  readdirSync(home, { recursive: true, encoding: 'utf8' })
    .filter((name) => !name.startsWith('sync') && statSync(join(home, name)).isFile())
    .sort()
    .map((name) => [name, readFileSync(join(home, name), 'base64')] as const);
