import { runCli } from '../../src/commands/program.ts';
import { type Environment, processEnvironment } from '../../src/runtime/environment.ts';
import { openStreams } from '../../src/runtime/io-streams.ts';

/** All that a run of the program has of its process. */
export type Surroundings = Pick<Environment, 'stdin' | 'stdout' | 'stderr'> & {
  /** All of them: nothing of this process's own variables is seen. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Where the prompts are, when the program does not run from the package. */
  readonly packageRoot?: string;
  /** The clock, when it is not the real one. */
  readonly now?: () => Date;
  /** Ids, when they are not to be by chance. */
  readonly newId?: () => string;
};

/** What nobody waits long for is as in a real process; for longer waits a busy machine, which is shared by all tests, gets so many times the time. */
const SHORT_MS = 2_000;
const BUSY = 20;

/** The whole program as main.ts starts it, in this process. Resolves with the exit code, when what is due at the exit has been done. */
export async function runInProcess(args: readonly string[], { env, cwd, ...streams }: Surroundings): Promise<number> {
  const onExit: (() => void)[] = [];
  const real = processEnvironment();
  const environment: Environment = {
    ...real,
    ...streams,
    deadline: (ms) => real.deadline(ms < SHORT_MS ? ms : ms * BUSY),
    hasInput: () => true,
    env,
    cwd: () => cwd,
    homedir: () => env.HOME ?? '',
    uid: process.geteuid?.(),
    onExit: (callback) => void onExit.push(callback),
    onSignal: () => undefined,
  };
  const io = openStreams(environment, () => undefined);
  const code = await runCli(args, { environment, io });
  for (const callback of onExit) callback();
  return code;
}
