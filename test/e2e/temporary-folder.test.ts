import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSandbox } from '../support/sanbot.ts';

/** A home with a session, in whose temporary folder commands have left what they like. */
async function homeWithTemporary() {
  const sandbox = createSandbox({ SANBOT_PROVIDER: 'offline' });
  await sandbox.run(['-p', 'hello']);
  const [id = ''] = sandbox.names('sessions').filter((name) => !name.startsWith('.'));
  const folder = join(sandbox.home, 'sessions', id, 'temporary');
  mkdirSync(join(folder, 'tmp', 'cache', 'deep'), { recursive: true, mode: 0o700 });
  mkdirSync(join(folder, 'var-tmp'), { mode: 0o700 });
  writeFileSync(join(folder, 'names.json'), '[]\n', { mode: 0o600 });
  writeFileSync(join(folder, 'tmp', 'cache', 'deep', 'data.json'), '{ "word":   "wombat-4711" }', { mode: 0o644 });
  writeFileSync(join(folder, 'tmp', 'lock'), 'wombat-4711', { mode: 0o644 });
  symlinkSync('/etc', join(folder, 'tmp', 'link'));
  chmodSync(join(folder, 'tmp', 'cache', 'deep'), 0o500);
  const age = (days: number): void => {
    const then = new Date(Date.now() - days * 86_400_000);
    for (const path of [join(folder, 'names.json'), folder]) utimesSync(path, then, then);
  };
  return { ...sandbox, id, folder, age };
}

test('doctor has nothing against the modes of what commands left in the temporary folder', async () => {
  const { run } = await homeWithTemporary();
  expect(JSON.parse((await run(['doctor', '--json', '--no-endpoint'])).out).findings).toEqual([]);
});

test('it goes with its session, also what cannot be written in it', async () => {
  const { run, id, folder } = await homeWithTemporary();
  expect(await run(['sessions', 'delete', id, '--yes'])).toMatchObject({ code: 0, err: '' });
  expect(existsSync(folder)).toBe(false);
});

test('it goes after a week without a command, and clean --dry-run only tells', async () => {
  const { run, id, folder, age } = await homeWithTemporary();
  age(6);
  expect((await run(['clean'])).out).not.toContain('temporary folder');
  age(8);
  expect((await run(['clean', '--dry-run'])).out).toContain(`would be removed  ${id}  41 B, the temporary folder, unused for 7 days`);
  expect(existsSync(folder)).toBe(true);
  expect((await run(['clean'])).out).toContain(`removed  ${id}  41 B, the temporary folder, unused for 7 days`);
  expect(existsSync(folder)).toBe(false);
  expect(await run(['clean'])).toMatchObject({ err: '', out: expect.not.stringContaining('temporary folder') });
});

test('purge takes a secret out of what lies in it, and leaves the rest as it is', async () => {
  const { run, folder } = await homeWithTemporary();
  expect((await run(['purge', '--match', 'wombat-4711', '--yes'])).code).toBe(0);
  expect(readFileSync(join(folder, 'tmp', 'cache', 'deep', 'data.json'), 'utf8')).toMatch(/^\{ "word": {3}"[^w]*" \}$/);
  expect(readFileSync(join(folder, 'tmp', 'lock'), 'utf8')).not.toContain('4711');
});
