/** Prompt and tools, however short, would fill a smaller window: it is refused wherever a window is set. */
export const MIN_WINDOW_TOKENS = 4_000;
