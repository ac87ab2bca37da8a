import type { Price } from '../config/config.ts';
import type { Usage } from './message.ts';

const PER_MILLION = 1_000_000;

/** Providers that keep a write for an hour take twice the price of input for it, and 1.25 times that of input for five minutes. */
const HOUR_SHARE = 2 / 1.25;

/** Dollars for what a request used, at prices for a million tokens. */
export function usageCost(usage: Usage, price: Price): number {
  const hourTokens = Math.min(usage.cacheWrite1hTokens ?? 0, usage.cacheWriteTokens);
  const total =
    usage.inputTokens * price.input +
    usage.cacheReadTokens * price.cacheRead +
    (usage.cacheWriteTokens - hourTokens) * price.cacheWrite +
    hourTokens * (price.cacheWrite1h ?? price.cacheWrite * HOUR_SHARE) +
    usage.outputTokens * price.output;
  return total / PER_MILLION;
}
