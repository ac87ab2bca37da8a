import { describe, expect, test } from 'vitest';
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
