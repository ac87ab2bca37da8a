import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { afterThisTest } from '../../support/clean-up.ts';
import { childrenOf, isAlive, type ProcessRow, processesWith } from '../../support/process-table.ts';
import { binary, createSandbox, type Sandbox } from '../../support/sanbot.ts';
import { until } from '../../support/until.ts';

/**
 * SIGKILL of each process that takes part in a command, at several points: nothing is left that runs, nothing that stands in the way, and
 * the next command works. What waits for is a process or a file, and never a time.
 */
const works = spawnSync('bwrap', ['--ro-bind', '/', '/', '--unshare-all', '--proc', '/proc', '--dev', '/dev', 'true']).status === 0;

type Running = { readonly world: Sandbox; readonly sanbot: number; readonly mark: string; readonly ended: Promise<unknown> };

let number = 0;

function start(prompt: string, mode: 'on' | 'off', prepare: (world: Sandbox) => void = () => undefined): Running {
  const world = createSandbox({ SANBOT_PROVIDER: 'offline', SANBOT_SANDBOX: mode });
  prepare(world);
  const mark = `OF_THIS_TEST=${process.pid}-${number++}`;
  const [name = '', value = ''] = mark.split('=');
  const child = spawn(process.execPath, [binary, '-p', prompt, '--permission-mode', 'bypass'], {
    cwd: world.cwd,
    env: { ...world.env, [name]: value },
    stdio: 'ignore',
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  afterThisTest(() => {
    for (const { pid } of processesWith(mark)) kill(pid);
  });
  return { world, sanbot: child.pid ?? 0, mark, ended };
}

const kill = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
};

const others = ({ mark, sanbot }: Running): readonly ProcessRow[] => processesWith(mark).filter(({ pid }) => pid !== sanbot);
const guardsOf = ({ sanbot }: Running): readonly ProcessRow[] => childrenOf(sanbot).filter(({ line }) => line.includes('sanbot-guard'));

async function nothingIsLeft(running: Running, guards: readonly ProcessRow[]): Promise<void> {
  await running.ended;
  await until(() => processesWith(running.mark).length === 0 && guards.every(({ pid }) => !isAlive(pid)));
  // What the sandbox put into the working folder goes at the next command, which runs as ever.
  const next = await running.world.runBinary(['-p', 'run echo the next one', '--permission-mode', 'bypass']);
  expect(next.out).toContain('the next one');
  expect(readdirSync(running.world.cwd).filter((name) => !['here', 'stray', 'hooked'].includes(name))).toEqual([]);
}

const COMMAND = "(setsid sh -c 'echo $$ > stray; exec sleep 900' &); until [ -s stray ]; do :; done; touch here; sleep 900; true";
const isHere = ({ world }: Running): boolean => existsSync(join(world.cwd, 'here'));

/** Each point is waited for; `victim` is what is killed there. */
const points: Readonly<Record<string, (running: Running) => boolean>> = {
  'as soon as there is a process': (running) => others(running).length > 0,
  'as soon as there are two': (running) => others(running).length > 1,
  'when the shell runs': (running) => others(running).some(({ line }) => line.startsWith('/bin/sh') || line.startsWith('/usr/bin/bash')),
  'in the middle of the command': isHere,
};

describe.each([['off'], ['on']] as const)('sandbox %s', (mode) => {
  describe.skipIf(mode === 'on' && !works)('a command', () => {
    test.each(Object.keys(points))('SanBot is killed %s', async (at) => {
      const running = start(`run ${COMMAND}`, mode);
      await until(() => points[at]?.(running));
      const guards = guardsOf(running);
      kill(running.sanbot);
      await nothingIsLeft(running, guards);
    });

    test('SanBot is killed after the guard was, which has another in its place', async () => {
      const running = start(`run ${COMMAND}`, mode);
      await until(() => isHere(running) && guardsOf(running).length === 1);
      const [first] = guardsOf(running);
      kill(first?.pid ?? 0);
      const guards = await until(() => guardsOf(running).some(({ pid }) => pid !== first?.pid) && guardsOf(running));
      kill(running.sanbot);
      await nothingIsLeft(running, guards);
    });

    test.each([0, 1, 2, 3])('the process number %i of the command is killed', async (index) => {
      const running = start(`run ${COMMAND}`, mode);
      // From here on the command starts no other process, so that one less is one that has ended.
      await until(() => others(running).filter(({ name }) => name === 'sleep').length === 2);
      const victims = others(running);
      const guards = guardsOf(running);
      kill(victims[index % victims.length]?.pid ?? 0);
      // A program that was killed in the middle of a command is the command's own affair, which may go on.
      if (processesWith(running.mark).some(({ pid }) => pid === running.sanbot)) {
        const left = await until(() => (others(running).length === 0 ? [] : others(running).length < victims.length && others(running)));
        for (const { pid } of left) kill(pid);
      }
      await nothingIsLeft(running, guards);
    });
  });
});

test('a hook ends with SanBot', async () => {
  const running = start('run true', 'off', ({ home }) => {
    mkdirSync(home, { recursive: true });
    const hooks = { PreToolUse: [{ hooks: [{ type: 'command', command: 'touch hooked; exec sleep 900' }] }] };
    writeFileSync(join(home, 'config.json'), JSON.stringify({ hooks }), { mode: 0o600 });
  });
  await until(() => existsSync(join(running.world.cwd, 'hooked')));
  const guards = guardsOf(running);
  kill(running.sanbot);
  await running.ended;
  await until(() => processesWith(running.mark).length === 0 && guards.every(({ pid }) => !isAlive(pid)));
});
