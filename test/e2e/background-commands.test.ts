import { afterEach, describe, expect, test } from 'vitest';
import { begin, endIt, isAlive, statesIn } from '../support/background-commands.ts';
import { afterThisTest } from '../support/clean-up.ts';
import { type FakeApi, startFakeApi } from '../support/fake-api.ts';
import { createSandbox } from '../support/sanbot.ts';
import { replies, type Script } from '../support/scenario.ts';

let api: FakeApi;
afterEach(() => api.close());

async function start(script: Script) {
  const world = createSandbox();
  api = await startFakeApi(script, { home: world.home, key: 'test-key' });
  const env = { ANTHROPIC_BASE_URL: api.url, ANTHROPIC_API_KEY: 'test-key', SANBOT_MODEL: 'claude-sonnet-5-5' };
  afterThisTest(async () => {
    for (const state of await statesIn(world)) for (const { pid } of [state.supervisor, state.child]) endIt(pid);
  });
  const say = (prompt: string, ...more: readonly string[]) =>
    world.runBinary(['-p', prompt, '--permission-mode', 'bypass', ...more], { env });
  return { world, env, say };
}
const sent = (n: number): string => JSON.stringify(api.requests.at(n)?.body);

describe('a command in the background', () => {
  test('is ended when the session is left', async () => {
    const { world, say } = await start((_request, n) => (n === 0 ? begin() : replies('It runs.')));
    const said = await say('start the server');
    expect(said).toMatchObject({ code: 0, out: 'It runs.\n' });
    expect(said.err).toContain('Ended with the session: job-1 (echo listening; while :; do sleep 0.1; done). To have one go on,');
    expect(sent(1)).toContain('job-1 runs in the background');
    const [state] = await statesIn(world);
    expect(state?.end).toMatchObject({ how: { kind: 'stopped' } });
    expect(isAlive(state?.child.pid ?? 0)).toBe(false);
  });

  test('that is ended when a person leaves is named, with what keeps one', async () => {
    const { world, env } = await start((_request, n) => (n === 0 ? begin() : replies('It runs.')));
    const terminal = await world.runAtTerminal(['--permission-mode', 'bypass'], { env });
    await terminal.waitFor('> ');
    terminal.send('start the server\r');
    await terminal.waitFor(/\d+ steps?/);
    terminal.send('/quit\r');
    await terminal.exit;
    expect(terminal.text()).toMatch(/Ended with the session: job-1 \(echo listening/);
    expect(terminal.text()).toContain('/jobs keep NUMBER before you leave');
  });
});
