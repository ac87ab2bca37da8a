/** Counts the tokens of any text; total, linear in its length, and always the same for the same text. */
export type CountTokens = (text: string) => number;

/** Longer texts are sampled: they go to a file anyway, and their exact size is not worth the wait. */
export const EXACT_CHARS = 100_000;
/** Of a UTF-16 unit. */
const MAX_BYTES = 3;

/**
 * At least what the one counter finds in a text, and found without its vocabulary: no token is shorter than a byte. Of a text that is sampled,
 * each part may stand for the whole. It only proves that no limit is near; nothing of it is shown or stored.
 */
export const mostTokens: CountTokens = (text) => (text.length > EXACT_CHARS ? text.length * MAX_BYTES : utf8Bytes(text));

/** A lone surrogate counts as three bytes, as it is written as a replacement character. */
export function utf8Bytes(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x80) continue;
    const pair = code >= 0xd800 && code <= 0xdbff && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00;
    bytes += code < 0x800 ? 1 : 2;
    if (pair) i++;
  }
  return bytes;
}
