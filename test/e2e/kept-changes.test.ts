import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { type FakeApi, startFakeApi } from '../support/fake-api.ts';
import { createSandbox, type Sandbox } from '../support/sanbot.ts';
import { callsTool, replies } from '../support/scenario.ts';

let api: FakeApi | undefined;
afterEach(() => api?.close());

/** Part of no message: only the file that a command deletes holds it. */
const HELD = 'zweiundvierzig-pferde-und-ein-mond';

const filesBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((each) =>
    each.isDirectory() ? filesBelow(join(folder, each.name)) : [join(folder, each.name)],
  );

const settingsOf = (world: Sandbox, settings: object): void => {
  mkdirSync(world.home, { recursive: true });
  writeFileSync(join(world.home, 'config.json'), JSON.stringify(settings));
};

/** A session in which the model deleted a file. */
async function deleted(world: Sandbox): Promise<string> {
  writeFileSync(join(world.cwd, 'notes.txt'), `${HELD}\n`);
  api = await startFakeApi((_request, n) => (n === 0 ? callsTool('run_command', { command: 'rm notes.txt' }) : replies('Gone.')), {
    home: world.home,
    key: 'test-key',
  });
  const env = { ANTHROPIC_BASE_URL: api.url, ANTHROPIC_API_KEY: 'test-key', SANBOT_MODEL: 'claude-sonnet-5-5' };
  for (const more of [[], ['--continue']])
    expect(await world.run(['-p', 'tidy up', '--permission-mode', 'bypass', ...more], { env })).toMatchObject({ code: 0 });
  return world.names('sessions').find((name) => !name.startsWith('.')) ?? '';
}

test('what a command destroyed is for its owner alone: not searched, not exported, not sent to a model, and gone with its session', async () => {
  const world = createSandbox();
  const id = await deleted(world);
  const folder = join(world.home, 'sessions', id, 'changes');
  const files = filesBelow(folder);
  expect(files.filter((path) => readFileSync(path).includes(HELD)).map((path) => path.slice(folder.length + 1))).toEqual(['contents-1']);
  expect(files.map((path) => (statSync(path).mode & 0o777).toString(8)).filter((mode) => mode !== '600')).toEqual([]);
  expect(api?.requests).toHaveLength(3);
  expect(JSON.stringify(api?.requests.map(({ body }) => body))).not.toContain('pferde');
  expect(JSON.parse((await world.run(['search', 'pferde', '--json'])).out)).toEqual([]);
  for (const format of ['jsonl', 'md', 'html'])
    expect((await world.run(['export', '--session', id, '--format', format])).out).not.toContain('pferde');
  expect(filesBelow(world.home).filter((path) => readFileSync(path).includes('pferde'))).toEqual([join(folder, 'contents-1')]);
  const plan = JSON.parse((await world.run(['purge', '--match', HELD, '--yes', '--json'])).out);
  expect(plan).toMatchObject({ purged: true, files: [{ name: `sessions/${id}/changes/contents-1` }] });
  expect(filesBelow(world.home).filter((path) => readFileSync(path).includes('pferde'))).toEqual([]);
  expect(await world.run(['doctor', '--no-endpoint'])).toMatchObject({ code: 0 });
  expect(await world.run(['sessions', 'delete', id, '--yes'])).toMatchObject({ code: 0 });
  expect(world.names('sessions').filter((name) => name.includes(id))).toEqual([]);
});

test('with changes.enabled false nothing is kept of a command, and an edit can be undone all the same', async () => {
  const world = createSandbox({ SANBOT_PROVIDER: 'offline' });
  settingsOf(world, { changes: { enabled: false } });
  writeFileSync(join(world.cwd, '甲.txt'), 'one\n');
  writeFileSync(join(world.cwd, 'notes.txt'), `${HELD}\n`);
  for (const [i, prompt] of ['read 甲.txt', 'edit 甲.txt: one => two', 'run rm notes.txt'].entries())
    await world.run(['-p', prompt, '--permission-mode', 'bypass', ...(i === 0 ? [] : ['--continue'])]);
  expect(filesBelow(world.home).filter((path) => readFileSync(path).includes(HELD))).toEqual([]);
  const [id = ''] = world.names('sessions');
  const back = await world.run(['rollback', '--session', id, '--to-message', '2', '--files', '--yes', '--json']);
  expect(JSON.parse(back.out).files).toContainEqual(expect.objectContaining({ path: join(world.cwd, '甲.txt'), outcome: 'restored' }));
  expect(readFileSync(join(world.cwd, '甲.txt'), 'utf8')).toBe('one\n');
});

test('bounds of the settings hold: a larger file is told as not kept', async () => {
  const world = createSandbox({ SANBOT_PROVIDER: 'offline' });
  settingsOf(world, { changes: { fileBytes: 10 } });
  writeFileSync(join(world.cwd, 'large.txt'), `${HELD}\n`);
  writeFileSync(join(world.cwd, 'small.txt'), 'small\n');
  await world.run(['-p', 'run rm large.txt small.txt', '--permission-mode', 'bypass']);
  const [id = ''] = world.names('sessions');
  const back = await world.run(['rollback', '--session', id, '--to-message', '1', '--files', '--yes', '--json']);
  expect(JSON.parse(back.out).files).toMatchObject([
    { path: join(world.cwd, 'large.txt'), outcome: 'left' },
    { path: join(world.cwd, 'small.txt'), outcome: 'restored' },
  ]);
});

test('sanbot clean tells what sessions keep to undo commands, and drops what is older than changes.keep', async () => {
  const world = createSandbox({ SANBOT_PROVIDER: 'offline' });
  writeFileSync(join(world.cwd, 'notes.txt'), `${HELD}\n`);
  await world.run(['-p', 'run rm notes.txt', '--permission-mode', 'bypass']);
  const [id = ''] = world.names('sessions');
  expect((await world.run(['clean'])).out).toMatch(/^[\d.]+ k?B kept to undo commands\.$/im);
  settingsOf(world, { changes: { keep: 0 } });
  const dry = JSON.parse((await world.run(['clean', '--dry-run', '--json'])).out);
  expect(dry).toMatchObject({ changes: [{ sessionId: id, why: 'age' }] });
  expect((await world.run(['clean'])).out).toContain(`removed  ${id}  `);
  expect(filesBelow(world.home).filter((path) => readFileSync(path).includes(HELD))).toEqual([]);
});
