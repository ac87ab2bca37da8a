import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { folders } from './destructive.ts';
import { createSandbox, type Ran, type Sandbox } from './sanbot.ts';

/** A working folder of some kind, and SanBot beside it. */
export type UndoWorld = {
  readonly world: Sandbox;
  /** The working folder. */
  readonly root: string;
  /** What contains it, and the repositories that belong to it. */
  readonly all: string;
  /** SanBot runs a command that the model asks for. */
  readonly asks: (command: string, ...more: readonly string[]) => Promise<Ran>;
  /** Brings back all that it changed. */
  readonly undoes: (...more: readonly string[]) => Promise<Ran>;
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
  return {
    ...{ world, root, all },
    asks: (command, ...more) => run(['-p', `run ${command}`, '--allow', 'run_command', ...more], { cwd: root }),
    undoes: (...more) =>
      run(['rollback', '--session', world.names('sessions')[0] ?? '', '--to-message', '1', '--files', '--yes', ...more], {
        cwd: existsSync(root) ? root : all,
      }),
  };
}
