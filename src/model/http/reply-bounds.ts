import { groupDigits } from '../../domain/value/size-text.ts';

/** The stream does not hold what it must: something is missing, or came where it cannot be. It may pass by itself. */
export class BrokenStream extends Error {
  override readonly name = 'BrokenStream';
}

/** No model writes so much: the largest replies are some hundred thousand tokens, a megabyte of text. The rest is not read. */
export class ReplyTooLarge extends Error {
  override readonly name = 'ReplyTooLarge';
}

/** Bytes as they come, framing included: the longest replies of today's models are some 25 MB on the wire. */
export const MAX_REPLY_BYTES = 64 * 1024 * 1024;
/** Of one block, in characters of what was streamed into it; and of one event. */
export const MAX_BLOCK_CHARS = 16 * 1024 * 1024;
export const MAX_BLOCKS = 4_096;
/** Of the model's name and of the stop reason. */
export const MAX_NAME_CHARS = 200;
/** Of an answer that reports an error, so much is read. */
export const MAX_ERROR_BYTES = 1024 * 1024;

export const tooLargeBlock = (): ReplyTooLarge => new ReplyTooLarge('more than 16 MiB in one part');
export const tooManyBlocks = (): ReplyTooLarge => new ReplyTooLarge(`more than ${groupDigits(MAX_BLOCKS)} parts`);

/** Throws ReplyTooLarge for an item that came whole and is longer than what could have been streamed into a block. */
export function checkBlock(item: unknown): void {
  let chars = 0;
  for (let level: readonly unknown[] = [item]; level.length > 0; ) {
    for (const value of level) chars += typeof value === 'string' ? value.length : 1;
    if (chars > MAX_BLOCK_CHARS) throw tooLargeBlock();
    level = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []));
  }
}
