import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { placeHome } from '../../support/home-fixture.ts';
import { createSandbox, type Sandbox } from '../../support/sanbot.ts';
import { root } from '../../support/source.ts';
import { filesBelow } from '../../support/synced-homes.ts';

const fixture = join(root, 'test', 'fixtures', 'home-2026-11');
const ENV = { SANBOT_PROVIDER: 'offline' };

const filesOf = ({ home }: Sandbox): readonly string[] => filesBelow(home);

/** A log that was brought is newer as a file. */
const outputOf = async ({ run }: Sandbox, args: readonly string[]): Promise<string> =>
  (await run([...args, '--json'])).out.replace(/"updatedAt": "[^"]*"/g, '');

/** Without ids, hashes and times. */
const kindOf = (name: string): string => name.replace(/\d{8}-\d{6}-\w{6}|\d{8}T\d{9}Z|\d{4}-\d\d-\d\d|[0-9a-f]{16,64}/g, '*');

test('a home that joined keeps each of its files to the byte, and whoever knows nothing of sync/ finds in it what an earlier SanBot wrote', async () => {
  const [a, b] = [createSandbox(ENV), createSandbox(ENV)];
  placeHome(fixture, a);
  const settings = { ...JSON.parse(a.read('config.json')), sync: { files: true } };
  mkdirSync(b.home, { recursive: true });
  for (const { home } of [a, b]) writeFileSync(join(home, 'config.json'), JSON.stringify(settings), { mode: 0o600 });
  const before = new Map(filesOf(a).map((name) => [name, readFileSync(join(a.home, name))]));
  const folder = join(a.cwd, 'carried');
  await a.run(['sync', 'add', folder, '--encrypt']);
  await b.run(['sync', 'key', '--import'], { stdin: (await a.run(['sync', 'key'])).out });
  await b.run(['sync', 'add', folder]);
  for (const { run } of [a, b, a]) expect(await run(['sync'])).toMatchObject({ code: 0, err: '' });
  for (const [name, bytes] of before) expect(readFileSync(join(a.home, name)).equals(bytes), name).toBe(true);
  expect(filesOf(a).filter((name) => !before.has(name) && !name.startsWith('sync'))).toEqual([]);

  const earlier = filesBelow(join(root, 'test', 'fixtures', 'home-0.1.0', 'home'));
  const known = new Set([...before.keys(), ...earlier].map(kindOf));
  const came = filesOf(b).filter((name) => !name.startsWith('sync'));
  expect(came.map(kindOf).filter((kind) => !known.has(kind))).toEqual([]);
  const [id = ''] = b.names('sessions');
  expect(b.read(`sessions/${id}/log.jsonl`)).toBe(a.read(`sessions/${id}/log.jsonl`));

  for (const { home } of [a, b]) renameSync(join(home, 'sync'), `${home}-sync`);
  for (const args of [['sessions'], ['history', '--session', id], ['memory'], ['changes', '--session', id]])
    expect(await outputOf(b, args)).toBe(await outputOf(a, args));
  expect(JSON.parse((await b.run(['doctor', '--no-endpoint', '--json'])).out).findings).toEqual([]);
  const snapshot = b.names('memory/session-summaries').findLast((name) => name.endsWith('.meta.json'));
  expect(await b.run(['rollback', '--snapshot', snapshot?.replace('.meta.json', '') ?? '', '--yes'])).toMatchObject({ code: 0, err: '' });
  expect(JSON.parse((await b.run(['doctor', '--no-endpoint', '--json'])).out).findings).toEqual([]);
});
