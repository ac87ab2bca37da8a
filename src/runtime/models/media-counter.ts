import type { Model } from '../../agent/ports/model.ts';
import type { MediaCounter } from '../../context/measure/block-tokens.ts';
import { usualImagePricing } from '../../context/measure/media-tokens.ts';
import type { ImagePricing } from '../../domain/value/image-pricing.ts';
import { memoizeByObject } from '../../domain/value/memoize.ts';
import { pagesOfBase64 } from '../../tools/files/media/pdf-pages.ts';

/** Returns how the model that answers now counts images and documents: the same object for the same rule. */
export function mediaCounter({ facts }: Pick<Model, 'facts'>, modelName: () => string): () => MediaCounter {
  const counterFor = memoizeByObject((pricing: ImagePricing): MediaCounter => ({ pricing, pagesOf: pagesOfBase64 }));
  return () => {
    const { seesImages, imagePricing } = facts(modelName());
    return seesImages === true ? counterFor(imagePricing ?? usualImagePricing) : unseen;
  };
}

const unseen: MediaCounter = { pricing: undefined, pagesOf: () => undefined };
