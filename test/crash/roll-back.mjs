// One `sanbot rollback` of the built program, killed at the disk's K-th step (killed-world.mjs). Arguments: K, then the options as JSON.

import { createActions } from '../../dist/app.js';
import { openStreams } from '../../dist/runtime/io-streams.js';
import { killedWorld } from './killed-world.mjs';

const [kill, options] = process.argv.slice(2);
const world = killedWorld(kill);
const asked = { home: undefined, files: true, dryRun: false, yes: true, json: true };
process.exitCode = await createActions(
  world,
  openStreams(world, () => undefined),
).rollback({ ...asked, to: JSON.parse(options) });
