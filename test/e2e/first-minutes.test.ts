import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { clipboardImage } from '../../src/commands/chat/clipboard.ts';
import { processEnvironment } from '../../src/runtime/environment.ts';
import { afterThisTest } from '../support/clean-up.ts';
import { createSandbox } from '../support/sanbot.ts';

describe('without a model', () => {
  const nothingSet = { SANBOT_PROVIDER: '' };

  test('--print fails with exit code 4 and says what to set; offline is for who chose it', async () => {
    const world = createSandbox(nothingSet);
    const failed = await world.run(['-p', 'status']);
    expect(failed).toMatchObject({ code: 4, out: '' });
    expect(failed.err).toMatch(/No model is set up\n +Run sanbot setup, or set ANTHROPIC_API_KEY;/);
    expect(JSON.parse((await world.run(['-p', 'status', '--output-format', 'json'])).out)).toMatchObject({ error: { code: 'model_key' } });
    expect((await world.run(['-p', 'status', '--model', 'some-model'])).code).toBe(4);
    expect((await world.run(['doctor'])).code).toBe(4);
    for (const [args, env] of [
      [[], { SANBOT_PROVIDER: 'offline' }],
      [['--model', 'offline'], {}],
    ] as const)
      expect((await world.run(['-p', 'status', ...args], { env })).out).toContain('Offline model');
  });

  test('the conversation begins, and says so at each message', async () => {
    const terminal = await createSandbox(nothingSet).runAtTerminal([]);
    await terminal.waitFor('There is no model yet');
    await terminal.waitFor('> ');
    terminal.send('hi\r');
    await terminal.waitFor('No model is set up');
    terminal.send('\u0004');
    expect((await terminal.exit).exitCode).toBe(0);
  });
});

describe('a message on the command line', () => {
  test('opens the conversation with it, goes on with the last one, and stands in what Up brings back', async () => {
    const world = createSandbox();
    const terminal = await world.runAtTerminal(['remember the port is 8080']);
    await terminal.waitFor('> remember the port is 8080');
    await terminal.waitFor('Remembered');
    await terminal.waitFor('> ');
    terminal.send('\u001b[A');
    await terminal.waitForScreen((rows) => rows.filter((row) => row.startsWith('> remember the port')).length === 2);
    terminal.send('\u0003\u0004');
    await terminal.exit;
    const again = await world.runAtTerminal(['-c', 'what is the status?']);
    await again.waitFor('continued with');
    await again.waitFor('> what is the status?');
    again.send('\u0004');
    await again.exit;
    expect(world.names('sessions')).toHaveLength(1);
  });

  test('may bring up a warning, which is a row of its own and not printed into the drawn ones', async () => {
    const world = createSandbox();
    mkdirSync(world.home);
    chmodSync(world.home, 0o755);
    const terminal = await world.runAtTerminal([]);
    await terminal.waitFor('> ');
    terminal.send('what is the status?\r');
    await terminal.waitForScreen((rows) => rows.some((row) => /^Warning: Others could enter/.test(row)));
    terminal.send('\u0004');
    await terminal.exit;
    expect(terminal.text()).not.toContain('sanbot: Others');
  });

  test('is answered where there is no terminal, in a script too', async () => {
    const world = createSandbox();
    expect((await world.run(['show me the status'])).out).not.toBe('');
    expect(await world.run(['frobnicate'])).toMatchObject({ code: 2 });
  });
});

test('what was remembered is said at leaving, and how much at the next start', async () => {
  const world = createSandbox();
  const terminal = await world.runAtTerminal([]);
  await terminal.waitFor('> ');
  terminal.send('We decided to use pnpm for all packages.\r');
  await terminal.waitFor('Anything else needs a language model');
  terminal.send('\u0004');
  await terminal.exit;
  expect(terminal.text()).toMatch(/Remembered 1 thing: "We decided to use pnpm for all packages\."\. Wrong\? sanbot memory review/);
  const next = await world.runAtTerminal([]);
  await next.waitFor('memory: 1 (/memory)');
  next.send('\u0004');
  await next.exit;
  expect(next.text()).not.toContain('Remembered 1');
});

test('Ctrl-V takes the image of the clipboard from the tool that is there, and asks nothing', async () => {
  const tools = mkdtempSync(join(tmpdir(), 'sanbot-tools-'));
  afterThisTest(() => rmSync(tools, { recursive: true, force: true }));
  writeFileSync(join(tools, 'image.png'), Buffer.from([0x89, 0x50, 0x4e, 0x47, 1, 2, 3]));
  writeFileSync(join(tools, 'xclip'), `#!/bin/sh\nexec cat '${join(tools, 'image.png')}'\n`, { mode: 0o755 });
  writeFileSync(join(tools, 'pngpaste'), `#!/bin/sh\nexec cat '${join(tools, 'image.png')}'\n`, { mode: 0o755 });
  const given = new Set<string>();
  const onExit: (() => void)[] = [];
  const real = processEnvironment();
  const environment = { ...real, onExit: (callback: () => void) => void onExit.push(callback) };
  const withTool = { ...environment, env: { PATH: `${tools}:${process.env.PATH}` } };
  const image = await clipboardImage(withTool, given);
  const path = 'path' in image ? image.path : '';
  expect([...given]).toEqual([path]);
  expect([statSync(path).mode & 0o777, readFileSync(path).length]).toEqual([0o600, 7]);
  for (const callback of onExit) callback();
  expect(existsSync(path)).toBe(false);
  expect(await clipboardImage({ ...environment, env: { PATH: join(tools, 'none') } }, given)).toEqual({
    why: expect.stringContaining('cannot be read: install '),
  });
});

test('a list to choose a session from has those of persons, and Esc leaves it', async () => {
  const world = createSandbox();
  await world.run(['-p', 'asked by a script']);
  const person = await world.runAtTerminal(['typed by a person']);
  await person.waitFor('Anything else needs a language model');
  person.send('\u0004');
  await person.exit;
  const picker = await world.runAtTerminal(['--resume']);
  await picker.waitForScreen(/typed by a person/);
  expect(picker.text()).not.toContain('asked by a script');
  picker.send('asked by');
  await picker.waitForScreen(/asked by a script/);
  picker.send('\u001b');
  expect((await picker.exit).exitCode).toBe(130);
});
