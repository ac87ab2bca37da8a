/** Counts the tokens of any text; total, linear in its length, and always the same for the same text. */
export type CountTokens = (text: string) => number;

/** Longer texts are sampled: they go to a file anyway, and their exact size is not worth the wait. */
export const EXACT_CHARS = 100_000;
const MAX_BYTES = 3;

/** At least what the counter finds, without its vocabulary: no token is shorter than a byte, and each sample may stand for the whole. */
export const mostTokens: CountTokens = (text) => (text.length > EXACT_CHARS ? text.length * MAX_BYTES : utf8Bytes(text));

/** A lone surrogate counts as three bytes, as it is written as a replacement character. */
export const utf8Bytes = (text: string): number => Buffer.byteLength(text);
