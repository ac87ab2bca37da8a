/**
 * How a provider counts an image as tokens. `patches`: one for each square of `edge` pixels, times a factor, of an image that is scaled
 * down first to at most so many pixels on the longer side and so many patches. `tiles`: a base, and so much for each square of 512 pixels of
 * an image that is scaled down to 2,048 and 768 pixels.
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
