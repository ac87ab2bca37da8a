import type { Provider } from '../domain/config/endpoint-settings.ts';
import type { ImagePricing } from '../domain/value/media-tokens.ts';

/**
 * How models count images. Read on 2026-11-22: Anthropic's page on vision (patches of 28 pixels, scaled down first), OpenAI's guide to images
 * and, where that contradicts its bills, what its developers' forum measured of them (the factors of the small models, and 1.2 since
 * GPT-5.2). None of it was tested against the live services.
 */
const claudeStandard: ImagePricing = { kind: 'patches', edge: 28, maxSide: 1_568, maxPatches: 1_568 };
const claudeHigh: ImagePricing = { kind: 'patches', edge: 28, maxSide: 2_576, maxPatches: 4_784 };

const gpt = (factor: number, maxPatches: number): ImagePricing => ({ kind: 'patches', edge: 32, maxPatches, factor });
const tiles = (base: number, tile: number): ImagePricing => ({ kind: 'tiles', base, tile });

/** OpenAI's newest models take an image as it is, up to some thirty megapixels. */
const gptUnscaled = gpt(1.2, 30_000);
const gptScaled = gpt(1.2, 2_500);
const gptSmall = gpt(1.2, 1_536);
const gpt5 = tiles(70, 140);
const gpt4 = tiles(85, 170);

const byModel: Readonly<Record<string, ImagePricing>> = {
  'claude-opus-4-6': claudeStandard,
  'claude-sonnet-4-6': claudeStandard,
  'claude-haiku-4-5': claudeStandard,
  'claude-opus-4-5': claudeStandard,
  'claude-sonnet-4-5': claudeStandard,
  'gpt-6.1-sol': gptUnscaled,
  'gpt-6-astra': gptUnscaled,
  'gpt-6-sol': gptUnscaled,
  'gpt-6-luna': gptUnscaled,
  'gpt-5.6-sol': gptUnscaled,
  'gpt-5.6-terra': gptUnscaled,
  'gpt-5.6-luna': gptUnscaled,
  'gpt-5.5': gptScaled,
  'gpt-5.4': gptScaled,
  'gpt-5.4-mini': gptScaled,
  'gpt-5.4-nano': gptScaled,
  'gpt-5.3-codex': gptSmall,
  'gpt-5.2': gptSmall,
  'gpt-5-mini': gptSmall,
  'gpt-5-nano': gpt(1.5, 1_536),
  'gpt-5.1': gpt5,
  'gpt-5': gpt5,
  'gpt-4.1': gpt4,
  'gpt-4o': gpt4,
  'gpt-4o-mini': tiles(2_833, 5_667),
  'gpt-4.1-mini': gpt(1.62, 1_536),
  'gpt-4.1-nano': gpt(2.46, 1_536),
  'o4-mini': gpt(1.72, 1_536),
  o3: tiles(75, 150),
};

/** Undefined where no source says, and then the dearest rule is taken. `name` is the model's own, without a date or a vendor. */
export const imagePricingOf = (name: string | undefined, provider: Provider): ImagePricing | undefined =>
  (name === undefined ? undefined : byModel[name]) ?? (provider === 'anthropic' ? claudeHigh : undefined);
