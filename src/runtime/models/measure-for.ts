import type { Model } from '../../agent/ports/model.ts';
import type { MediaCounter } from '../../context/measure/block-tokens.ts';
import type { CountTokens } from '../../context/measure/count.ts';
import { createMeasure, type Measure } from '../../context/measure/measure.ts';
import { usualImagePricing } from '../../context/measure/media-tokens.ts';
import type { ImagePricing } from '../../domain/value/image-pricing.ts';
import { memoizeByObject } from '../../domain/value/memoize.ts';
import { pagesOfBase64 } from '../../tools/files/media/pdf-pages.ts';

/** What measures a conversation, whoever answers in it. */
export const measureFor = (
  { count, model }: { readonly count: CountTokens; readonly model: Pick<Model, 'facts'> },
  modelName: () => string,
): Measure => createMeasure(count, mediaCounter(model, modelName));

/** Returns how the model that answers now counts images and documents: the same object for the same rule. */
function mediaCounter({ facts }: Pick<Model, 'facts'>, modelName: () => string): () => MediaCounter {
  const counterFor = memoizeByObject((pricing: ImagePricing): MediaCounter => ({ pricing, pagesOf: pagesOfBase64 }));
  return () => {
    const { seesImages, imagePricing } = facts(modelName());
    return seesImages === true ? counterFor(imagePricing ?? usualImagePricing) : unseen;
  };
}

const unseen: MediaCounter = { pricing: undefined, pagesOf: () => undefined };
