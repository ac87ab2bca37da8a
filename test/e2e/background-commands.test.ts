import { describe, expect, test } from 'vitest';
import { begin, isAlive, startWithJobs, statesIn } from '../support/background-commands.ts';
import { replies } from '../support/scenario.ts';

describe('a command in the background', () => {
  test('is ended when the session is left', async () => {
    const { world, say, sent } = await startWithJobs((_request, n) => (n === 0 ? begin() : replies('It runs.')));
    const said = await say('start the server');
    expect(said).toMatchObject({ code: 0, out: 'It runs.\n' });
    expect(said.err).toContain('Ended with the session: job-1 (echo listening; while :; do sleep 0.1; done). To have one go on,');
    expect(sent(1)).toContain('job-1 runs in the background');
    const [state] = await statesIn(world);
    expect(state?.end).toMatchObject({ how: { kind: 'stopped' } });
    expect(isAlive(state?.child.pid ?? 0)).toBe(false);
  });

  test('that is ended when a person leaves is named, with what keeps one', async () => {
    const { world, env } = await startWithJobs((_request, n) => (n === 0 ? begin() : replies('It runs.')));
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
