import { expect, test } from 'vitest';
import type { MediaCounter } from '../../../../src/context/measure/block-tokens.ts';
import { createMeasure } from '../../../../src/context/measure/measure.ts';
import type { Message } from '../../../../src/domain/session/message.ts';
import { type ImagePricing, imageTokens, usualImagePricing } from '../../../../src/domain/value/media-tokens.ts';
import { catalogEntry } from '../../../../src/model/catalog.ts';
import { imagePricingOf } from '../../../../src/model/image-pricing.ts';
import { contextOf, user } from '../../../support/build.ts';
import { pdf, png } from '../../../support/pictures.ts';

const pricing = (model: string, provider: 'anthropic' | 'openai-responses'): ImagePricing =>
  imagePricingOf(catalogEntry(model), provider) ?? usualImagePricing;

/** Figures of the providers' own pages, and those that their users measured. */
test.each([
  ['claude-sonnet-4-6', 'anthropic', 200, 200, 64],
  ['claude-sonnet-4-6', 'anthropic', 1_092, 1_092, 1_521],
  ['claude-sonnet-4-6', 'anthropic', 3_000, 2_000, 1_568],
  ['claude-opus-5-5', 'anthropic', 1_092, 1_092, 1_521],
  ['claude-opus-5-5', 'anthropic', 8_000, 8_000, 4_784],
  ['gpt-4o', 'openai-responses', 1_024, 1_024, 765],
  ['gpt-4o', 'openai-responses', 2_048, 4_096, 1_105],
  ['gpt-5', 'openai-responses', 1_024, 1_024, 630],
  ['gpt-5-mini', 'openai-responses', 1_024, 1_024, 1_229],
  ['gpt-5-mini', 'openai-responses', 2_048, 768, 1_844],
  ['gpt-5.4', 'openai-responses', 1_600, 1_600, 3_000],
  ['gpt-6.1-sol', 'openai-responses', 2_048, 1_365, 3_303],
] as const)('%s counts an image at %s of %i × %i pixels as %i tokens', (model, provider, width, height, tokens) => {
  expect(imageTokens({ width, height }, pricing(model, provider))).toBe(tokens);
});

test('a model that nobody knows is taken to count like the dearest, and no image counts nothing or without end', () => {
  expect(imagePricingOf(undefined, 'openai-responses')).toBeUndefined();
  for (const rule of [usualImagePricing, pricing('gpt-4o', 'openai-responses'), pricing('gpt-6.1-sol', 'openai-responses')])
    for (const [width, height] of [
      [1, 1],
      [1, 1_000_000],
      [65_535, 65_535],
    ] as const) {
      const tokens = imageTokens({ width, height }, rule);
      expect(tokens).toBeGreaterThanOrEqual(1);
      expect(tokens).toBeLessThanOrEqual(36_000);
    }
});

const picture = (): Message => ({
  ...user(),
  content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: png(1_024, 1_024).toString('base64') } }],
});
const counting = (counter: () => MediaCounter) => createMeasure((text) => text.length, counter);
const counterOf = (rule: ImagePricing | undefined): MediaCounter => ({ pricing: rule, pagesOf: () => 7 });

test('the ratio of a model turns words into its tokens and leaves those of its images alone', () => {
  const one = counterOf(pricing('gpt-4o', 'openai-responses'));
  const measure = counting(() => one);
  expect(measure.message(picture(), 2) - measure.message(picture(), 1)).toBe(8);
  expect(measure.message(picture(), 1)).toBe(765 + 8);
  const context = contextOf([picture()], { system: '' });
  expect(measure.media(context)).toBe(765);
  expect(measure.raw(context)).toBe(765 + 8);
});

test('after a change of model the same messages are counted by the new one, and by none at all where it does not see', () => {
  const rules = [
    counterOf(pricing('gpt-4o', 'openai-responses')),
    counterOf(pricing('claude-opus-5-5', 'anthropic')),
    counterOf(undefined),
  ];
  let now = 0;
  const measure = counting(() => rules[now] ?? counterOf(undefined));
  const context = contextOf([picture()], { system: '' });
  const counts = rules.map((_, at) => {
    now = at;
    return measure.media(context);
  });
  expect(counts).toEqual([765, 37 * 37, 40]);
});

test('a PDF counts by its pages where they can be counted', () => {
  const counter = counterOf(usualImagePricing);
  const data = pdf(7).toString('base64');
  const message: Message = { ...user(), content: [{ type: 'document', source: { type: 'base64', media_type: 'application/pdf', data } }] };
  expect(counting(() => counter).media(contextOf([message], { system: '' }))).toBe(21_000);
});
