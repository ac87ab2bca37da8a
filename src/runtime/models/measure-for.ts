import type { Model } from '../../agent/ports/model.ts';
import type { MediaCounter } from '../../context/measure/block-tokens.ts';
import type { CountTokens } from '../../context/measure/count.ts';
import { createMeasure, type Measure } from '../../context/measure/measure.ts';
import type { ImagePricing } from '../../domain/value/image-pricing.ts';
import { usualImagePricing } from '../../domain/value/media-tokens.ts';
import { memoizeByObject } from '../../domain/value/memoize.ts';

/** What measures a conversation, whoever answers in it. */
export const measureFor = (
  { count, model }: { readonly count: CountTokens; readonly model: Pick<Model, 'facts'> },
  modelName: () => string,
): Measure => createMeasure(count, mediaCounter(model, modelName));

/** Returns how the model that answers now counts images and documents: the same object for the same rule. */
function mediaCounter({ facts }: Pick<Model, 'facts'>, modelName: () => string): () => MediaCounter {
  const counterFor = memoizeByObject(
    (pricing: ImagePricing): MediaCounter => ({ pricing, pagesOf: (base64) => facts(modelName()).pagesOf?.(base64) }),
  );
  return () => {
    const { seesImages, imagePricing } = facts(modelName());
    return seesImages === true ? counterFor(imagePricing ?? usualImagePricing) : unseen;
  };
}

const unseen: MediaCounter = { pricing: undefined, pagesOf: () => undefined };
