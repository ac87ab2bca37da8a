import type { Price } from '../config/config.ts';
import type { Usage } from './message.ts';

const PER_MILLION = 1_000_000;

/** Dollars for what a request used, at prices for a million tokens. */
export const usageCost = (usage: Usage, price: Price): number =>
  (usage.inputTokens * price.input +
    usage.cacheReadTokens * price.cacheRead +
    usage.cacheWriteTokens * price.cacheWrite +
    usage.outputTokens * price.output) /
  PER_MILLION;
