/**
 * Images and PDFs: what a file is by its own bytes, whether a provider would take it, and the block that shows it to a model.
 *
 * In comes a path or bytes, out comes a block with what it is in words, or why it cannot be shown. What a provider would refuse is refused
 * here, with the limit, since one that was refused once is refused with every later request. Nothing is made smaller: each library that
 * does it well is larger than SanBot.
 *
 * The pages of a PDF are counted without a library, and its text is read with one, in a thread with limits of its own.
 */

import { describeMedia } from '../../../domain/session/media.ts';
import type { ContentBlock } from '../../../domain/session/message.ts';
import { imageSize } from '../../../domain/value/image-size.ts';
import { readRegular } from '../text-file.ts';
import { countPages } from './pdf-pages.ts';

/** What the API takes of one image: five megabytes of base64. */
const MAX_IMAGE_BYTES = 3_750_000;
const MAX_EDGE_PIXELS = 8_000;
const MAX_PDF_BYTES = 10_000_000;
const MAX_PDF_PAGES = 100;
/** Enough to know each kind by. */
const HEAD_BYTES = 16;

export type MediaFile =
  | {
      readonly kind: 'media';
      readonly block: ContentBlock;
      /** What it is, in words. */
      readonly label: string;
    }
  /** `pdf`: one that is whole but too long to be shown; its text can still be read. */
  | { readonly kind: 'refused'; readonly why: string; readonly pdf?: Buffer }
  /** Neither an image nor a PDF, by its first bytes. */
  | { readonly kind: 'other' };

type Kind = {
  readonly name: string;
  readonly mediaType: string;
  readonly isIt: (head: Buffer) => boolean;
  readonly isWhole: (bytes: Buffer) => boolean;
};

const startsWith = (head: Buffer, text: string, at = 0): boolean => head.subarray(at, at + text.length).equals(Buffer.from(text, 'latin1'));
/** The end mark may be followed by a few bytes that programs add. */
const endsWith = (bytes: Buffer, mark: string): boolean => bytes.subarray(-1_024).includes(Buffer.from(mark, 'latin1'));

/** Known by their first bytes and never by their name. A file that was cut off is refused here, since a provider would refuse it each time. */
const images: readonly Kind[] = [
  {
    name: 'PNG',
    mediaType: 'image/png',
    isIt: (head) => startsWith(head, '\x89PNG\r\n\x1a\n'),
    isWhole: (bytes) => endsWith(bytes, 'IEND'),
  },
  {
    name: 'JPEG',
    mediaType: 'image/jpeg',
    isIt: (head) => startsWith(head, '\xff\xd8\xff'),
    isWhole: (bytes) => endsWith(bytes, '\xff\xd9'),
  },
  {
    name: 'GIF',
    mediaType: 'image/gif',
    isIt: (head) => startsWith(head, 'GIF87a') || startsWith(head, 'GIF89a'),
    isWhole: (bytes) => endsWith(bytes, '\x3b'),
  },
  {
    name: 'WebP',
    mediaType: 'image/webp',
    isIt: (head) => startsWith(head, 'RIFF') && startsWith(head, 'WEBP', 8),
    isWhole: (bytes) => bytes.length >= bytes.readUInt32LE(4) + 8,
  },
];

/** Reads an image or a PDF as a block for a model. Throws the system's errors and AbortedError. */
export async function readMedia(path: string, signal?: AbortSignal): Promise<MediaFile> {
  const head = await readRegular(path, { maxBytes: HEAD_BYTES, signal });
  if (head === undefined) return { kind: 'other' };
  const known = kindOf(head.bytes, head.size);
  if (known === undefined || known.kind === 'refused') return known ?? { kind: 'other' };
  const file = await readRegular(path, { maxBytes: known.limit, signal });
  return file === undefined ? { kind: 'other' } : known.read(file.bytes);
}

/** The same of bytes that somebody else has read. */
export function mediaOf(bytes: Buffer): MediaFile {
  const known = kindOf(bytes, bytes.length);
  if (known === undefined || known.kind === 'refused') return known ?? { kind: 'other' };
  return known.read(bytes);
}

function kindOf(head: Buffer, size: number) {
  const isPdf = startsWith(head, '%PDF-');
  const image = images.find(({ isIt }) => isIt(head));
  if (image === undefined && !isPdf) return undefined;
  const limit = isPdf ? MAX_PDF_BYTES : MAX_IMAGE_BYTES;
  const name = image === undefined ? 'PDF' : `${image.name} image`;
  if (size > limit) return { kind: 'refused', why: `is a ${name} of ${size} bytes; at most ${limit} can be sent. ${SMALLER}` } as const;
  const read = (bytes: Buffer): MediaFile => (image === undefined ? pdfOf(bytes) : imageOf(bytes, image));
  return { kind: 'known', limit, read } as const;
}

const SMALLER = 'Make a smaller copy with a program, and read that.';

function imageOf(bytes: Buffer, { name, mediaType, isWhole }: Kind): MediaFile {
  const data = bytes.toString('base64');
  const size = imageSize(data);
  if (size === undefined || !isWhole(bytes))
    return { kind: 'refused', why: `is a ${name} image that is damaged or cut off (${bytes.length} bytes)` };
  const { width, height } = size;
  if (Math.max(width, height) > MAX_EDGE_PIXELS)
    return {
      kind: 'refused',
      why: `is a ${name} image of ${width} × ${height} pixels; at most ${MAX_EDGE_PIXELS} on a side can be sent. ${SMALLER}`,
    };
  const block = { type: 'image', source: { type: 'base64', media_type: mediaType, data } };
  return { kind: 'media', block, label: describeMedia(block) };
}

function pdfOf(bytes: Buffer): MediaFile {
  if (!endsWith(bytes, '%%EOF')) return { kind: 'refused', why: `is a PDF that is damaged or cut off (${bytes.length} bytes)` };
  if (isEncrypted(bytes)) return { kind: 'refused', why: `is a PDF that is encrypted. ${UNLOCKED}` };
  const pages = countPages(bytes);
  if (pages !== undefined && pages > MAX_PDF_PAGES)
    return { kind: 'refused', why: `is a PDF of ${pages} pages; at most ${MAX_PDF_PAGES} can be shown`, pdf: bytes };
  const source = { type: 'base64', media_type: 'application/pdf', data: bytes.toString('base64') };
  const block = { type: 'document', source };
  return { kind: 'media', block, label: describeMedia(block, pages) };
}

const UNLOCKED = 'Make a copy of it without the password, and read that.';

/** Said in its trailer, or in the description of the stream that stands for one; neither is ever packed. */
const isEncrypted = (bytes: Buffer): boolean => /\/Encrypt[\s/<]/.test(bytes.toString('latin1'));
