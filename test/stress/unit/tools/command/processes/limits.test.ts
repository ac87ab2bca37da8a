import { describe, expect, test } from 'vitest';
import { processesWith } from '../../../../../support/process-table.ts';
import { createWorld } from '../../../../../unit/tools/world.ts';

/** Twice as many in each of six steps, and then no more: what a limit does not hold back ends by itself. */
const bounded = 'grow() { if [ $1 -gt 0 ]; then grow $(($1 - 1)) & grow $(($1 - 1)) & fi; sleep 60; }; grow 6; wait';

let worlds = 0;
const worldWith = (limits: { readonly processes: number; readonly memoryBytes: number | undefined }) => {
  const name = `limits-${process.pid}-${worlds++}`;
  const made = createWorld({ limits, env: { PATH: process.env.PATH, OF_THIS_TEST: name } });
  return { ...made, name, left: () => processesWith(`OF_THIS_TEST=${name}`) };
};

describe.skipIf(process.platform !== 'linux')('what a command may take of the machine', () => {
  test('so are those that left its group and dropped its mark', async () => {
    const { call, left, name } = worldWith({ processes: 50, memoryBytes: undefined });
    const away = `setsid -w env -i OF_THIS_TEST=${name} PATH="$PATH" sh -c '${bounded}'`;
    expect(await call('run_command', { command: away, timeout_ms: 50_000 })).toMatchObject({ note: { en: 'too many processes' } });
    expect(left()).toEqual([]);
  });

  test('a command in the background too', async () => {
    const { call, left } = worldWith({ processes: 50, memoryBytes: undefined });
    await call('run_command', { command: bounded, background: true });
    expect((await call('read_output', { job: 'job-1', wait_ms: 50_000 })).content).toMatch(
      /^job-1: stopped after \d+ s: it had too many processes at once \(commands\.maxProcesses\)/,
    );
    expect(left()).toEqual([]);
  });
});
