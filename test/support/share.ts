/**
 * How much is tried of what takes hours as a whole: kills at every step, flips of every bit, laws with many seeds. `npm test` tries the least
 * of it, `npm run test:acceptance` all, and `npm run test:full` the least and a twentieth, drawn by lot before the tests begin (draw-lot.ts).
 */
export const TWENTIETHS = 20;

const { SANBOT_TEST, SANBOT_TWENTIETH } = process.env;

export const isWhole = SANBOT_TEST === 'acceptance';

/** The twentieth that is tried, from 1 on; laws take it for their seed. Undefined in a run of the least. */
export const twentieth = SANBOT_TWENTIETH === undefined ? undefined : Number(SANBOT_TWENTIETH);

/** Whether one of many cases, by its number from 0 on, is tried beside the least. */
export const isDrawn = (at: number): boolean => isWhole || (twentieth !== undefined && at % TWENTIETHS === twentieth - 1);
