/** A smaller window would be filled by prompt and tools, however short: it is refused wherever one is given. */
export const MIN_WINDOW_TOKENS = 4_000;
