import { availableParallelism, loadavg } from 'node:os';

const MOST = 5;

/**
 * How many times longer a look may take by the clock, since so many others want the processor: that a machine is busy, as with the tests that
 * run meanwhile, says nothing of the folder. From 1 to 5; 1 where the system does not tell (Windows).
 */
export const patience = (): number => Math.min(MOST, Math.max(1, (loadavg()[0] ?? 0) / availableParallelism()));
