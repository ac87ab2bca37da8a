import { loadTokenCounter } from '../../src/runtime/token-counter.ts';
import { root } from './source.ts';

/** The counter of the program. */
export const countTokens = loadTokenCounter({ packageRoot: root });
