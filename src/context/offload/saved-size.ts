import type { ContentBlock, Message, StubRef } from '../../domain/session/message.ts';
import { memoizeByObject } from '../../domain/value/memoize.ts';
import { utf8Bytes } from '../measure/count.ts';
import type { Measure } from '../measure/measure.ts';
import { mediaStubText, type PlacedMedia } from './media-stub.ts';
import { countNewlines, smallStubText, UNITS_PER_TOKEN } from './stub.ts';

export type StubSizing = {
  readonly measure: Measure;
  readonly ratio: number;
  /** What each stub may show below its first two lines. */
  readonly stubTokens: number;
};

export type StoredResult = {
  readonly tool: string;
  readonly ok: boolean;
  readonly content: string;
  readonly source?: string;
  /** Set when a longer stub stands there, and `content` is its text. */
  readonly stub?: StubRef;
};
type SizedResult = StoredResult & { readonly block: ContentBlock };

const PLACEHOLDER_PATH = `/${'p'.repeat(120)}`;

const PLACEHOLDER_HASH = '0'.repeat(64);

/** Of a message with this alone, the same one each time, since messages are weighed once. */
export const alone = memoizeByObject(
  (block: ContentBlock): Message => ({ id: '', at: '', role: 'user', origin: 'tools', content: [block] }),
);
const PLACEHOLDER_STUB: Message = alone({
  type: 'text',
  text: mediaStubText({ path: PLACEHOLDER_PATH, what: 'PNG image, 1000 × 1000 pixels, 100000 bytes', sha256: PLACEHOLDER_HASH }),
});

export const savedByMedia = ({ block }: PlacedMedia, { measure, ratio }: StubSizing): number =>
  measure.message(alone(block), ratio) - measure.message(PLACEHOLDER_STUB, ratio);

type RawSizes = { readonly stubTokens: number; readonly content: Size; readonly stub: Size };
type Size = { readonly tokens: number; readonly bytes: number };

/** A batch is planned at every step until it pays, but the sizes of a result and its stub stay the same, so they are cached. */
const sizeCache = memoizeByObject((_: Measure) => new WeakMap<ContentBlock, RawSizes>());

export function savedByStub(result: SizedResult, { measure, ratio, stubTokens }: StubSizing): Size {
  const cache = sizeCache(measure);
  const cached = cache.get(result.block);
  const sizes = cached !== undefined && cached.stubTokens === stubTokens ? cached : rawSizes(result, measure, stubTokens);
  cache.set(result.block, sizes);
  const { content, stub } = sizes;
  return { tokens: Math.ceil(ratio * content.tokens) - Math.ceil(ratio * stub.tokens), bytes: content.bytes - stub.bytes };
}

/** What is not smaller as a stub weighs the same as one. The body of a stub is not read for this, so its next one counts as full. */
function rawSizes({ tool, ok, content, source, stub: earlier }: SizedResult, measure: Measure, stubTokens: number): RawSizes {
  const sizeOf = (text: string): Size => ({ tokens: measure.text(text, 1), bytes: utf8Bytes(text) });
  const ref = { sha256: PLACEHOLDER_HASH, bytes: utf8Bytes(content), lines: countNewlines(content) + 1 };
  const described = { path: PLACEHOLDER_PATH, tool, ok, ref, ...(source !== undefined && { source }) };
  const current = sizeOf(content);
  const room = { tokens: earlier === undefined ? stubTokens : 0 };
  const text = smallStubText({ ...described, body: earlier === undefined ? content : '' }, content, room);
  if (text === undefined) return { stubTokens, content: current, stub: current };
  const stub = sizeOf(text);
  if (earlier === undefined) return { stubTokens, content: current, stub };
  return { stubTokens, content: current, stub: { tokens: stub.tokens + stubTokens, bytes: stub.bytes + stubTokens * UNITS_PER_TOKEN } };
}
