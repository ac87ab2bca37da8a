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
