// Command lines of the built program, one after another in one process, each in a world of its own: to start a process for each would
// take ten times as long. Argument: a file with a JSON list of { args, cwd, env, failAt, how }. From the disk's step `failAt` on (0: never)
// there is no space: "once" for that one step, "short" for a write that takes 7 bytes first, "from" for all that follows.
// Prints a line of JSON for each: its exit code, what it said, and the steps it took.
import { readFileSync, writeSync } from 'node:fs';
import { runCli } from '../../src/commands/program.ts';
import { processEnvironment } from '../../src/runtime/environment.ts';

/** What a full disk refuses: new names and new bytes; renaming and cutting off go on. */
const NEEDS_SPACE = /\.(write|open|link|make|folder|sync)$/;

void runAll(JSON.parse(readFileSync(process.argv[2], 'utf8')));

async function runAll(wishes) {
  for (const wish of wishes) {
    const line = Buffer.from(`${JSON.stringify(await runOne(wish))}\n`);
    for (let done = 0; done < line.length; ) done += writeSync(1, line, done);
  }
  process.exit(0);
}

async function runOne({ args, cwd, env, failAt, how }) {
  const steps = [];
  const atExit = [];
  const said = { out: [], err: [] };
  const world = {
    ...processEnvironment(),
    env,
    cwd: () => cwd,
    homedir: () => env.HOME,
    at: fillingDisk(steps, failAt, how),
    onExit: (act) => void atExit.push(act),
    onSignal: () => undefined,
  };
  const screen = {
    out: (text) => void said.out.push(text),
    err: (text) => void said.err.push(text),
    warn: ({ en }) => void said.err.push(`sanbot: ${en}\n`),
    columns: 120,
    colour: false,
  };
  const code = await runCli(args, { environment: world, io: screen });
  for (const act of atExit) act();
  return { code, out: said.out.join(''), err: said.err.join(''), steps };
}

function fillingDisk(steps, failAt, how) {
  let cut = false;
  const full = () => {
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  };
  return (point) => {
    steps.push(point);
    if (failAt === 0 || steps.length < failAt) return undefined;
    if (how === 'from') return NEEDS_SPACE.test(point) ? full() : undefined;
    if (how === 'short' && point.endsWith('.write') && !cut) {
      if (steps.length > failAt) return undefined;
      cut = true;
      return 7;
    }
    if (steps.length === failAt || (cut && steps.length === failAt + 1)) full();
    return undefined;
  };
}
