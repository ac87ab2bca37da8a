// One `sanbot rollback` of the built program, killed at the disk's K-th step (killed-world.mjs). Arguments: K, then the options as JSON.

import { rollBackTo } from '../../dist/commands/context/rollback.js';
import { openStreams } from '../../dist/runtime/io-streams.js';
import { killedWorld } from './killed-world.mjs';

const [kill, options] = process.argv.slice(2);
const environment = killedWorld(kill);
const io = openStreams(environment, () => undefined);
process.exitCode = await rollBackTo({ files: true, yes: true, json: true, to: JSON.parse(options) }, { environment, io });
