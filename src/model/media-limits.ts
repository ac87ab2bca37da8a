import { carefulMediaLimits, type MediaLimits } from '../domain/value/media-limits.ts';

/** Models with a larger window take more pages. */
const SMALL_WINDOW_TOKENS = 200_000;

/**
 * What a provider takes in one request, by its host. Read on 2026-11-23: Anthropic takes 32 MB, 100 pages and, of a model with more than
 * 200,000 tokens, 600, and above 20 images only small ones. OpenAI takes 500 images; its page for
 * PDFs said 100 pages and 32 MB in 2025 and names larger sizes and no pages since, which is not relied on. A gateway may take less than the provider behind it. None of it was tested against the live services.
 */
export function mediaLimitsAt(host: string | undefined, windowTokens: number): MediaLimits {
  if (host === 'api.anthropic.com') return { ...carefulMediaLimits, pages: windowTokens > SMALL_WINDOW_TOKENS ? 600 : 100 };
  if (host === 'api.openai.com') return { ...carefulMediaLimits, count: 500 };
  return carefulMediaLimits;
}
