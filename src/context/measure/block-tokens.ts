import { type ContentBlock, isCompaction, isText, isToolResult, isToolUse } from '../../domain/session/message.ts';
import { imageSize } from '../../domain/value/image-size.ts';
import { isObject } from '../../domain/value/json.ts';
import {
  documentTokens,
  type ImagePricing,
  imageTokens,
  UNSIZED_IMAGE_TOKENS,
  usualImagePricing,
} from '../../domain/value/media-tokens.ts';
import type { CountTokens } from './count.ts';

/** The mark-up around a block and the id of a call or result, which the tokenizer does not see. */
const BLOCK_OVERHEAD_TOKENS = 3;
const CALL_OVERHEAD_TOKENS = 12;

const UNREAD_DOCUMENT_TOKENS = 10_000;
const UNSEEN_TOKENS = 40;

/** About four base64 characters of a signature or of hidden thinking stand for one token of thought. */
const SEALED_CHARS_PER_TOKEN = 4;

/** How images and documents are counted: by the provider's own rule, which is of its tokens and not of ours. */
export type MediaCounter = {
  /** Undefined for a model that sees none: it gets a sentence in the place of each. */
  readonly pricing: ImagePricing | undefined;
  /** The pages of a PDF, of which this is the base64; undefined when they cannot be counted. */
  readonly pagesOf: (base64: string) => number | undefined;
};

export const usualMediaCounter: MediaCounter = { pricing: usualImagePricing, pagesOf: () => undefined };

/** Tokens of a text by our own count, which a ratio turns into the model's; and tokens of media, which are the model's already. */
export type BlockWeight = { readonly text: number; readonly media: number };

/** Returns what one content block of any type weighs. Images and base64 documents have a price and are never counted as text. */
export function blockWeight(block: ContentBlock, count: CountTokens, counter: MediaCounter): BlockWeight {
  if (isText(block)) return textWeight(BLOCK_OVERHEAD_TOKENS + count(block.text));
  if (isToolUse(block)) return textWeight(CALL_OVERHEAD_TOKENS + count(block.name) + count(jsonOf(block.input)));
  if (isToolResult(block)) return plus(CALL_OVERHEAD_TOKENS, contentWeight(block.content, count, counter));
  if (isCompaction(block)) return textWeight(BLOCK_OVERHEAD_TOKENS + count(block.content));
  switch (block.type) {
    case 'thinking':
      return textWeight(BLOCK_OVERHEAD_TOKENS + Math.max(count(stringIn(block.thinking)), sealedTokens(block.signature)));
    case 'redacted_thinking':
      return textWeight(BLOCK_OVERHEAD_TOKENS + sealedTokens(block.data));
    case 'image':
      return { text: BLOCK_OVERHEAD_TOKENS, media: imageWeight(block.source, counter) };
    case 'document': {
      const head = BLOCK_OVERHEAD_TOKENS + count(stringIn(block.title)) + count(stringIn(block.context));
      return plus(head, documentWeight(block.source, count, counter));
    }
    default:
      return textWeight(BLOCK_OVERHEAD_TOKENS + count(jsonOf(block)));
  }
}

const textWeight = (text: number): BlockWeight => ({ text, media: 0 });
const plus = (text: number, weight: BlockWeight): BlockWeight => ({ text: text + weight.text, media: weight.media });

export const jsonOf = (value: unknown): string => JSON.stringify(value) ?? '';

const stringIn = (value: unknown): string => (typeof value === 'string' ? value : '');
const sealedTokens = (value: unknown): number => Math.ceil(stringIn(value).length / SEALED_CHARS_PER_TOKEN);

function contentWeight(content: unknown, count: CountTokens, counter: MediaCounter): BlockWeight {
  if (typeof content === 'string') return textWeight(count(content));
  if (!Array.isArray(content)) return textWeight(0);
  let [text, media] = [0, 0];
  for (const block of content) {
    const weight = isBlock(block) ? blockWeight(block, count, counter) : textWeight(count(jsonOf(block)));
    text += weight.text;
    media += weight.media;
  }
  return { text, media };
}

const isBlock = (value: unknown): value is ContentBlock => isObject(value) && typeof value.type === 'string';

function imageWeight(source: unknown, { pricing }: MediaCounter): number {
  if (pricing === undefined) return UNSEEN_TOKENS;
  const size = isObject(source) ? imageSize(stringIn(source.data)) : undefined;
  return size === undefined ? UNSIZED_IMAGE_TOKENS : imageTokens(size, pricing);
}

function documentWeight(source: unknown, count: CountTokens, counter: MediaCounter): BlockWeight {
  if (!isObject(source)) return { text: 0, media: UNREAD_DOCUMENT_TOKENS };
  if (source.type === 'text') return textWeight(count(stringIn(source.data)));
  if (source.type === 'content') return contentWeight(source.content, count, counter);
  if (counter.pricing === undefined) return { text: 0, media: UNSEEN_TOKENS };
  if (source.type !== 'base64') return { text: 0, media: UNREAD_DOCUMENT_TOKENS };
  const data = stringIn(source.data);
  return { text: 0, media: documentTokens(data, counter.pagesOf(data)) };
}
