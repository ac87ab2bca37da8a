import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { sampleOf } from '../support/runs.ts';
import { binary, createSandbox, type Sandbox } from '../support/sanbot.ts';
import { ASKED, type SpawnedTerminal, spawnInTerminal } from '../support/terminal.ts';

const running: SpawnedTerminal[] = [];
afterEach(() => {
  for (const terminal of running.splice(0)) terminal.kill('SIGKILL');
});

const hasSandbox = spawnSync('bwrap', ['--ro-bind', '/', '/', '--unshare-all', 'true']).status === 0;

/** A working folder with a file that is too large to be kept. */
function createWorld(name = 'data.sqlite'): Sandbox & { readonly file: string } {
  const world = createSandbox({ SANBOT_PROVIDER: 'offline' });
  const file = join(world.cwd, name);
  writeFileSync(file, '');
  // A hole takes no room on the disk.
  truncateSync(file, 2_100_000_000);
  return { ...world, file };
}

const ALLOWED = ['--allow', 'run_command'];

describe('what cannot be undone, where nobody can be asked', () => {
  test('is not run whatever flags allow, and the rule that is named lets it run', async () => {
    const world = createWorld();
    const denied = await world.runBinary(['-p', 'run rm data.sqlite', ...ALLOWED]);
    expect(existsSync(world.file)).toBe(true);
    expect(denied.out).toContain('it cannot be undone: data.sqlite (2.1 GB)');
    expect(denied.err).toContain('Not run, since it cannot be undone: data.sqlite (2.1 GB).');
    const rule = /This rule in permissions\.allow allows it: (\{.*\})$/m.exec(denied.err)?.[1] ?? '';
    expect(denied.out).toContain(rule);
    expect(JSON.parse(rule)).toMatchObject({ tool: 'run_command', command: 'rm data.sqlite', irreversible: true });
    mkdirSync(world.home, { recursive: true });
    writeFileSync(join(world.home, 'config.json'), JSON.stringify({ permissions: { allow: [JSON.parse(rule)] } }));
    expect((await world.run(['-p', 'run rm data.sqlite'])).err).not.toContain('cannot be undone');
    expect(existsSync(world.file)).toBe(false);
  });

  test.each(sampleOf(['git push --force origin main', 'psql -c "drop table users"', 'docker compose down -v']))(
    '%j is not run',
    async (command) => {
      const world = createWorld();
      const { out } = await world.run(['-p', `run ${command}`, ...ALLOWED]);
      expect(out).toContain('Not allowed: it needs a person');
      expect(out).toContain('it cannot be undone:');
    },
  );

  test('a rule without a word about it, and one for another command, change nothing', async () => {
    const world = createWorld();
    await world.run(['permissions', 'allow', 'run_command', 'rm data.sqlite']);
    await world.run(['permissions', 'allow', '--irreversible', 'run_command', 'rm other.sqlite']);
    await world.run(['-p', 'run rm data.sqlite']);
    expect(existsSync(world.file)).toBe(true);
    expect((await world.run(['permissions', 'deny', 'run_command', 'rm *', '--irreversible'])).code).not.toBe(0);
    expect((await world.run(['permissions', 'allow', '--irreversible', 'write_file', 'x'])).code).not.toBe(0);
    await world.run(['permissions', 'allow', '--irreversible', '--here', 'run_command', 'rm data.sqlite']);
    expect((await world.run(['permissions'])).out).toContain('also when it cannot be undone');
    await world.run(['-p', 'run rm data.sqlite']);
    expect(existsSync(world.file)).toBe(false);
  });

  test('is run in bypass, and told', async () => {
    const world = createWorld('影片.mp4');
    const { err } = await world.run(['-p', 'run : > 影片.mp4', '--permission-mode', 'bypass']);
    expect(err).toContain('Cannot be undone: 影片.mp4 (2.1 GB)');
    expect(statSync(world.file).size).toBe(0);
  });

  test.skipIf(!hasSandbox)('in the sandbox only a file beyond the bound counts: nothing outside can be lost there', async () => {
    const world = createWorld();
    const outside = join(world.cwd, '..', 'letter.txt');
    writeFileSync(outside, 'Dear');
    const run = async (command: string) => world.run(['-p', `run ${command}`, ...ALLOWED, '--sandbox', 'on']);
    expect((await run('rm data.sqlite')).out).toContain('it cannot be undone: data.sqlite (2.1 GB)');
    expect((await run('git push --force; rm ../letter.txt')).out).not.toContain('Not allowed');
    expect([world.file, outside].map(existsSync)).toEqual([true, true]);
  });

  test('where nothing is recorded, that is whatever is there', async () => {
    const world = createWorld();
    writeFileSync(join(world.cwd, 'a.txt'), 'a');
    mkdirSync(world.home, { recursive: true });
    writeFileSync(join(world.home, 'config.json'), JSON.stringify({ changes: { enabled: false } }));
    expect((await world.run(['-p', 'run rm a.txt', ...ALLOWED])).out).toContain('it cannot be undone: a.txt (1 B)');
    expect((await world.run(['-p', 'run echo x > new.txt', ...ALLOWED])).out).not.toContain('Not allowed');
  });

  test('where there is no room for it, that is told of the first command too', async () => {
    const world = createWorld();
    mkdirSync(world.home, { recursive: true });
    writeFileSync(join(world.home, 'config.json'), JSON.stringify({ changes: { sessionBytes: 1_000 } }));
    for (const [name, bytes] of [['kept.txt', 500] as const, ['left.txt', 600] as const])
      writeFileSync(join(world.cwd, name), 'x'.repeat(bytes));
    expect((await world.run(['-p', 'run rm left.txt', ...ALLOWED])).out).toContain('it cannot be undone: left.txt (600 B)');
    expect((await world.run(['-p', 'run rm kept.txt', ...ALLOWED])).out).not.toContain('Not allowed');
    expect(['kept.txt', 'left.txt'].map((name) => existsSync(join(world.cwd, name)))).toEqual([false, true]);
  });

  test('what can be undone runs as before', async () => {
    const world = createWorld();
    writeFileSync(join(world.cwd, 'a.txt'), 'a');
    expect((await world.run(['-p', 'run rm a.txt && cat data.sqlite | head -c 1', ...ALLOWED])).err).not.toContain('undone');
    expect(existsSync(join(world.cwd, 'a.txt'))).toBe(false);
  });
});

describe('at a terminal', () => {
  test('the question says it, and may be answered for always', async () => {
    const world = createWorld();
    const terminal = spawnInTerminal(process.execPath, [binary], { cwd: world.cwd, env: world.env, columns: 160 });
    running.push(terminal);
    await terminal.waitFor('> ');
    terminal.send('run cp /dev/null data.sqlite\r');
    expect(await terminal.waitFor(ASKED)).toContain('Cannot be undone: data.sqlite (2.1 GB)');
    terminal.send('a');
    expect(await terminal.waitFor('Always in this folder: exactly this command, also when it cannot be undone')).not.toContain(
      'for this session',
    );
    terminal.send('1');
    await terminal.waitFor('✓ $ ');
    expect(statSync(world.file).size).toBe(0);
    expect(JSON.parse(world.read('config.json')).permissions.allow).toMatchObject([
      { command: 'cp /dev/null data.sqlite', irreversible: true },
    ]);
  });

  test('in Chinese too', async () => {
    const terminal = await createWorld().runAtTerminal([], { env: { SANBOT_LANGUAGE: 'zh' }, columns: 160 });
    await terminal.waitFor('> ');
    terminal.send('run git push --force; rm data.sqlite\r');
    await terminal.waitFor('无法撤销：data.sqlite（2.1 GB）；git push --force 更改远程仓库');
  });
});
