import type { ModelRequest } from '../agent/ports/model.ts';

const ASCII_CHARS_PER_TOKEN = 3;
/** For an image or a page at the size to which the API scales it; the length of its base64 says nothing about that. */
const MEDIA_TOKENS = 1_600;

/**
 * Estimates the tokens of a text without a vocabulary: three ASCII characters, or one other, per token. It may be off by a third either way
 * (prose 3.2, code 2.4 characters per token, Han 1.0), so it only guards, and never measures.
 */
export function roughTokens(text: string): number {
  let ascii = 0;
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) < 0x80) ascii += 1;
  return Math.ceil(ascii / ASCII_CHARS_PER_TOKEN) + (text.length - ascii);
}

/** The same for everything that a request sends; images and documents are counted apart from its text. */
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
