import { type ContentBlock, isCompaction, isText, isToolResult, isToolUse } from '../../domain/session/message.ts';
import { imageSize } from '../../domain/value/image-size.ts';
import type { CountTokens } from './count.ts';

/** The mark-up around a block and the id of a call or result, which the tokenizer does not see. */
const BLOCK_OVERHEAD_TOKENS = 3;
const CALL_OVERHEAD_TOKENS = 12;

/** The cost of an image that the provider scales to its usual 1.15 megapixels. */
const IMAGE_TOKENS = 1_600;
const PIXELS_PER_TOKEN = 750;
/** The most that the newest models spend on one image (2,576 pixels on the long edge). */
const MAX_IMAGE_TOKENS = 4_784;

/**
 * A page of a PDF is sent as its text and as an image. Pages cannot be counted without reading the file, so they are estimated by its size.
 */
const PAGE_TOKENS = 3_000;
const PAGE_BYTES = 50_000;
const MAX_PAGES = 600;
const UNSEEN_DOCUMENT_TOKENS = 10_000;

/** About four base64 characters of a signature or of hidden thinking stand for one token of thought. */
const SEALED_CHARS_PER_TOKEN = 4;

/** Returns the raw tokens of one content block of any type. Images and base64 documents have a price and are never counted as text. */
export function blockTokens(block: ContentBlock, count: CountTokens): number {
  if (isText(block)) return BLOCK_OVERHEAD_TOKENS + count(block.text);
  if (isToolUse(block)) return CALL_OVERHEAD_TOKENS + count(block.name) + count(jsonOf(block.input));
  if (isToolResult(block)) return CALL_OVERHEAD_TOKENS + contentTokens(block.content, count);
  if (isCompaction(block)) return BLOCK_OVERHEAD_TOKENS + count(block.content);
  switch (block.type) {
    case 'thinking':
      return BLOCK_OVERHEAD_TOKENS + Math.max(count(stringIn(block.thinking)), sealedTokens(block.signature));
    case 'redacted_thinking':
      return BLOCK_OVERHEAD_TOKENS + sealedTokens(block.data);
    case 'image':
      return BLOCK_OVERHEAD_TOKENS + imageTokens(block.source);
    case 'document':
      return BLOCK_OVERHEAD_TOKENS + count(stringIn(block.title)) + count(stringIn(block.context)) + documentTokens(block.source, count);
    default:
      return BLOCK_OVERHEAD_TOKENS + count(jsonOf(block));
  }
}

export const jsonOf = (value: unknown): string => JSON.stringify(value) ?? '';

const stringIn = (value: unknown): string => (typeof value === 'string' ? value : '');
const sealedTokens = (value: unknown): number => Math.ceil(stringIn(value).length / SEALED_CHARS_PER_TOKEN);

function contentTokens(content: unknown, count: CountTokens): number {
  if (typeof content === 'string') return count(content);
  if (!Array.isArray(content)) return 0;
  let tokens = 0;
  for (const block of content) tokens += isBlock(block) ? blockTokens(block, count) : count(jsonOf(block));
  return tokens;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;
const isBlock = (value: unknown): value is ContentBlock => isRecord(value) && typeof value.type === 'string';

function imageTokens(source: unknown): number {
  const size = isRecord(source) ? imageSize(stringIn(source.data)) : undefined;
  if (size === undefined) return IMAGE_TOKENS;
  return Math.min(MAX_IMAGE_TOKENS, Math.max(1, Math.ceil((size.width * size.height) / PIXELS_PER_TOKEN)));
}

function documentTokens(source: unknown, count: CountTokens): number {
  if (!isRecord(source)) return UNSEEN_DOCUMENT_TOKENS;
  if (source.type === 'text') return count(stringIn(source.data));
  if (source.type === 'content') return contentTokens(source.content, count);
  if (source.type !== 'base64') return UNSEEN_DOCUMENT_TOKENS;
  const bytes = (stringIn(source.data).length * 3) / 4;
  return Math.min(MAX_PAGES, Math.max(1, Math.ceil(bytes / PAGE_BYTES))) * PAGE_TOKENS;
}
