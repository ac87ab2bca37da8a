// One `sanbot rollback` of the built program, killed at the disk's K-th step (killed-world.mjs). Arguments: K, then the options as JSON.

import { rollBackTo } from '../../src/commands/context/rollback.ts';
import { openStreams } from '../../src/runtime/io-streams.ts';
import { killedWorld } from './killed-world.mjs';

const [kill, options] = process.argv.slice(2);
const environment = killedWorld(kill);
const io = openStreams(environment, () => undefined);
void rollBackTo({ files: true, yes: true, json: true, to: JSON.parse(options) }, { environment, io }).then((code) => {
  process.exitCode = code;
});
