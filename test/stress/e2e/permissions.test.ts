import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { allowLasting, config, PROMPT, running, say, talk } from '../../support/permissions.ts';
import { createSandbox } from '../../support/sanbot.ts';
import { ASKED } from '../../support/terminal.ts';

afterEach(() => {
  for (const terminal of running.splice(0)) terminal.kill('SIGKILL');
});

describe('at a terminal', () => {
  test('a yes for the session widens to nothing else: not to what runs later, not outside, not to another command', async () => {
    const world = createSandbox();
    const terminal = await talk(world);
    await say(terminal, 'write a.txt: one');
    await terminal.waitFor(ASKED);
    terminal.send('a');
    await terminal.waitFor('✓ Write a.txt');
    await terminal.waitFor(PROMPT);
    await say(terminal, 'write b.txt: two');
    await terminal.waitFor('✓ Write b.txt');
    await terminal.waitFor(PROMPT);
    for (const path of ['package.json', 'HEAD', '.git/config', '../outside.txt']) {
      await say(terminal, `write ${path}: x`);
      const asked = await terminal.waitFor(ASKED);
      expect([path, asked.includes('do not ask again'), asked.includes(' / a')]).toEqual([path, false, false]);
      if (path !== '../outside.txt') expect(asked).toContain('Look closely:');
      terminal.send('\r');
      await terminal.waitFor('not allowed');
      await terminal.waitFor(PROMPT);
      expect(existsSync(join(world.cwd, path))).toBe(false);
    }
    await say(terminal, 'run echo one');
    await allowLasting(terminal, 1);
    await terminal.waitFor('✓ $ ');
    await terminal.waitFor(PROMPT);
    await say(terminal, 'run echo one');
    await terminal.waitFor('✓ $ ');
    await terminal.waitFor(PROMPT);
    await say(terminal, 'run echo one; echo two');
    await terminal.waitFor('Run it?');
    await terminal.waitFor(ASKED);
    terminal.send('\r');
    await terminal.waitFor('not allowed');
    terminal.kill();
    await terminal.exit;

    const again = await talk(world, '--continue');
    await say(again, 'run echo one');
    await again.waitFor('Run it?');
  });

  test('a yes for always ends when the file says something else that defines the script [S-13]', async () => {
    const world = createSandbox();
    const script = (test: string, version = '1.0.0') =>
      writeFileSync(join(world.cwd, 'package.json'), JSON.stringify({ name: 'x', version, scripts: { test } }));
    script('echo harmless');
    const terminal = await talk(world);
    await say(terminal, 'run npm test');
    await allowLasting(terminal, 2);
    await terminal.waitFor(/[✓✗] \$ npm test/);
    await terminal.waitFor(PROMPT);
    terminal.kill();
    const [rule] = config(world).permissions.allow;
    expect(rule).toMatchObject({ tool: 'run_command', command: 'npm test', folder: world.cwd });
    expect(Object.keys(rule.scripts)).toEqual(['package.json', '.npmrc']);
    expect((await world.run(['permissions'])).out).toMatch(/until package\.json changes or \.npmrc\s+appears/);

    const headless = async () =>
      (await world.run(['-p', 'run npm test', '--output-format', 'json'], { env: { SANBOT_PROVIDER: 'offline' } })).out;
    expect(await headless()).not.toContain('Not allowed');
    script('echo harmless', '2.0.0');
    expect(await headless()).not.toContain('Not allowed');
    script('touch stolen');
    expect(await headless()).toContain('changed since you allowed it: package.json');
    expect(existsSync(join(world.cwd, 'stolen'))).toBe(false);
    script('echo harmless');
    expect(await headless()).not.toContain('Not allowed');
    writeFileSync(join(world.cwd, 'evil.sh'), 'touch stolen\n', { mode: 0o755 });
    writeFileSync(join(world.cwd, '.npmrc'), 'script-shell=./evil.sh\n');
    expect(await headless()).toContain('changed since you allowed it: .npmrc');
    expect(existsSync(join(world.cwd, 'stolen'))).toBe(false);
  });

  test('one command that only reads can bring the setting for all of them, which other commands do not get', async () => {
    const world = createSandbox();
    const terminal = await talk(world);
    await say(terminal, 'run ls -la');
    await allowLasting(terminal, 3);
    await terminal.waitFor('✓ $ ');
    await terminal.waitFor(PROMPT);
    expect(config(world).permissions).toEqual({ readOnlyCommands: 'run' });
    writeFileSync(join(world.cwd, 'f'), 'x\n');
    await say(terminal, 'run cat f | wc -l');
    await terminal.waitFor('✓ $ ');
    await terminal.waitFor(PROMPT);
    await say(terminal, 'run cat /etc/hostname');
    await terminal.waitFor('Run it?');
  });
});

describe('sanbot permissions', () => {
  test('of many processes at once loses none', async () => {
    const world = createSandbox();
    const ran = await Promise.all(
      Array.from({ length: 6 }, (_, i) => world.runBinary(['permissions', 'deny', 'run_command', `program-${i} *`])),
    );
    expect(ran.map(({ code }) => code)).toEqual(ran.map(() => 0));
    expect(config(world).permissions.deny).toHaveLength(6);
  });
});
