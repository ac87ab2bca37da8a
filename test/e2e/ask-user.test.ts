import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { lineAnswer, questionText } from '../../src/terminal/input/questions.ts';
import { type FakeApi, startFakeApi } from '../support/fake-api.ts';
import { createSandbox } from '../support/sanbot.ts';
import { callsTool, replies } from '../support/scenario.ts';
import { textComes } from '../support/until.ts';

let api: FakeApi;
afterEach(() => api?.close());

const question = { question: 'Which port?', choices: ['3000', 'a free one'] };

async function start(input: object = question) {
  const world = createSandbox();
  api = await startFakeApi((_request, n) => (n % 2 === 0 ? callsTool('ask_user', input) : replies('I see.')), {
    home: world.home,
    key: 'test-key',
  });
  return { world, env: { ANTHROPIC_BASE_URL: api.url, ANTHROPIC_API_KEY: 'test-key', SANBOT_MODEL: 'claude-sonnet-5-5' } };
}
const answered = (n: number): string => JSON.stringify(api.requests.at(n)?.body);

describe('a question of the model', () => {
  test.each([
    ['Enter on the first', ['\r'], 'The user chose: 3000'],
    ['its number', ['2\r'], 'The user chose: a free one'],
    ['its letter', ['b\r'], 'The user chose: a free one'],
    ['words of one’s own', ['3\r', '8080, as always\r'], 'The user chose none of these and says: 8080, as always'],
    ['Esc', ['\u001b'], 'The user gave no answer.'],
  ])('is answered at the terminal by %s', async (_, keys, told) => {
    const { world, env } = await start();
    const terminal = await world.runAtTerminal([], { env });
    await terminal.waitFor('> ');
    terminal.send('start it\r');
    await terminal.waitFor(/Which port\?[\s\S]*2\. a free one\s+3\. Something else: type it\s/);
    for (const [at, key] of keys.entries()) {
      await terminal.waitFor(at === 0 ? 'arrow keys' : /type it/);
      terminal.send(key);
    }
    await terminal.waitFor('I see.');
    expect(answered(1)).toContain(told);
    terminal.send('/quit\r');
    await terminal.exit;
  });

  test('is told to the Notification hooks while it is open', async () => {
    const { world, env } = await start();
    mkdirSync(world.home, { recursive: true });
    const hooks = { Notification: [{ matcher: 'elicitation_dialog', hooks: [{ type: 'command', command: 'cat > told.json' }] }] };
    writeFileSync(join(world.home, 'config.json'), JSON.stringify({ hooks }));
    const terminal = await world.runAtTerminal([], { env });
    await terminal.waitFor('> ');
    terminal.send('start it\r');
    await terminal.waitFor('arrow keys');
    await textComes(join(world.cwd, 'told.json'), 'question');
    terminal.send('\r');
    await terminal.waitFor('I see.');
    terminal.send('/quit\r');
    await terminal.exit;
  });

  test('is answered plainly where nobody can be asked', async () => {
    const { world, env } = await start();
    const ran = await world.run(['-p', 'start it'], { env });
    expect(ran.code).toBe(0);
    expect(answered(1)).toContain('There is nobody to ask. Decide by what was asked for, and say what you chose and why.');
  });

  test.each([
    [{ question: 'Which?' }, '\\"choices\\" is missing'],
    [{ question: 'Which?', choices: ['one'] }, 'must be at least 2'],
    [{ question: 'Which?', choices: ['a', 'a'] }, 'two of the choices are the same'],
    [{ question: ' ', choices: ['a', 'b'] }, 'need words'],
    [{ question: 'Which?', choices: Array.from({ length: 10 }, (_, i) => `${i}`) }, 'at most 9 items long'],
  ])('that is none is told: %j', async (input, told) => {
    const { world, env } = await start(input);
    await world.run(['-p', 'start it'], { env });
    expect(answered(1)).toContain(told);
  });

  test('shows nothing that a terminal would obey [S-24]', async () => {
    expect(questionText({ question: 'A\u001b[2J?', choices: ['x\u0007', 'y'] })).not.toMatch(/[\u001b\u0007]/);
    expect(lineAnswer(' B ', question)).toEqual({ kind: 'chosen', text: 'a free one' });
    expect(lineAnswer('none of them', question)).toEqual({ kind: 'typed', text: 'none of them' });
    expect(lineAnswer('', question)).toEqual({ kind: 'dismissed' });
  });
});
