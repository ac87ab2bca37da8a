import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Decrypter } from 'age-encryption';
import { expect, test } from 'vitest';
import { createSandbox } from '../../support/sanbot.ts';
import { filesBelow } from '../../support/synced-homes.ts';

const SECRET = 'hunter2-long-secret';
const offline = { SANBOT_PROVIDER: 'offline' };

/** All that a folder holds, to who has the key. */
async function openedBy(key: string, folder: string): Promise<string> {
  const decrypter = new Decrypter();
  decrypter.addIdentity(key);
  const texts: string[] = [];
  for (const name of filesBelow(folder)) {
    const bytes = Buffer.from(await decrypter.decrypt(readFileSync(join(folder, name))));
    texts.push(gunzipSync(bytes.subarray(bytes.indexOf('\n') + 1)).toString());
  }
  return texts.join('\n');
}

test('two homes have the same through a folder that shows nothing; the key goes by hand, and a purge takes the old files away', async () => {
  const [a, b] = [createSandbox(offline), createSandbox(offline)];
  const folder = join(a.cwd, '加密 folder');
  await a.run(['-p', `remember that I prefer mauve. The password is ${SECRET}`, '--permission-mode', 'bypass']);
  await a.run(['-c', '-p', 'what is the weather in Bergen?']);
  expect(await a.run(['sync', 'key'])).toMatchObject({ code: 3, err: expect.stringContaining('sanbot sync add FOLDER --encrypt') });
  const added = await a.run(['sync', 'add', folder, '--encrypt']);
  expect(added).toMatchObject({
    code: 0,
    err: '',
    out: expect.stringMatching(/was added, encrypted to age1[0-9a-z]{58}\. .*sanbot sync key/),
  });
  expect(statSync(join(a.home, 'sync', 'key')).mode & 0o777).toBe(0o600);
  const shown = (await a.run(['sync', 'key'])).out;
  const [, recipient = '', key = ''] = /^# public key: (age1\S+)\n(AGE-SECRET-KEY-1\S+)\n$/.exec(shown) ?? [];
  expect(JSON.parse(readFileSync(join(folder, 'sanbot-sync.json'), 'utf8'))).toMatchObject({ sanbotSync: 2, recipient });
  expect(await a.runBinary(['sync'])).toMatchObject({ code: 0, err: '', out: expect.stringContaining(': sent 2 updates') });
  expect((await a.run(['sync', 'status'])).out).toMatch(/: encrypted; last exchange .* ago; nothing to send\n$/);

  const [id = ''] = a.names('sessions');
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).join('\n');
  const contents = filesBelow(folder).map((name) => readFileSync(join(folder, name), 'latin1'));
  for (const word of [SECRET, 'mauve', 'Bergen', id, key, 'chains', 'session'])
    expect(`${names}\n${contents.join('\n')}`).not.toContain(word);
  expect(await openedBy(key, folder)).toContain(SECRET);

  const without = await b.run(['sync', 'add', folder]);
  expect(without).toMatchObject({
    code: 9,
    err: expect.stringMatching(new RegExp(`encrypted to ${recipient}, and this machine has no key`)),
  });
  expect(without.err).toContain('sanbot sync key --import');
  expect(existsSync(join(b.home, 'sync', 'key'))).toBe(false);
  expect(await b.run(['sync', 'key', '--import'], { stdin: 'no key\n' })).toMatchObject({
    code: 2,
    err: expect.stringContaining('is no key'),
  });
  expect(await b.run(['sync', 'key', '--import'], { stdin: shown })).toMatchObject({ code: 0, out: expect.stringContaining(recipient) });
  expect(statSync(join(b.home, 'sync', 'key')).mode & 0o777).toBe(0o600);
  expect((await b.run(['sync', 'add', folder])).out).toContain(`encrypted to ${recipient}`);
  expect(await b.run(['sync'])).toMatchObject({ code: 0, err: '', out: expect.stringContaining(': received') });
  expect(b.read(`sessions/${id}/log.jsonl`)).toBe(a.read(`sessions/${id}/log.jsonl`));
  expect(b.names('sync').filter((name) => name.startsWith('names-'))).toHaveLength(1);

  expect((await a.run(['purge', '--match', SECRET, '--yes'])).code).toBe(0);
  const purged = await openedBy(key, folder);
  expect(purged).toContain('Bergen');
  expect(purged).not.toContain(SECRET);
  expect((await b.run(['sync'])).out).toContain('purged here what was purged elsewhere');
  expect(b.read(`sessions/${id}/log.jsonl`)).not.toContain(SECRET);
  expect((await a.run(['sessions', 'delete', id, '--everywhere', '--yes'])).code).toBe(0);
  expect(await openedBy(key, folder)).not.toContain('Bergen');
  expect((await b.run(['sync'])).out).toContain(`deleted here what was deleted elsewhere: ${id}`);

  // What is not whole, or was written by another, is told of and left alone.
  mkdirSync(join(folder, 'files', 'ab'), { recursive: true });
  writeFileSync(join(folder, 'files', 'ab', `${'ab'.repeat(32)}.age`), 'garbage');
  expect(await b.run(['sync'])).toMatchObject({ code: 0, err: expect.stringContaining('1 file in') });
});

test('a plain folder does not become encrypted nor the other way round, and another key is told', async () => {
  const [a, b] = [createSandbox(offline), createSandbox(offline)];
  const [plain, secret] = [join(a.cwd, 'plain'), join(a.cwd, 'secret')];
  await a.run(['-p', 'hello mauve']);
  expect((await a.run(['sync', 'add', plain])).out).toContain('It is not encrypted.');
  const refused = await a.run(['sync', 'add', plain, '--encrypt']);
  expect(refused).toMatchObject({ code: 9, err: expect.stringContaining('it is not encrypted, and can no longer become so') });
  expect(existsSync(join(a.home, 'sync', 'key'))).toBe(false);
  await a.run(['sync', 'add', secret, '--encrypt']);
  const mark = readFileSync(join(secret, 'sanbot-sync.json'), 'utf8');
  const { id } = JSON.parse(mark);
  // Whoever carries the folder writes that it is a plain one.
  writeFileSync(join(secret, 'sanbot-sync.json'), JSON.stringify({ sanbotSync: 1, id }));
  expect(await a.run(['sync'])).toMatchObject({ code: 9, err: expect.stringContaining('is not the one that was added') });
  for (const more of [[], ['--encrypt']]) expect((await a.run(['sync', 'add', secret, ...more])).code).toBe(9);
  expect(readdirSync(secret)).toEqual(['sanbot-sync.json']);
  writeFileSync(join(secret, 'sanbot-sync.json'), mark);
  expect((await a.run(['sync'])).code).toBe(0);
  // One that was emptied becomes an encrypted one again.
  rmSync(secret, { recursive: true });
  expect((await a.run(['sync', 'add', secret])).out).toContain('encrypted to age1');
  await a.run(['sync', 'remove', secret]);
  await a.run(['sync', 'add', secret]);

  await b.run(['sync', 'add', join(b.cwd, 'own'), '--encrypt']);
  expect(await b.run(['sync', 'add', secret])).toMatchObject({
    code: 9,
    err: expect.stringContaining('the key of this machine is that of age1'),
  });
  const other = await b.run(['sync', 'key', '--import'], { stdin: (await a.run(['sync', 'key'])).out });
  expect(other).toMatchObject({ code: 9, err: expect.stringContaining('This machine has another key') });
  writeFileSync(join(a.home, 'sync', 'key'), b.read('sync/key'));
  const wrong = await a.run(['sync']);
  expect(wrong).toMatchObject({ code: 9, err: expect.stringContaining('the key of this machine is that of age1') });
  expect(wrong.out).toContain(plain);
});
