import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterThisFile } from './clean-up.ts';
import { createSandbox, driver } from './sanbot.ts';
import { visibleFolder } from './visible-folder.ts';

/** A command of the sandbox that leaves what runs later, in a process that is killed at a step of the disk, and the process after it. */
export async function killedWorld() {
  const base = mkdtempSync(join(visibleFolder ?? tmpdir(), '.left-out-'));
  afterThisFile(() => rmSync(base, { recursive: true, force: true }));
  const cwd = join(base, 'project');
  const sandbox = createSandbox({ SANBOT_PROVIDER: 'offline', SANBOT_SANDBOX: 'on' });
  const get = (name: string): string | undefined => (existsSync(join(cwd, name)) ? readFileSync(join(cwd, name), 'utf8') : undefined);
  const ask = (command: string) => ['-p', `run ${command}`];
  /** Returns the steps of a run that was not killed, for 0; else kills it at that step, from 1. The folder and the home are made anew. */
  const killed = async (step: number): Promise<readonly string[]> => {
    for (const folder of [cwd, sandbox.home]) rmSync(folder, { recursive: true, force: true });
    mkdirSync(join(cwd, 'sub'), { recursive: true });
    writeFileSync(join(cwd, 'sub', 'Makefile'), 'mine\n');
    mkdirSync(sandbox.home, { recursive: true, mode: 0o700 });
    writeFileSync(join(sandbox.home, 'config.json'), JSON.stringify({ permissions: { sandboxedCommands: 'run' } }), { mode: 0o600 });
    const file = join(dirname(sandbox.home), 'steps');
    rmSync(file, { force: true });
    const args = ['line', `${step}`, ...ask('echo evil > sub/.envrc; echo all: > sub/Makefile; echo 1 > a.txt')];
    const ran = await sandbox.runBinary(args, { program: driver, cwd, env: { STEPS: file } });
    if (step > 0 && ran.signal !== 'SIGKILL') throw new Error(`not killed at ${step}: ${ran.code} ${ran.err}`);
    return step > 0 ? [] : readFileSync(file, 'utf8').trim().split('\n');
  };
  return { ...sandbox, cwd, killed, get, next: () => sandbox.runBinary(ask('true'), { cwd }) };
}
