// The built program with a disk on which the K-th step, or every write from the K-th on, fails with ENOSPC.
// Environment: FAIL_AT (K; 0 for nowhere), FAIL_ON ("once", "short" for a write that takes 7 bytes first, "from" for all from there on),
// STEPS (a file that gets the name of each step). Arguments: those of sanbot.
import { appendFileSync } from 'node:fs';
import { openScreen } from '../../dist/app/screen.js';
import { realWorld } from '../../dist/app/world.js';
import { createActions } from '../../dist/app.js';
import { runCli } from '../../dist/cli/program.js';

const failAt = Number(process.env.FAIL_AT ?? 0);
const how = process.env.FAIL_ON ?? 'once';
/** What a full disk refuses: new names and new bytes; renaming and cutting off go on. */
const NEEDS_SPACE = /\.(write|open|link|make|folder|sync)$/;

let steps = 0;
let cut = false;
const full = () => {
  throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
};
const at = (point) => {
  steps += 1;
  if (process.env.STEPS) appendFileSync(process.env.STEPS, `${point}\n`);
  if (failAt === 0 || steps < failAt) return undefined;
  if (how === 'from') return NEEDS_SPACE.test(point) ? full() : undefined;
  if (how === 'short' && point.endsWith('.write') && !cut) {
    if (steps > failAt) return undefined;
    cut = true;
    return 7;
  }
  if (steps === failAt || (cut && steps === failAt + 1)) full();
  return undefined;
};

const world = { ...realWorld(), at };
const screen = openScreen(world, () => undefined);
process.exitCode = await runCli(process.argv.slice(2), {
  version: '0',
  out: screen.out,
  err: screen.err,
  columns: 120,
  now: world.now,
  loadActions: async () => createActions(world, screen),
});
