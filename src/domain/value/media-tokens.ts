import type { ImageSize } from './image-size.ts';

/**
 * How a provider counts an image. `patches`: one for each square of `edge` pixels, of an image scaled down to so many pixels and patches.
 * `tiles`: a base, and so much for each square of 512 pixels of one scaled down to 2,048 and 768 pixels.
 */
export type ImagePricing =
  | {
      readonly kind: 'patches';
      readonly edge: number;
      readonly maxSide?: number;
      readonly maxPatches: number;
      readonly factor?: number;
    }
  | { readonly kind: 'tiles'; readonly base: number; readonly tile: number };

/** Of a model of which nobody says otherwise: the dearest rule there is, so that a window is never overrun by pictures. */
export const usualImagePricing: ImagePricing = { kind: 'patches', edge: 28, maxSide: 2_576, maxPatches: 4_784 };

/** A page of a PDF is sent as its text (1,500 to 3,000 tokens, as Anthropic says) and as an image; a page of three was about 2,300. */
export const PAGE_TOKENS = 3_000;

/** What a page takes in a file, where its pages cannot be counted. */
const PAGE_BYTES = 50_000;
const MAX_PAGES = 600;

/** The tokens of a PDF of so many pages, or of so much base64 where nobody has counted them. */
export function documentTokens(base64: string, pages: number | undefined): number {
  return Math.min(MAX_PAGES, documentPages(base64, pages)) * PAGE_TOKENS;
}

/** The pages of a PDF, by its bytes where nobody has counted them. */
export const documentPages = (base64: string, pages: number | undefined): number =>
  Math.max(1, pages ?? Math.ceil((base64.length * 3) / 4 / PAGE_BYTES));

/** Returns the provider's own tokens for an image of this size, after it has been scaled down as the provider does. */
export function imageTokens(size: ImageSize, pricing: ImagePricing): number {
  return pricing.kind === 'tiles' ? tileTokens(size, pricing) : patchTokens(size, pricing);
}

/** An image of which the size cannot be read: about what one of 1.15 megapixels takes. */
export const UNSIZED_IMAGE_TOKENS = 1_600;

type Tiles = Extract<ImagePricing, { kind: 'tiles' }>;
type Patches = Extract<ImagePricing, { kind: 'patches' }>;

const TILE = 512;
const MAX_TILED_SIDE = 2_048;
const MAX_TILED_SHORT_SIDE = 768;

/** Scaled to fit a square of 2,048, then to 768 on the short side, and cut into squares of 512. */
function tileTokens(size: ImageSize, { base, tile }: Tiles): number {
  const fitted = scaled(size, Math.min(1, MAX_TILED_SIDE / Math.max(size.width, size.height)));
  const { width, height } = scaled(fitted, Math.min(1, MAX_TILED_SHORT_SIDE / Math.min(fitted.width, fitted.height)));
  return base + tile * Math.ceil(width / TILE) * Math.ceil(height / TILE);
}

function patchTokens(size: ImageSize, { edge, maxSide, maxPatches, factor = 1 }: Patches): number {
  const fitted = maxSide === undefined ? size : scaled(size, Math.min(1, maxSide / Math.max(size.width, size.height)));
  const patches = Math.ceil(fitted.width / edge) * Math.ceil(fitted.height / edge);
  return Math.max(1, Math.ceil(Math.min(maxPatches, patches) * factor));
}

const scaled = ({ width, height }: ImageSize, factor: number): ImageSize => ({ width: width * factor, height: height * factor });

/** What one request may carry of images and PDFs. */
export type MediaLimits = {
  /** Images and PDFs together. */
  readonly count: number;
  /** Of all PDFs together. */
  readonly pages: number;
  /** Of their base64. */
  readonly chars: number;
};

/** Where nobody says what an endpoint takes: the narrowest of those that are known. */
export const carefulMediaLimits: MediaLimits = { count: 20, pages: 100, chars: 24_000_000 };
