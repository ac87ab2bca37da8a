// One headless turn of the built program, in which the disk's K-th step kills the process as a power cut would: SIGKILL, no clean-up.
// Arguments: K (0 kills nowhere), the prompt, and "new" for a session that is not there yet. Prints "step NAME" for each step to the file in STEPS, and events to stdout.
import { appendFileSync } from 'node:fs';
import { openScreen } from '../../dist/app/screen.js';
import { realWorld } from '../../dist/app/world.js';
import { createActions } from '../../dist/app.js';

const [kill, prompt, session] = process.argv.slice(2);
let steps = 0;
const world = {
  ...realWorld(),
  at: (point) => {
    steps += 1;
    if (process.env.STEPS) appendFileSync(process.env.STEPS, `${point}\n`);
    if (String(steps) === kill) process.kill(process.pid, 'SIGKILL');
    return undefined;
  },
};
const options = {
  home: undefined,
  print: { prompt },
  outputFormat: 'stream-json',
  continueNewest: session !== 'new',
  resume: undefined,
  model: undefined,
  contextWindow: undefined,
  maxSteps: undefined,
  permissionMode: 'bypass',
  allow: [],
  group: undefined,
};
process.exitCode = await createActions(
  world,
  openScreen(world, () => undefined),
).chat(options);
