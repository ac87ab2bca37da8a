import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { afterThisTest } from '../support/clean-up.ts';
import { startFakeApi } from '../support/fake-api.ts';
import { createSandbox, type Sandbox } from '../support/sanbot.ts';
import { callsTool, replies } from '../support/scenario.ts';

// Promises of docs/security.md that no other test is about.

/** What is looked for in it is no number: checksums, ids and ports may contain any. */
const KEY = 'sk-ant-api03-qzxv-a-key-of-the-test';

test('the key is masked by config show, and stands in nothing that a session writes', async () => {
  const world = createSandbox();
  const api = await startFakeApi([replies('done')], { home: world.home });
  afterThisTest(() => api.close());
  mkdirSync(world.home, { recursive: true });
  writeFileSync(join(world.home, 'config.json'), JSON.stringify({ model: { provider: 'anthropic', baseUrl: api.url, apiKey: KEY } }));
  const ran = await world.run(['-p', 'go', '--output-format', 'json']);
  expect(ran.code).toBe(0);
  for (const args of [['config', 'show'], ['config', 'show', '--json'], ['doctor'], ['events'], ['report']]) {
    const { out, err } = await world.run(args);
    expect([args, `${out}${err}`.includes('qzxv')]).toEqual([args, false]);
  }
  expect(filesIn(world.home).filter((path) => readFileSync(path).includes('qzxv'))).toEqual([join(world.home, 'config.json')]);
});

const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

test('everything in the home is readable by its owner alone, and wider permissions are taken back and told', async () => {
  const world = createSandbox({ SANBOT_PROVIDER: 'offline' });
  expect((await world.run(['-p', 'run echo hello', '--permission-mode', 'bypass'])).code).toBe(0);
  const wide = (): readonly string[] =>
    [world.home, ...readdirSync(world.home, { recursive: true, encoding: 'utf8' }).map((name) => join(world.home, name))].filter(
      (path) => (statSync(path).mode & 0o077) !== 0,
    );
  expect(wide()).toEqual([]);
  chmodSync(world.home, 0o755);
  const { err } = await world.run(['-p', 'status']);
  expect(err).toContain(world.home);
  expect(wide()).toEqual([]);
});

test('secrets are masked in what ! prints and in files that are named with @, on the screen, on disk and for the model', async () => {
  const world = createSandbox();
  writeFileSync(join(world.cwd, 'notes.txt'), `the key: ${KEY}\n`);
  const api = await startFakeApi([replies('done')], { home: world.home });
  afterThisTest(() => api.close());
  const terminal = await world.runAtTerminal([], { env: { ANTHROPIC_BASE_URL: api.url, ANTHROPIC_API_KEY: 'test-key' } });
  await terminal.waitFor(/> $/);
  terminal.send('!cat notes.txt\r');
  await terminal.waitFor('[redacted');
  await terminal.waitFor(/> $/);
  terminal.send('see @notes.txt please\r');
  await terminal.waitFor('done');
  terminal.send('/quit\r');
  await terminal.exit;
  const sent = JSON.stringify(api.requests.at(-1)?.request.messages);
  expect(sent.match(/\[redacted/g)).toHaveLength(2);
  const [log = ''] = filesIn(world.home).filter((path) => path.endsWith('log.jsonl'));
  for (const text of [sent, readFileSync(log, 'utf8'), terminal.text()]) expect(text).not.toContain('qzxv');
});

test('secrets in instruction files are masked, whatever the setting says', async () => {
  const world = createSandbox();
  writeFileSync(join(world.cwd, 'AGENTS.md'), `Deploy with ${KEY}, please.\n`);
  const api = await startFakeApi([replies('done')], { home: world.home });
  afterThisTest(() => api.close());
  mkdirSync(world.home, { recursive: true });
  writeFileSync(join(world.home, 'config.json'), '{"agent":{"redactSecrets":false}}');
  const ran = await world.run(['-p', 'go'], { env: { ANTHROPIC_BASE_URL: api.url, ANTHROPIC_API_KEY: 'test-key' } });
  expect(ran.code).toBe(0);
  const sent = JSON.stringify(api.requests);
  expect(sent).toMatch(/Deploy with \[redacted/);
  expect(sent).not.toContain('qzxv');
  expect(filesIn(world.home).filter((path) => readFileSync(path).includes('qzxv'))).toEqual([]);
});

test('read-only refuses edits and commands, and reads on', async () => {
  const world = createSandbox({ SANBOT_PROVIDER: 'offline' });
  writeFileSync(join(world.cwd, 'a.txt'), 'the text');
  const run = async (what: string) => (await world.run(['-p', what, '--permission-mode', 'read-only'])).out;
  expect(await run('write b.txt: x')).toContain('Not allowed');
  expect(await run('edit a.txt: text => word')).toContain('Not allowed');
  expect(await run('run touch b.txt')).toContain('Not allowed');
  expect(await run('read a.txt')).toContain('the text');
  expect([existsSync(join(world.cwd, 'b.txt')), readFileSync(join(world.cwd, 'a.txt'), 'utf8')]).toEqual([false, 'the text']);
});

test('--allow lets one tool run outside of the working folder too, and no other; not in the home of SanBot', async () => {
  const world = createSandbox({ SANBOT_PROVIDER: 'offline' });
  const outside = join(dirname(world.cwd), 'outside.txt');
  const run = async (what: string, ...args: readonly string[]) => (await world.run(['-p', what, ...args])).out;
  expect(await run(`write ${outside}: x`)).toContain('Not allowed');
  expect(await run(`write ${outside}: x`, '--allow', 'read_file')).toContain('Not allowed');
  expect(existsSync(outside)).toBe(false);
  await run(`write ${outside}: x`, '--allow', 'write_file');
  expect(existsSync(outside)).toBe(true);
  for (const mode of ['ask', 'bypass'])
    expect(
      await run(`read ${join(world.home, 'context', 'events.jsonl')}`, '--allow', 'read_file', '--permission-mode', mode),
    ).not.toContain('session_started');
});

test('a purge takes a secret out of everything below the home', async () => {
  const world: Sandbox = createSandbox({ SANBOT_PROVIDER: 'offline' });
  const secret = 'heron-4711-叶子';
  writeFileSync(join(world.cwd, 'a.txt'), `${`the word is ${secret}\n`.repeat(3_000)}`);
  await world.run(['-p', `read a.txt`]);
  await world.run(['-p', `We decided to call it ${secret}.`, '--continue']);
  await world.run(['-p', `write b.txt: ${secret}`, '--continue', '--permission-mode', 'bypass']);
  await world.run(['search', 'heron']);
  const holding = () => filesIn(world.home).filter((path) => readFileSync(path).includes('heron-4711'));
  expect(holding().length).toBeGreaterThan(2);
  expect(await world.run(['purge', '--match', '-', '--yes'], { stdin: `${secret}\n` })).toMatchObject({ code: 0 });
  expect(holding()).toEqual([]);
});

test('what a command is given as a password is in none of the files but the log of the session, and no token that it prints is in any', async () => {
  const world = createSandbox();
  const token = `ghp_${'a1B2c3D4'.repeat(5).slice(0, 36)}`;
  // As grep marks what it found, and as JSON writes a line.
  writeFileSync(join(world.cwd, 'out.txt'), `A=\x1b[01;31m\x1b[K${token}\x1b[m\x1b[K\n${JSON.stringify({ out: `A=1\n${token}` })}\n`);
  const fails = 'cat out.txt; PGPASSWORD=Heron-4711 false || curl -u me:Heron-4711 file:///nowhere';
  const api = await startFakeApi([callsTool('run_command', { command: fails }), replies('done')], { home: world.home });
  afterThisTest(() => api.close());
  const env = { ANTHROPIC_BASE_URL: api.url, ANTHROPIC_API_KEY: 'test-key' };
  expect((await world.runBinary(['-p', 'try it', '--allow', 'run_command'], { env })).code).toBe(0);
  const sent = JSON.stringify(api.requests.at(-1)?.request.messages);
  expect(sent.match(/\[redacted GitHub token\]/g)).toHaveLength(2);
  // What is kept of files so that they can be restored is as it was.
  const files = filesIn(world.home).filter((path) => statSync(path).isFile() && !path.includes('/changes/'));
  const holding = (text: string) => files.filter((path) => readFileSync(path).includes(text));
  expect(holding('a1B2c3D4')).toEqual([]);
  expect(holding('curl -u me:[redacted password]').length).toBeGreaterThan(1);
  expect(holding('Heron-4711').filter((path) => !/log\.jsonl$|search/.test(path))).toEqual([]);
});
