import type { ModelRequest } from '../agent/ports.ts';

const ASCII_CHARS_PER_TOKEN = 3;
/** An image or a page at the size the API scales it to; its base64 is no measure of it. */
const MEDIA_TOKENS = 1_600;

/**
 * About how many tokens a text is, without a vocabulary: three ASCII characters, or one other, to a token. Off by a third
 * either way (prose 3.2, code 2.4 characters a token, Han 1.0), so it guards, and never measures.
 */
export function roughTokens(text: string): number {
  let ascii = 0;
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) < 0x80) ascii += 1;
  return Math.ceil(ascii / ASCII_CHARS_PER_TOKEN) + (text.length - ascii);
}

/** The same for all that a request sends, its images and documents apart from its text. */
export function roughRequestTokens(
  { system, tools, messages }: Pick<ModelRequest, 'system' | 'tools' | 'messages'>,
  countTokens: (text: string) => number = roughTokens,
): number {
  let mediaCount = 0;
  const text = JSON.stringify([system, tools, messages], (_, value: unknown) => {
    if (!isBase64(value)) return value;
    mediaCount += 1;
    return undefined;
  });
  return countTokens(text) + mediaCount * MEDIA_TOKENS;
}

const isBase64 = (value: unknown): boolean => typeof value === 'object' && value !== null && 'type' in value && value.type === 'base64';
