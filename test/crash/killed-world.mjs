import { appendFileSync } from 'node:fs';
import { processEnvironment } from '../../src/runtime/environment.ts';

/**
 * The real world, in which the disk's K-th step kills the process as a power cut would: SIGKILL, no clean-up; 0 kills nowhere. STEPS in
 * the environment is a file that gets each step's name.
 */
export function killedWorld(kill) {
  let steps = 0;
  const at = (point) => {
    steps += 1;
    if (process.env.STEPS) appendFileSync(process.env.STEPS, `${point}\n`);
    if (String(steps) === kill) process.kill(process.pid, 'SIGKILL');
    return undefined;
  };
  return { ...processEnvironment(), at };
}
