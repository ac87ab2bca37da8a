import type { Provider } from '../domain/config/endpoint-settings.ts';
import type { ImagePricing } from '../domain/value/media-tokens.ts';

/**
 * How models count images. Read on 2026-11-22: Anthropic's page on vision (patches of 28 pixels, scaled down first), OpenAI's guide to images
 * and, where that contradicts its bills, what its developers' forum measured of them (the factors of the small models, and 1.2 since
 * GPT-5.2). None of it was tested against the live services.
 */
export const claudeStandard: ImagePricing = { kind: 'patches', edge: 28, maxSide: 1_568, maxPatches: 1_568 };
const claudeHigh: ImagePricing = { kind: 'patches', edge: 28, maxSide: 2_576, maxPatches: 4_784 };

export const patches = (factor: number, maxPatches: number): ImagePricing => ({ kind: 'patches', edge: 32, maxPatches, factor });
export const tiles = (base: number, tile: number): ImagePricing => ({ kind: 'tiles', base, tile });

/** Undefined where no source says, and then the dearest rule is taken. */
export const imagePricingOf = (entry: { readonly imagePricing?: ImagePricing } | undefined, provider: Provider): ImagePricing | undefined =>
  entry?.imagePricing ?? (provider === 'anthropic' ? claudeHigh : undefined);
