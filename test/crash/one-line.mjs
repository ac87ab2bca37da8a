// One command line of the built program, killed at the disk's K-th step (killed-world.mjs). Arguments: K, then those of the command line.

import { runCli } from '../../src/commands/program.ts';
import { openStreams } from '../../src/runtime/io-streams.ts';
import { killedWorld } from './killed-world.mjs';

const [kill, ...args] = process.argv.slice(2);
const environment = killedWorld(kill);
const io = openStreams(environment, () => undefined);
void runCli(args, { environment, io }).then((code) => {
  process.exitCode = code;
});
