import { expect, test } from 'vitest';
import type { ModelRequest } from '../../../src/agent/ports/model.ts';
import { PAGE_TOKENS } from '../../../src/domain/value/media-tokens.ts';
import { roughRequestTokens } from '../../../src/model/rough-tokens.ts';
import { png } from '../../support/pictures.ts';

const block = (type: 'image' | 'document', mediaType: string, data: string) => ({
  type,
  source: { type: 'base64', media_type: mediaType, data },
});
const request = (content: ModelRequest['messages'][number]['content']): Parameters<typeof roughRequestTokens>[0] => ({
  system: ['Be brief.'],
  tools: [],
  messages: [{ role: 'user', content }],
});
const added = (...content: ModelRequest['messages'][number]['content']): number =>
  roughRequestTokens(request(content)) - roughRequestTokens(request([]));

test('an image counts by its size as the dearest model counts it, and not by its base64 [C45]', () => {
  const small = png(60, 40).toString('base64');
  const large = png(2_500, 1_500).toString('base64');
  expect(added(block('image', 'image/png', small))).toBeLessThan(100);
  // 90 × 54 squares of 28 pixels, of which 4,784 count at most.
  const tokens = added(block('image', 'image/png', large));
  expect(tokens).toBeGreaterThanOrEqual(4_784);
  expect(tokens).toBeLessThan(4_900);
  expect(added(block('image', 'image/png', 'no image'))).toBeGreaterThan(1_600);
});

test('a PDF counts by its bytes: a page at least, and many for a large one', () => {
  expect(added(block('document', 'application/pdf', 'JVBE'))).toBeGreaterThanOrEqual(PAGE_TOKENS);
  const large = Buffer.alloc(1_000_000).toString('base64');
  expect(added(block('document', 'application/pdf', large))).toBeGreaterThanOrEqual(20 * PAGE_TOKENS);
});
