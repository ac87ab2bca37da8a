import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { probeSandbox } from '../../../src/tools/command/sandbox/sandbox.ts';
import { afterThisTest } from '../../support/clean-up.ts';
import { startFakeApi } from '../../support/fake-api.ts';
import { binary, createSandbox } from '../../support/sanbot.ts';
import { world as sandboxed } from '../../support/sandboxed.ts';
import { callsTool, replies } from '../../support/scenario.ts';
import { ASKED, spawnInTerminal } from '../../support/terminal.ts';

const probe = await probeSandbox({ env: process.env, platform: process.platform, cwd: '/nowhere' });
const PROMPT = /> $/;

/** "Fix the total": a look at the repository, a search, an edit and the tests; with each key that a person presses at a question. */
async function fixTheTotal(args: readonly string[], keys: readonly string[]) {
  const world = sandboxed('on');
  writeFileSync(join(world.cwd, 'cart.js'), 'export const total = (items) => items.length;\n');
  writeFileSync(join(world.cwd, '.gitignore'), '.env\n');
  spawnSync('sh', ['-c', 'git init -q && git add -A && git -c user.name=a -c user.email=a@b commit -qm first'], { cwd: world.cwd });
  const steps = [
    callsTool('run_command', { command: 'git status --short && git log --oneline -3' }),
    callsTool('run_command', { command: 'grep -rn total .' }),
    callsTool('edit_file', { path: 'cart.js', old_string: 'items.length', new_string: 'items.reduce((a, b) => a + b, 0)' }),
    replies('Fixed.'),
  ];
  const api = await startFakeApi((_, n) => steps[n] ?? replies('Done.'), { home: world.home, key: 'test-key' });
  afterThisTest(() => api.close());
  const env = {
    ...world.env,
    SANBOT_PROVIDER: 'anthropic',
    SANBOT_MODEL: 'claude-sonnet-5-5',
    ANTHROPIC_BASE_URL: api.url,
    ANTHROPIC_API_KEY: 'test-key',
  };
  const terminal = spawnInTerminal(process.execPath, [binary, ...args], { cwd: world.cwd, env });
  afterThisTest(() => terminal.kill('SIGKILL'));
  await terminal.waitFor('> ');
  terminal.send('fix the total\r');
  for (const key of keys) {
    await terminal.waitFor(ASKED);
    terminal.send(key);
  }
  await terminal.waitFor('Fixed.');
  await terminal.waitFor(PROMPT);
  return { text: terminal.text(), cart: readFileSync(join(world.cwd, 'cart.js'), 'utf8') };
}

describe.skipIf(probe.kind !== 'works')('with the sandbox on', () => {
  test.each([
    ['ask', ['\r']],
    ['ask', ['1']],
    ['accept-edits', []],
  ])('fixing the total in the mode %s takes %j', async (mode, keys) => {
    const { text, cart } = await fixTheTotal(['--permission-mode', mode], keys);
    expect(text.match(/Run it\?/g)).toBe(null);
    expect(cart).toContain('reduce');
  });

  test('the first start asks once whether commands in it need a yes, and the answer is a setting', async () => {
    const world = sandboxed('auto');
    const env = { ...world.env, CI: '', SANBOT_PROVIDER: 'offline' };
    const start = () => {
      const terminal = spawnInTerminal(process.execPath, [binary], { cwd: world.cwd, env });
      afterThisTest(() => terminal.kill('SIGKILL'));
      return terminal;
    };
    const left = start();
    await left.waitFor('y / n, or arrow keys and Enter; Esc to cancel');
    left.send('\u001b');
    await left.waitFor('Nothing was saved: commands ask first, and so does the next start.');
    await left.waitFor(PROMPT);
    left.kill('SIGKILL');
    await left.exit;
    const first = start();
    await first.waitFor('May they run without asking you?');
    await first.waitFor('❯ 3 No');
    await first.waitFor('y / n, or arrow keys and Enter; Esc to cancel');
    first.send('y');
    await first.waitFor('Saved as permissions.sandboxedCommands: run.');
    await first.waitFor(PROMPT);
    first.send('run touch made\r');
    await first.waitFor('✓ $ ');
    expect(existsSync(join(world.cwd, 'made'))).toBe(true);
    first.kill('SIGKILL');
    await first.exit;
    expect(JSON.parse(world.read('config.json'))).toMatchObject({ permissions: { sandboxedCommands: 'run' } });
    const second = start();
    await second.waitFor(PROMPT);
    expect(second.text()).not.toContain('May they run');
  });

  test('a yes for the session covers all that stays in the sandbox, and Esc is a no that ends the turn', async () => {
    const world = sandboxed('on');
    const terminal = spawnInTerminal(process.execPath, [binary], { cwd: world.cwd, env: { ...world.env, SANBOT_PROVIDER: 'offline' } });
    afterThisTest(() => terminal.kill('SIGKILL'));
    await terminal.waitFor('> ');
    terminal.send('run touch one\r');
    await terminal.waitFor(ASKED);
    terminal.send('\x1b');
    await terminal.waitFor('interrupted');
    await terminal.waitFor(PROMPT);
    terminal.send('run touch two\r');
    await terminal.waitFor(ASKED);
    terminal.send('2');
    await terminal.waitFor('1 Everything that stays in the sandbox, for this session');
    terminal.send('1');
    await terminal.waitFor('✓ $ ');
    await terminal.waitFor(PROMPT);
    terminal.send('run touch three\r');
    await terminal.waitFor('✓ $ touch three');
    expect(['one', 'two', 'three'].map((name) => existsSync(join(world.cwd, name)))).toEqual([false, true, true]);
  });
});

test('after the third yes to the same beginning, the rule for it comes first', async () => {
  const world = createSandbox();
  const terminal = spawnInTerminal(process.execPath, [binary], { cwd: world.cwd, env: { ...world.env, SANBOT_PROVIDER: 'offline' } });
  afterThisTest(() => terminal.kill('SIGKILL'));
  await terminal.waitFor('> ');
  for (const file of ['a', 'b', 'c']) {
    terminal.send(`run node --test ${file}.test.js\r`);
    await terminal.waitFor(ASKED);
    terminal.send('1');
    await terminal.waitFor(/[✓✗] \$ node/);
    await terminal.waitFor(PROMPT);
  }
  terminal.send('run node --test d.test.js\r');
  await terminal.waitFor(ASKED);
  terminal.send('a');
  await terminal.waitFor('1 Always in this folder: commands that begin with "node --test"');
  terminal.send('a');
  await terminal.waitFor(/[✓✗] \$ node/);
  await terminal.waitFor(PROMPT);
  terminal.send('run node --test e.test.js\r');
  await terminal.waitFor(/[✓✗] \$ node/);
  await terminal.waitFor(PROMPT);
  expect(JSON.parse(world.read('config.json')).permissions.allow).toMatchObject([{ prefix: 'node --test' }]);
});

test('a folder that is never to be trusted is not asked about again, until it is trusted', async () => {
  const world = createSandbox({ SANBOT_PROVIDER: 'offline' });
  writeFileSync(join(world.cwd, 'AGENTS.md'), 'The word is heron.');
  const start = () => {
    const terminal = spawnInTerminal(process.execPath, [binary], { cwd: world.cwd, env: world.env });
    afterThisTest(() => terminal.kill('SIGKILL'));
    return terminal;
  };
  for (const [keys, asks] of [
    ['\r', true],
    ['4', true],
    ['', false],
  ] as const) {
    const terminal = start();
    if (asks) {
      await terminal.waitFor('Trust this folder?');
      await terminal.waitFor('Esc to cancel');
      terminal.send(keys);
      await terminal.waitFor('Not trusted: nothing of it is used.');
    }
    await terminal.waitFor(PROMPT);
    expect(terminal.text().includes('Trust this folder?')).toBe(asks);
    terminal.kill('SIGKILL');
    await terminal.exit;
  }
  expect((await world.run(['trust', 'add', '--yes'])).code).toBe(0);
  expect(JSON.parse(world.read('trusted.json'))).toEqual({ folders: [expect.objectContaining({ folder: world.cwd })] });
});

test('going back takes four keys, from a list that says what each message changed in files', async () => {
  const world = createSandbox({ SANBOT_PROVIDER: 'offline' });
  const terminal = spawnInTerminal(process.execPath, [binary, '--permission-mode', 'accept-edits'], { cwd: world.cwd, env: world.env });
  afterThisTest(() => terminal.kill('SIGKILL'));
  await terminal.waitFor('> ');
  for (const name of ['a', 'b']) {
    terminal.send(`write ${name}.txt: one\r`);
    await terminal.waitFor(`✓ Write ${name}.txt`);
    await terminal.waitFor(PROMPT);
  }
  terminal.send('\x1b\x1b');
  await terminal.waitForScreen(/❯ 2 .*write b\.txt: one {2}\+1 -0\n/);
  terminal.send('\r');
  await terminal.waitForScreen(/❯ 1 Conversation and 1 file +2 Conversation +3 Files +4 Cancel/);
  await terminal.waitFor('kept for later');
  terminal.send('1');
  await terminal.waitFor(/removed\s+b\.txt/);
  await terminal.waitForScreen(/^> write b\.txt: one$/m);
  expect(['a.txt', 'b.txt'].map((name) => existsSync(join(world.cwd, name)))).toEqual([true, false]);
  terminal.send('\x15/undo\r');
  await terminal.waitFor(/Undone: .*Files were not changed/);
  await terminal.waitFor(PROMPT);
});
