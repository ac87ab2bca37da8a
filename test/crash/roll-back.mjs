// One `sanbot rollback` of the built program, killed as one-turn.mjs kills a turn: K, then the options as JSON.
import { appendFileSync } from 'node:fs';
import { openScreen } from '../../dist/app/screen.js';
import { realWorld } from '../../dist/app/world.js';
import { createActions } from '../../dist/app.js';

const [kill, options] = process.argv.slice(2);
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
const asked = { home: undefined, files: true, dryRun: false, yes: true, json: true };
process.exitCode = await createActions(
  world,
  openScreen(world, () => undefined),
).rollback({ ...asked, to: JSON.parse(options) });
