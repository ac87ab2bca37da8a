// One headless turn of the built program, killed at the disk's K-th step (killed-world.mjs). Arguments: K and the prompt.
// Goes on with the newest session and prints events to stdout.

import { runHeadless } from '../../src/commands/chat/headless.ts';
import { openStreams } from '../../src/runtime/io-streams.ts';
import { killedWorld } from './killed-world.mjs';

const [kill, prompt] = process.argv.slice(2);
const environment = killedWorld(kill);
const io = openStreams(environment, () => undefined);
const options = {
  print: true,
  message: prompt,
  outputFormat: 'stream-json',
  continueNewest: true,
  permissionMode: 'bypass',
  allow: [],
};
void runHeadless(options, { environment, io }).then((code) => {
  process.exitCode = code;
});
