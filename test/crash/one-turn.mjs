// One headless turn of the built program, killed at the disk's K-th step (killed-world.mjs). Arguments: K and the prompt.
// Goes on with the newest session and prints events to stdout.

import { createActions } from '../../dist/app.js';
import { openStreams } from '../../dist/runtime/io-streams.js';
import { killedWorld } from './killed-world.mjs';

const [kill, prompt] = process.argv.slice(2);
const world = killedWorld(kill);
const options = {
  home: undefined,
  print: { prompt },
  outputFormat: 'stream-json',
  continueNewest: true,
  resume: undefined,
  fork: false,
  model: undefined,
  contextWindow: undefined,
  maxSteps: undefined,
  permissionMode: 'bypass',
  allow: [],
  group: undefined,
};
process.exitCode = await createActions(
  world,
  openStreams(world, () => undefined),
).chat(options);
