import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { isText, isToolResult } from '../../src/domain/session/message.ts';
import { type FakeApi, startFakeApi } from '../support/fake-api.ts';
import { binary, createSandbox } from '../support/sanbot.ts';
import { callsTool, replies } from '../support/scenario.ts';
import { type SpawnedTerminal, spawnInTerminal } from '../support/terminal.ts';

let api: FakeApi | undefined;
let terminal: SpawnedTerminal | undefined;
afterEach(async () => {
  terminal?.kill('SIGKILL');
  await api?.close();
});

/** The real binary in a turn whose command ends when there is a file `go`. */
async function startTurn(env: Readonly<Record<string, string>> = {}) {
  const world = createSandbox(env);
  const wait = callsTool('run_command', { command: 'until [ -e go ]; do sleep 0.05; done; echo went' });
  api = await startFakeApi((_request, n) => (n === 0 ? wait : replies(`reply ${n}`)), { home: world.home, key: 'test-key' });
  const key = { ANTHROPIC_BASE_URL: api.url, ANTHROPIC_API_KEY: 'test-key', SANBOT_MODEL: 'claude-sonnet-5-5' };
  terminal = spawnInTerminal(process.execPath, [binary, '--permission-mode', 'bypass'], {
    cwd: world.cwd,
    env: { ...world.env, ...key },
  });
  await terminal.waitFor(/> $/);
  terminal.send('begin\r');
  await terminal.waitForScreen('● $ ');
  return { world, terminal, api, go: () => writeFileSync(join(world.cwd, 'go'), '') };
}

const lastOf = (fake: FakeApi, n: number) => {
  const content = fake.requests[n]?.request.messages.at(-1)?.content ?? [];
  return { results: content.filter(isToolResult).length, texts: content.filter(isText).map(({ text }) => text) };
};

describe('what is typed while a turn runs', () => {
  test('goes with the result into the next request of the turn; what was withdrawn does not', async () => {
    const { terminal: person, api: fake, go } = await startTurn();
    person.send('use tabs\rnot this one\r');
    await person.waitForScreen(/\(queued\) use tabs\n\(queued\) not this one/);
    person.send('\x1b[A');
    await person.waitForScreen(/^> not this one$/m);
    person.send('\x15');
    go();
    await person.waitFor('> use tabs');
    await person.waitFor('reply 1');
    await person.waitFor(/> $/);
    expect(lastOf(fake, 1)).toEqual({ results: 1, texts: ['use tabs'] });
    expect(fake.requests).toHaveLength(2);
    fake.done();
  });

  test('can be taken back, changed and sent again', async () => {
    const { terminal: person, api: fake, go } = await startTurn();
    person.send('use tabs\r\x1b[A\x17blanks\r');
    await person.waitForScreen('(queued) use blanks');
    go();
    await person.waitFor('reply 1');
    expect(lastOf(fake, 1)).toEqual({ results: 1, texts: ['use blanks'] });
  });

  test('a command waits for the end of the turn, with all that was typed after it', async () => {
    const { terminal: person, api: fake, go } = await startTurn();
    person.send('first\r/cost\rsecond\r');
    await person.waitForScreen('(queued) second');
    go();
    await person.waitFor('reply 1');
    await person.waitFor('reply 2');
    expect(lastOf(fake, 1)).toEqual({ results: 1, texts: ['first'] });
    expect(lastOf(fake, 2)).toEqual({ results: 0, texts: ['second'] });
  });
});
