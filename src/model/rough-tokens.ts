const ASCII_CHARS_PER_TOKEN = 3;

/**
 * About how many tokens a text is, without a vocabulary: three ASCII characters, or one other, to a token. Off by a third
 * either way (prose 3.2, code 2.4 characters a token, Han 1.0), so it guards, and never measures.
 */
export function roughTokens(text: string): number {
  let ascii = 0;
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) < 0x80) ascii += 1;
  return Math.ceil(ascii / ASCII_CHARS_PER_TOKEN) + (text.length - ascii);
}
