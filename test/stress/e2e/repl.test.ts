import { afterEach, describe, expect, test } from 'vitest';
import { allow, isRestored, running, stored, talkToBinary } from '../../support/repl.ts';
import { createSandbox } from '../../support/sanbot.ts';

afterEach(() => {
  for (const terminal of running.splice(0)) terminal.kill('SIGKILL');
});

describe('the terminal is given back [D-42]', () => {
  test.each(['SIGTERM', 'SIGHUP'] as const)('after %s in the middle of a turn, what was said being on disk', async (signal) => {
    const world = createSandbox();
    const terminal = await talkToBinary(world);
    terminal.send('run sleep 30\r');
    await allow(terminal);
    await terminal.waitFor(/\$ sleep 30[\s\S]*· Esc stops/);
    terminal.kill(signal);
    await terminal.waitForRaw(isRestored);
    await terminal.exit;
    expect(stored(world)).toContain('run sleep 30');
  });
});
