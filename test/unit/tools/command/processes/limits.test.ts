import { describe, expect, test } from 'vitest';
import { processesWith } from '../../../../support/process-table.ts';
import { createWorld } from '../../world.ts';

/** Twice as many in each of six steps, and then no more: what a limit does not hold back ends by itself. */
const bounded = 'grow() { if [ $1 -gt 0 ]; then grow $(($1 - 1)) & grow $(($1 - 1)) & fi; sleep 60; }; grow 6; wait';

let worlds = 0;
const worldWith = (limits: { readonly processes: number; readonly memoryBytes: number | undefined }) => {
  const name = `limits-${process.pid}-${worlds++}`;
  const made = createWorld({ limits, env: { PATH: process.env.PATH, OF_THIS_TEST: name } });
  return { ...made, name, left: () => processesWith(`OF_THIS_TEST=${name}`) };
};

describe.skipIf(process.platform !== 'linux')('what a command may take of the machine', () => {
  test('has it more processes at once than the setting allows, all of them are ended, and the result says why', async () => {
    const { call, left } = worldWith({ processes: 50, memoryBytes: undefined });
    const outcome = await call('run_command', { command: bounded, timeout_ms: 50_000 });
    expect(outcome).toMatchObject({ ok: false, note: { en: 'too many processes' } });
    expect(outcome.content).toMatch(/^had more than 50 processes at once \(commands\.maxProcesses\); it and all it started were stopped/);
    expect(left()).toEqual([]);
    expect((await call('run_command', { command: 'echo next' })).content).toBe('exit 0\nnext\n');
  });

  test('as many as are allowed run to their end', async () => {
    const { call } = worldWith({ processes: 50, memoryBytes: undefined });
    const command = 'for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do sleep 0.6 & done; wait; echo done';
    expect((await call('run_command', { command })).content).toBe('exit 0\ndone\n');
  });

  test('takes it more memory than the setting allows, it is ended', async () => {
    const { call, left } = worldWith({ processes: 50, memoryBytes: 100_000_000 });
    const command = `"${process.execPath}" -e 'const all = []; setInterval(() => all.push(Buffer.alloc(20_000_000, 1)), 20)'`;
    const outcome = await call('run_command', { command, timeout_ms: 50_000 });
    expect(outcome.content).toMatch(/^took more than 96 MiB of memory \(commands\.maxMemoryBytes\)/);
    expect(left()).toEqual([]);
  });
});
