import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { createSandbox } from '../../support/sanbot.ts';

const SECRET = 'hunter2-long-secret';

const filesWith = (folder: string, text: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => {
    const path = join(folder, name);
    if (!statSync(path).isFile()) return false;
    const bytes = readFileSync(path);
    return (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).includes(text);
  });

const offline = { SANBOT_PROVIDER: 'offline' };

test('two homes have the same sessions and memories through a folder, and a purge in one reaches the folder and the other', async () => {
  const [a, b] = [createSandbox(offline), createSandbox(offline)];
  const folder = join(a.cwd, '同步 folder');
  await a.run(['-p', `remember that I prefer tabs. The password is ${SECRET}`, '--permission-mode', 'bypass']);
  expect(await a.run(['sync'])).toMatchObject({ code: 3, err: expect.stringContaining('No folder has been added') });
  for (const home of [a, b]) expect(await home.run(['sync', 'add', folder])).toMatchObject({ code: 0, err: '' });
  const dry = await a.run(['sync', '--dry-run']);
  expect(dry.out).toMatch(/: would send 1 session \(.*\) and \d+ changes? of memories\n/);
  const [id = ''] = a.names('sessions');
  const told = a.read('context/events.jsonl').split('\n');
  const events = told.filter((line) => line.includes(`"sessionId":"${id}"`)).reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
  expect(JSON.parse((await a.run(['sync', '--dry-run', '--json'])).out)).toEqual([
    { folder, sessions: [{ session: id, bytes: a.read(`sessions/${id}/log.jsonl`).length + events }], memories: expect.any(Number) },
  ]);
  expect(readdirSync(folder)).toEqual(['sanbot-sync.json']);
  const sent = JSON.parse((await a.run(['sync', '--json'])).out);
  expect(sent).toEqual([expect.objectContaining({ folder, sent: 2, received: 0, deleted: [], forks: [], waiting: [], busy: [] })]);
  expect(JSON.parse((await a.run(['sync', 'status', '--json'])).out)).toEqual({
    folders: [
      {
        folder,
        isEncrypted: false,
        last: expect.stringMatching(/Z$/),
        waiting: { sessions: [], memories: 0 },
        isBehind: false,
        unconfirmed: [],
      },
    ],
    never: [],
  });
  expect((await b.runBinary(['sync'])).out).toMatch(/: received \d+ updates?\n$/);
  expect(b.names('sessions')).toEqual(a.names('sessions'));
  expect((await b.run(['sync', 'status'])).out).toMatch(/: last exchange .* ago; nothing to send\n$/);
  expect((await b.run(['--resume', b.names('sessions')[0] ?? '', '-p', 'more'])).code).toBe(0);
  await b.run(['sync']);
  expect((await a.run(['sync'])).out).toMatch(/: received/);

  const copy = createSandbox(offline);
  await copy.run(['sync', 'add', folder]);
  await copy.run(['sync']);
  expect((await copy.run(['sessions', 'delete', id, '--yes'])).out).toContain('what sanbot sync sent of it, on your other machines too');
  expect((await copy.run(['sync'])).out).toMatch(/: nothing new\n$/);
  expect(copy.names('sessions')).toEqual([]);

  // A folder that is not there when the purge runs is told of, and purged later.
  renameSync(folder, `${folder}.away`);
  const alone = await a.run(['purge', '--match', SECRET, '--yes']);
  expect(alone).toMatchObject({ code: 9, out: expect.stringContaining('Replaced it with [purged]') });
  expect(filesWith(a.home, SECRET)).toEqual([]);
  renameSync(`${folder}.away`, folder);
  expect(filesWith(folder, SECRET)).not.toEqual([]);
  expect((await a.run(['doctor', '--no-endpoint'])).out).toContain('still with what was purged or deleted here');
  expect((await a.run(['sync'])).out).toMatch(/purged there/);
  expect(filesWith(folder, SECRET)).toEqual([]);
  const unconfirmed = (await a.run(['doctor', '--no-endpoint'])).out;
  expect(unconfirmed).toContain('not confirmed by every machine');
  expect(unconfirmed).not.toContain('still with');
  expect((await b.run(['sync'], { env: { SANBOT_LANGUAGE: 'zh' } })).out).toContain('已在这里清除其他机器清除过的内容');
  expect(filesWith(b.home, SECRET)).toEqual([]);
  expect((await b.run(['doctor', '--no-endpoint'])).code).toBe(0);
  // Each machine knows once it has read that the others have obeyed.
  await copy.run(['sync']);
  for (const home of [a, b]) await home.run(['sync']);
  for (const home of [a, b]) expect((await home.run(['doctor', '--no-endpoint'])).out).not.toContain('purged');

  const deleted = await a.run(['sessions', 'delete', id, '--everywhere', '--yes']);
  expect(deleted).toMatchObject({ code: 0, out: expect.stringMatching(/^Deleted session .*: deleted 1 session there\n$/s) });
  expect(deleted.out).not.toContain('what sanbot sync sent of it');
  for (const name of readdirSync(join(folder, 'chains', id))) expect(name).toMatch(/-e3b0c44298fc1c14\.gz$/);
  expect((await a.run(['doctor', '--no-endpoint'])).out).toContain('not confirmed by every machine');
  expect(await a.run(['sync', 'forget', 'nobody'])).toMatchObject({ code: 3, err: expect.stringContaining('There are: ') });
  const { unconfirmed: late } = JSON.parse((await a.run(['sync', 'status', '--json'])).out).folders[0];
  expect(late).toHaveLength(2);
  for (const machine of late) expect(await a.run(['sync', 'forget', machine])).toMatchObject({ code: 0, err: '' });
  expect((await a.run(['doctor', '--no-endpoint'])).out).not.toContain('not confirmed');
  expect((await b.run(['sync'])).out).toContain(`deleted here what was deleted elsewhere: ${id}`);
  expect(b.names('sessions')).toEqual([]);
});

test('events, history and a rollback to a snapshot of the other machine work where the session came by an exchange', async () => {
  const small = { ...offline, SANBOT_CONTEXT_WINDOW: '8000' };
  const [a, b] = [createSandbox(small), createSandbox(small)];
  const folder = join(a.cwd, 'carried');
  writeFileSync(join(a.cwd, 'notes.txt'), 'a line of notes to read\n'.repeat(400));
  for (let turn = 0; turn < 3; turn++) await a.run(['-p', 'read notes.txt', ...(turn === 0 ? [] : ['--continue'])]);
  const [id = ''] = a.names('sessions');
  expect((await a.run(['compact', '--session', id])).code).toBe(0);
  for (const home of [a, b]) await home.run(['sync', 'add', folder]);
  for (const home of [a, b]) expect((await home.run(['sync'])).code).toBe(0);
  expect((await b.run(['events', '--session', id, '--json'])).out).toBe((await a.run(['events', '--session', id, '--json'])).out);
  const history = await b.run(['history', '--session', id, '--json']);
  expect(history.out).toBe((await a.run(['history', '--session', id, '--json'])).out);
  const snapshot: string = JSON.parse(history.out)[0].id;
  expect(await b.run(['rollback', '--snapshot', snapshot, '--yes'])).toMatchObject({ code: 0 });
  await b.run(['sync']);
  await a.run(['sync']);
  expect((await a.run(['history', '--session', id, '--json'])).out).toBe((await b.run(['history', '--session', id, '--json'])).out);
});

test('a session is deleted here while a folder is away, and there once it is back', async () => {
  const [a, folder] = [createSandbox(offline), join(createSandbox(offline).cwd, 'carried')];
  await a.run(['-p', 'hello']);
  const [id = ''] = a.names('sessions');
  await a.run(['sync', 'add', folder]);
  await a.run(['sync']);
  renameSync(folder, `${folder}.away`);
  const deleted = await a.run(['sessions', 'delete', id, '--everywhere', '--yes']);
  expect(deleted).toMatchObject({ code: 9, out: expect.stringContaining('Deleted session') });
  renameSync(`${folder}.away`, folder);
  expect((await a.run(['sync', 'status'])).out).toContain('still has what was purged or deleted here');
  expect((await a.run(['sync'])).out).toMatch(/: deleted 1 session there\n$/);
});

test('what was marked, and what began in an excluded folder, never leaves, nor does the list of memories that were taken from it; a project decides nothing of it', async () => {
  const [a, folder] = [createSandbox(offline), join(createSandbox(offline).cwd, 'carried')];
  await a.run(['-p', 'remember that I prefer the colour mauve', '--permission-mode', 'bypass']);
  const [marked = ''] = a.names('sessions');
  expect(await a.run(['sync', '--never', marked])).toMatchObject({ code: 0, out: expect.stringContaining('stays on this machine') });
  const inner = join(a.cwd, 'private', 'deep');
  mkdirSync(inner, { recursive: true });
  await a.run(['-p', 'remember that I prefer the colour ochre', '--permission-mode', 'bypass'], { cwd: inner });
  writeFileSync(join(a.home, 'config.json'), JSON.stringify({ sync: { exclude: [join(a.cwd, 'private')] } }), { mode: 0o600 });
  writeFileSync(join(a.cwd, '.sanbot.json'), JSON.stringify({ sync: { exclude: [] } }));
  await a.run(['sync', 'add', folder]);
  const kept = a.names('sessions');
  await a.run(['-p', 'remember that I prefer the colour teal', '--permission-mode', 'bypass']);
  expect((await a.run(['sync'])).code).toBe(0);
  expect(filesWith(folder, 'teal')).not.toEqual([]);
  expect(readdirSync(join(folder, 'chains')).filter((name) => !name.startsWith('~'))).toEqual(
    a.names('sessions').filter((id) => !kept.includes(id)),
  );
  // The last session was told what was remembered before.
  for (const colour of ['mauve', 'ochre']) expect(filesWith(folder, colour).filter((name) => name.startsWith('chains/~'))).toEqual([]);
  expect(filesWith(folder, 'teal').filter((name) => /^chains\/~[^~]+\//.test(name))).toHaveLength(1);
  const page = filesWith(a.home, 'colour mauve').filter((name) => name.startsWith('memory'));
  expect(page).toEqual(filesWith(a.home, 'colour teal').filter((name) => name.startsWith('memory')));
});

test('a wrong folder is one line with what, where and what next, and nothing is written', async () => {
  const { run, cwd, home } = createSandbox(offline);
  writeFileSync(join(cwd, 'other.txt'), 'x');
  for (const [folder, what] of [
    ['.', 'it holds other files (other.txt)'],
    ['other.txt', 'it is not a folder'],
    [home, 'it lies in the home, or holds it'],
  ]) {
    const { code, err } = await run(['sync', 'add', folder ?? '']);
    expect({ code, err }).toEqual({ code: 9, err: expect.stringContaining(what ?? '') });
  }
  expect(readdirSync(cwd)).toEqual(['other.txt']);
  expect(await run(['sync', 'remove', 'nowhere'])).toMatchObject({ code: 3, err: expect.stringContaining('was not added') });
});
