// One command line of the program, killed at the disk's K-th step (killed-world.mjs). Arguments: K, then the command line as JSON; "sign-in
// SETTING GIVEN" keeps what a sign-in to an MCP server gave, which takes a browser otherwise.
import { runCli } from '../../src/commands/program.ts';
import { signInsOf } from '../../src/runtime/conversation/mcp.ts';
import { openStreams } from '../../src/runtime/io-streams.ts';
import { killedWorld } from './killed-world.mjs';

const [kill, line] = process.argv.slice(2);
const args = JSON.parse(line);
const atExit = [];
const world = { ...killedWorld(kill), onExit: (act) => void atExit.push(act) };
const io = openStreams(world, () => undefined);

async function runOne() {
  if (args[0] !== 'sign-in') return runCli(args, { environment: world, io });
  const [, setting, given] = args;
  signInsOf(setting, world, process.env.SANBOT_HOME).write(given);
  io.out('signed in\n');
  return 0;
}

void runOne().then((code) => {
  for (const act of atExit) act();
  process.exitCode = code;
});
