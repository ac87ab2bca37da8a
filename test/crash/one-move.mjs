// One import, fork or purge of the built program, in which the disk's K-th step kills the process: SIGKILL, no clean-up.
// Arguments: K (0 kills nowhere), "import FILE", "fork ID" or "purge TEXT". Prints the name of each step to stdout.
import { writeSync } from 'node:fs';
import { forkSession } from '../../dist/app/fork.js';
import { NO_CAP, openStore } from '../../dist/app/open-store.js';
import { realWorld } from '../../dist/app/world.js';
import { createActions } from '../../dist/app.js';

const [kill, what, operand] = process.argv.slice(2);
let steps = 0;
const world = {
  ...realWorld(),
  at: (point) => {
    steps += 1;
    writeSync(1, `${point}\n`);
    if (String(steps) === kill) process.kill(process.pid, 'SIGKILL');
    return undefined;
  },
};
const screen = { out: () => undefined, err: (text) => writeSync(2, text), columns: 80, colour: false };
const home = process.env.SANBOT_HOME;
const actions = createActions(world, screen);
if (what === 'import') await actions.importSession({ home, file: operand });
else if (what === 'purge') await actions.purge({ home, match: operand, dryRun: false, yes: true, json: false });
else forkSession({ world, home, store: openStore(world, home, { maxSessionBytes: NO_CAP, tell: screen.err }), tell: screen.err }, operand);
