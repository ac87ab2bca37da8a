/**
 * Images and PDFs: what a file is by its own bytes, whether a provider would take it, and the block that shows it to a model.
 *
 * In comes a path or bytes, out comes a block with what it is in words, or why it cannot be shown. What a provider would refuse is refused
 * here, with the limit, since one that was refused once is refused with every later request. Nothing is made smaller: each library that
 * does it well is larger than SanBot.
 *
 * The pages of a PDF are counted without a library, and its text is read with one, in a thread with limits of its own.
 */

import type { Bilingual } from '../../../domain/language.ts';
import { mediaText } from '../../../domain/session/media.ts';
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
      readonly label: Bilingual;
    }
  /** `pdf`: one that is whole but too long to be shown; its text can still be read. */
  | { readonly kind: 'refused' /** In words that follow "it" and, in Chinese, a colon. */; readonly why: Bilingual; readonly pdf?: Buffer }
  /** Neither an image nor a PDF, by its first bytes. */
  | { readonly kind: 'other' };

const startsWith = (head: Buffer, text: string, at = 0): boolean => head.subarray(at, at + text.length).equals(Buffer.from(text, 'latin1'));
/** The end mark may be followed by a few bytes that programs add. */
const endsWith = (bytes: Buffer, mark: string): boolean => bytes.subarray(-1_024).includes(Buffer.from(mark, 'latin1'));

/** Known by their first bytes and never by their name. A file that was cut off is refused here, since a provider would refuse it each time. */
const images: readonly Kind[] = [
  { name: 'PNG', begins: ['\x89PNG\r\n\x1a\n'], isWhole: (bytes) => endsWith(bytes, 'IEND') },
  { name: 'JPEG', begins: ['\xff\xd8\xff'], isWhole: (bytes) => endsWith(bytes, '\xff\xd9') },
  { name: 'GIF', begins: ['GIF87a', 'GIF89a'], isWhole: (bytes) => endsWith(bytes, '\x3b') },
  { name: 'WebP', begins: ['RIFF'], kind: 'WEBP', isWhole: (bytes) => bytes.length >= bytes.readUInt32LE(4) + 8 },
];

/** `kind`: what stands behind the length of a file. */
type Kind = {
  readonly name: string;
  readonly begins: readonly string[];
  readonly kind?: string;
  readonly isWhole: (bytes: Buffer) => boolean;
};

const refused = (en: string, zh: string) => ({ kind: 'refused', why: { en, zh } }) as const;

/** Reads an image or a PDF as a block for a model. Throws the system's errors and AbortedError. */
export async function readMedia(path: string, signal?: AbortSignal): Promise<MediaFile> {
  const head = await readRegular(path, { maxBytes: HEAD_BYTES, signal });
  if (head === undefined) return { kind: 'other' };
  const known = kindOf(head.bytes, head.size);
  if (known.kind !== 'known') return known;
  const file = await readRegular(path, { maxBytes: known.limit, signal });
  return file === undefined ? { kind: 'other' } : known.read(file.bytes);
}

/** The same of bytes that somebody else has read. */
export function mediaOf(bytes: Buffer): MediaFile {
  const known = kindOf(bytes, bytes.length);
  return known.kind === 'known' ? known.read(bytes) : known;
}

function kindOf(head: Buffer, size: number) {
  const isPdf = startsWith(head, '%PDF-');
  const image = images.find(({ begins, kind = '' }) => begins.some((text) => startsWith(head, text)) && startsWith(head, kind, 8));
  if (image === undefined && !isPdf) return { kind: 'other' } as const;
  const limit = isPdf ? MAX_PDF_BYTES : MAX_IMAGE_BYTES;
  const [name, nameZh] = image === undefined ? ['PDF', ' PDF'] : [`${image.name} image`, ` ${image.name} 图片`];
  if (size > limit)
    return refused(
      `is a ${name} of ${size} bytes; at most ${limit} can be sent. ${SMALLER.en}`,
      `是 ${size} 字节的${nameZh}；最多可发送 ${limit} 字节。${SMALLER.zh}`,
    );
  const read = (bytes: Buffer): MediaFile => (image === undefined ? pdfOf(bytes) : imageOf(bytes, image));
  return { kind: 'known', limit, read } as const;
}

const SMALLER: Bilingual = { en: 'Make a smaller copy with a program, and read that.', zh: '请用程序制作较小的副本再读取。' };

function imageOf(bytes: Buffer, { name, isWhole }: Kind): MediaFile {
  const data = bytes.toString('base64');
  const size = imageSize(data);
  if (size === undefined || !isWhole(bytes))
    return refused(
      `is a ${name} image that is damaged or cut off (${bytes.length} bytes)`,
      `是损坏或不完整的 ${name} 图片（${bytes.length} 字节）`,
    );
  const { width, height } = size;
  if (Math.max(width, height) > MAX_EDGE_PIXELS)
    return refused(
      `is a ${name} image of ${width} × ${height} pixels; at most ${MAX_EDGE_PIXELS} on a side can be sent. ${SMALLER.en}`,
      `是 ${width} × ${height} 像素的 ${name} 图片；每边最多可发送 ${MAX_EDGE_PIXELS} 像素。${SMALLER.zh}`,
    );
  const block = { type: 'image', source: { type: 'base64', media_type: `image/${name.toLowerCase()}`, data } };
  return { kind: 'media', block, label: mediaText(block) };
}

function pdfOf(bytes: Buffer): MediaFile {
  if (!endsWith(bytes, '%%EOF'))
    return refused(`is a PDF that is damaged or cut off (${bytes.length} bytes)`, `是损坏或不完整的 PDF（${bytes.length} 字节）`);
  if (isEncrypted(bytes))
    return refused(
      'is a PDF that is encrypted. Make a copy of it without the password, and read that.',
      '是加密的 PDF。请制作没有密码的副本再读取。',
    );
  const pages = countPages(bytes);
  if (pages !== undefined && pages > MAX_PDF_PAGES)
    return {
      ...refused(
        `is a PDF of ${pages} pages; at most ${MAX_PDF_PAGES} can be shown`,
        `是 ${pages} 页的 PDF；最多可显示 ${MAX_PDF_PAGES} 页`,
      ),
      pdf: bytes,
    };
  const source = { type: 'base64', media_type: 'application/pdf', data: bytes.toString('base64') };
  const block = { type: 'document', source };
  return { kind: 'media', block, label: mediaText(block, pages) };
}

/** Said in its trailer, or in the description of the stream that stands for one; neither is ever packed. */
const isEncrypted = (bytes: Buffer): boolean => /\/Encrypt[\s/<]/.test(bytes.toString('latin1'));
