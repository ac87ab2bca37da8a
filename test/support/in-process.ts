import { createActions } from '../../src/app.ts';
import { runCli } from '../../src/commands/program.ts';
import { versionOf } from '../../src/runtime/home.ts';
import { openScreen } from '../../src/runtime/screen.ts';
import { realWorld, type World } from '../../src/runtime/world.ts';

/** All that a run of the program has of its process. */
export type Place = Pick<World, 'stdin' | 'stdout' | 'stderr'> & {
  /** All of it: nothing of this process's own variables is seen. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
};

/** The whole program as main.ts starts it, in this process. Resolves with the exit code, when what is due at the exit has been done. */
export async function runInProcess(args: readonly string[], { env, cwd, ...streams }: Place): Promise<number> {
  const atExit: (() => void)[] = [];
  const world: World = {
    ...realWorld(),
    ...streams,
    env,
    cwd: () => cwd,
    homedir: () => env.HOME ?? '',
    onExit: (act) => void atExit.push(act),
    onSignal: () => undefined,
  };
  const screen = openScreen(world, () => undefined);
  const code = await runCli(args, {
    version: versionOf(world),
    out: screen.out,
    err: screen.err,
    columns: screen.columns,
    now: world.now,
    loadActions: async () => createActions(world, screen),
  });
  for (const act of atExit) act();
  return code;
}
