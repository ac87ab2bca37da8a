import { type ContentBlock, isToolResult } from './message.ts';

/** An image or a document, as a block of its own or in a result. */
export const isMedia = (block: ContentBlock): boolean => block.type === 'image' || block.type === 'document';

/** The images and documents of some blocks, those in results among them. */
export const mediaIn = (content: readonly ContentBlock[]): readonly ContentBlock[] =>
  content.flatMap((block) => {
    if (isMedia(block)) return [block];
    return isToolResult(block) && Array.isArray(block.content) ? mediaIn(block.content) : [];
  });

/**
 * The same blocks with text in the place of each image or document that `replace` has a text for. Blocks with nothing to replace are the
 * same objects.
 */
export function replaceMedia(
  content: readonly ContentBlock[],
  replace: (block: ContentBlock) => string | undefined,
): readonly ContentBlock[] {
  const replaced = content.map((block): ContentBlock => {
    if (isMedia(block)) {
      const text = replace(block);
      return text === undefined ? block : { type: 'text', text };
    }
    if (!isToolResult(block) || !Array.isArray(block.content)) return block;
    const inner = replaceMedia(block.content, replace);
    return inner === block.content ? block : { ...block, content: inner };
  });
  return replaced.some((block, at) => block !== content[at]) ? replaced : content;
}
