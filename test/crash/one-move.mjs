// One import, fork or purge of the built program, killed at the disk's K-th step (killed-world.mjs). Arguments: K, then "import FILE",
// "fork ID" or "purge TEXT".
import { writeSync } from 'node:fs';
import { purgeHome } from '../../src/commands/care/purge.ts';
import { forkSession } from '../../src/commands/sessions/fork.ts';
import { importSession } from '../../src/commands/sessions/import-session.ts';
import { NO_CAP, openStore } from '../../src/runtime/open-store.ts';
import { killedWorld } from './killed-world.mjs';

const [kill, what, operand] = process.argv.slice(2);
const world = killedWorld(kill);
const warn = ({ en }) => writeSync(2, `sanbot: ${en}\n`);
const screen = { out: () => undefined, err: (text) => writeSync(2, text), warn, columns: 80, colour: false };
const home = process.env.SANBOT_HOME;
const context = { environment: world, io: screen };
async function move() {
  if (what === 'import') await importSession({ home, file: operand }, context);
  else if (what === 'purge') await purgeHome({ home, match: operand, yes: true }, context);
  else forkSession({ environment: world, home, store: openStore(world, home, { maxSessionBytes: NO_CAP, warn }), warn }, operand);
}

void move().then(() => writeSync(1, 'done\n'));
