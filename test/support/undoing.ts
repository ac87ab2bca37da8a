import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { folders } from './destructive.ts';
import { createSandbox, driver, type Ran, type Sandbox } from './sanbot.ts';

/** A working folder of some kind, and SanBot beside it. */
export type UndoWorld = {
  readonly world: Sandbox;
  /** The working folder. */
  readonly root: string;
  /** What contains it, and the repositories that belong to it. */
  readonly all: string;
  /** The arguments with which SanBot runs a command that the model asks for, and with which it brings back all that was changed. */
  readonly turn: (command: string) => readonly string[];
  readonly restore: () => readonly string[];
  /** Both of them. */
  readonly asks: (command: string) => Promise<Ran>;
  readonly undoes: () => Promise<Ran>;
  /** The same by a process that is killed at a step of the disk: its first argument says at which. */
  readonly line: (args: readonly string[], env?: Readonly<Record<string, string>>) => Promise<Ran>;
};

/** In processes of the real binary, or in this one. */
export function undoWorld(kind: string, by: 'binary' | 'here'): UndoWorld {
  const world = createSandbox({ SANBOT_PROVIDER: 'offline' });
  const all = join(dirname(world.cwd), 'work');
  const root = join(all, /[^a-z ]/.test(kind) ? `${kind} 1` : 'w');
  mkdirSync(root, { recursive: true });
  folders[kind]?.(root);
  writeFileSync(join(dirname(world.home), '.gitconfig'), '[user]\n\tname = A\n\temail = a@example.com\n[core]\n\teditor = true\n');
  const run = by === 'binary' ? world.runBinary : world.run;
  const cwd = (): string => (existsSync(root) ? root : all);
  const turn = (command: string): readonly string[] => ['-p', `run ${command}`, '--allow', 'run_command'];
  const restore = (): readonly string[] => {
    const session = world.names('sessions')[0] ?? '';
    return ['rollback', '--session', session, '--to-message', '1', '--files', '--yes'];
  };
  return {
    ...{ world, root, all, turn, restore },
    asks: (command) => run(turn(command), { cwd: root }),
    undoes: () => run(restore(), { cwd: cwd() }),
    line: (args, env = {}) => world.runBinary(['line', ...args], { program: driver, cwd: cwd(), env }),
  };
}
